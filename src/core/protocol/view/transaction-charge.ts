/** What one transaction has charged to its task: the difference between the heads before and after it. Nothing is decided by it. */
import type { Head } from '../../terms/head.ts'
import type { Write } from '../journal.ts'

export interface TransactionCharge {
  mode: string
  steps: number
  tokens: number
  /** Micro-dollars. */
  cost: number
  /** Calls whose worker was lost before it stored an outcome. */
  orphaned: number
  /** Whether the task has ended in it. */
  ended: boolean
}

/** A task that was just made was charged nothing: a fork begins with what the task before it had used. */
export function chargeOfTransaction(
  before: Head | null,
  after: Head | null,
  writes: readonly Write[],
): TransactionCharge | null {
  if (after === null) return null
  const { mode, budget } = after
  const used = before === null ? budget : before.budget
  return {
    mode,
    steps: budget.steps.used - used.steps.used,
    tokens: budget.tokens.used - used.tokens.used,
    cost: budget.cost.used - used.cost.used,
    orphaned: before === null ? 0 : writes.filter(isOrphan).length,
    ended: after.end !== null && (before === null || before.end === null),
  }
}

function isOrphan(write: Write): boolean {
  if (write.kind !== 'close_pending') return false
  const { kind } = write.row.event
  return kind === 'effect_orphaned' || kind === 'outcome_unknown'
}
