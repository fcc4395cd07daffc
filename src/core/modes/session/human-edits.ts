/** An edit of the plan (U18): completed steps stay, the others are replaced, and later declarations go behind them. */
import { editPlan } from '../plan/human-edits.ts'
import { currentItem } from '../plan/plan.ts'
import type { Handler } from '../../mode/mode.ts'
import { stepsOf, stepStarted } from './plan.ts'
import { NEW_STEP, planOf, type SessionState } from './state.ts'

/** Completed steps that stay in a list that is edited. */
const DONE_MAX = 100

export const onEdit: Handler<SessionState, 'plan_edited'> = (state, event, context) => {
  const before = planOf(state)
  // The run whose plan it was may be over since it was said.
  if (before === null) return { state, notes: [] }
  const { plan, note } = editPlan(stepsOf(before), before, event, context, DONE_MAX)
  const edited = { ...plan, efforts: plan.efforts.slice(before.cursor - plan.cursor) }
  if (currentItem(edited)?.[0] === currentItem(before)?.[0]) return { state: { ...state, plan: edited }, notes: [note] }
  // What a reply whose calls are being made says of its step was said of the one that was.
  const advanced = state.advanced || state.phase !== 'turning'
  const next = { ...state, plan: { ...edited, ...NEW_STEP }, advanced }
  return { state: next, notes: [note, ...stepStarted(edited, context.recall)] }
}
