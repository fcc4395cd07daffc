/**
 * Finds the stored occurrences that a new event would overlap (requirements 2.4). Both sides are arithmetic progressions of
 * intervals. Hits are counted and found by arithmetic, so a million occurrences cost no more than one.
 */
import type { ScheduleEvent } from '../book.ts'
import { DAY_MINUTES } from '../../../terms/plain/minutes.ts'
import { termsInBand } from './progressions.ts'
import { seriesOf, type Occurrence, type Series } from './recurrence.ts'

/** How many hits a report lists. */
const CONFLICTS_LISTED = 5

/** A series whose occurrences each occupy [start, start + duration). */
type TimedSeries = Series & { duration: number }

/** The hits in one stored series. Only the occurrences low … high can hit, and `upTo(high)` counts those that do. */
type Hits = { event: ScheduleEvent; stored: Series; low: number; high: number; upTo: (high: number) => number }

/** The series that a new event is tested with. A series without end is tested for `preview_days` days, with their last moment. */
export function seriesToTest(
  event: Pick<ScheduleEvent, 'start' | 'rule' | 'duration'>,
  preview_days: number,
): TimedSeries {
  const { rule, duration } = event
  const series = seriesOf(event)
  const preview = Math.floor((preview_days * DAY_MINUTES) / series.interval) + 1
  return { ...series, duration, count: rule?.times === -1 ? Math.min(series.count, preview) : series.count }
}

function hitsIn(added: TimedSeries, event: ScheduleEvent): Hits {
  const stored = seriesOf(event)
  // A hit has a stored start minus new start between −(stored duration) and the new duration, both exclusive. Touching is no hit.
  const reach = event.duration - 1
  const lastStart = added.first + (added.count - 1) * added.interval
  const low = Math.max(0, Math.ceil((added.first - reach - stored.first) / stored.interval))
  const high = Math.min(stored.count - 1, Math.floor((lastStart + added.duration - 1 - stored.first) / stored.interval))
  const band = added.duration + reach
  // Bands as wide as the interval leave no gap between the new occurrences, so every stored occurrence in reach hits.
  if (band >= added.interval) return { event, stored, low, high, upTo: (to) => Math.max(0, to - low + 1) }
  const offset = stored.first + low * stored.interval + reach - added.first
  return {
    event,
    stored,
    low,
    high,
    upTo: (to) => termsInBand(to - low + 1, offset, stored.interval, added.interval, band),
  }
}

/** The nth hit (from 1), which has to exist. It is found by bisection, because the count grows with the index. */
function nthHit({ event, stored, low, high, upTo }: Hits, nth: number): Occurrence {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (upTo(middle) >= nth) to = middle
    else from = middle + 1
  }
  return { event, start: stored.first + from * stored.interval }
}

const compareStarts = (a: Occurrence, b: Occurrence) => a.start - b.start || a.event.id - b.event.id

/**
 * The earliest stored occurrences that the new series overlaps, by start and then by id. At most CONFLICTS_LISTED are listed,
 * and `more` counts the others.
 */
export function findConflicts(added: TimedSeries, events: ScheduleEvent[]): { hits: Occurrence[]; more: number } {
  const conflicts = events
    .map((event) => hitsIn(added, event))
    .map((hits) => ({ hits, count: hits.upTo(hits.high) }))
    .filter(({ count }) => count > 0)
  const total = conflicts.reduce((sum, { count }) => sum + count, 0)
  // The five earliest hits come from the five series whose first hits are the earliest.
  const earliest = conflicts
    .map(({ hits, count }) => ({ hits, count, first: nthHit(hits, 1) }))
    .sort((a, b) => compareStarts(a.first, b.first))
    .slice(0, CONFLICTS_LISTED)
  const hits = earliest
    .flatMap(({ hits: series, count }) =>
      Array.from({ length: Math.min(count, CONFLICTS_LISTED) }, (_, index) => nthHit(series, index + 1)),
    )
    .sort(compareStarts)
    .slice(0, CONFLICTS_LISTED)
  return { hits, more: total - hits.length }
}
