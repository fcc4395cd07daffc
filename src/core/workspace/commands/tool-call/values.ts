/** Reads the values of members: as their schema says, and as models write them in its place, such as a number as text. */
import { isRecord } from '../../../terms/plain/is-record.ts'
import { SPAN_MINUTES } from '../../../terms/plain/minutes.ts'
import { jsonOrText } from '../../../terms/values/parse-json.ts'
import { SPANS, VIEWS, type Span, type View } from '../command.ts'
import { DAY_END, MORNING, writtenMoment, type ReadMoment } from '../dates.ts'
import { collapseSpaces, integerParser, parseTag } from '../options.ts'
import { minutesIn, minutesOfUnit } from './durations.ts'

/** Every how many minutes, and how often in all. −1: without end. */
export interface Repeat {
  interval: number
  times: number
}

export interface Values {
  text: string
  title: string
  search: string
  tag: string
  due: string
  remind: string
  start: string
  /** The minute of 00:00 on a day of the caller's clock. */
  date: number
  id: number
  priority: number
  /** Minutes. */
  duration: number
  view: View
  span: Span
  repeat: Repeat
  stop_repeat: boolean
}
export type ValueName = keyof Values
type Reader<T> = (given: unknown, moment: ReadMoment) => T | null

export const UNITS = ['minutes', 'hours', 'days', 'weeks'] as const

/** A text, or a number as text. */
const written = (given: unknown): string | null =>
  typeof given === 'string' ? given.trim() : typeof given === 'number' ? String(given) : null

const text: Reader<string> = (given) => {
  const value = collapseSpaces(written(given) ?? '')
  return value === '' ? null : value
}
const whole =
  (min: number, max?: number): Reader<number> =>
  (given) =>
    integerParser(min, max)((written(given) ?? '').replace(/\.0{1,9}$/, ''))
const minutes = whole(1, SPAN_MINUTES)
const oneOf =
  <T extends string>(words: readonly T[]): Reader<T> =>
  (given) =>
    words.find((word) => word === written(given)?.toLowerCase()) ?? null
const momentAt =
  (time: number | null): Reader<string> =>
  (given, moment) =>
    typeof given === 'string' ? moment(given.trim(), time) : null

export const VALUES: { [N in ValueName]: Reader<Values[N]> } = {
  text,
  title: text,
  search: text,
  // A tag of two words could never be given to a slash command.
  tag: (given) => (/\s/.test(written(given) ?? '') ? null : parseTag(written(given) ?? '')),
  due: momentAt(DAY_END),
  remind: momentAt(MORNING),
  start: momentAt(null),
  date: (given) => dayOf(written(given) ?? ''),
  // Results show an id as #3.
  id: (given, moment) => whole(1)(typeof given === 'string' ? given.trim().replace(/^#/, '') : given, moment),
  priority: whole(0),
  duration: (given, moment) => minutes(given, moment) ?? minutes(minutesIn(written(given) ?? ''), moment),
  view: oneOf(VIEWS),
  span: oneOf(SPANS),
  repeat: repeatOf,
  stop_repeat: (given) => TRUTHS.get(written(given)?.toLowerCase() ?? given) ?? null,
}

const TRUTHS = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['yes', true],
  [false, false],
  ['false', false],
  ['no', false],
])

/** A day, also as a moment on it, and a month as its first day. */
function dayOf(given: string): number | null {
  const day = /^\d{4}-\d{1,2}$/.test(given) ? `${given}-01` : given
  return writtenMoment(day, 0)?.minute ?? null
}

const ADVERBS = new Map([
  ['hourly', 60],
  ['daily', 24 * 60],
  ['weekly', 7 * 24 * 60],
])

function repeatOf(given: unknown, moment: ReadMoment): Repeat | null {
  const value = typeof given === 'string' ? jsonOrText(given) : given
  if (typeof value === 'string') {
    const interval = ADVERBS.get(value.trim().toLowerCase())
    return interval === undefined ? null : { interval, times: -1 }
  }
  if (!isRecord(value) || Object.keys(value).some((name) => !['every', 'unit', 'times'].includes(name))) return null
  const { every, unit, times = null } = value
  const amount = minutes(every, moment)
  const unit_minutes = minutesOfUnit(written(unit) ?? '')
  const count = times === null || times === '' ? -1 : whole(-1)(times, moment)
  if (amount === null || unit_minutes === null || count === null || count === 0) return null
  const interval = minutes(amount * unit_minutes, moment)
  return interval === null ? null : { interval, times: count }
}
