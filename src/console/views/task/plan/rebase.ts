/** Applies an edit of a plan to a newer plan. Where both have changed something, the edit wins. */
import type { PlanItem } from '../../../api/wire.ts'
import { isOpen } from './changes.ts'
import { draftItemOf, type Detail, type PlanDraft, type DraftItem } from './plan-draft.ts'

const DETAILS: readonly Detail[] = ['title', 'description', 'expected_output']
type ById = ReadonlyMap<string, DraftItem>
const byId = (items: readonly PlanItem[]): ById =>
  new Map(items.filter(isOpen).map((item) => [item.id, draftItemOf(item)]))

/**
 * Leaves out items that have finished meanwhile. An untouched item follows the newer plan: its texts, its place, and its removal. A new
 * item of the newer plan comes after the item that it follows there. A touched item that the newer plan removed becomes a new one, so
 * that no typed text is lost.
 */
export function rebase(
  { base, items }: PlanDraft,
  theirs: { items: readonly PlanItem[]; etag: string | null },
  finished: ReadonlySet<string>,
): PlanDraft {
  const baseItems = byId(base)
  const newItems = byId(theirs.items.filter(({ id }) => !finished.has(id)))
  const over = new Set([...finished, ...theirs.items.filter((item) => !isOpen(item)).map(({ id }) => id)])
  const mine = items.flatMap((item) =>
    item.id !== null && over.has(item.id) ? [] : rebaseItem(item, baseItems, newItems),
  )
  const mineIds = new Set(mine.map(({ id }) => id))
  const isNew = ({ key }: DraftItem) => newItems.has(key) && !baseItems.has(key)
  // An item of the base that is not in the edit was removed by hand.
  const other = [...newItems.values()].filter((item) => mineIds.has(item.id) || isNew(item))
  const merged = isReordered(items, baseItems)
    ? insertMissing(mine, other, () => false)
    : insertMissing(inTheirOrder(other, mine), mine, isNew)
  return { base: theirs.items, etag: theirs.etag, items: merged }
}

/** Returns no item if the newer plan has removed it. */
function rebaseItem(item: DraftItem, baseItems: ById, newItems: ById): DraftItem[] {
  if (item.id === null) return [item]
  const [before, now] = [baseItems.get(item.id), newItems.get(item.id)]
  const touched = DETAILS.filter((name) => item[name] !== before?.[name])
  if (now === undefined) return touched.length === 0 ? [] : [{ ...item, id: null }]
  return [touched.reduce((merged, name) => ({ ...merged, [name]: item[name] }), now)]
}

const inTheirOrder = (theirs: readonly DraftItem[], mine: readonly DraftItem[]) =>
  theirs.map((item) => mine.find(({ id }) => id === item.id) ?? item)

/** Whether the items of the base are in another order. */
function isReordered(items: readonly DraftItem[], baseItems: ById): boolean {
  const left = items.flatMap(({ id }) => (id !== null && baseItems.has(id) ? [id] : []))
  const before = [...baseItems.keys()].filter((id) => left.includes(id))
  return before.some((id, index) => id !== left[index])
}

/** Inserts items that only `others` has after the items they follow there. Items for which `comesFirst` holds stay before them. */
function insertMissing(
  list: readonly DraftItem[],
  others: readonly DraftItem[],
  comesFirst: (item: DraftItem) => boolean,
) {
  const merged = [...list]
  let at = 0
  for (const item of others) {
    const found = merged.findIndex(({ key }) => key === item.key)
    if (found >= 0) {
      at = found + 1
      continue
    }
    for (let next = merged[at]; next !== undefined && comesFirst(next); next = merged[at]) at += 1
    merged.splice(at, 0, item)
    at += 1
  }
  return merged
}
