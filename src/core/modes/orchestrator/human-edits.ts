/** What a person does: answers, remarks, edits the list, approves a plan or a command (S2-17, U2, U15, U18). */
import { isPlanToApprove } from '../plan/actions.ts'
import { editPlan } from '../plan/human-edits.ts'
import { currentId } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import type { EventOf } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { abort } from './evaluation.ts'
import { failStep } from './failed-attempt.ts'
import { STEPS } from './replies.ts'
import { ENDED_MAX, LOG_MAX, openAsk, requestId, type OrchestratorState } from './state.ts'
import { endStep, goOn, waitingPlan, keepConstraints } from './steps.ts'
import { meaningOf } from './words.ts'

type T = HandlerResult<OrchestratorState>

/** The step is left out, the task is ended, or the step is tried again with what the person says in place of its description. */
export function onAnswer(before: OrchestratorState, { text }: EventOf<'user_answered'>, context: Context): T {
  const ask = openAsk(before)
  if (ask === null) throw new Error('an answer met no question')
  const { seq } = context
  const asks = [...before.asks.slice(0, -1), { ...ask, answer: seq }]
  const state: OrchestratorState = { ...before, asks, log: pushBounded(before.log, seq, LOG_MAX) }
  const notes = [{ type: 'clarification_answered' as const, payload: { request_id: requestId(ask.row), answer: text } }]
  switch (meaningOf(text)) {
    case 'skip':
      return endStep(state, 'skipped', notes, context)
    case 'abort':
      return abort(state, notes, context)
    case 'instruction':
      return { state: instructed(state, seq), notes }
  }
}

/** It is counted anew from here (R17). */
const instructed = (state: OrchestratorState, row: number): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  by: row,
  step: { ...state.step, failures: 0, failure: null, instruction: row },
})

/** For the next command and the next evaluation. */
export const onRemark = (state: OrchestratorState, _event: EventOf<'user_remarked'>, { seq }: Context): T => ({
  state: addRemark(state, seq),
  notes: [],
})

/** The open steps are replaced. A command for a step that stays the current one stays out; for another one it is withdrawn. */
export function onEdit(before: OrchestratorState, event: EventOf<'plan_edited'>, context: Context): T {
  const { seq } = context
  const { plan: edited, note } = editPlan(STEPS, before.plan, event, context, ENDED_MAX)
  const plan = keepConstraints(edited, before.plan)
  const state: OrchestratorState = { ...before, plan, change: null, log: pushBounded(before.log, seq, LOG_MAX) }
  const notes = [note]
  if (isPlanToApprove(before, context) && currentItem(plan) !== null)
    return { state: waitingPlan(state, context), notes }
  const current = currentId(STEPS, before.plan)
  const stays = before.phase !== 'planning' && current !== null && currentId(STEPS, plan) === current
  if (!stays) return goOn(state, notes, context)
  // What was asked about the step as it was is answered by the edit.
  const isAnswered = before.phase === 'asking' || before.phase === 'dispatching'
  return { state: isAnswered ? instructedByEdit(state, seq) : state, notes }
}

const instructedByEdit = (state: OrchestratorState, row: number): OrchestratorState => ({
  ...state,
  phase: 'dispatching',
  by: row,
  step: { ...state.step, failures: 0, instruction: null },
})

/** An approved plan starts; another one is made again with what was said about it. A rejected one has ended the task. */
export function onPlanAnswered(
  state: OrchestratorState,
  { verdict }: EventOf<'approval_answered'>,
  context: Context,
): T {
  if (verdict === 'approved') return goOn(state, [], context)
  return { state: { ...addRemark(state, context.seq), phase: 'planning', change: context.seq }, notes: [] }
}

/** Of a command: what is to be changed about it is its new instruction, a rejected one an attempt that failed. */
export function onCommandAnswered(
  state: OrchestratorState,
  { verdict }: EventOf<'approval_answered'>,
  context: Context,
): T {
  if (verdict === 'approved') return { state, notes: [] }
  return verdict === 'changes' ? { state: instructed(state, context.seq), notes: [] } : failStep(state, [], context)
}
