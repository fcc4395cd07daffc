/** The windows of the schedule's list and views, in minutes of the caller's clock, [from, to) (requirements 2.4). */
import type { Span } from '../command.ts'
import { DAY_MINUTES, dayStart, MINUTE_MAX, monthBounds, weekStart } from '../../../terms/plain/minutes.ts'

export type Window = { from: number; to: number }

/** No window reaches beyond the last moment that can be written. */
const boundedWindow = (from: number, to: number): Window => ({ from, to: Math.min(to, MINUTE_MAX + 1) })

/** The `days` days from 00:00 two days before today. The last instant is shown too, so the window is one minute longer. */
export function listWindow(now: number, days: number): Window {
  const from = dayStart(now) - 2 * DAY_MINUTES
  return boundedWindow(from, from + days * DAY_MINUTES + 1)
}

function spanBounds(span: Span, anchor: number): Window {
  switch (span) {
    case 'day':
      return { from: dayStart(anchor), to: dayStart(anchor) + DAY_MINUTES }
    case 'week':
      return { from: weekStart(anchor), to: weekStart(anchor) + 7 * DAY_MINUTES }
    case 'month':
      return monthBounds(anchor)
  }
}

/** The day, week (from Monday) or calendar month of the anchor without its end, cut to the first `days` days. */
export function viewWindow(span: Span, anchor: number, days: number): Window {
  const { from, to } = spanBounds(span, anchor)
  return boundedWindow(from, Math.min(to, from + days * DAY_MINUTES))
}
