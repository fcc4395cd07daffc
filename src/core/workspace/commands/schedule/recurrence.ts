/** Occurrences by arithmetic: which of them fall into a window, without walking there (requirements 2.4). */
import type { ScheduleEvent } from '../book.ts'
import { MINUTE_MAX, storedMinute } from '../minutes.ts'

/** Starts at first + k × interval for k = 0 … count − 1. All in minutes. */
export type Series = { first: number; interval: number; count: number }

/**
 * The series of an event: without a rule, or with one switched off, the base event alone. One without end goes to the last minute
 * of the calendar: later starts could not be written.
 */
export function seriesOf(event: Pick<ScheduleEvent, 'start' | 'rule'>): Series {
  const first = storedMinute(event.start)
  const { rule } = event
  if (rule === null || !rule.enabled) return { first, interval: 1, count: 1 }
  const count = rule.times === -1 ? Math.floor((MINUTE_MAX - first) / rule.interval) + 1 : rule.times
  return { first, interval: rule.interval, count }
}

/** The k of all starts in [from, to), as first and last; the last is below the first when there are none. */
export function indexesWithin(series: Series, from: number, to: number): { low: number; high: number } {
  const low = Math.max(0, Math.ceil((from - series.first) / series.interval))
  const high = Math.min(series.count - 1, Math.ceil((to - series.first) / series.interval) - 1)
  return { low, high }
}

export type Occurrence = { event: ScheduleEvent; start: number }

/** The most occurrences one list shows: an event every minute would make a month of 44 640 rows. */
export const OCCURRENCES_MAX = 10_000

const countWithin = (all: Series[], from: number, to: number) =>
  all.reduce((sum, series) => {
    const { low, high } = indexesWithin(series, from, to)
    return sum + Math.max(0, high - low + 1)
  }, 0)

/** The earliest end of a window from `from` that holds at least `wanted` starts, at most `to`: bisection, never a walk. */
function windowEndFor(all: Series[], wanted: number, from: number, to: number): number {
  let short = from
  let enough = to
  while (enough - short > 1) {
    const middle = Math.floor((short + enough) / 2)
    if (countWithin(all, from, middle) >= wanted) enough = middle
    else short = middle
  }
  return enough
}

/** The occurrences of all events with a start in [from, to), by start, then id; at most `shownMax`, `more` is the rest. */
export function occurrencesWithin(
  events: ScheduleEvent[],
  from: number,
  to: number,
  shownMax = OCCURRENCES_MAX,
): { shown: Occurrence[]; more: number } {
  const all = events.map((event) => ({ event, ...seriesOf(event) }))
  const total = countWithin(all, from, to)
  const end = total > shownMax ? windowEndFor(all, shownMax, from, to) : to
  const shown = all.flatMap(({ event, ...series }) => {
    const { low, high } = indexesWithin(series, from, end)
    const count = Math.max(0, high - low + 1)
    return Array.from({ length: count }, (_, at) => ({ event, start: series.first + (low + at) * series.interval }))
  })
  shown.sort((a, b) => a.start - b.start || a.event.id - b.event.id)
  return { shown: shown.slice(0, shownMax), more: Math.max(0, total - shownMax) }
}
