/** The finished items of a plan, which leave its list with the next revision (U18, U34). */
import type { Envelope, PlanItem, TaskView } from '../../../api/wire.ts'
import { isOpen } from './changes.ts'

type FinishedItem = TaskView['plan']['finished'][number]

/** Returns the finished items that the plan does not list any more, and how many there are in all. The plan names the newest of them. */
export function earlierItems({ items, finished, finished_count }: TaskView['plan']): {
  earlier: FinishedItem[]
  count: number
} {
  const listed = new Set(items.map(({ id }) => id))
  const earlier = finished.filter(({ id }) => !listed.has(id))
  return { earlier, count: finished_count - finished.length + earlier.length }
}

/**
 * Returns the ids of finished items. An item that the plan lists as open has reopened. But an event after `version`, the last row that
 * the plan knows, is newer than the plan.
 */
export function finishedIn(events: readonly Envelope[], items: readonly PlanItem[], version: number): Set<string> {
  const reopened = new Set(items.filter(isOpen).map(({ id }) => id))
  return new Set(
    events.flatMap(({ type, payload }) => {
      const { item_id: id, journal_seq: row } = payload
      if ((type !== 'item_completed' && type !== 'item_failed') || typeof id !== 'string') return []
      return reopened.has(id) && Number(row) <= version ? [] : [id]
    }),
  )
}
