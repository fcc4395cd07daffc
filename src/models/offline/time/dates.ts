/**
 * Reads natural dates: our own rewriting first, then the date library, then the choices that the library leaves open. The library computes in the
 * zone of the machine. It gets the local day as that zone writes it, and only the components of its result are read, so the zone has no effect.
 * Its own option to move dates forward compares instants and is therefore not used.
 */
import { casual as english } from 'chrono-node/en'
import { casual as chinese } from 'chrono-node/zh/hans'
import { clockTime, minutesOf, plusDays, type Moment } from './clock.ts'
import { EN_NUMBER } from './numbers.ts'
import { rewriteChinese, rewriteEnglish } from './rewrite.ts'

interface When {
  /** Null when the text names none: a bare time means the next such time. */
  date: string | null
  /** Null when the text names no exact time, as in `Friday afternoon`. */
  time: string | null
  /** The usual hour for a vague part of the day, else null. */
  vague: string | null
  /** The minutes from start to end when the text names a range. */
  length: number | null
}
interface WhenFound extends When {
  /** The text without the parts that were read. */
  rest: string
}

type Result = ReturnType<typeof english.parse>[number]
type Components = Result['start']

/** Words that are dates for the library, but rarely for people. */
const NO_DATE = /^(?:sun|sat|wed|mar|march|may|dec|now|second|\d{1,2}[/.-]\d{1,2}|\d+(?:\.\d+)?)$/iu
/** Durations; those that start now are rewritten before. */
const LENGTH = new RegExp(
  `^(?:for\\s+)?${EN_NUMBER}(?:\\s+|(?<=\\d))(?:minutes?|mins?|hours?|hrs?|days?|weeks?)$`,
  'iu',
)
/** The Chinese parser takes these as today; here they leave the day open. */
const PART_OF_DAY = /^\s*(?:早上|上午|中午|下午|傍晚|晚上?|凌晨)/u
const BEFORE = /(?:^|\s)(?:on|at|by|from|for|due|until|before|starting|beginning|in|this|the|coming)\s*$/iu
const VAGUE: [RegExp, string][] = [
  [/morning|早上|上午/iu, '09:00'],
  [/afternoon|下午/iu, '15:00'],
  [/evening|tonight|night|晚/iu, '20:00'],
]
export const hasHan = (text: string) => /\p{Script=Han}/u.test(text)

/** Reads the first date and the first time of `text`; null when it has neither. */
export function readWhen(text: string, now: Moment): WhenFound | null {
  const rewritten = hasHan(text) ? rewriteChinese(text, now) : rewriteEnglish(text, now)
  const results = parse(rewritten, now)
  const dated = results.find((result) => !PART_OF_DAY.test(result.text) && isDated(result.start))
  const timed = results.find((result) => isTimed(result.start))
  if (!dated && !timed && vagueOf(rewritten) === null) return null
  const time = timed ? timeOf(timed, timed.start, rewritten) : null
  const used = results.filter((result) => result === dated || result === timed)
  return {
    date: dated ? dateOf(dated, time, now) : null,
    time,
    vague: time === null ? vagueOf(rewritten) : null,
    length: timed && time !== null ? lengthOf(timed, time) : null,
    rest: vagueWords(used.toReversed().reduce(cut, rewritten), used.length > 0),
  }
}

function parse(text: string, now: Moment): Result[] {
  const [year = 0, month = 0, day = 0] = now.date.split('-').map(Number)
  const reference = new Date(year, month - 1, day)
  const parser =
    hasHan(text) && !/\b(?:mon|tue|wed|thu|fri|sat|sun|tomorrow|today|tonight|next)/iu.test(text) ? chinese : english
  return parser.parse(text, reference).filter((result) => isMeant(result, text))
}

function isMeant(result: Result, text: string): boolean {
  const word = result.text.trim()
  if (LENGTH.test(word)) return false
  if (!NO_DATE.test(word))
    return isDated(result.start) || isTimed(result.start) || /night|morning|evening|noon/iu.test(word)
  const slashed = /^\d{1,2}\/\d{1,2}$/u.test(word)
  return slashed && /\b(?:on|by|due|for|until)\s+$/iu.test(text.slice(0, result.index))
}

const isDated = (start: Components) =>
  (start.isCertain('day') || start.isCertain('weekday') || start.isCertain('month')) &&
  (start.get('year') ?? 0) <= 9_999
const isTimed = (start: Components) => start.isCertain('hour')

/** Hours 1–6 without am or pm mean the afternoon, unless they are written in full (`03:00`, `6:40`) or belong to a morning. */
function timeOf(result: Result, part: Components, text: string): string {
  const hour = part.get('hour') ?? 0
  const last = /\b6:\d\d/u.test(result.text) ? 5 : 6
  const open = !part.isCertain('meridiem') && hour >= 1 && hour <= last && !/\b0\d:/u.test(result.text)
  const early = open && /morning|早|凌晨/iu.test(text)
  const late = !part.isCertain('meridiem') && hour >= 7 && hour <= 11 && /evening|night/iu.test(text)
  return clockTime((open && !early) || late ? hour + 12 : hour, part.get('minute') ?? 0)
}

/** A weekday means the coming one, and a day without a year the next such day. A complete date stays, even when it is past. */
function dateOf({ start, text }: Result, time: string | null, now: Moment): string {
  const [year = 0, month = 0, day = 0] = [start.get('year') ?? 0, start.get('month') ?? 0, start.get('day') ?? 0]
  const dateIn = (inYear: number) =>
    `${String(inYear).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const date = dateIn(year)
  if (/\b(?:last|past|previous)\b|上/iu.test(text) && !/上午/u.test(text)) return date
  if (start.isCertain('weekday') && !start.isCertain('day')) {
    const over = date < now.date || (date === now.date && time !== null && time <= now.time)
    return over ? plusDays(date, 7) : date
  }
  const anyYear = start.isCertain('month') && !start.isCertain('year')
  return anyYear && date < now.date ? dateIn(year + 1) : date
}

function lengthOf(result: Result, time: string): number | null {
  if (!result.end?.isCertain('hour')) return null
  const start = minutesOf('2000-01-01', time)
  const end = minutesOf('2000-01-01', clockTime(result.end.get('hour') ?? 0, result.end.get('minute') ?? 0))
  const steps = result.end.isCertain('meridiem') ? [0, 1440] : [0, 720, 1440]
  return steps.map((step) => end + step - start).find((length) => length > 0) ?? null
}

const vagueOf = (text: string) => VAGUE.find(([word]) => word.test(text))?.[1] ?? null

function cut(text: string, result: Result): string {
  const before = text.slice(0, result.index).replace(BEFORE, ' ')
  return `${before} ${text.slice(result.index + result.text.length)}`
}

const vagueWords = (text: string, dated: boolean) =>
  dated || /\b(?:in the|this) (?:morning|afternoon|evening)\b|\bat night\b|^(?:早上|上午|下午|晚上)/iu.test(text)
    ? text.replace(
        /\b(?:in the|this)\s+(?:morning|afternoon|evening)\b|\bat night\b|(?:早上|上午|下午|晚上)(?!好)/iu,
        ' ',
      )
    : text
