/**
 * Applies an edit to a plan, for every mode whose plan can be edited. Ended items stay, and the items of the edit replace the open
 * ones (U18).
 */
import type { EditedItem, EventOf, Note } from '../../terms/effect.ts'
import { itemId, listItems, planList, type ItemSource, type ListedItem } from './items.ts'
import { replaceOpenItems, sameItems, splitItems, type ItemPlace } from './list.ts'
import type { HandlerContext } from '../../mode/mode.ts'
import type { Plan } from './plan.ts'

/** The plan with the list of an edit, and the event of the edit. */
export function editPlan<P extends Plan>(
  source: ItemSource,
  plan: P,
  event: EventOf<'plan_edited'>,
  { seq, recall }: Pick<HandlerContext, 'seq' | 'recall'>,
  ended_max: number,
): { plan: P; note: Note } {
  const { ended, open } = splitItems(plan)
  const listedItems = listItems(source, open, recall)
  const ended_ids = new Set(ended.map(([number]) => itemId(source, number)))
  const { places, dropped } = placeEditedItems(listedItems, ended_ids, event.items)
  const newPlan = replaceOpenItems(plan, places, seq, ended_max)
  const list = planList(source, newPlan, recall)
  return { plan: newPlan, note: editNote(event, list, listedItems, dropped) }
}

/** Places the items of an edit. Items that ended while the edit was queued are dropped, so that they do not start again. */
function placeEditedItems(open: readonly ListedItem[], ended_ids: ReadonlySet<string>, items: readonly EditedItem[]) {
  const isOver = ({ id }: EditedItem) => id !== null && ended_ids.has(id)
  const remaining = items.flatMap((item, at) => (isOver(item) ? [] : [{ item, at }]))
  const same = sameItems(
    open,
    remaining.map(({ item }) => item),
  )
  const places = remaining.map(({ at }, index): ItemPlace => ({ at, open: same[index] ?? null }))
  return { places, dropped: items.flatMap((item) => (item.id !== null && isOver(item) ? [item.id] : [])) }
}

/** The event of an edit: the whole list, and the changes of the open items by their ids. */
function editNote(
  { author }: EventOf<'plan_edited'>,
  list: ReturnType<typeof planList>,
  open: readonly ListedItem[],
  dropped: string[],
): Note {
  const old_ids = open.map(({ id }) => id)
  const new_ids = list.items.slice(list.cursor).map(({ id }) => id)
  const kept = old_ids.filter((id) => new_ids.includes(id))
  const diff = {
    added: new_ids.filter((id) => !old_ids.includes(id)),
    removed: old_ids.filter((id) => !new_ids.includes(id)),
    kept,
    // The remaining items whose order among themselves has changed.
    moved: new_ids.filter((id) => old_ids.includes(id)).filter((id, index) => id !== kept[index]),
    dropped,
  }
  return { type: 'plan_edited', payload: { ...list, author, diff } }
}
