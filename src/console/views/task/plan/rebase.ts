/** One edit of a plan made again from another plan: base is the plan that it began from, and what was touched in it wins. */
import type { PlanItem } from '../../../api/wire.ts'
import { isOpen } from './changes.ts'
import { draftItemOf, type Detail, type PlanDraft, type DraftItem } from './plan-draft.ts'

const DETAILS: readonly Detail[] = ['title', 'description', 'expected_output']
type ById = ReadonlyMap<string, DraftItem>
const byId = (items: readonly PlanItem[]): ById =>
  new Map(items.filter(isOpen).map((item) => [item.id, draftItemOf(item)]))

/**
 * What was finished meanwhile is left out. What was not touched follows their plan: its texts, its place, and that it is gone. What is new
 * in theirs comes in after the item it follows there; what was touched and is gone from theirs becomes new, so that nothing typed is lost.
 */
export function rebase(
  { base, items }: PlanDraft,
  theirs: { items: readonly PlanItem[]; etag: string | null },
  finished: ReadonlySet<string>,
): PlanDraft {
  const was = byId(base)
  const is = byId(theirs.items.filter(({ id }) => !finished.has(id)))
  const over = new Set([...finished, ...theirs.items.filter((item) => !isOpen(item)).map(({ id }) => id)])
  const mine = items.flatMap((item) => (item.id !== null && over.has(item.id) ? [] : ontoTheirs(item, was, is)))
  const kept = new Set(mine.map(({ id }) => id))
  const isNew = ({ key }: DraftItem) => is.has(key) && !was.has(key)
  // One of the base that is not among mine was taken away by hand.
  const other = [...is.values()].filter((item) => kept.has(item.id) || isNew(item))
  const merged = isMoved(items, was) ? woven(mine, other, () => false) : woven(inTheirOrder(other, mine), mine, isNew)
  return { base: theirs.items, etag: theirs.etag, items: merged }
}

/** Nothing where it is theirs to be gone. */
function ontoTheirs(item: DraftItem, was: ById, is: ById): DraftItem[] {
  if (item.id === null) return [item]
  const [before, now] = [was.get(item.id), is.get(item.id)]
  const touched = DETAILS.filter((name) => item[name] !== before?.[name])
  if (now === undefined) return touched.length === 0 ? [] : [{ ...item, id: null }]
  return [touched.reduce((merged, name) => ({ ...merged, [name]: item[name] }), now)]
}

const inTheirOrder = (theirs: readonly DraftItem[], mine: readonly DraftItem[]) =>
  theirs.map((item) => mine.find(({ id }) => id === item.id) ?? item)

/** Whether those that were there from the beginning stand in another order. */
function isMoved(items: readonly DraftItem[], was: ById): boolean {
  const left = items.flatMap(({ id }) => (id !== null && was.has(id) ? [id] : []))
  const before = [...was.keys()].filter((id) => left.includes(id))
  return before.some((id, index) => id !== left[index])
}

/** Puts what only `others` has into `list`, after the item it follows there; `first` says what stays before it. */
function woven(list: readonly DraftItem[], others: readonly DraftItem[], first: (item: DraftItem) => boolean) {
  const merged = [...list]
  let at = 0
  for (const item of others) {
    const found = merged.findIndex(({ key }) => key === item.key)
    if (found >= 0) {
      at = found + 1
      continue
    }
    for (let next = merged[at]; next !== undefined && first(next); next = merged[at]) at += 1
    merged.splice(at, 0, item)
    at += 1
  }
  return merged
}
