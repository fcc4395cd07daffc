/** What is different between two lists of items: by id, or by title where ids are not told. */
import type { PlanItem } from '../../../api/wire.ts'

export interface ItemTitle {
  id: string | null
  title: string
}
export interface Changes {
  added: string[]
  removed: string[]
  renamed: { from: string; to: string }[]
  /** Whether those in both stand in another order. */
  reordered: boolean
}

/** A title that stands twice is two items. */
function keyed(items: readonly ItemTitle[], byId: boolean): Map<string, string> {
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
  const [was, is] = [keyed(before, byId), keyed(after, byId)]
  const kept = [...was.keys()].filter((key) => is.has(key))
  const left = [...is.keys()].filter((key) => was.has(key))
  return {
    added: [...is].flatMap(([key, title]) => (was.has(key) ? [] : [title])),
    removed: [...was].flatMap(([key, title]) => (is.has(key) ? [] : [title])),
    renamed: [...is].flatMap(([key, to]) => {
      const from = was.get(key)
      return from === undefined || from === to ? [] : [{ from, to }]
    }),
    reordered: kept.some((key, index) => key !== left[index]),
  }
}

export interface PlanChanges extends Changes {
  /** Titles of items that were open and are not any more. */
  finished: string[]
  /** Titles of open items whose description or expected output is another one. */
  detailed: string[]
}

export const isOpen = ({ status }: PlanItem) => status === 'pending' || status === 'running'

/** Of what can be edited; `finished`: ids that are known to be over, as those may have left the list. */
export function planChanges(before: readonly PlanItem[], after: readonly PlanItem[], finished: ReadonlySet<string>) {
  const over = new Set([...finished, ...after.filter((item) => !isOpen(item)).map(({ id }) => id)])
  const was = before.filter(isOpen)
  // Events may tell that an item is over before the plan does.
  const is = after.filter((item) => isOpen(item) && !over.has(item.id))
  const known = new Map(was.map((item) => [item.id, item]))
  const changes: PlanChanges = {
    ...changesOf(
      was.filter(({ id }) => !over.has(id)),
      is,
    ),
    finished: was.flatMap(({ id, title }) => (over.has(id) ? [title] : [])),
    detailed: is.flatMap((item) => {
      const old = known.get(item.id)
      const same = old?.description === item.description && old.expected_output === item.expected_output
      return old === undefined || same ? [] : [item.title]
    }),
  }
  return changes
}

export const isUnchanged = ({ added, removed, renamed, reordered, finished, detailed }: PlanChanges) =>
  [added, removed, renamed, finished, detailed].every(({ length }) => length === 0) && !reordered
