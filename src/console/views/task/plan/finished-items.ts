/** Finds finished items by their events, because a plan loses its finished items with the next revision (U18). */
import type { Envelope, PlanItem } from '../../../api/wire.ts'
import { text } from '../payload.ts'
import { isOpen } from './changes.ts'

interface EarlierItem {
  id: string
  title: string
  status: 'completed' | 'failed'
}

/** Returns the finished items that the plan does not list any more. */
export function earlierItems(events: readonly Envelope[], items: readonly PlanItem[]): EarlierItem[] {
  const inPlan = new Set(items.map(({ id }) => id))
  const finished = events.flatMap(({ type, payload }): EarlierItem[] => {
    if (type !== 'item_completed' && type !== 'item_failed') return []
    const status = type === 'item_completed' ? 'completed' : 'failed'
    return [{ id: text(payload, 'item_id'), title: text(payload, 'title'), status }]
  })
  // An item that began again has several events, and the last one counts.
  const last = new Map(finished.map((item) => [item.id, item]))
  return [...last.values()].filter(({ id }) => !inPlan.has(id))
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
