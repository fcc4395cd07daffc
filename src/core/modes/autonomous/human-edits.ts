/** Remarks of a person, and edits of the list of tasks (U18). The model sees both in the one user message (S1-02). */
import { editPlan } from '../plan/human-edits.ts'
import { currentItem } from '../plan/plan.ts'
import { addRemark } from '../plan/remarks.ts'
import { NOTHING_SEEN } from '../../mode/repeat-guard.ts'
import type { Handler } from '../../mode/mode.ts'
import { TASKS } from './replies.ts'
import { NEW_TASK, type AutonomousState } from './state.ts'

export const onRemark: Handler<AutonomousState, 'user_remarked'> = (state, _event, { seq }) => ({
  state: { ...addRemark(state, seq), seen: NOTHING_SEEN },
  notes: [],
})

/** The stage after an edit in a staged run: the next open task, or the report if none is open. */
function withStage(state: AutonomousState, previous: AutonomousState): AutonomousState {
  if (state.stage === 'free' || state.stage === 'plan') return state
  const current = currentItem(state.plan)
  const stage = current === null ? 'report' : 'execute'
  return current?.[0] === currentItem(previous.plan)?.[0] ? { ...state, stage } : { ...state, stage, ...NEW_TASK }
}

/** If the user wants changes, the plan is made again before any action (U15). */
export const onPlanAnswered: Handler<AutonomousState, 'approval_answered'> = (state, { verdict, action }, { seq }) =>
  verdict === 'changes' && action === null
    ? { state: { ...addRemark(state, seq), stage: 'plan', ...NEW_TASK }, notes: [] }
    : { state, notes: [] }

/** Ended tasks stay in front, and the tasks of the edit replace the open ones. */
export const onEdit: Handler<AutonomousState, 'plan_edited'> = (state, event, context) => {
  if (state.plan.row === null) return { state, notes: [] }
  const { plan, note } = editPlan(TASKS, state.plan, event, context, Infinity)
  return { state: withStage({ ...state, plan }, state), notes: [note] }
}
