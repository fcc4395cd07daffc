/** Replaces the open items of a plan by a new list. An item that is the same keeps its number, and every other one gets a new number (U18). */
import type { HandlerContext } from '../../mode/mode.ts'
import { listItems, type ItemSource } from './items.ts'
import { endedInList, endOf, withGone, type Item, type Plan } from './plan.ts'

/**
 * For each item of a new list, the position of the same open item. Items are matched by id first, then by title with the first open
 * item that has no match yet. null: the item is new.
 */
export function sameItems(
  open: readonly { id: string; title: string }[],
  items: readonly { id?: string | null | undefined; title: string }[],
): (number | null)[] {
  const free = new Map(open.map(({ id }, index) => [id, index]))
  const take = (id: string): number | null => {
    const index = free.get(id) ?? null
    free.delete(id)
    return index
  }
  const byId = items.map(({ id }) => (typeof id === 'string' ? take(id) : null))
  return items.map(({ title }, index) => {
    const match = byId[index] ?? null
    const sameTitle = open.find((item) => free.has(item.id) && item.title.trim() === title.trim())
    return match !== null || sameTitle === undefined ? match : take(sameTitle.id)
  })
}

/** An item of a new list: `at` is its text in the new row, and `open` the same open item. null: the item is new. */
export interface ItemPlace {
  at: number
  open: number | null
}

/** The ended and the open items of a plan. */
export const splitItems = (plan: Plan): { ended: Item[]; open: Item[] } => ({
  ended: plan.items.filter((_, index) => endOf(plan, index) !== null),
  open: plan.items.filter((_, index) => endOf(plan, index) === null),
})

/** Replaces the open items. The oldest ended items beyond `ended_max` leave the list, so that the list stays bounded. */
export function replaceOpenItems<P extends Plan>(
  plan: P,
  places: readonly ItemPlace[],
  row: number,
  ended_max: number,
): P {
  const { ended, open } = splitItems(plan)
  const first = Math.max(0, ended.length - ended_max)
  let { next_id } = plan
  const items = places.map(({ at, open: index }): Item => [
    (index === null ? undefined : open[index]?.[0]) ?? next_id++,
    row,
    at,
  ])
  return {
    ...withGone(
      plan,
      endedInList(plan)
        .slice(0, first)
        .map(({ item }) => item),
    ),
    row,
    revision: plan.revision + 1,
    cursor: ended.length - first,
    items: [...ended.slice(first), ...items],
    ends: plan.ends.filter((end) => end !== null).slice(first),
    next_id,
  }
}

/** Replaces the open items by the list of a reply. Items with the same title are the same. */
export function replaceItems<P extends Plan>(
  source: ItemSource,
  plan: P,
  titles: readonly string[],
  { seq, recall }: Pick<HandlerContext, 'seq' | 'recall'>,
  ended_max: number,
): P {
  const { open } = splitItems(plan)
  const same = sameItems(
    listItems(source, open, recall),
    titles.map((title) => ({ title })),
  )
  const places = same.map((index, at): ItemPlace => ({ at, open: index }))
  return replaceOpenItems(plan, places, seq, ended_max)
}

/** Gives the items of a list the texts that they had before, so that a person's text about an item is not lost. */
export function keepTexts<P extends Plan>(plan: P, before: Plan): P {
  const items_by_id = new Map(before.items.map((item) => [item[0], item]))
  return { ...plan, items: plan.items.map((item) => items_by_id.get(item[0]) ?? item) }
}
