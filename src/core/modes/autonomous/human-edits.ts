/** What a person says on the way, and does to the list of tasks (U18): the model is told of both in the one user message (S1-02). */
import { editPlan } from '../plan/human-edits.ts'
import { currentItem } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import type { Handler } from '../../mode/mode.ts'
import { TASKS } from './replies.ts'
import { NEW_TASK, type AutonomousState } from './state.ts'

export const onRemark: Handler<AutonomousState, 'user_remarked'> = (state, _event, { seq }) => ({
  state: addRemark(state, seq),
  notes: [],
})

/** Where the program leads it goes on with what is open then, and reports when nothing is. */
function withStage(state: AutonomousState, before: AutonomousState): AutonomousState {
  if (state.stage === 'free' || state.stage === 'plan') return state
  const current = currentItem(state.plan)
  const stage = current === null ? 'report' : 'execute'
  return current?.[0] === currentItem(before.plan)?.[0] ? { ...state, stage } : { ...state, stage, ...NEW_TASK }
}

/** A plan with what was wanted changed about it is made again before anything acts (U15). */
export const onPlanAnswered: Handler<AutonomousState, 'approval_answered'> = (state, { verdict, action }, { seq }) =>
  verdict === 'changes' && action === null
    ? { state: { ...addRemark(state, seq), stage: 'plan', ...NEW_TASK }, notes: [] }
    : { state, notes: [] }

/** What is over stays in front; what is sent takes the place of the open tasks. */
export const onEdit: Handler<AutonomousState, 'plan_edited'> = (state, event, context) => {
  if (state.plan.row === null) return { state, notes: [] }
  const { plan, note } = editPlan(TASKS, state.plan, event, context, Infinity)
  return { state: withStage({ ...state, plan }, state), notes: [note] }
}
