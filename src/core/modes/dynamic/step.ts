/** Starts and ends steps. A decision completes a step, and a limit that it has used up makes it fail (R20, U19). */
import type { Note, Recall } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { guard } from './adjust.ts'
import { itemNote, titleOf } from '../plan/items.ts'
import { currentItem, endItem } from '../plan/plan.ts'
import { STEPS } from './replies.ts'
import { freshStep, isActionHint, roundPhase, type Cause, type DynamicPlan, type DynamicState } from './state.ts'

type T = HandlerResult<DynamicState>

/** Starts the current step with an empty state. */
export function startStep(state: DynamicState, { recall, brief }: HandlerContext): T {
  const hints = state.hints.filter((hint) => !isActionHint(hint))
  const started = { ...state, phase: roundPhase(brief.settings), step: freshStep(), by: null, hints }
  return { state: started, notes: [itemNote(STEPS, 'item_started', started.plan, recall)] }
}

/** The state of a plan that waits for its approval. No step has started. */
export function waitingPlan(state: DynamicState, { brief }: HandlerContext): DynamicState {
  return { ...state, phase: roundPhase(brief.settings), step: { ...freshStep(), begun: false }, by: null }
}

/**
 * S3-05: ends the step by the decision or the action of a row, whose reason or text is its result. A step that the model calls
 * not achievable has failed, and the next one goes on. After the last step the task is completed.
 */
export function endStep(
  state: DynamicState,
  how: 'completed' | 'failed',
  row: number,
  notes: Note[],
  context: HandlerContext,
): T {
  const { plan } = state
  const allNotes = [...notes, itemNote(STEPS, `item_${how}`, plan, context.recall)]
  const newPlan = { ...endItem(plan, how, row), causes: [...plan.causes, null] }
  const next = { ...state, plan: newPlan }
  if (currentItem(newPlan) === null) return completeTask(next, allNotes)
  const started = startStep(next, context)
  return { ...started, notes: [...allNotes, ...started.notes] }
}

/** Completes the task, because no step is left. */
export function completeTask(state: DynamicState, notes: Note[]): T {
  const ended: DynamicState = { ...state, phase: 'ended', step: freshStep(), by: null }
  return { state: ended, notes, stop: { status: 'completed', reason: 'done' } }
}

/** The event of the limit that was used up. */
function spentNote({ step, plan }: DynamicState, cause: Exclude<Cause, 'loop'>, recall: Recall): Note {
  const item = currentItem(plan)
  const evidence = item === null ? [] : [titleOf(STEPS, item, recall)]
  return cause === 'actions'
    ? guard('max_actions_per_step', step.actions, evidence)
    : guard('step_timeout', Math.ceil(step.worked_ms / 1000), evidence)
}

/** U19: the step fails. The task fails too, unless the last decision of the step has added other steps. */
export function failStep(state: DynamicState, cause: Cause, notes: Note[], context: HandlerContext): T {
  const { plan, step } = state
  if (step.decision === null) throw new Error('a step failed without a decision')
  const guardNotes = cause === 'loop' ? [] : [spentNote(state, cause, context.recall)]
  const allNotes = [...notes, ...guardNotes, itemNote(STEPS, 'item_failed', plan, context.recall)]
  const newPlan: DynamicPlan = { ...endItem(plan, 'failed', step.decision), causes: [...plan.causes, cause] }
  if (step.added) {
    const started = startStep({ ...state, plan: newPlan }, context)
    return { ...started, notes: [...allNotes, ...started.notes] }
  }
  const reason = cause === 'loop' ? 'loop_detected' : 'step_failed'
  const ended = { ...state, phase: 'ended' as const, by: null, plan: { ...newPlan, cursor: plan.cursor } }
  return { state: ended, notes: allNotes, stop: { status: 'failed', reason } }
}
