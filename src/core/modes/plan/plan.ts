/**
 * The plan of a task, for every mode: its items, the current item, and the ends of the others (U18). Each mode decides how its
 * events move the plan. The texts stand in the journal, and the plan names their rows.
 */
import * as z from 'zod'
import type { Recall } from '../../terms/effect.ts'

const row = z.int().min(1)
const count = z.int().min(0)

/** The number of an item, the row that holds its text, and the position of the text in that row. A number is never used twice. */
export const Item = z.tuple([row, row, count])
export type Item = z.infer<typeof Item>

const how = z.enum(['completed', 'failed', 'skipped'])
/** How an item has ended, and the row with its result. null: no row has one. */
export const ItemEnd = z.tuple([how, row.nullable()])
export type ItemEnd = z.infer<typeof ItemEnd>

/** An item that has ended and left the list: the item, and its end. */
export const GoneItem = z.tuple([row, row, count, how, row.nullable()])
export type GoneItem = z.infer<typeof GoneItem>

/** At most this many items that have ended are remembered, so an item that has left the list is forgotten when others end. */
export const FINISHED_MAX = 100

export const Plan = z.object({
  /** The row that made this list. null: there is no list yet. */
  row: row.nullable(),
  revision: count,
  /** The position of the current item. It is the number of items when all have ended. */
  cursor: count,
  items: z.array(Item),
  /** The end of each item, by position. null, or no entry: the item has not ended. */
  ends: z.array(ItemEnd.nullable()),
  next_id: row,
  /** How many ended items have left the list. */
  left: count,
  /** The newest of them, in the order of their ends. */
  gone: z.array(GoneItem),
})
export type Plan = z.infer<typeof Plan>

export const EMPTY_PLAN: Plan = {
  row: null,
  revision: 0,
  cursor: 0,
  items: [],
  ends: [],
  next_id: 1,
  left: 0,
  gone: [],
}

export const endOf = ({ ends }: Plan, index: number): ItemEnd | null => ends[index] ?? null
export const hasEnded = (plan: Plan, index: number, how: ItemEnd[0]): boolean => endOf(plan, index)?.[0] === how

/** The current item. null: there is no plan yet, or all items have ended. */
export const currentItem = ({ items, cursor }: Plan): Item | null => items[cursor] ?? null

/** Ends the current item, and makes the next one current. */
export const endItem = <P extends Plan>(plan: P, how: ItemEnd[0], row: number): P =>
  boundGone({ ...plan, cursor: plan.cursor + 1, ends: [...plan.ends, [how, row]] })

/** The plan with the end of each item. The first item without an end is the current one. */
export function withEnds<P extends Plan>(plan: P, ends: readonly (ItemEnd | null)[]): P {
  const first_open = ends.indexOf(null)
  const cursor = first_open === -1 ? plan.items.length : first_open
  return boundGone({ ...plan, cursor, ends: ends.slice(0, ends.findLastIndex((end) => end !== null) + 1) })
}

const boundGone = <P extends Plan>(plan: P): P => {
  const excess = plan.gone.length + endedInList(plan).length - FINISHED_MAX
  return excess <= 0 ? plan : { ...plan, gone: plan.gone.slice(excess) }
}

/** The newest items that have ended: those that have left the list, then those that stand in it. */
export const endedItems = (plan: Plan): GoneItem[] =>
  [...plan.gone, ...endedInList(plan).map(({ item }) => item)].slice(-FINISHED_MAX)

/** The items of the list that have ended, with their positions. */
export const endedInList = (plan: Plan): { item: GoneItem; index: number }[] =>
  plan.items.flatMap((item, index): { item: GoneItem; index: number }[] => {
    const end = endOf(plan, index)
    return end === null ? [] : [{ item: [...item, ...end], index }]
  })

/** How many items have ended in all. */
export const finishedCount = ({ left, ends }: Plan): number => left + ends.filter((end) => end !== null).length

/** The plan after ended items have left its list, which the caller replaces. */
export const withGone = <P extends Plan>(plan: P, leaving: readonly GoneItem[]): P => ({
  ...plan,
  left: plan.left + leaving.length,
  gone: [...plan.gone, ...leaving],
})

/** Whether a person wrote the current list. */
export const isEdited = ({ row }: Plan, recall: Recall): boolean =>
  row !== null && recall(row).event.kind === 'plan_edited'
