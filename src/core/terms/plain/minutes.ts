/**
 * Wall-clock arithmetic in whole minutes (requirements 2.1). A moment is a text `YYYY-MM-DD HH:MM` of the years 0001–9999
 * without a zone. A minute counts from 1970-01-01 00:00 on the same clock. So each day has 1440 minutes, and sums are exact.
 */
import { MINUTE_MS } from './durations.ts'

export const DAY_MINUTES = 1440

/** The minute of 00:00 on a day. A month or day beyond the last one counts on: the 31st of April is the 1st of May. */
export function minuteOfDay(year: number, month: number, day: number): number {
  // Date.UTC is not used, because it reads the years 0–99 as 1900–1999.
  return new Date(0).setUTCFullYear(year, month - 1, day) / MINUTE_MS
}

/** The minute of 00:00 on a day. null: the calendar has no such day. */
export function dayMinute(year: number, month: number, day: number): number | null {
  if (year < 1 || year > 9999) return null
  const minute = minuteOfDay(year, month, day)
  const date = dateOf(minute)
  return date.month === month && date.day === day ? minute : null
}

/** The first and the last minute of the calendar: 0001-01-01 00:00 and 9999-12-31 23:59. */
export const MINUTE_MIN = -1_035_593_280
export const MINUTE_MAX = 4_223_371_679
/** All minutes of the calendar. No duration or interval is longer, which keeps every sum and product exact. */
export const SPAN_MINUTES = MINUTE_MAX - MINUTE_MIN + 1

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})\s+(\d{2}):(\d{2})$/

/** The minute of a moment. null: the text is not a moment, or not a real one (2026-02-30, 24:00, year 0000). */
export function minuteOf(text: string): number | null {
  const fields = MOMENT.exec(text)?.slice(1).map(Number)
  if (fields === undefined) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = fields
  const start = dayMinute(year, month, day)
  return start === null || hour > 23 || minute > 59 ? null : start + hour * 60 + minute
}

/** The minute of a stored moment without its seconds. Another text is our own mistake, because only valid moments are stored. */
export function storedMinute(text: string): number {
  const minute = minuteOf(text.slice(0, 'YYYY-MM-DD HH:MM'.length))
  if (minute === null) throw new Error('a stored time is no YYYY-MM-DD HH:MM')
  return minute
}

/** A number with leading zeros. */
export const padNumber = (value: number, width = 2) => String(value).padStart(width, '0')

/** The day of a minute. */
export function dateOf(minute: number): { year: number; month: number; day: number } {
  const date = new Date(minute * MINUTE_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** `YYYY-MM-DD` of a minute between MINUTE_MIN and MINUTE_MAX. */
export function dateText(minute: number): string {
  const { year, month, day } = dateOf(minute)
  return `${padNumber(year, 4)}-${padNumber(month)}-${padNumber(day)}`
}

/** `HH:MM` of a minute. */
export function timeText(minute: number): string {
  const inDay = minute - dayStart(minute)
  return `${padNumber(Math.floor(inDay / 60))}:${padNumber(inDay % 60)}`
}

/** `YYYY-MM-DD HH:MM` of a minute between MINUTE_MIN and MINUTE_MAX. */
export const momentOf = (minute: number): string => `${dateText(minute)} ${timeText(minute)}`

/** 00:00 of the same day. */
export function dayStart(minute: number): number {
  return Math.floor(minute / DAY_MINUTES) * DAY_MINUTES
}

/** 00:00 of the Monday of the same week. */
export function weekStart(minute: number): number {
  const day = Math.floor(minute / DAY_MINUTES)
  // Day 0, 1970-01-01, was a Thursday, three days after a Monday. The double remainder keeps earlier days positive.
  const sinceMonday = (((day + 3) % 7) + 7) % 7
  return (day - sinceMonday) * DAY_MINUTES
}

/** 00:00 on the first day of the same month and of the next one. After 9999-12 it is the minute after the last one. */
export function monthBounds(minute: number): { from: number; to: number } {
  const { year, month } = dateOf(minute)
  const from = dayMinute(year, month, 1) ?? MINUTE_MIN
  const to = month === 12 ? dayMinute(year + 1, 1, 1) : dayMinute(year, month + 1, 1)
  return { from, to: to ?? MINUTE_MAX + 1 }
}
