/** The effect that the state machine wants next. The engine begins it, and a replay compares a row with it. */
import { openApproval } from '../engine/approval.ts'
import { asksPerson, continueHeld } from '../engine/tools/held-calls.ts'
import { isSideTurn } from '../engine/idle.ts'
import { CLOSING_CALL, startsRound } from '../engine/result/closing.ts'
import { sourceToList, withListedTools } from '../engine/tools/tool-lists.ts'
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
  if (!aside && asksPerson(head)) return { kind: 'nothing', because: 'question' }
  const chosen = chosenEffect(head, recall)
  if ('because' in chosen) return chosen
  // The limit check comes before each effect that opens a round (S0-27). A lost call was charged, so what a person decides of it is one too.
  const opens = startsRound(head) || head.held?.kind === 'lost'
  const spent = !aside && opens && isStepBudgetSpent(head.budget)
  return spent ? { kind: 'budget_spent', axis: 'steps' } : chosen
}

/** The effect that comes next where nothing stops the task: the closing call, the list of a source, or what the mode wants. */
export function chosenEffect(head: Head, recall: Recall): Effect | { kind: 'nothing'; because: string } {
  if (head.closing !== null) return CLOSING_CALL
  const next = modeOf(head.mode).next(head.state, withListedTools(head, recall))
  if (next.kind !== 'run') return { kind: 'nothing', because: next.kind }
  const source = isSideTurn(head) ? null : sourceToList(head, recall)
  if (source !== null) return { kind: 'list_tools', phase: head.state.phase, source }
  return continueHeld(head, next.effect, recall)
}
