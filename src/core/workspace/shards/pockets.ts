/**
 * What a shard holds of the totals of its tenant and has given to no task (SHARD-04). A shard is to the ledger what a task is to its
 * workspace: it reserves a chunk, and gives back what it does not need. So the totals count what is in pockets as reserved.
 */
import type { AllowanceChunk, AllowanceRefund, AllowanceRequest } from '../../terms/axes.ts'
import { CHUNK_CALLS, NO_SPEND, type DailySpend } from '../daily-totals.ts'

/** The pocket of one UTC day and one key. `key` is empty for tasks of no key. */
export interface Pocket extends DailySpend {
  day: string
  key: string
  /** Little is left of a total, so that the shard keeps nothing that a task gives back. */
  is_scarce: boolean
}

export interface PocketRows {
  find(day: string, key: string): Pocket | null
  save(pocket: Pocket): void
  remove(pocket: Pocket): void
  all(): Pocket[]
}

const AXES = ['tokens', 'cost'] as const

/** What the ledger is asked for: enough for some tasks like the one that lacks it. */
const FUNDED_TASKS = 8
export const fundFor = ({ tokens, cost, key }: AllowanceRequest): AllowanceRequest => ({
  tokens: tokens * FUNDED_TASKS,
  cost: cost * FUNDED_TASKS,
  ...(key === undefined ? {} : { key }),
})
/** The least that helps: what the task lacks. */
export function leastFund({ tokens, cost, held, key }: AllowanceRequest, day: string): AllowanceRequest {
  const own = held?.day === day ? held : NO_SPEND
  const lacks = { tokens: Math.max(0, tokens - own.tokens), cost: Math.max(0, cost - own.cost) }
  return { ...lacks, ...(key === undefined ? {} : { key }) }
}

/** Takes the chunk of a task out of a pocket. null: the pocket holds less than the task lacks. */
export function takeFromPocket(
  rows: PocketRows,
  { held, ...want }: AllowanceRequest,
  day: string,
): AllowanceChunk | null {
  const pocket = rows.find(day, want.key ?? '')
  if (pocket === null) return null
  const own = held?.day === day ? held : NO_SPEND
  const missing = { tokens: Math.max(0, want.tokens - own.tokens), cost: Math.max(0, want.cost - own.cost) }
  if (AXES.some((axis) => pocket[axis] < missing[axis])) return null
  const amountOf = (axis: keyof DailySpend) =>
    pocket.is_scarce
      ? missing[axis]
      : Math.min(pocket[axis], Math.max(missing[axis], want[axis] * CHUNK_CALLS - own[axis]))
  const [tokens, cost] = [amountOf('tokens'), amountOf('cost')]
  rows.save({ ...pocket, tokens: pocket.tokens - tokens, cost: pocket.cost - cost })
  return { tokens, cost, day, ...(pocket.is_scarce ? { scarce: true } : {}) }
}

/** Puts what the ledger has reserved into the pocket of its day. */
export function fillPocket(rows: PocketRows, { day, tokens, cost, scarce }: AllowanceChunk, key: string): void {
  const before = rows.find(day, key) ?? NO_SPEND
  rows.save({ day, key, tokens: before.tokens + tokens, cost: before.cost + cost, is_scarce: scarce === true })
}

/** Puts back what a task does not use. Answers what goes back to the ledger; null: nothing. */
export function giveToPocket(rows: PocketRows, refund: AllowanceRefund, today: string): AllowanceRefund | null {
  const { task: _, ...amount } = refund
  const { day, tokens, cost, key = '' } = amount
  if (tokens === 0 && cost === 0) return null
  const pocket = day === today ? rows.find(day, key) : null
  if (pocket === null || pocket.is_scarce || pocket.tokens + tokens < 0 || pocket.cost + cost < 0) return amount
  rows.save({ ...pocket, tokens: pocket.tokens + tokens, cost: pocket.cost + cost })
  return null
}

/** Empties the pockets that `isOver` names. Answers what goes back to the ledger. */
export function emptyPockets(rows: PocketRows, isOver: (pocket: Pocket) => boolean): AllowanceRefund[] {
  const over = rows.all().filter(isOver)
  for (const pocket of over) rows.remove(pocket)
  return over
    .filter(({ tokens, cost }) => tokens !== 0 || cost !== 0)
    .map(({ day, key, tokens, cost }) => ({ day, tokens, cost, ...(key === '' ? {} : { key }) }))
}
