/** Reads a date and time as people and models write it (requirements 2.1), and says why a text is none. */
import { DAY_MINUTES, dayMinute, MINUTE_MAX, MINUTE_MIN, storedMinute } from '../../terms/plain/minutes.ts'

const NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const NAMES_ZH = ['日', '一', '二', '三', '四', '五', '六']
/** A word before the date, which has to be the name of its weekday. */
const WORD = '(?:[A-Za-z]{3,9}[.,]?|(?:周|星期|礼拜)[日天一二三四五六])'
const WEEKDAY =
  /^(?:(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?[.,]?|(?:周|星期|礼拜)[日天一二三四五六])$/i
const ZONE = '[Zz]|[+-]\\d{2}(?::?\\d{2})?'

/**
 * The source of an expression for a date with or without weekday, time and zone. It has no groups that capture. A number behind
 * a day is probably a time in another form, and not the beginning of a text, so such a day is no date.
 */
export const DATE_SOURCE = `(?:${WORD}\\s+)?\\d{4}-\\d{1,2}-\\d{1,2}(?:(?:[Tt]|\\s+)\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:${ZONE})?|(?!\\s+\\d))`

const PARTS = new RegExp(
  `^(?:(${WORD})\\s+)?(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:([Tt]|\\s+)(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d{1,9})?)?(${ZONE})?)?$`,
)

interface DateParts {
  /** The minute of 00:00 on the day, on the written clock. */
  day: number
  /** The minute of the day. null: only a day was written. */
  time: number | null
  /** How many minutes the written clock is ahead of UTC. null: it is the clock of the caller. */
  offset: number | null
}

/**
 * Why a text is no date: it has another form, the calendar has no such moment, its time is missing, or the day has another
 * weekday. `range`: what looks like a zone behind a blank is probably the end of a period, as in `2026-11-27 09:00-10:00`.
 */
type DateError = { why: 'form' | 'unreal' | 'range' | 'time' } | { why: 'weekday'; weekday: number }

function partsOf(text: string): DateParts | DateError {
  const match = PARTS.exec(text.trim())
  if (match === null || (match[1] !== undefined && !WEEKDAY.test(match[1]))) return { why: 'form' }
  const [, name, year, month, date, separator = '', hour, minute = '0', second = '0', zone] = match
  const day = dayMinute(Number(year), Number(month), Number(date))
  if (day === null || Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59) return { why: 'unreal' }
  const offset = zone === undefined ? null : offsetOf(zone)
  if (offset !== null && Math.abs(offset) > OFFSET_MAX) return { why: 'unreal' }
  if (zone?.startsWith('-') === true && separator.toUpperCase() !== 'T') return { why: 'range' }
  const weekday = weekdayOf(day)
  if (name !== undefined && !isNameOf(name.toLowerCase(), weekday)) return { why: 'weekday', weekday }
  return { day, time: hour === undefined ? null : Number(hour) * 60 + Number(minute), offset }
}

/** The zone that is the farthest ahead of UTC is 14 hours ahead. */
const OFFSET_MAX = 14 * 60

function offsetOf(zone: string): number {
  const digits = zone.replaceAll(/\D/g, '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}

const isNameOf = (name: string, weekday: number) =>
  NAMES.indexOf(name.slice(0, 3)) === weekday || NAMES_ZH.indexOf(name.slice(-1).replace('天', '日')) === weekday

/** The weekday of a minute: 0 is Sunday. Day 0, 1970-01-01, was a Thursday. */
export const weekdayOf = (minute: number): number => (((Math.floor(minute / DAY_MINUTES) + 4) % 7) + 7) % 7

/** The times that are taken when only a day is given: a due time is its end, a reminder comes in the morning. */
export const DAY_END = 23 * 60 + 59
export const MORNING = 9 * 60

/**
 * Turns a written date into the moment that the workspace stores. `time` is the minute of the day for a date without a time,
 * null if a time is needed. null: it is no such moment.
 */
export type ReadMoment = (literal: string, time: number | null) => string | null

interface WrittenMoment {
  minute: number
  /** How many minutes the written clock is ahead of UTC. null: it is the clock of the caller. */
  offset: number | null
}

/** The moment that a text means. `time`: the minute of the day that is taken if only a day is given; null: a time is needed. */
export function writtenMoment(text: string, time: number | null): WrittenMoment | null {
  const parts = partsOf(text)
  if ('why' in parts) return null
  const inDay = parts.time ?? time
  return inDay === null ? null : { minute: parts.day + inDay, offset: parts.offset }
}

/** Why a text is refused as a moment. null: its form is fine, so it leaves the calendar in another zone, or is given twice. */
export function dateError(text: string, needs_time: boolean): DateError | null {
  const parts = partsOf(text)
  if ('why' in parts) return parts
  return needs_time && parts.time === null ? { why: 'time' } : null
}

/** Whether the last occurrence of an event would start after the year 9999. */
export const reachesTooFar = (rule: { interval: number; times: number } | null, start: string): boolean =>
  rule !== null && rule.times > 0 && storedMinute(start) + (rule.times - 1) * rule.interval > MINUTE_MAX

/** Whether a minute can be moved into any zone without leaving the calendar. */
export const isMovable = (minute: number): boolean =>
  minute >= MINUTE_MIN + DAY_MINUTES && minute <= MINUTE_MAX - DAY_MINUTES
