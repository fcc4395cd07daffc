/** How a step ends: completed by its decision, or failed by what it used up (R20, U19); and how the next one begins. */
import type { Note, Recall } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { guard } from './adjust.ts'
import { nameOf } from './replies.ts'
import { currentOf, freshStep, itemId, roundPhase, type Cause, type DynamicState } from './state.ts'

type T = HandlerResult<DynamicState>

function itemNote(
  type: 'item_started' | 'item_completed' | 'item_failed',
  { plan }: DynamicState,
  recall: Recall,
): Note {
  const item = currentOf(plan)
  if (item === null) throw new Error('no step is being worked on')
  const payload = { item_id: itemId(item[0]), title: nameOf(recall, item), index: plan.cursor }
  return { type, payload: type === 'item_started' ? { ...payload, total: plan.items.length } : payload }
}

/** The step under the cursor begins with nothing of the one before. */
export function startStep(state: DynamicState, { recall, brief }: Context): T {
  const started = { ...state, phase: roundPhase(brief.settings), step: freshStep(), by: null }
  return { state: started, notes: [itemNote('item_started', started, recall)] }
}

/** Of a plan that waits for its approval no step has begun. */
export function unbegun(state: DynamicState, { brief }: Context): DynamicState {
  return { ...state, phase: roundPhase(brief.settings), step: { ...freshStep(), begun: false }, by: null }
}

/** S3-05: marked, with its reason as the result; after the last one the task has reached its goal. */
export function completeStep(state: DynamicState, notes: Note[], context: Context): T {
  const { plan } = state
  const told = [...notes, itemNote('item_completed', state, context.recall)]
  const moved = { ...state, plan: { ...plan, cursor: plan.cursor + 1, ends: [...plan.ends, context.seq] } }
  if (currentOf(moved.plan) === null) return allDone(moved, told)
  const started = startStep(moved, context)
  return { ...started, notes: [...told, ...started.notes] }
}

/** No step is left. */
export function allDone(state: DynamicState, notes: Note[]): T {
  const ended: DynamicState = { ...state, phase: 'ended', step: freshStep(), by: null }
  return { state: ended, notes, stop: { status: 'completed', reason: 'done' } }
}

/** What a guard is told under, and how much of it was used. */
function spentNote({ step, plan }: DynamicState, cause: Exclude<Cause, 'loop'>, recall: Recall): Note {
  const item = currentOf(plan)
  const evidence = item === null ? [] : [nameOf(recall, item)]
  return cause === 'actions'
    ? guard('max_actions_per_step', step.actions, evidence)
    : guard('step_timeout', Math.ceil(step.worked_ms / 1000), evidence)
}

/** U19: the task fails with its step, unless the step's last decision has added others to go on with. */
export function failStep(state: DynamicState, cause: Cause, notes: Note[], context: Context): T {
  const { plan, step } = state
  const item = currentOf(plan)
  if (item === null || step.decision === null) throw new Error('a step failed without a decision')
  const guarded = cause === 'loop' ? [] : [spentNote(state, cause, context.recall)]
  const told = [...notes, ...guarded, itemNote('item_failed', state, context.recall)]
  const ends = [...plan.ends, step.decision]
  const failed: DynamicState['plan']['failed'] = [...plan.failed, [item[0], cause]]
  if (step.added) {
    const started = startStep({ ...state, plan: { ...plan, ends, failed, cursor: plan.cursor + 1 } }, context)
    return { ...started, notes: [...told, ...started.notes] }
  }
  const reason = cause === 'loop' ? 'loop_detected' : 'step_failed'
  const ended = { ...state, phase: 'ended' as const, by: null, plan: { ...plan, ends, failed } }
  return { state: ended, notes: told, stop: { status: 'failed', reason } }
}
