/**
 * Which stored occurrences a new event would overlap (requirements 2.4). Both sides are arithmetic progressions of
 * intervals; hits are counted and found by arithmetic, so a million occurrences cost no more than one.
 */
import type { ScheduleEvent } from '../book.ts'
import { DAY_MINUTES } from '../minutes.ts'
import { termsInBand } from './progressions.ts'
import { seriesOf } from './recurrence.ts'
import type { Occurrence, Series } from './recurrence.ts'

/** Hits that a report lists. */
export const CONFLICTS_LISTED = 5

/** Starts with a length: each occupies [start, start + duration). */
export type TimedSeries = Series & { duration: number }

/** The hits among one stored series: occurrences low … high come near enough, `upTo(high)` counts those of them that really hit. */
type Hits = { event: ScheduleEvent; stored: Series; low: number; high: number; upTo: (high: number) => number }

/** What a new event is tested with: its whole series, one without end for `preview_days` days, their last moment included. */
export function seriesToTest(
  event: Pick<ScheduleEvent, 'start' | 'rule' | 'duration'>,
  preview_days: number,
): TimedSeries {
  const { rule, duration } = event
  const series = seriesOf(event)
  const preview = Math.floor((preview_days * DAY_MINUTES) / series.interval) + 1
  return { ...series, duration, count: rule?.times === -1 ? Math.min(series.count, preview) : series.count }
}

function hitsIn(fresh: TimedSeries, event: ScheduleEvent): Hits {
  const stored = seriesOf(event)
  // Stored start minus new start must lie between −(stored duration) and the new duration, both exclusive: touching is fine.
  const reach = event.duration - 1
  const lastStart = fresh.first + (fresh.count - 1) * fresh.interval
  const low = Math.max(0, Math.ceil((fresh.first - reach - stored.first) / stored.interval))
  const high = Math.min(stored.count - 1, Math.floor((lastStart + fresh.duration - 1 - stored.first) / stored.interval))
  const band = fresh.duration + reach
  // Bands as wide as the interval leave no gap between the new occurrences, so everything in reach hits.
  if (band >= fresh.interval) return { event, stored, low, high, upTo: (to) => Math.max(0, to - low + 1) }
  const offset = stored.first + low * stored.interval + reach - fresh.first
  return {
    event,
    stored,
    low,
    high,
    upTo: (to) => termsInBand(to - low + 1, offset, stored.interval, fresh.interval, band),
  }
}

/** The start of the nth hit (from 1), which must exist: bisection over the monotone count. */
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

/** The earliest hits, at most CONFLICTS_LISTED, by start, then id; `more` is the number of further ones. A hit is a stored occurrence. */
export function findConflicts(fresh: TimedSeries, events: ScheduleEvent[]): { hits: Occurrence[]; more: number } {
  const hit = events
    .map((event) => hitsIn(fresh, event))
    .map((hits) => ({ hits, count: hits.upTo(hits.high) }))
    .filter(({ count }) => count > 0)
  const total = hit.reduce((sum, { count }) => sum + count, 0)
  // The first five of all come from the five series that are hit first.
  const earliest = hit
    .map(({ hits, count }) => ({ hits, count, first: nthHit(hits, 1) }))
    .sort((a, b) => compareStarts(a.first, b.first))
    .slice(0, CONFLICTS_LISTED)
  const hits = earliest
    .flatMap(({ hits: of, count }) =>
      Array.from({ length: Math.min(count, CONFLICTS_LISTED) }, (_, at) => nthHit(of, at + 1)),
    )
    .sort(compareStarts)
    .slice(0, CONFLICTS_LISTED)
  return { hits, more: total - hits.length }
}
