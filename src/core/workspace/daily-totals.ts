/** The totals that a tenant may spend in one UTC day. Its tasks reserve parts of them in chunks (U16). */
import type { AllowanceChunk, AllowanceRequest } from '../terms/axes.ts'
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

/** Seconds until the next UTC day. */
export const secondsUntilTomorrow = (now_ms: number): number => Math.ceil((DAY_MS - (now_ms % DAY_MS)) / 1000)

export const isExhausted = (spent: DailySpend, daily: DailyLimits): boolean =>
  (daily.tokens !== null && spent.tokens >= daily.tokens) || (daily.cost !== null && spent.cost >= daily.cost)

/** What a task gets in addition to what it holds. null: its next call does not fit into the total of the day. */
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
    const left = max - spent[axis]
    const share = Math.floor(left / CHUNK_SHARE)
    if (share < most || left < max * PLENTIFUL_SHARE) scarce = true
    return left < missing ? null : Math.max(missing, Math.min(most, share))
  }
  const [tokens, cost] = [chunk('tokens'), chunk('cost')]
  return tokens === null || cost === null ? null : { tokens, cost, day, ...(scarce ? { scarce } : {}) }
}

/** The totals of a tenant for one UTC day. Money is in micro-dollars. null: there is no bound. */
export interface DailyLimits {
  tokens: number | null
  cost: number | null
}
