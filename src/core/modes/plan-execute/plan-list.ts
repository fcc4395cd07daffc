/** How a list of titles becomes the plan, and how its items start (R5, R11, U18). */
import type { Note, Recall } from '../../terms/effect.ts'
import type { Context } from '../../mode/mode.ts'
import { itemNote, titlesOf } from '../plan/items.ts'
import { keepTexts, replaceItems } from '../plan/list.ts'
import { currentItem, type Plan } from '../plan/plan.ts'
import { ITEMS, type PlanExecuteState } from './state.ts'

/** R5: an identical list keeps cursor and revision. In any other list finished items leave, and the cursor is at 0 (U18). */
export function replacePlan(
  { plan, edited }: Pick<PlanExecuteState, 'plan' | 'edited'>,
  titles: string[],
  context: Pick<Context, 'seq' | 'recall'>,
): Plan {
  const before = titlesOf(ITEMS, plan, context.recall)
  const identical = titles.length === before.length && titles.every((title, index) => title === before[index])
  if (plan.row !== null && identical) return plan
  const replaced = replaceItems(ITEMS, plan, titles, context, 0)
  return edited ? keepTexts(replaced, plan) : replaced
}

/** Announces the current item once. */
export function startItem(state: PlanExecuteState, recall: Recall): { state: PlanExecuteState; notes: Note[] } {
  const [started] = currentItem(state.plan) ?? [null]
  if (started === null || started === state.started) return { state, notes: [] }
  return { state: { ...state, started }, notes: [itemNote(ITEMS, 'item_started', state.plan, recall)] }
}
