/** Ends the current item, and reads the results of items that have ended. */
import type { Recall } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { NOTHING_SEEN } from '../../mode/repeat-guard.ts'
import { itemNote } from '../plan/items.ts'
import { currentItem, endItem } from '../plan/plan.ts'
import { startItem } from './plan-list.ts'
import { thoughtOf } from './replies.ts'
import { ITEMS, type PlanExecuteState } from './state.ts'

/**
 * Ends the current item with the result of a row. A replan follows (S0-64). With `calls: few` it is left out while the list goes
 * on as it is: an item is open, this one is completed, and the user has said nothing new.
 */
export function endCurrentItem(
  state: PlanExecuteState,
  { how, row }: { how: 'completed' | 'failed'; row: number },
  { brief, recall }: HandlerContext,
): HandlerResult<PlanExecuteState> {
  const note = itemNote(ITEMS, how === 'completed' ? 'item_completed' : 'item_failed', state.plan, recall)
  const plan = endItem(state.plan, how, row)
  const ended: PlanExecuteState = {
    ...state,
    plan,
    // The result of the item takes the place of what was observed for it.
    observations: [],
    seen: NOTHING_SEEN,
    started: null,
    action_failures: 0,
    repeats: 0,
    idle: 0,
  }
  const goesOn = how === 'completed' && !state.heard && state.warning === null && currentItem(plan) !== null
  if (brief.settings.calls === 'exact' || !goesOn) return { state: { ...ended, phase: 'replanning' }, notes: [note] }
  const next = startItem({ ...ended, phase: 'thinking', conclusion: null }, recall)
  return { state: next.state, notes: [note, ...next.notes] }
}

/** The result of an item from the row that ended it: the conclusion of a thought, or what its action returned. */
export function resultAt(recall: Recall, row: number | null): string | null {
  if (row === null) return null
  const { event } = recall(row)
  if (event.kind === 'tool_returned') return event.text
  const { response, achieved, current_step } = thoughtOf(recall, row)
  return response ?? (achieved === false ? current_step : null)
}
