/** How a step ends: completed by its decision, or failed by what it used up (R20, U19); and how the next one begins. */
import type { Note, Recall } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { guard } from './adjust.ts'
import { itemNote, titleOf } from '../plan/items.ts'
import { currentItem, endItem } from '../plan/plan.ts'
import { STEPS } from './replies.ts'
import { freshStep, roundPhase, type Cause, type DynamicPlan, type DynamicState } from './state.ts'

type T = HandlerResult<DynamicState>

/** The step under the cursor begins with nothing of the one before. */
export function startStep(state: DynamicState, { recall, brief }: Context): T {
  const started = { ...state, phase: roundPhase(brief.settings), step: freshStep(), by: null }
  return { state: started, notes: [itemNote(STEPS, 'item_started', started.plan, recall)] }
}

/** No step of a plan starts that waits for its approval. */
export function waitingPlan(state: DynamicState, { brief }: Context): DynamicState {
  return { ...state, phase: roundPhase(brief.settings), step: { ...freshStep(), begun: false }, by: null }
}

/** S3-05: marked, with its reason as the result; after the last one the task has reached its goal. */
export function completeStep(state: DynamicState, notes: Note[], context: Context): T {
  const { plan } = state
  const told = [...notes, itemNote(STEPS, 'item_completed', plan, context.recall)]
  const completed = { ...endItem(plan, 'completed', context.seq), causes: [...plan.causes, null] }
  const moved = { ...state, plan: completed }
  if (currentItem(completed) === null) return completeTask(moved, told)
  const started = startStep(moved, context)
  return { ...started, notes: [...told, ...started.notes] }
}

/** No step is left. */
export function completeTask(state: DynamicState, notes: Note[]): T {
  const ended: DynamicState = { ...state, phase: 'ended', step: freshStep(), by: null }
  return { state: ended, notes, stop: { status: 'completed', reason: 'done' } }
}

/** What a guard is told under, and how much of it was used. */
function spentNote({ step, plan }: DynamicState, cause: Exclude<Cause, 'loop'>, recall: Recall): Note {
  const item = currentItem(plan)
  const evidence = item === null ? [] : [titleOf(STEPS, item, recall)]
  return cause === 'actions'
    ? guard('max_actions_per_step', step.actions, evidence)
    : guard('step_timeout', Math.ceil(step.worked_ms / 1000), evidence)
}

/** U19: the task fails with its step, unless the step's last decision has added others to go on with. */
export function failStep(state: DynamicState, cause: Cause, notes: Note[], context: Context): T {
  const { plan, step } = state
  if (step.decision === null) throw new Error('a step failed without a decision')
  const guarded = cause === 'loop' ? [] : [spentNote(state, cause, context.recall)]
  const told = [...notes, ...guarded, itemNote(STEPS, 'item_failed', plan, context.recall)]
  const failed: DynamicPlan = { ...endItem(plan, 'failed', step.decision), causes: [...plan.causes, cause] }
  if (step.added) {
    const started = startStep({ ...state, plan: failed }, context)
    return { ...started, notes: [...told, ...started.notes] }
  }
  const reason = cause === 'loop' ? 'loop_detected' : 'step_failed'
  const ended = { ...state, phase: 'ended' as const, by: null, plan: { ...failed, cursor: plan.cursor } }
  return { state: ended, notes: told, stop: { status: 'failed', reason } }
}
