/**
 * Finds lengths that no event has and times that no day has. They are kept as they were written and never as minutes, so that a question can
 * name them and nothing is stored by them (U63).
 */
import { amountOf, unitMinutes } from '../time/numbers.ts'

/** The longest event whose length is said in minutes or hours. */
const HOURS_MAX = 24 * 60
/** The longest event whose length is said in days or weeks. */
const DAYS_MAX = 31 * 1440

/** Whether an event may last that long; `whole_days`: its length is said in days or weeks. */
const isLikelyLength = (minutes: number, whole_days: boolean): boolean =>
  Number.isFinite(minutes) && minutes >= 1 && minutes <= (whole_days ? DAYS_MAX : HOURS_MAX)

/** For a number of minutes whose words are not known any more. */
export const isLikelyMinutes = (minutes: number): boolean => isLikelyLength(minutes, minutes % 1440 === 0)

interface Unlikely {
  words: string
  rest: string
}

const EN_UNIT = '(seconds?|secs?|minutes?|mins?|min|hours?|hrs?|hr|h|days?|weeks?|months?|years?)'
const EN_COUNT =
  '(\\d{1,15}(?:\\.\\d{1,6})?|zero|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|sixty|ninety|an?|a few)'
const EN_MANY = '(?:\\s(hundred|thousand|million))?'
const EN_LEAD = '(?:\\b(?:for|of|lasting|takes|taking)\\s+(?:about\\s+|around\\s+)?|\\ban?\\s+)'
const EN_AFTER = '(?!\\s*(?:ago|later|old|before|from now|anniversary)|-old)'
const EN_LENGTH = new RegExp(
  `${EN_LEAD}?(?<![\\w.:,])(-\\s?|minus\\s|negative\\s)?${EN_COUNT}${EN_MANY}(?:\\s|-)?${EN_UNIT}\\b${EN_AFTER}`,
  'giu',
)
/** A dash before a number is a sign only behind one of these words: in `call - 30 minutes` it separates. */
const SIGNED = /^(?:for|of|lasting|takes|taking|an?)\b/iu
const ZH_LENGTH =
  /(?:时长|持续|为期|用时|大约|约)?(?<![点时:.\d零〇一二三四五六七八九十])(负|-)?(\d{1,15}(?:\.\d{1,6})?|[零〇一二两三四五六七八九十百千万亿]{1,12})\s?(?:个)?(半)?(秒钟?|分钟|分|小时|钟头|刻钟|天|周|星期|个?月|年)(?:的时间)?的?(?![后前内以之间号日点])/gu

const MANY: Record<string, number> = { hundred: 100, thousand: 1_000, million: 1_000_000 }
const ZH_UNITS: [string, number][] = [
  ['亿', 100_000_000],
  ['万', 10_000],
  ['千', 1_000],
]

/** Numbers with 千 and above are beyond what numbers.ts reads; their order of size is enough here. */
function zhAmount(word: string): number {
  const [, unit = 1] = ZH_UNITS.find(([sign]) => word.includes(sign)) ?? []
  return unit > 1 ? unit : amountOf(word)
}

/** Seconds, months and years are no lengths of an event, whatever their number. */
const isForeign = (unit: string) => /^(?:s|mon|year|秒|个?月|年)/iu.test(unit)
const inDays = (unit: string) => /^(?:d|w|天|周|星期)/iu.test(unit)

/** How a request repeats: a length beyond its interval counts repetitions (`every Monday for 60 weeks`). */
interface Repeats {
  interval: number | null
  odd: string | null
}

/** The first length that no event has; null: there is none. */
export function unlikelyLengthIn(text: string, { interval, odd }: Repeats): Unlikely | null {
  const repeats = interval !== null || odd !== null
  const isWrong = (unit: string, minutes: number, below: boolean, led: boolean): boolean => {
    if (isForeign(unit)) return led && !repeats
    if (repeats && !below && minutes > (interval ?? HOURS_MAX)) return false
    return below || !isLikelyLength(minutes, inDays(unit))
  }
  for (const match of text.matchAll(EN_LENGTH)) {
    const [whole, sign = '', count = '', many = '', unit = ''] = match
    const below = sign !== '' && (!sign.startsWith('-') || SIGNED.test(whole))
    const minutes = amountOf(count) * (MANY[many.toLowerCase()] ?? 1) * unitMinutes(unit)
    if (isWrong(unit, minutes, below, LED.test(whole))) return taken(text, match)
  }
  for (const match of text.matchAll(ZH_LENGTH)) {
    const [whole, sign = '', count = '', half = '', unit = ''] = match
    const minutes = zhAmount(count) * unitMinutes(unit) + (half === '' ? 0 : 1)
    if (isWrong(unit, minutes, sign !== '', /^(?:时长|持续|为期|用时)/u.test(whole))) return taken(text, match)
  }
  return null
}
const LED = /^(?:for|of|lasting|takes|taking)\b/iu

/** A part of a title ends at a semicolon or a bracket, and no length or time has one. */
function taken(text: string, match: RegExpMatchArray): Unlikely {
  const [whole] = match
  const words = whole
    .replace(/^(?:(?:for|of|lasting|takes|taking)\s+)?(?:about\s+|around\s+)?(?:an?\s+(?=\S+[\s-]))?/iu, '')
    .replace(/的$/u, '')
    .trim()
  const at = match.index ?? 0
  return { words, rest: `${text.slice(0, at)} ${text.slice(at + whole.length)}` }
}

const CLOCK =
  /(?:(?<![\w.:])(?:(?:at|from|by|until|till|to)\s+|@\s?))?(?<![\w.:/-])(\d{1,3}):(\d{2})(?![\d:])\s?([ap]\.?m\b\.?)?/giu
const HALF_DAY = /(?:\b(?:at|from|by|until|till|to)\s+|@\s?)?(?<![\w.:/-])(\d{1,3})\s?[ap]m\b/giu
const BY_HOUR = /\b(?:at|from|by)\s+(\d{1,3})\s?(?:o'?clock|hrs?|h)\b/giu
const ZH_CLOCK =
  /(?:早上|上午|中午|下午|傍晚|晚上|凌晨)?(?<![\d.])(\d{1,3}|[二三四五六七八九]十[一二三四五六七八九]?|一百)\s?[点时](?!积分|经验|分数|生命|血|伤害|建议|意见|想法|钟头)(?:(\d{1,3}|[六七八九]十[一二三四五六七八九]?)分)?/gu

/**
 * The first time of day that there is not, such as `25:00`, `13pm` or `26点`; null: there is none. `bare`: a clock without a word such as `at` before
 * it counts too. In a todo it does not, because it may be a verse or a score.
 */
export function unlikelyTimeIn(text: string, bare: boolean): Unlikely | null {
  for (const match of text.matchAll(CLOCK)) {
    const [whole, hour, minute, half] = match
    const wrong = Number(hour) > 24 || Number(minute) > 59 || (Number(hour) === 24 && Number(minute) > 0)
    if (wrong && (bare || half !== undefined || /^\D/u.test(whole))) return timeTaken(text, match)
  }
  for (const match of text.matchAll(HALF_DAY)) if (Number(match[1]) > 12) return timeTaken(text, match)
  for (const match of text.matchAll(BY_HOUR)) if (Number(match[1]) > 24) return timeTaken(text, match)
  for (const match of text.matchAll(ZH_CLOCK)) {
    const [, hour = '', minute = ''] = match
    if (amountOf(hour) > 24 || (minute !== '' && amountOf(minute) > 59)) return timeTaken(text, match)
  }
  return null
}

function timeTaken(text: string, match: RegExpMatchArray): Unlikely {
  const words = match[0].replace(/^(?:(?:at|from|by|until|till|to)\s+|@\s?)/iu, '').trim()
  const at = match.index ?? 0
  return { words, rest: `${text.slice(0, at)} ${text.slice(at + match[0].length)}` }
}
