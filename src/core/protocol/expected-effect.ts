/** The effect that the state machine wants next. The engine begins it, and a replay compares a row with it. */
import { openApproval } from '../engine/approval.ts'
import { isSideTurn } from '../engine/idle.ts'
import { isStepBudgetSpent } from '../terms/budget.ts'
import type { Effect, Recall } from '../terms/effect.ts'
import { stopReasonOf, type Head } from '../terms/head.ts'
import { modeOf } from '../modes/index.ts'

export type ExpectedEffect =
  | Effect
  | { kind: 'budget_spent'; axis: 'steps' }
  /** The task waits, is paused, or has ended. */
  | { kind: 'nothing'; because: string }

/** Uses the transition table of the mode, so no mode is named here. */
export function expectedEffect(head: Head, recall: Recall): ExpectedEffect {
  const aside = isSideTurn(head)
  const stop_reason = stopReasonOf(aside ? { ...head, pause_reason: null } : head)
  if (stop_reason !== null) return { kind: 'nothing', because: stop_reason }
  if (!aside && openApproval(head) !== null) return { kind: 'nothing', because: 'approval' }
  const mode = modeOf(head.mode)
  const next = mode.next(head.state, recall)
  if (next.kind !== 'run') return { kind: 'nothing', because: next.kind }
  // The limit check comes before each effect that opens a round (S0-27).
  const spent = !aside && mode.opens_round.has(head.state.phase) && isStepBudgetSpent(head.budget)
  return spent ? { kind: 'budget_spent', axis: 'steps' } : next.effect
}
