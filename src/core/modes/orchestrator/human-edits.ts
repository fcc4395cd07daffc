/** A person answers, remarks, edits the list, or decides about a plan or a command (S2-17, U2, U15, U18). */
import { isPlanToApprove } from '../plan/actions.ts'
import { editPlan } from '../plan/human-edits.ts'
import { currentId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import type { EventOf } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { NOTHING_SEEN } from '../../mode/repeat-guard.ts'
import { askingEvaluation } from './asks.ts'
import { abort } from './evaluation.ts'
import { failStep } from './failed-attempt.ts'
import { STEPS } from './replies.ts'
import { ENDED_MAX, LOG_MAX, openAsk, requestId, type OrchestratorState } from './state.ts'
import { endStep, continuePlan, waitingPlan, keepConstraints } from './steps.ts'
import { meaningOf } from './words.ts'

type T = HandlerResult<OrchestratorState>

/** An answer skips the step, ends the task, tries the step again, or is the new instruction for it. The answer to a question of the judge goes to the judge. */
export function onAnswer(before: OrchestratorState, { text }: EventOf<'user_answered'>, context: HandlerContext): T {
  const ask = openAsk(before)
  if (ask === null) throw new Error('an answer met no question')
  const { seq } = context
  const asks = [...before.asks.slice(0, -1), { ...ask, answer: seq }]
  const state: OrchestratorState = { ...before, asks, log: pushBounded(before.log, seq, LOG_MAX) }
  const notes = [{ type: 'clarification_answered' as const, payload: { request_id: requestId(ask.row), answer: text } }]
  const evaluation = askingEvaluation(ask, context.recall)
  // A word that the judge offers as a choice is an answer to its question.
  const meaning = evaluation?.choices?.includes(text) === true ? 'instruction' : meaningOf(text)
  switch (meaning) {
    case 'skip':
      return endStep(state, 'skipped', notes, context)
    case 'abort':
      return abort(state, notes, context)
    case 'again':
    case 'instruction':
      // The judge sees the answer to its own question and judges the report again.
      if (evaluation !== null) return { state: { ...state, phase: 'evaluating', by: seq }, notes }
      return { state: meaning === 'again' ? tryAgain(state, seq) : withInstruction(state, seq), notes }
  }
}

/**
 * A task that goes on after its end begins new sessions. Its workers were told to end the one that was open, and nobody knows whether
 * they have.
 */
export const onResumed = (state: OrchestratorState, { reopens }: EventOf<'resumed'>): T =>
  reopens === true
    ? { state: { ...state, session: null, step: { ...state.step, session: null } }, notes: [] }
    : { state, notes: [] }

/** The step is tried again as it is. Its failures are counted from zero again. */
const tryAgain = (state: OrchestratorState, row: number): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  by: row,
  seen: NOTHING_SEEN,
  step: { ...state.step, failures: 0 },
})

/** The step is tried again with the instruction of a row. Its failures are counted from zero again (R17). */
const withInstruction = (state: OrchestratorState, row: number): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  by: row,
  seen: NOTHING_SEEN,
  step: { ...state.step, failures: 0, failure: null, instruction: row },
})

/** A remark is shown in the next command and the next evaluation. */
export const onRemark = (state: OrchestratorState, _event: EventOf<'user_remarked'>, { seq }: HandlerContext): T => ({
  state: addRemark(state, seq),
  notes: [],
})

/** Replaces the open steps. An open command stays valid if its step is still the current one; otherwise it is withdrawn. */
export function onEdit(before: OrchestratorState, event: EventOf<'plan_edited'>, context: HandlerContext): T {
  const { seq } = context
  const { plan: newPlan, note } = editPlan(STEPS, before.plan, event, context, ENDED_MAX)
  const plan = keepConstraints(newPlan, before.plan)
  const state: OrchestratorState = { ...before, plan, change: null, log: pushBounded(before.log, seq, LOG_MAX) }
  const notes = [note]
  if (isPlanToApprove(before, context) && currentItem(plan) !== null)
    return { state: waitingPlan(state, context), notes }
  const current = currentId(STEPS, before.plan)
  const isSameStep = before.phase !== 'planning' && current !== null && currentId(STEPS, plan) === current
  if (!isSameStep) return continuePlan(state, notes, context)
  const ask = openAsk(before)
  if (ask !== null && askingEvaluation(ask, context.recall) !== null)
    return { state: { ...state, phase: 'evaluating', by: seq }, notes }
  // The edit answers the question about the old step.
  const isAnswered = ask !== null || before.phase === 'dispatching'
  return { state: isAnswered ? withEditAsInstruction(state, seq) : state, notes }
}

const withEditAsInstruction = (state: OrchestratorState, row: number): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  by: row,
  seen: NOTHING_SEEN,
  step: { ...state.step, failures: 0, instruction: null },
})

/** An approved plan starts. If the user wants changes, the plan is made again with them. A rejected plan has ended the task already. */
export function onPlanAnswered(
  state: OrchestratorState,
  { verdict }: EventOf<'approval_answered'>,
  context: HandlerContext,
): T {
  if (verdict === 'approved') return continuePlan(state, [], context)
  return { state: { ...addRemark(state, context.seq), phase: 'planning', change: context.seq }, notes: [] }
}

/** If the user wants changes of a command, they are its new instruction. A rejected command is a failed attempt. */
export function onCommandAnswered(
  state: OrchestratorState,
  { verdict }: EventOf<'approval_answered'>,
  context: HandlerContext,
): T {
  if (verdict === 'approved') return { state, notes: [] }
  return verdict === 'changes'
    ? { state: withInstruction(state, context.seq), notes: [] }
    : failStep(state, [], context)
}
