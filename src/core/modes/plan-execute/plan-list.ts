/** Makes the plan from a list of titles, and starts its items (R5, R11, U18). */
import type { Note, Recall } from '../../terms/effect.ts'
import type { HandlerContext } from '../../mode/mode.ts'
import { NOTHING_SEEN } from '../../mode/repeat-guard.ts'
import { itemNote, titlesOf } from '../plan/items.ts'
import { keepTexts, replaceItems } from '../plan/list.ts'
import { currentItem, type Plan } from '../plan/plan.ts'
import { ITEMS, type PlanExecuteState } from './state.ts'

/** R5: an identical list keeps cursor and revision. In any other list finished items leave, and the cursor is at 0 (U18). */
export function replacePlan(
  { plan, edited }: Pick<PlanExecuteState, 'plan' | 'edited'>,
  titles: string[],
  context: Pick<HandlerContext, 'seq' | 'recall'>,
): Plan {
  const current_titles = titlesOf(ITEMS, plan, context.recall)
  const identical =
    titles.length === current_titles.length && titles.every((title, index) => title === current_titles[index])
  if (plan.row !== null && identical) return plan
  const newPlan = replaceItems(ITEMS, plan, titles, context, 0)
  return edited ? keepTexts(newPlan, plan) : newPlan
}

/** Announces the current item once. What was done for another item is no repetition. */
export function startItem(state: PlanExecuteState, recall: Recall): { state: PlanExecuteState; notes: Note[] } {
  const [started] = currentItem(state.plan) ?? [null]
  if (started === null || started === state.started) return { state, notes: [] }
  return {
    state: { ...state, started, seen: NOTHING_SEEN },
    notes: [itemNote(ITEMS, 'item_started', state.plan, recall)],
  }
}
