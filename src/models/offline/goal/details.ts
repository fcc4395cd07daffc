/** Reads the details of a request besides its subject: when, how long, how often, reminders, tag, priority. */
import { minutesOf, type Moment } from '../time/clock.ts'
import { DAY_MINUTES } from '../../../core/terms/plain/minutes.ts'
import { unlikelyLengthIn, unlikelyTimeIn } from '../manners/unlikely.ts'
import { hasHan, readWhen } from '../time/dates.ts'
import { EN_NUMBER, EN_SPAN, ZH_NUMBER, ZH_SPAN, chineseSpan, englishSpan, amountOf } from '../time/numbers.ts'
import { takeRepeat } from '../time/repeats.ts'

export interface Details {
  /** `YYYY-MM-DD`. */
  date: string | null
  /** `HH:MM`. */
  time: string | null
  /** Minutes. */
  duration: number | null
  /** A length that no event has and a time that does not exist, as they were written; a question asks for the right ones. */
  unlikely_length: string | null
  unlikely_time: string | null
  /** Minutes between repetitions. */
  interval: number | null
  /** A repetition without a fixed number of minutes. The calendar cannot keep it, so a question is asked about it. */
  odd: 'month' | 'year' | 'workday' | null
  times: number | null
  /** `YYYY-MM-DD`, `HH:MM` or both: the end of a repetition. It becomes a number of times once the start is known. */
  until: string | null
  /** Minutes before the start or due time. */
  before: number | null
  /** `HH:MM` on the same day, or `YYYY-MM-DD HH:MM`. */
  remind: string | null
  tag: string | null
  priority: number | null
}
export const NO_DETAILS: Details = {
  date: null,
  time: null,
  duration: null,
  unlikely_length: null,
  unlikely_time: null,
  interval: null,
  odd: null,
  times: null,
  until: null,
  before: null,
  remind: null,
  tag: null,
  priority: null,
}
interface DetailsReading {
  details: Details
  /** The usual hour for a vague part of the day. */
  vague: string | null
  rest: string
}

/** Removes the first match of `pattern` and passes it to `keep`. */
function take(text: string, pattern: RegExp, keep: (match: RegExpMatchArray) => void): string {
  const match = pattern.exec(text)
  if (!match) return text
  keep(match)
  return `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
}

const EN_BEFORE = new RegExp(
  `(?:(?:and\\s+)?(?:please\\s+)?(?:remind\\s+me|(?:with|set|add)?\\s*an?\\s+(?:reminder|alert)|alert\\s+me|notify\\s+me)\\s+(?:about\\s+it\\s+|of\\s+it\\s+)?)${EN_SPAN}\\s+(?:before(?:hand)?|earlier|in advance|ahead|prior)(?:\\s+(?:it|that))?`,
  'iu',
)
const EN_DAY_BEFORE = /(?:and\s+)?remind\s+me\s+the\s+day\s+before/iu
const ZH_BEFORE = new RegExp(
  `(?:并|并且)?(?:请)?(?:(?:提醒我?|通知我?)?\\s*提前\\s*${ZH_SPAN}\\s*(?:提醒|通知|叫)?我?(?:一下)?)`,
  'u',
)
const ZH_DAY_BEFORE = /(?:前一天|提前一天)提醒我?/u

function takeReminder(text: string, details: Details): string {
  const set = (minutes: number) => {
    details.before = Number.isFinite(minutes) ? minutes : null
  }
  let rest = take(text, EN_BEFORE, (match) => set(englishSpan(match, 1)))
  rest = take(rest, EN_DAY_BEFORE, () => set(1440))
  rest = take(rest, ZH_DAY_BEFORE, () => set(1440))
  return take(rest, ZH_BEFORE, (match) => set(chineseSpan(match, 1)))
}

const LABEL_RULES: [RegExp, (details: Details, word: string) => void][] = [
  [/(?:\bwith\s+)?\bpriority\s*(?:[:=]|of|is)?\s*(\d{1,4})\b/iu, (details, word) => (details.priority = Number(word))],
  [/优先级\s*(?:[:=]|为|是)?\s*(\d{1,4})/u, (details, word) => (details.priority = Number(word))],
  [/\b(?:with\s+)?(high|top|medium|normal|low)[\s-]priority\b/iu, (details, word) => (details.priority = level(word))],
  [/(高|中|低)优先级/u, (details, word) => (details.priority = level(word))],
  [/优先级\s*(?:[:=]|为|是)?\s*(高|中|低)/u, (details, word) => (details.priority = level(word))],
  [/(?<=^|\s)#([\p{L}\p{N}_-]{1,40})/u, (details, word) => (details.tag ??= word.toLowerCase())],
  [
    /\b(?:with\s+(?:the\s+)?tag|tagged(?:\s+as)?)\s*:?\s*#?([\p{L}\p{N}_-]{1,40})/iu,
    (details, word) => (details.tag ??= word.toLowerCase()),
  ],
  [
    /(?:带|加|打)?(?:上)?标签\s*(?:[:=]|为|是)?\s*#?([\p{L}\p{N}_-]{1,40})/u,
    (details, word) => (details.tag ??= word.toLowerCase()),
  ],
]
const level = (word: string) => (/high|top|高/iu.test(word) ? 0 : /low|低/iu.test(word) ? 9 : 5)

/** Takes out the tag and the priority. */
function takeLabels(text: string, details: Details): string {
  return LABEL_RULES.reduce((rest, [pattern, keep]) => take(rest, pattern, (m) => keep(details, m[1] ?? '')), text)
}

const EN_DURATION = new RegExp(
  `(?:\\b(?:for|lasting|takes|taking|it takes|of)\\s+(?:about\\s+|around\\s+)?|\\b(?:block|reserve)\\s+)${EN_SPAN}(?:\\s+long)?(?:\\s+in\\s+a\\s+row)?(?:\\s+for\\b)?`,
  'iu',
)
const EN_BARE_DURATION = new RegExp(
  `(?:\\ban?\\s+)?(?<![\\w.:])${EN_SPAN}(?:\\s+long)?(?!\\s*(?:ago|later|old|before))`,
  'iu',
)
const ZH_DURATION = new RegExp(
  `(?:连续|一连|连着|持续|为期|时长|用时|大约|大概|预计|约|，|,)?\\s*${ZH_SPAN}(?:左右|时间|钟)?的?(?!后|前|内)`,
  'u',
)

function takeDuration(text: string, details: Details): string {
  const set = (minutes: number) => {
    if (Number.isFinite(minutes) && minutes >= 1) details.duration = minutes
  }
  let rest = take(text, EN_DURATION, (match) => set(englishSpan(match, 1)))
  if (details.duration === null) rest = take(rest, EN_BARE_DURATION, (match) => set(englishSpan(match, 1)))
  return details.duration === null ? take(rest, ZH_DURATION, (match) => set(chineseSpan(match, 1))) : rest
}

/** Takes out a length or a time that cannot be meant. A todo has no length, so its words stay in its text. */
function takeUnlikely(text: string, details: Details, timed: boolean): string {
  const length = timed ? unlikelyLengthIn(text, details) : null
  const time = unlikelyTimeIn(length?.rest ?? text, timed)
  details.unlikely_length = length?.words ?? null
  details.unlikely_time = time?.words ?? null
  return time?.rest ?? length?.rest ?? text
}

const TIMES = [
  new RegExp(
    `\\b(?:for\\s+|,?\\s*repeat(?:ed|ing)?\\s+)?(${EN_NUMBER})\\s+(?:times|occurrences|sessions)\\b(?:\\s+in total)?`,
    'iu',
  ),
  new RegExp(`(?:一共|共|重复|连续|总共)*\\s*(${ZH_NUMBER})\\s*次`, 'u'),
]

/** `every Monday for 4 weeks` means four times, not an event of four weeks. */
function settleTimes(details: Details): void {
  const { interval, duration } = details
  if (interval !== null && duration !== null && duration > interval) {
    details.times = Math.floor(duration / interval)
    details.duration = null
  }
  if (details.times !== null && details.times < 2) details.interval = details.times = null
}

function takeTimes(text: string, details: Details): string {
  if (details.interval === null && details.odd === null) return text
  return TIMES.reduce((rest, pattern) => take(rest, pattern, (m) => (details.times ??= amountOf(m[1] ?? ''))), text)
}

const UNTIL =
  /[,\s]*\b(?:until|till|through|up\s+to)\s+([^,;]+?)(?=\s*(?:$|[,;]|\b(?:at|from|starting|remind|with)\b))|[,\s]*(?:一?直到|持续到|截止到|到)([^,;]{1,14}?)(?:为止|结束|截止|止)|[,\s]*(?:一?直到|持续到)([^,;]{1,14}?)(?=$|[,;])/iu

/** Takes out the end of a repetition, so that it is not read as its start or its length. */
function takeUntil(text: string, details: Details, now: Moment): string {
  if (details.interval === null && details.odd === null) return text
  const match = UNTIL.exec(text)
  const end = match ? readWhen(match[1] ?? match[2] ?? match[3] ?? '', now) : null
  // An hour can end a repetition within a day. For a repetition by days it may be the end of each time.
  const within = details.interval !== null && details.interval < DAY_MINUTES
  if (!match || !end || tidy(end.rest) !== '' || (end.date === null && !(within && end.time !== null))) return text
  details.until = [end.date, end.time].filter((part) => part !== null).join(' ')
  return `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
}

export const ALL_DAY = /\b(?:for\s+)?(?:all|the\s+(?:whole|entire))[\s-]day(?:\s+long)?\b|一整天|全天|整天/iu

/** Removes words that are left where a date was taken out. */
function tidy(text: string): string {
  let rest = text
    .replace(/\s+/gu, ' ')
    .replace(/ ([,;.!?)])/gu, '$1')
    .replace(/\( ?\)/gu, '')
    .trim()
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest
      .replace(/^(?:[,;:，。、；：.-]+|(?:at|on|by|for|to|and|from|with)\s)\s*/iu, '')
      .replace(
        /(?:\s(?:at|on|by|for|from|in|to|due|until|before|and|starting|beginning|with)|[,;:?!，。、；：？！.]+|\s-+)$/iu,
        '',
      )
      .replace(/(?:，|,|在|从|到|于|的时候|之前|以前|截止(?:到|时间|日期)?|到期)$/u, '')
      .trim()
  }
  return hasHan(rest)
    ? rest
        .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
        .replace(/^(?:在|从|于|的|之前|以前|前(?=[交把完]))+/u, '')
    : rest
}

const AT_TIME = '(?:\\s*(?:at\\s+)?\\d{1,2}(?::\\d{2})?\\s*(?:am|pm)?(?![\\d-]))?'
const WRITTEN_DATE = new RegExp(`\\b(?:on\\s+)?(\\d{4})-(\\d{1,2})-(\\d{1,2})${AT_TIME}`, 'giu')
const NO_SUCH_DAY = new RegExp(
  `(?:\\bon\\s+)?\\b(?:3[01](?:st|th)?\\s+(?:of\\s+)?feb[a-z]*|feb[a-z]*\\.?\\s+3[01](?:st|th)?|31(?:st)?\\s+(?:of\\s+)?(?:apr|jun|sep|nov)[a-z]*|(?:apr|june?|sep|nov)[a-z]*\\.?\\s+31(?:st)?)\\b${AT_TIME}`,
  'giu',
)
const NO_SUCH_DAY_ZH =
  /(?<!\d)(?:2月3[01]|(?:4|6|9|11)月31)[日号](?:\s*(?:早上|上午|中午|下午|晚上)?\s*[\d一二两三四五六七八九十]{1,3}[点:](?:半|\d{2}分?)?)?/gu
/** A week or a month is not a day for an event. */
const NO_DAY =
  /(?<!day\s)(?:\bsometime\s+)?\b(?:next|this)\s+(?:week|month|year)\b|(?:下个?|这个?|本)(?:周|星期)(?!末|[一二三四五六天]|日(?!程))|(?:下个?|这个?|本)月(?![底\d一二三四五六七八九十])/giu

/** Takes out what cannot be a day for an event: days that do not exist (`2026-02-30`, `31 Nov at 10`), whole weeks and months. */
function withoutFalseDays(text: string): string {
  const real = (...[all, year, month, day]: string[]) =>
    Number.isNaN(minutesOf([year, month?.padStart(2, '0'), day?.padStart(2, '0')].join('-'))) ? ' ' : (all ?? '')
  return text.replace(WRITTEN_DATE, real).replace(NO_SUCH_DAY, ' ').replace(NO_SUCH_DAY_ZH, ' ').replace(NO_DAY, ' ')
}

/** Nobody plans that far ahead; such a year is a slip. */
const YEARS_MAX = 50
const isTooFar = (date: string, now: Moment) => Number(date.slice(0, 4)) > Number(now.date.slice(0, 4)) + YEARS_MAX

/** Reads everything but the subject. `timed`: durations belong to the details, as they do for events. */
export function readDetails(text: string, now: Moment, timed: boolean): DetailsReading {
  const details = { ...NO_DETAILS }
  const sound = timed ? withoutFalseDays(text) : text
  let rest = takeReminder(sound, details)
  rest = takeRepeat(rest, details)
  rest = takeUntil(rest, details, now)
  rest = takeTimes(rest, details)
  const allDay = timed && ALL_DAY.test(rest)
  if (allDay) rest = rest.replace(ALL_DAY, ' ')
  const relative = /\b(?:in|within)\s|\bfrom now\b|后/iu.test(rest)
  const early = relative ? readWhen(rest, now) : null
  if (early) rest = early.rest
  rest = takeUnlikely(rest, details, timed)
  if (timed && details.unlikely_length === null) rest = takeDuration(rest, details)
  settleTimes(details)
  const when = early ?? readWhen(rest, now)
  if (when)
    Object.assign(details, {
      date: when.date,
      time: when.time,
      duration: details.duration ?? (timed ? when.length : null),
    })
  if (details.date !== null && isTooFar(details.date, now))
    Object.assign(details, { unlikely_time: details.date, date: null, time: null })
  rest = takeLabels(when && !early ? when.rest : rest, details)
  if (allDay && details.time === null) {
    details.duration ??= DAY_MINUTES
    if (details.date !== null) details.time = '00:00'
  }
  // The time of a day that does not exist is not a time of today.
  if (sound !== text && details.date === null) details.time = null
  return { details, vague: when?.vague ?? null, rest: tidy(rest) }
}

/** Whether a text says only when, or how often: `In two weeks`, `明天下午三点`. */
export function isOnlyWhen(text: string, now: Moment): boolean {
  if (text.length > WHEN_MAX || !/[\p{L}\p{N}]/u.test(text)) return false
  const { details, vague, rest } = readDetails(text, now, true)
  const { date, time, interval, odd, unlikely_time } = details
  return rest === '' && [date, time, interval, odd, unlikely_time, vague].some((value) => value !== null)
}
/** A longer text is not checked. */
const WHEN_MAX = 60
