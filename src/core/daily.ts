/** The totals a tenant may spend in one UTC day, taken by its tasks in chunks ahead (ruling 16). Pure: spent in, spent out. */
import type { Allowance } from './axes.ts'
import type { Daily } from './workspace-methods.ts'

export interface Spent {
  tokens: number
  cost: number
}
export const NOTHING_SPENT: Spent = { tokens: 0, cost: 0 }

/** Calls a chunk is worth, so that a step asks its tenant's workspace rarely. */
const CHUNK_CALLS = 8

export const dayOf = (now_ms: number): string => new Date(now_ms).toISOString().slice(0, 10)

/** Seconds until the next UTC day. */
export const untilTomorrow = (now_ms: number): number => Math.ceil((DAY_MS - (now_ms % DAY_MS)) / 1000)
const DAY_MS = 86_400_000

export const isExhausted = (spent: Spent, daily: Daily): boolean =>
  (daily.tokens !== null && spent.tokens >= daily.tokens) || (daily.cost !== null && spent.cost >= daily.cost)

/** What is reserved for a task that wants this much for its next call; null when the rest of the day cannot hold it. */
export function chunkOf(want: Spent, spent: Spent, daily: Daily, day: string): Allowance | null {
  const left = (max: number | null, used: number) => (max === null ? Infinity : max - used)
  const rest = { tokens: left(daily.tokens, spent.tokens), cost: left(daily.cost, spent.cost) }
  if (rest.tokens < want.tokens || rest.cost < want.cost) return null
  const chunk = (wanted: number, most: number) => Math.min(wanted * CHUNK_CALLS, most)
  return { tokens: chunk(want.tokens, rest.tokens), cost: chunk(want.cost, rest.cost), day }
}
