/** What is shown of a plan: its items with their states, and how far it is. */
import type { ItemEnding, Progress } from '../../mode/mode.ts'
import type { Recall } from '../../terms/effect.ts'
import type { ItemStatus, PlanItem, PlanView } from '../../terms/view.ts'
import { itemId, titleOf, type ItemSource } from './items.ts'
import { endOf, hasEnded, isEdited, type Plan } from './plan.ts'

/** `running`: the position of the item that has started; `ended`: how the task has ended, where it has. */
export function itemStatus(plan: Plan, index: number, running: number | null, ended: ItemEnding | null): ItemStatus {
  const end = endOf(plan, index)
  if (end !== null) return end[0]
  if (ended !== null) return index === plan.cursor ? ended.current : ended.later
  return index === running ? 'running' : 'pending'
}

/** What made the list: the phase of the call to the model. */
export const phaseOf = ({ row }: Plan, recall: Recall): string =>
  (row === null ? undefined : recall(row).effect?.phase) ?? 'plan'

/** `made_by` names what made the list where no person did. */
export const planView = (
  source: ItemSource,
  plan: Plan,
  recall: Recall,
  made_by: string,
  stateOf: (index: number) => Pick<PlanItem, 'status' | 'result' | 'progress' | 'constraints'>,
): PlanView => ({
  revision: plan.revision,
  cursor: plan.cursor,
  source: isEdited(plan, recall) ? 'edit' : made_by,
  items: plan.items.map((item, index) => ({
    id: itemId(source, item[0]),
    ...source.textOf(item, recall),
    ...stateOf(index),
  })),
})

/** Items that were completed, and those that are left. */
export function planProgress(
  source: ItemSource,
  plan: Plan,
  recall: Recall,
): Pick<Progress, 'completed' | 'finished_count' | 'remaining'> {
  const titles = (which: (index: number) => boolean) =>
    plan.items.flatMap((item, index) => (which(index) ? [titleOf(source, item, recall)] : []))
  const completed = titles((index) => hasEnded(plan, index, 'completed'))
  return {
    completed,
    finished_count: plan.left + completed.length,
    remaining: titles((index) => index >= plan.cursor && !hasEnded(plan, index, 'completed')),
  }
}
