/** Local wall-clock arithmetic on `YYYY-MM-DD HH:MM` texts, independent of the zone of the machine. */
import { MINUTE_MS } from '../../../core/terms/plain/durations.ts'
import { dateOf, dateText, DAY_MINUTES, minuteOfDay, padNumber, timeText } from '../../../core/terms/plain/minutes.ts'

/** The minutes since the epoch of a moment, read as if it were UTC; NaN when the moment does not exist. */
export function minutesOf(date: string, time = '00:00'): number {
  const [year = NaN, month = NaN, day = NaN] = date.split('-').map(Number)
  const [hour = NaN, minute = NaN] = time.split(':').map(Number)
  const moment = minuteOfDay(year, month, day) + hour * 60 + minute
  return dateOf(moment).day === day ? moment : NaN
}

export interface Moment {
  date: string
  time: string
}

export function momentOf(minutes: number): Moment {
  return { date: dateText(minutes), time: timeText(minutes) }
}

export const stampOf = (moment: Moment) => `${moment.date} ${moment.time}`
export const plusDays = (date: string, days: number) => momentOf(minutesOf(date) + days * DAY_MINUTES).date
export const isPast = (date: string, time: string, now: Moment) =>
  minutesOf(date, time) <= minutesOf(now.date, now.time)
/** 0 means Sunday. */
export const weekdayOf = (date: string) => new Date(minutesOf(date) * MINUTE_MS).getUTCDay()
export const clockTime = (hour: number, minute: number) => `${padNumber(hour)}:${padNumber(minute)}`

/** The next date (today included) with this day of the month, `skip` whole months later; null when no month has it. */
export function nextDayOfMonth(today: string, day: number, skip: number | null): string | null {
  const [year = NaN, month = NaN] = today.split('-').map(Number)
  const tries = skip === null ? [0, 1, 2, 3] : [skip]
  for (const ahead of tries) {
    const first = dateText(minuteOfDay(year, month + ahead, 1))
    const date = `${first.slice(0, 8)}${padNumber(day)}`
    if (!Number.isNaN(minutesOf(date)) && (skip !== null || date >= today)) return date
  }
  return null
}

export function nextLeapDay(today: string): string {
  const year = Number(today.slice(0, 4))
  const dates = Array.from({ length: 9 }, (_, ahead) => `${padNumber(year + ahead, 4)}-02-29`)
  return dates.find((date) => !Number.isNaN(minutesOf(date)) && date >= today) ?? today
}
