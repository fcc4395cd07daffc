/** The record of deliveries in memory, for tests and simulation; it lives too briefly to need a limit. */
import type { DeliveryRecord } from '../../../src/core/protocol/workspace-records.ts'
import type { MemoryCommands, MemoryQueries } from './memory-handlers.ts'

export function memoryDeliveries() {
  const kept = new Map<string, DeliveryRecord & { position: number }>()
  let positions = 0
  const commands: MemoryCommands<'note_delivery'> = {
    note_delivery({ record }) {
      const known = kept.get(record.id)
      if (known !== undefined) kept.set(record.id, { ...record, position: known.position })
      else if (record.status === 'failed' || record.status === 'gone')
        kept.set(record.id, { ...record, position: ++positions })
    },
  }
  const queries: MemoryQueries<'delivery' | 'deliveries'> = {
    delivery: ({ id }) => kept.get(id) ?? null,
    deliveries({ status, before, limit }) {
      const found = [...kept.values()]
        .filter((one) => (before === 0 || one.position < before) && (status === null || one.status === status))
        .toSorted((a, b) => b.position - a.position)
      return { records: found.slice(0, limit), has_more: found.length > limit }
    },
  }
  const drop = (task: string) => {
    for (const { id, task: of } of kept.values()) if (of === task) kept.delete(id)
  }
  return { commands, queries, drop }
}
