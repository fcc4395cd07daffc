/** The totals a tenant may spend in one UTC day, taken by its tasks in chunks ahead (U16). Pure: spent in, spent out. */
import type { AllowanceChunk, AllowanceRequest } from '../terms/axes.ts'

export interface DailySpend {
  tokens: number
  cost: number
}
export const NO_SPEND: DailySpend = { tokens: 0, cost: 0 }

/** Calls a chunk is worth at most, so that a step asks its tenant's workspace rarely. */
const CHUNK_CALLS = 8
/** The part of what is left that a chunk takes at most, unless one call needs more: many tasks find a part when the total is nearly gone. */
const CHUNK_SHARE = 16
/** While more than this part of a total is left, and a chunk is not cut short, tasks keep their chunks from one slice to the next. */
const PLENTIFUL_SHARE = 1 / 2
/** A task that took a chunk this long ago and has not been heard of holds nothing that will come back: its worker is dead. */
export const CHUNK_MS_MAX = 600_000

export const dayOf = (now_ms: number): string => new Date(now_ms).toISOString().slice(0, 10)

/** Seconds until the next UTC day. */
export const secondsUntilTomorrow = (now_ms: number): number => Math.ceil((DAY_MS - (now_ms % DAY_MS)) / 1000)
const DAY_MS = 86_400_000

export const isExhausted = (spent: DailySpend, daily: DailyLimits): boolean =>
  (daily.tokens !== null && spent.tokens >= daily.tokens) || (daily.cost !== null && spent.cost >= daily.cost)

/** What is reserved for a task beside what it holds of the day; null when the rest of the day cannot hold its next call. */
export function chunkFor(
  want: AllowanceRequest,
  spent: DailySpend,
  daily: DailyLimits,
  day: string,
): AllowanceChunk | null {
  const held = want.held?.day === day ? want.held : NO_SPEND
  let scarce = false
  const chunk = (axis: 'tokens' | 'cost'): number | null => {
    const max = daily[axis]
    const missing = Math.max(0, want[axis] - held[axis])
    const most = Math.max(missing, want[axis] * CHUNK_CALLS - held[axis])
    if (max === null) return most
    const rest = max - spent[axis]
    const share = Math.floor(rest / CHUNK_SHARE)
    if (share < most || rest < max * PLENTIFUL_SHARE) scarce = true
    return rest < missing ? null : Math.max(missing, Math.min(most, share))
  }
  const [tokens, cost] = [chunk('tokens'), chunk('cost')]
  return tokens === null || cost === null ? null : { tokens, cost, day, ...(scarce ? { scarce } : {}) }
}
/** A tenant's totals of a UTC day; money in micro-dollars, null: not bounded. */

export interface DailyLimits {
  tokens: number | null
  cost: number | null
}
