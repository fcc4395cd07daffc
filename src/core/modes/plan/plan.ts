/**
 * The plan of a task, for every mode: its items, the one that is worked on, and how the others have ended (U18). A mode says how its
 * events move it. Texts stand in the journal; the plan names the rows.
 */
import * as z from 'zod'
import type { Recall } from '../../terms/effect.ts'

const row = z.int().min(1)
const count = z.int().min(0)

/** The number of an item, which is never used twice; the row that holds its text, and which text of that row it is. */
export const Item = z.tuple([row, row, count])
export type Item = z.infer<typeof Item>

/** How an item has ended, and the row that says what came of it; null: no row does. */
export const ItemEnd = z.tuple([z.enum(['completed', 'failed', 'skipped']), row.nullable()])
export type ItemEnd = z.infer<typeof ItemEnd>

export const Plan = z.object({
  /** The row that made this list; null before the first one. */
  row: row.nullable(),
  revision: count,
  /** The position of the item that is worked on; the number of items when all have ended. */
  cursor: count,
  items: z.array(Item),
  /** By position; null, or beyond the last entry: the item has not ended. */
  ends: z.array(ItemEnd.nullable()),
  next_id: row,
  /** Ended items that have left the list. */
  left: count,
})
export type Plan = z.infer<typeof Plan>

export const EMPTY_PLAN: Plan = { row: null, revision: 0, cursor: 0, items: [], ends: [], next_id: 1, left: 0 }

export const endOf = ({ ends }: Plan, index: number): ItemEnd | null => ends[index] ?? null
export const hasEnded = (plan: Plan, index: number, how: ItemEnd[0]): boolean => endOf(plan, index)?.[0] === how

/** The item that is worked on; null before there is a plan and when all have ended. */
export const currentItem = ({ items, cursor }: Plan): Item | null => items[cursor] ?? null

/** The current item has ended, and the next one is worked on. */
export const endItem = <P extends Plan>(plan: P, how: ItemEnd[0], row: number): P => ({
  ...plan,
  cursor: plan.cursor + 1,
  ends: [...plan.ends, [how, row]],
})

/** The plan with the end of each item; the first item that has none is worked on. */
export function withEnds<P extends Plan>(plan: P, ends: readonly (ItemEnd | null)[]): P {
  const open = ends.indexOf(null)
  const cursor = open === -1 ? plan.items.length : open
  return { ...plan, cursor, ends: ends.slice(0, ends.findLastIndex((end) => end !== null) + 1) }
}

/** Whether a person wrote the list as it stands. */
export const isEdited = ({ row }: Plan, recall: Recall): boolean =>
  row !== null && recall(row).event.kind === 'plan_edited'
