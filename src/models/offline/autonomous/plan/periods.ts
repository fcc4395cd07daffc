/** Chooses the periods of a date column: which length shows its course, and whether the first and the last period are complete. */
import type { ProfileColumn } from './profile.ts'
import { DAY_MS } from '../../../../core/terms/plain/durations.ts'

const PERIOD_LENGTHS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type PeriodLength = (typeof PERIOD_LENGTHS)[number]

const DAYS: Record<PeriodLength, number> = { day: 1, week: 7, month: 30.4, quarter: 91.3, year: 365.2 }
/** The longest span, in days, for each period length. */
const SPANS: readonly [number, PeriodLength][] = [
  [45, 'day'],
  [200, 'week'],
  [1_830, 'month'],
  [5_500, 'quarter'],
]
/** More periods cannot be drawn. */
const PERIODS_MAX = 1_500

interface Span {
  from: number
  to: number
}

/** null: its dates cannot be read. */
function spanOf({ min, max }: ProfileColumn): Span | null {
  const [from, to] = [min, max].map((date) => (typeof date === 'string' ? dayOf(date) : Number.NaN))
  return from === undefined || to === undefined || Number.isNaN(from + to) || to < from ? null : { from, to }
}
const dayOf = (date: string) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS

/** The wanted length if it gives two periods or more; null: no length does. */
export function periodLengthOf(column: ProfileColumn, requested: PeriodLength | null): PeriodLength | null {
  const span = spanOf(column)
  // The run itself will show its dates.
  if (span === null) return requested ?? 'month'
  const days = span.to - span.from
  if (days < 1) return null
  const fits = requested !== null && days >= DAYS[requested] && days / DAYS[requested] <= PERIODS_MAX
  return fits ? requested : (SPANS.find(([most]) => days <= most)?.[1] ?? 'year')
}

export interface Edges {
  first: boolean
  last: boolean
}

/** Whether days are missing from the first and the last period, because the data starts or ends within them. */
export function cutOff(column: ProfileColumn, unit: PeriodLength): Edges {
  const span = spanOf(column)
  if (span === null || unit === 'day') return { first: false, last: false }
  // Where each date stands for a week or a month, the first and the last one cover that time.
  const step = column.exact && column.unique > 1 ? (span.to - span.from) / (column.unique - 1) : 1
  const [since, until] = [span.from - Math.max(1, step) + 1, span.to + Math.max(1, step)]
  const spare = DAYS[unit] / (unit === 'week' ? 3 : 10)
  return { first: since - startOf(span.from, unit) > spare, last: startOf(span.to, unit, 1) - until > spare }
}

/** The first day of the period of a day, or of a period that is `later` periods after it. */
function startOf(day: number, unit: PeriodLength, later = 0): number {
  const date = new Date(day * DAY_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (unit) {
    case 'day':
      return day + later
    case 'week':
      return day - ((date.getUTCDay() + 6) % 7) + 7 * later
    case 'month':
      return Date.UTC(year, month + later, 1) / DAY_MS
    case 'quarter':
      return Date.UTC(year, month - (month % 3) + 3 * later, 1) / DAY_MS
    case 'year':
      return Date.UTC(year + later, 0, 1) / DAY_MS
  }
}
