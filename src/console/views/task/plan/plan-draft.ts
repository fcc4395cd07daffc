/** A plan that is being edited: its unfinished items, their changes, and the body that is sent. */
import type { PlanItem } from '../../../api/wire.ts'
import { isOpen } from './changes.ts'

export interface DraftItem {
  /** The key stays when the item moves. A new item has a key before it has an id. */
  key: string
  id: string | null
  title: string
  description: string
  expected_output: string
}
export type Detail = 'title' | 'description' | 'expected_output'
/** `base` is the plan that the draft was made from, and `etag` its version. */
export interface PlanDraft {
  base: readonly PlanItem[]
  etag: string | null
  items: readonly DraftItem[]
}

/** The limits of the service for one edit. */
export const PLAN_ITEMS_MAX = 100
export const CHARS_MAX = { title: 500, description: 2_000, expected_output: 2_000 } as const

export const draftItemOf = ({ id, title, description, expected_output }: PlanItem): DraftItem => ({
  key: id,
  id,
  title,
  description,
  expected_output: expected_output ?? '',
})
export const draftOf = (base: readonly PlanItem[], etag: string | null): PlanDraft => ({
  base,
  etag,
  items: base.filter(isOpen).map(draftItemOf),
})

export const emptyItem = (key: string): DraftItem => ({
  key,
  id: null,
  title: '',
  description: '',
  expected_output: '',
})

/** Moves an item one place up (−1) or down (1). At the end of the list it stays. */
export function moveItem(items: readonly DraftItem[], key: string, step: -1 | 1): DraftItem[] {
  const from = items.findIndex((item) => item.key === key)
  const other = items[from + step]
  const item = items[from]
  if (item === undefined || other === undefined) return [...items]
  return items.map((each) => (each === item ? other : each === other ? item : each))
}

export const changeItem = (items: readonly DraftItem[], key: string, change: Partial<Pick<DraftItem, Detail>>) =>
  items.map((item) => (item.key === key ? { ...item, ...change } : item))

export const findUntitled = (items: readonly DraftItem[]) => items.find(({ title }) => title.trim() === '') ?? null

/** Whether the draft differs from its base. */
export function isTouched({ base, items }: Pick<PlanDraft, 'base' | 'items'>): boolean {
  const before = base.filter(isOpen).map(draftItemOf)
  return JSON.stringify(before) !== JSON.stringify(items)
}

/** Returns the body of the request. Of an item of the base it has only the changed details. */
export function editOf({ base, items }: Pick<PlanDraft, 'base' | 'items'>) {
  const baseItems = new Map(base.map((item) => [item.id, draftItemOf(item)]))
  return {
    items: items.map(({ id, title, description, expected_output }) => {
      const before = id === null ? emptyItem('') : baseItems.get(id)
      return {
        ...(id === null ? {} : { id }),
        title: title.trim(),
        ...(description === before?.description ? {} : { description }),
        ...(expected_output === before?.expected_output ? {} : { expected_output: expected_output.trim() || null }),
      }
    }),
  }
}
