/**
 * The totals that a tenant and its keys may spend in one UTC day and in one calendar month. Tasks reserve parts of them in chunks, and a
 * chunk fits into all totals that bound the task (U16, LIM-04).
 */
import type { AllowanceChunk, AllowanceRequest, LimitHolder, SpendPeriod, SpentAxis } from '../terms/axes.ts'
import { refuse } from '../terms/refusal.ts'
import { DAY_MS } from '../terms/plain/durations.ts'

export interface DailySpend {
  tokens: number
  cost: number
}
export const NO_SPEND: DailySpend = { tokens: 0, cost: 0 }

/** A chunk is enough for at most so many calls, so that most steps need no call to the workspace. */
export const CHUNK_CALLS = 8
/** A chunk takes at most 1/16 of what is left, unless one call needs more. So many tasks get a part of a nearly spent total. */
const CHUNK_SHARE = 16
/** Tasks keep their chunks between slices while more than this part of a total is left and no chunk had to be reduced. */
const PLENTIFUL_SHARE = 1 / 2
/** A task that has not asked for so long has lost its worker, so its chunk will never come back. */
export const CHUNK_MS_MAX = 600_000

export const dayOf = (now_ms: number): string => new Date(now_ms).toISOString().slice(0, 10)
/** The calendar month of a UTC day: `2026-11` of `2026-11-21`. */
export const monthOf = (day: string): string => day.slice(0, 7)

/** The amounts of one period. Money is in micro-dollars. null: there is no bound. */
export interface DailyLimits {
  tokens: number | null
  cost: number | null
}

/** The limits of a key. They count beside those of its tenant. */
interface KeySpendLimits {
  name: string
  daily: DailyLimits
  monthly: DailyLimits
}
/** What bounds the spending of a task: the day and the month of its tenant, and those of the key that made it. */
export interface SpendLimits {
  daily: DailyLimits
  monthly?: DailyLimits | undefined
  key?: KeySpendLimits | undefined
}

type SpendAxis = keyof DailyLimits

/** One total: whose it is, for which period, how much it bounds, and how much of it is spent or reserved. */
export interface SpendTotal {
  holder: LimitHolder
  period: SpendPeriod
  limits: DailyLimits
  spent: DailySpend
}
const isBounded = ({ tokens, cost }: DailyLimits): boolean => tokens !== null || cost !== null

/** The totals that have a bound, with what `spentIn` says of them. An unbounded one is not read. */
export function boundedTotals(
  { daily, monthly, key }: SpendLimits,
  spentIn: (holder: LimitHolder, period: SpendPeriod) => DailySpend,
): SpendTotal[] {
  const all: [LimitHolder, SpendPeriod, DailyLimits | undefined][] = [
    ['tenant', 'day', daily],
    ['tenant', 'month', monthly],
    ['key', 'day', key?.daily],
    ['key', 'month', key?.monthly],
  ]
  return all.flatMap(([holder, period, limits]) =>
    limits === undefined || !isBounded(limits) ? [] : [{ holder, period, limits, spent: spentIn(holder, period) }],
  )
}

/** Which axes at least one of the limits bounds. */
export function boundedAxes({ daily, monthly, key }: SpendLimits): { tokens: boolean; cost: boolean } {
  const all = [daily, monthly, key?.daily, key?.monthly].flatMap((limits) => limits ?? [])
  return { tokens: all.some(({ tokens }) => tokens !== null), cost: all.some(({ cost }) => cost !== null) }
}

/** When the period ends: at the next UTC day, or on the first day of the next month. */
export function endOf(period: SpendPeriod, now_ms: number): number {
  const now = new Date(now_ms)
  return period === 'day'
    ? Math.floor(now_ms / DAY_MS) * DAY_MS + DAY_MS
    : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
}

/** The refusal of work for which a total has no room until its period ends. */
export function refuseSpent(spent: SpentAxis, now_ms: number) {
  const resets_ms = endOf(spent.period, now_ms)
  return refuse({
    code: 'tenant_budget_exceeded',
    reset_s: Math.ceil((resets_ms - now_ms) / 1000),
    resets_ms,
    spent,
  })
}

const AXES: readonly SpendAxis[] = ['tokens', 'cost']

/** The axis that is used up; the one that stays so for the longest time where there are several. null: there is room on all of them. */
export function fullAxis(totals: readonly SpendTotal[]): SpentAxis | null {
  return latestReset(totals, ({ spent }, axis, limit) => spent[axis] >= limit)
}

/** The axis that has no room for the next call of a task. null: there is room on all of them. */
export function lackingAxis(want: AllowanceRequest, totals: readonly SpendTotal[], day: string): SpentAxis | null {
  const held = heldOn(want, day)
  return latestReset(totals, ({ spent }, axis, limit) => limit - spent[axis] < Math.max(0, want[axis] - held[axis]))
}

function latestReset(
  totals: readonly SpendTotal[],
  isFull: (total: SpendTotal, axis: SpendAxis, limit: number) => boolean,
): SpentAxis | null {
  const full = totals.flatMap((total) =>
    AXES.flatMap((axis) => {
      const { holder, period, limits } = total
      const limit = limits[axis]
      return limit === null || !isFull(total, axis, limit) ? [] : [{ holder, period, axis, limit }]
    }),
  )
  return full.find(({ period }) => period === 'month') ?? full[0] ?? null
}

const heldOn = ({ held }: AllowanceRequest, day: string): DailySpend => (held?.day === day ? held : NO_SPEND)

/** What a task gets in addition to what it holds. null: its next call does not fit into one of the totals. */
export function chunkFor(want: AllowanceRequest, totals: readonly SpendTotal[], day: string): AllowanceChunk | null {
  const held = heldOn(want, day)
  let scarce = false
  const chunk = (axis: SpendAxis): number | null => {
    const missing = Math.max(0, want[axis] - held[axis])
    let most = Math.max(missing, want[axis] * CHUNK_CALLS - held[axis])
    for (const { limits, spent } of totals) {
      const max = limits[axis]
      if (max === null) continue
      const left = max - spent[axis]
      if (left < missing) return null
      const share = Math.floor(left / CHUNK_SHARE)
      if (share < most || left < max * PLENTIFUL_SHARE) scarce = true
      most = Math.max(missing, Math.min(most, share))
    }
    return most
  }
  const [tokens, cost] = [chunk('tokens'), chunk('cost')]
  return tokens === null || cost === null ? null : { tokens, cost, day, ...(scarce ? { scarce: true } : {}) }
}
