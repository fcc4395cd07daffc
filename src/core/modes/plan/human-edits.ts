/**
 * How the items of an edit and those of a plan are the same, for every mode whose plan can be edited. Ended items stay; what was sent
 * takes the place of the open ones (U18).
 */
import type { EditedItem, EventOf, Note } from '../../terms/effect.ts'
import { itemId, listItems, planList, type ItemSource, type ListedItem } from './items.ts'
import { replaceOpenItems, sameItems, splitItems, type ItemPlace } from './list.ts'
import type { Context } from '../../mode/mode.ts'
import type { Plan } from './plan.ts'

/** The plan with the list of an edit, and the note that tells of it. */
export function editPlan<P extends Plan>(
  source: ItemSource,
  plan: P,
  event: EventOf<'plan_edited'>,
  { seq, recall }: Pick<Context, 'seq' | 'recall'>,
  ended_max: number,
): { plan: P; note: Note } {
  const { ended, open } = splitItems(plan)
  const listed = listItems(source, open, recall)
  const finished = new Set(ended.map(([number]) => itemId(source, number)))
  const { places, dropped } = placeEditedItems(listed, finished, event.items)
  const edited = replaceOpenItems(plan, places, seq, ended_max)
  const list = planList(source, edited, recall)
  return { plan: edited, note: editNote(event, list, listed, dropped) }
}

/** Items that ended while the edit waited are dropped: they do not start again. */
function placeEditedItems(open: readonly ListedItem[], finished: ReadonlySet<string>, items: readonly EditedItem[]) {
  const isOver = ({ id }: EditedItem) => id !== null && finished.has(id)
  const kept = items.flatMap((item, at) => (isOver(item) ? [] : [{ item, at }]))
  const same = sameItems(
    open,
    kept.map(({ item }) => item),
  )
  const places = kept.map(({ at }, index): ItemPlace => ({ at, open: same[index] ?? null }))
  return { places, dropped: items.flatMap((item) => (item.id !== null && isOver(item) ? [item.id] : [])) }
}

/** What an observer is told: the whole list, and what became of the ids of the open items. */
function editNote(
  { author }: EventOf<'plan_edited'>,
  list: ReturnType<typeof planList>,
  open: readonly ListedItem[],
  dropped: string[],
): Note {
  const before = open.map(({ id }) => id)
  const after = list.items.slice(list.cursor).map(({ id }) => id)
  const kept = before.filter((id) => after.includes(id))
  const diff = {
    added: after.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !after.includes(id)),
    kept,
    // Those that stand in another order among themselves.
    moved: after.filter((id) => before.includes(id)).filter((id, index) => id !== kept[index]),
    dropped,
  }
  return { type: 'plan_edited', payload: { ...list, author, diff } }
}
