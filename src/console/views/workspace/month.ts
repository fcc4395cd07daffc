/** Days and months of the calendar as texts, `YYYY-MM-DD` and `YYYY-MM`. They follow the clock of the workspace, so no zone matters. */
import type { CommandResult } from '../../api/wire.ts'
import type { EventRow } from './command-rows.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/terms/plain/durations.ts'
import { dateOf, dateText, DAY_MINUTES, minuteOfDay } from '../../../core/terms/plain/minutes.ts'

const DAYS_OF_WEEK = 7

function startOfDay(day: string): number {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number)
  return minuteOfDay(year, month, date)
}
/** Returns midnight in UTC, where all days have the same length. */
const msOf = (day: string) => startOfDay(day) * MINUTE_MS

export const monthOf = (day: string) => day.slice(0, 'YYYY-MM'.length)
export const dayOfMoment = (moment: string) => moment.slice(0, 'YYYY-MM-DD'.length)
export const timeOf = (moment: string) => moment.slice('YYYY-MM-DD '.length)
export const daysLater = (day: string, days: number) => dateText(startOfDay(day) + days * DAY_MINUTES)

export const monthsLater = (month: string, months: number) => {
  const [year = 1, at = 1] = month.split('-').map(Number)
  return monthOf(dateText(minuteOfDay(year, at + months, 1)))
}

/** Whether the text is a month of the calendar. Its years have four digits. */
export const isMonth = (text: string) => /^(?!0000)\d{4}-\d{2}$/.test(text)

/** Returns weeks from Monday to Sunday; null stands for a day of another month. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`
  const before = (new Date(msOf(first)).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK
  const [year = 1, number = 1] = month.split('-').map(Number)
  // It takes the day before the next month, because the first day after 9999 has no text.
  const days = dateOf(minuteOfDay(year, number + 1, 0)).day
  return Array.from({ length: Math.ceil((before + days) / DAYS_OF_WEEK) }, (_, week) =>
    Array.from({ length: DAYS_OF_WEEK }, (_, weekday) => {
      const at = week * DAYS_OF_WEEK + weekday - before
      return at < 0 || at >= days ? null : daysLater(first, at)
    }),
  )
}

/** Groups occurrences by the day of their start. */
export function byDay(events: EventRow[]): Map<string, EventRow[]> {
  return Map.groupBy(events, ({ start }) => dayOfMoment(start))
}

/** Returns the first day of an answer. Its heading comes before all titles, so the first date is that of the heading. */
export function firstDayOf({ text }: CommandResult): string | null {
  return /\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? null
}

/** Writes a day in the language of the reader. */
export const dayText = (day: string, locale: string, long = true) =>
  new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: long ? 'long' : 'short',
    weekday: long ? 'long' : 'short',
    ...(long ? { year: 'numeric' } : {}),
  }).format(msOf(day))

export const monthText = (month: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(msOf(`${month}-01`))

/** Returns Monday to Sunday: short names to read, long names for screen readers. 2024 began on a Monday. */
export const weekdayTexts = (locale: string) =>
  Array.from({ length: DAYS_OF_WEEK }, (_, at) => {
    const day = msOf('2024-01-01') + at * DAY_MS
    const nameOf = (weekday: 'short' | 'long') =>
      new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday }).format(day)
    return { short: nameOf('short'), long: nameOf('long') }
  })

/** Returns the day to which an arrow key leads; null for any other key. */
export function dayAfterKey(key: string, day: string): string | null {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -DAYS_OF_WEEK,
    ArrowDown: DAYS_OF_WEEK,
  }
  const step = steps[key]
  return step === undefined ? null : daysLater(day, step)
}
