/** Compares two lists of items by id, or by title if an item has no id. */
import type { PlanItem } from '../../../api/wire.ts'

export interface ItemTitle {
  id: string | null
  title: string
}
export interface Changes {
  added: string[]
  removed: string[]
  renamed: { from: string; to: string }[]
  /** Whether the items of both lists are in another order. */
  reordered: boolean
}

/** Maps each item to its title. The same title twice stands for two items. */
function titlesByKey(items: readonly ItemTitle[], byId: boolean): Map<string, string> {
  const times = new Map<string, number>()
  return new Map(
    items.map(({ id, title }) => {
      const name = (byId ? id : null) ?? title
      const time = times.get(name) ?? 0
      times.set(name, time + 1)
      return [`${name}#${time}`, title]
    }),
  )
}

export function changesOf(before: readonly ItemTitle[], after: readonly ItemTitle[]): Changes {
  const byId = [...before, ...after].every(({ id }) => id !== null)
  const [was, is] = [titlesByKey(before, byId), titlesByKey(after, byId)]
  const commonBefore = [...was.keys()].filter((key) => is.has(key))
  const commonAfter = [...is.keys()].filter((key) => was.has(key))
  return {
    added: [...is].flatMap(([key, title]) => (was.has(key) ? [] : [title])),
    removed: [...was].flatMap(([key, title]) => (is.has(key) ? [] : [title])),
    renamed: [...is].flatMap(([key, to]) => {
      const from = was.get(key)
      return from === undefined || from === to ? [] : [{ from, to }]
    }),
    reordered: commonBefore.some((key, index) => key !== commonAfter[index]),
  }
}

export interface PlanChanges extends Changes {
  /** The titles of items that have finished since. */
  finished: string[]
  /** The titles of open items with another description or expected output. */
  detailed: string[]
}

export const isOpen = ({ status }: PlanItem) => status === 'pending' || status === 'running'

/** Compares the editable items. `finished` has the ids of finished items, because these may have left the list. */
export function planChanges(before: readonly PlanItem[], after: readonly PlanItem[], finished: ReadonlySet<string>) {
  const over = new Set([...finished, ...after.filter((item) => !isOpen(item)).map(({ id }) => id)])
  const was = before.filter(isOpen)
  // An event may say that an item is finished before the plan does.
  const is = after.filter((item) => isOpen(item) && !over.has(item.id))
  const earlier = new Map(was.map((item) => [item.id, item]))
  const changes: PlanChanges = {
    ...changesOf(
      was.filter(({ id }) => !over.has(id)),
      is,
    ),
    finished: was.flatMap(({ id, title }) => (over.has(id) ? [title] : [])),
    detailed: is.flatMap((item) => {
      const old = earlier.get(item.id)
      const same = old?.description === item.description && old.expected_output === item.expected_output
      return old === undefined || same ? [] : [item.title]
    }),
  }
  return changes
}

export const isUnchanged = ({ added, removed, renamed, reordered, finished, detailed }: PlanChanges) =>
  [added, removed, renamed, finished, detailed].every(({ length }) => length === 0) && !reordered
