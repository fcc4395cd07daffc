/** How a new list takes the place of the open items: an item that is the same keeps its number, every other one gets a new number (U18). */
import type { Context } from '../../mode/mode.ts'
import { listItems, type ItemSource } from './items.ts'
import { endOf, type Item, type Plan } from './plan.ts'

/** For each item sent the position of the open one that it is: by its id, else the first with its title that is not taken; null: it is new. */
export function sameItems(
  open: readonly { id: string; title: string }[],
  sent: readonly { id?: string | null | undefined; title: string }[],
): (number | null)[] {
  const left = new Map(open.map(({ id }, index) => [id, index]))
  const take = (id: string): number | null => {
    const index = left.get(id) ?? null
    left.delete(id)
    return index
  }
  const named = sent.map(({ id }) => (typeof id === 'string' ? take(id) : null))
  return sent.map(({ title }, index) => {
    const known = named[index] ?? null
    const alike = open.find((item) => left.has(item.id) && item.title.trim() === title.trim())
    return known !== null || alike === undefined ? known : take(alike.id)
  })
}

/** An item as it enters the list: which text of the new row it is, and which of the open items; null: it is new. */
export interface ItemPlace {
  at: number
  open: number | null
}

/** Items that have ended, and the others. */
export const splitItems = (plan: Plan): { ended: Item[]; open: Item[] } => ({
  ended: plan.items.filter((_, index) => endOf(plan, index) !== null),
  open: plan.items.filter((_, index) => endOf(plan, index) === null),
})

/** Of a very long list the oldest ended items leave, so that what the head refers to stays bounded. */
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
    ...plan,
    row,
    revision: plan.revision + 1,
    cursor: ended.length - first,
    items: [...ended.slice(first), ...items],
    ends: plan.ends.filter((end) => end !== null).slice(first),
    next_id,
    left: plan.left + first,
  }
}

/** The list that a reply of the model has in place of the open items: of the same title is the same item. */
export function replaceItems<P extends Plan>(
  source: ItemSource,
  plan: P,
  titles: readonly string[],
  { seq, recall }: Pick<Context, 'seq' | 'recall'>,
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

/** The list with the texts that items had before: what a person wrote about an item stays with it. */
export function keepTexts<P extends Plan>(plan: P, before: Plan): P {
  const known = new Map(before.items.map((item) => [item[0], item]))
  return { ...plan, items: plan.items.map((item) => known.get(item[0]) ?? item) }
}
