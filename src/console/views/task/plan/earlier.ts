/** Items that were finished under earlier revisions: they leave the list of the plan (U18), and events still tell of them. */
import type { Envelope, PlanItem } from '../../../api/wire.ts'
import { text } from '../activity/payload.ts'

export interface Earlier {
  id: string
  title: string
  status: 'completed' | 'failed'
}

export function earlierOf(events: readonly Envelope[], items: readonly PlanItem[]): Earlier[] {
  const listed = new Set(items.map(({ id }) => id))
  const found = events.flatMap(({ type, payload }): Earlier[] => {
    if (type !== 'item_completed' && type !== 'item_failed') return []
    const status = type === 'item_completed' ? 'completed' : 'failed'
    return [{ id: text(payload, 'item_id'), title: text(payload, 'title'), status }]
  })
  // Of one that was begun again the last word counts.
  const last = new Map(found.map((item) => [item.id, item]))
  return [...last.values()].filter(({ id }) => !listed.has(id))
}
