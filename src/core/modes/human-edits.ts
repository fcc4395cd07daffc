/**
 * How the items of an edit and those of a plan are the same, for every mode whose plan can be edited. Finished items stay; what was sent
 * takes the place of the others (U18).
 */
import type { EditedItem, EventOf, Note } from '../terms/effect.ts'

interface Listed {
  id: string
  title: string
}

/** For each item sent the id of the unfinished one it is: by its id, else the first with its title that is not taken; null: a new one. */
export function sameItems(
  open: readonly Listed[],
  sent: readonly { id?: string | null | undefined; title: string }[],
): (string | null)[] {
  const left = new Map(open.map((item) => [item.id, item]))
  const named = sent.map(({ id }) => (typeof id === 'string' && left.delete(id) ? id : null))
  return sent.map(({ title }, index) => {
    const id = named[index] ?? null
    if (id !== null) return id
    const alike = [...left.values()].find((item) => item.title.trim() === title.trim())
    if (alike !== undefined) left.delete(alike.id)
    return alike?.id ?? null
  })
}

/** One item of the edit as it enters the list: where it stood in the edit, and which unfinished item it is, null for a new one. */
export interface ItemPlace {
  at: number
  id: string | null
}

/** The list an edit leaves beside what is finished. Items that were finished while it waited are not begun again. */
export function editedItems(
  open: readonly Listed[],
  finished: ReadonlySet<string>,
  items: readonly EditedItem[],
): { placed: ItemPlace[]; dropped: string[] } {
  const isOver = ({ id }: EditedItem) => id !== null && finished.has(id)
  const kept = items.flatMap((item, at) => (isOver(item) ? [] : [{ item, at }]))
  const ids = sameItems(
    open,
    kept.map(({ item }) => item),
  )
  return {
    placed: kept.map(({ at }, index) => ({ at, id: ids[index] ?? null })),
    dropped: items.flatMap((item) => (item.id !== null && isOver(item) ? [item.id] : [])),
  }
}

/** What an observer is told: the whole list, and what became of the ids of the unfinished items. */
export function editNote(
  { author }: EventOf<'plan_edited'>,
  list: { items: Listed[]; cursor: number; revision: number },
  before: readonly string[],
  dropped: string[],
): Note {
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
