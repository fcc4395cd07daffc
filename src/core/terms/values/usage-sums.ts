/**
 * What a tenant has used (USE-01): sums by UTC day, key, model and mode. The sums follow from the closed rows of its tasks. Money is in
 * micro-dollars, time in ms of working time.
 */
import { DAY_MS } from '../plain/durations.ts'

/** The amounts that are summed, in the order of the columns. */
export const USAGE_AMOUNTS = [
  'tasks',
  'model_calls',
  'tool_calls',
  'steps',
  'tokens',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cost',
  'ms',
] as const
/**
 * `tokens` are those that were charged. The other tokens are those that endpoints have reported: `input_tokens` include `cached_tokens`,
 * which the provider had in its cache.
 */
export type UsageAmounts = Record<(typeof USAGE_AMOUNTS)[number], number>

/** What one closed row has used. `model` is empty where no model was called. */
export interface RowUsage extends UsageAmounts {
  seq: number
  day: string
  model: string
}

export const USAGE_GROUPS = ['day', 'key', 'model', 'mode'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]

/** A sum. Only the members by which it was grouped are there. */
export type UsageSum = Partial<Record<UsageGroup, string>> & UsageAmounts

/** Days are kept for so long, and an answer covers no more than that. */
export const USAGE_DAYS = 400
/** An answer has no more sums. */
export const USAGE_SUMS_MAX = 10_000

export const NO_USAGE: UsageAmounts = {
  tasks: 0,
  model_calls: 0,
  tool_calls: 0,
  steps: 0,
  tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cost: 0,
  ms: 0,
}

export function addUsage(one: UsageAmounts, other: UsageAmounts): UsageAmounts {
  const sum = { ...NO_USAGE }
  for (const name of USAGE_AMOUNTS) sum[name] = one[name] + other[name]
  return sum
}

/** The rows summed by day and model. A row that has used nothing makes no sum. */
export function sumRows(rows: readonly RowUsage[]): ({ day: string; model: string } & UsageAmounts)[] {
  const sums = new Map<string, { day: string; model: string } & UsageAmounts>()
  for (const row of rows) {
    if (USAGE_AMOUNTS.every((name) => row[name] === 0)) continue
    const { day, model } = row
    const name = `${day} ${model}`
    sums.set(name, { day, model, ...addUsage(sums.get(name) ?? NO_USAGE, row) })
  }
  return [...sums.values()]
}

/** Sums of the same group as one, in the order of their groups. */
export function mergeSums(sums: readonly UsageSum[], group_by: readonly UsageGroup[], limit: number): UsageSum[] {
  const merged = new Map<string, UsageSum>()
  for (const sum of sums) {
    const name = JSON.stringify(group_by.map((group) => sum[group]))
    const known = merged.get(name)
    merged.set(name, known === undefined ? sum : { ...sum, ...addUsage(known, sum) })
  }
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  const byGroup = (one: UsageSum, other: UsageSum) =>
    group_by.map((group) => compare(one[group] ?? '', other[group] ?? '')).find((order) => order !== 0) ?? 0
  return [...merged.values()].toSorted(byGroup).slice(0, limit)
}

/** The first day that is kept at this time. */
export const firstUsageDay = (now_ms: number): string =>
  new Date(now_ms - (USAGE_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
