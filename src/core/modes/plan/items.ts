/** The items of a plan with their ids and texts, and the events about them. */
import type { Note, Recall } from '../../terms/effect.ts'
import { currentItem, type Item, type Plan } from './plan.ts'

export interface ItemText {
  title: string
  description: string
  expected_output: string | null
}

/** The texts that a person wrote about an item. They are empty for an item that does not exist. */
export const editedText = ({ title = '', description = '', expected_output = null }: Partial<ItemText> = {}) => ({
  title,
  description,
  expected_output,
})

/** How a mode names its items, and where it reads their texts. */
export interface ItemSource {
  prefix: 'step' | 'task'
  textOf(item: Item, recall: Recall): ItemText
}

export interface ListedItem {
  id: string
  title: string
}

export const itemId = ({ prefix }: ItemSource, number: Item[0]): string => `${prefix}_${number}`

export function currentId(source: ItemSource, plan: Plan): string | null {
  const item = currentItem(plan)
  return item === null ? null : itemId(source, item[0])
}

export const titleOf = (source: ItemSource, item: Item, recall: Recall): string => source.textOf(item, recall).title

export const titlesOf = (source: ItemSource, { items }: Pick<Plan, 'items'>, recall: Recall): string[] =>
  items.map((item) => titleOf(source, item, recall))

export const listItems = (source: ItemSource, items: readonly Item[], recall: Recall): ListedItem[] =>
  items.map((item) => ({ id: itemId(source, item[0]), title: titleOf(source, item, recall) }))

/** The whole list, as events contain it. */
export const planList = (source: ItemSource, { items, cursor, revision }: Plan, recall: Recall) => ({
  items: listItems(source, items, recall),
  cursor,
  revision,
})

export const listNote = (
  source: ItemSource,
  type: 'plan_created' | 'plan_adjusted' | 'plan_replanned',
  plan: Plan,
  recall: Recall,
): Note => ({ type, payload: planList(source, plan, recall) })

/** The event of the current item: its start or its end. */
export function itemNote(
  source: ItemSource,
  type: 'item_started' | 'item_completed' | 'item_failed',
  plan: Plan,
  recall: Recall,
  extra: Record<string, unknown> = {},
): Note {
  const item = currentItem(plan)
  if (item === null) throw new Error('no item is worked on')
  const payload = { item_id: itemId(source, item[0]), title: titleOf(source, item, recall), index: plan.cursor }
  const total = type === 'item_started' ? { total: plan.items.length } : {}
  return { type, payload: { ...payload, ...total, ...extra } }
}
