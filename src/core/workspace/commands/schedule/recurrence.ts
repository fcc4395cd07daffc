/** Finds the occurrences in a window by arithmetic, without visiting the ones before it (requirements 2.4). */
import type { ScheduleEvent } from '../book.ts'
import { MINUTE_MAX, storedMinute } from '../../../terms/plain/minutes.ts'

/** The starts first + k × interval for k = 0 … count − 1, all in minutes. */
export type Series = { first: number; interval: number; count: number }

/**
 * The series of an event. Without an enabled rule it has one start. A series without end goes to the last minute of the
 * calendar, because later starts could not be written.
 */
export function seriesOf(event: Pick<ScheduleEvent, 'start' | 'rule'>): Series {
  const first = storedMinute(event.start)
  const { rule } = event
  if (rule === null || !rule.enabled) return { first, interval: 1, count: 1 }
  const count = rule.times === -1 ? Math.floor((MINUTE_MAX - first) / rule.interval) + 1 : rule.times
  return { first, interval: rule.interval, count }
}

/** The first and the last k whose start is in [from, to). The last is below the first if there is none. */
export function indexesWithin(series: Series, from: number, to: number): { low: number; high: number } {
  const low = Math.max(0, Math.ceil((from - series.first) / series.interval))
  const high = Math.min(series.count - 1, Math.ceil((to - series.first) / series.interval) - 1)
  return { low, high }
}

export type Occurrence = { event: ScheduleEvent; start: number }

/** How many occurrences one list shows at most. An event every minute would give a month 44 640 rows. */
const OCCURRENCES_MAX = 10_000

const countWithin = (seriesList: Series[], from: number, to: number) =>
  seriesList.reduce((sum, series) => {
    const { low, high } = indexesWithin(series, from, to)
    return sum + Math.max(0, high - low + 1)
  }, 0)

/** The earliest end, at most `to`, of a window from `from` that holds `count` starts. It is found by bisection. */
function windowEndFor(seriesList: Series[], count: number, from: number, to: number): number {
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (countWithin(seriesList, from, middle) >= count) high = middle
    else low = middle
  }
  return high
}

/** The occurrences with a start in [from, to), by start and then by id. At most `shownMax` are returned, `more` counts the others. */
export function occurrencesWithin(
  events: ScheduleEvent[],
  from: number,
  to: number,
  shownMax = OCCURRENCES_MAX,
): { shown: Occurrence[]; more: number } {
  const seriesList = events.map((event) => ({ event, ...seriesOf(event) }))
  const total = countWithin(seriesList, from, to)
  const end = total > shownMax ? windowEndFor(seriesList, shownMax, from, to) : to
  const shown = seriesList.flatMap(({ event, ...series }) => {
    const { low, high } = indexesWithin(series, from, end)
    const count = Math.max(0, high - low + 1)
    return Array.from({ length: count }, (_, index) => ({
      event,
      start: series.first + (low + index) * series.interval,
    }))
  })
  shown.sort((a, b) => a.start - b.start || a.event.id - b.event.id)
  return { shown: shown.slice(0, shownMax), more: Math.max(0, total - shownMax) }
}
