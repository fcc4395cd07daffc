/** A plan as somebody edits it: its unfinished items, what they have become, and what of that is sent. */
import type { PlanItem } from '../../../api/wire.ts'
import { isOpen } from './changes.ts'

export interface DraftItem {
  /** Stays while the item is moved about; new ones have it before they have an id. */
  key: string
  id: string | null
  title: string
  description: string
  expected_output: string
}
export type Detail = 'title' | 'description' | 'expected_output'
/** What it was made from, and under which `ETag` that was read. */
export interface PlanDraft {
  base: readonly PlanItem[]
  etag: string | null
  items: readonly DraftItem[]
}

/** What the service takes in one edit. */
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

/** One place up (−1) or down (1); at the end it stays. */
export function moveItem(items: readonly DraftItem[], key: string, by: -1 | 1): DraftItem[] {
  const from = items.findIndex((item) => item.key === key)
  const other = items[from + by]
  const item = items[from]
  if (item === undefined || other === undefined) return [...items]
  return items.map((each) => (each === item ? other : each === other ? item : each))
}

export const changeItem = (items: readonly DraftItem[], key: string, change: Partial<Pick<DraftItem, Detail>>) =>
  items.map((item) => (item.key === key ? { ...item, ...change } : item))

export const findUntitled = (items: readonly DraftItem[]) => items.find(({ title }) => title.trim() === '') ?? null

/** Whether anything was typed, moved, added or taken away. */
export function isTouched({ base, items }: Pick<PlanDraft, 'base' | 'items'>): boolean {
  const before = base.filter(isOpen).map(draftItemOf)
  return JSON.stringify(before) !== JSON.stringify(items)
}

/** The body of the request: of a known item only the details that were changed; what is left out stays as it is. */
export function editOf({ base, items }: Pick<PlanDraft, 'base' | 'items'>) {
  const was = new Map(base.map((item) => [item.id, draftItemOf(item)]))
  return {
    items: items.map(({ id, title, description, expected_output }) => {
      const before = id === null ? emptyItem('') : was.get(id)
      return {
        ...(id === null ? {} : { id }),
        title: title.trim(),
        ...(description === before?.description ? {} : { description }),
        ...(expected_output === before?.expected_output ? {} : { expected_output: expected_output.trim() || null }),
      }
    }),
  }
}
