/** Items that were finished under earlier revisions: they leave the list of the plan (U18), and events still tell of them. */
import type { Envelope, PlanItem } from '../../../api/wire.ts'
import { text } from '../payload.ts'
import { isOpen } from './changes.ts'

interface EarlierItem {
  id: string
  title: string
  status: 'completed' | 'failed'
}

export function earlierItems(events: readonly Envelope[], items: readonly PlanItem[]): EarlierItem[] {
  const listed = new Set(items.map(({ id }) => id))
  const found = events.flatMap(({ type, payload }): EarlierItem[] => {
    if (type !== 'item_completed' && type !== 'item_failed') return []
    const status = type === 'item_completed' ? 'completed' : 'failed'
    return [{ id: text(payload, 'item_id'), title: text(payload, 'title'), status }]
  })
  // Of one that was begun again the last word counts.
  const last = new Map(found.map((item) => [item.id, item]))
  return [...last.values()].filter(({ id }) => !listed.has(id))
}

/**
 * Ids of items that events say are over. One that the plan has as open after that is open again; of events that are later than the plan –
 * `version` is the last row it has seen – the plan knows nothing yet.
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
