/** The record of deliveries in memory, for tests and simulation; of a short life, so nothing leaves it for want of room. */
import type { DeliveryMethods, DeliveryRecord } from '../../../src/core/protocol/workspace-methods.ts'

export function memoryDeliveries(): DeliveryMethods & { drop(task: string): void } {
  const kept = new Map<string, DeliveryRecord & { position: number }>()
  let positions = 0
  return {
    noteDelivery(record) {
      const known = kept.get(record.id)
      if (known !== undefined) kept.set(record.id, { ...record, position: known.position })
      else if (record.status === 'failed' || record.status === 'gone')
        kept.set(record.id, { ...record, position: ++positions })
    },
    findDelivery: (id) => kept.get(id) ?? null,
    listDeliveries(status, before, limit) {
      const found = [...kept.values()]
        .filter((one) => (before === 0 || one.position < before) && (status === null || one.status === status))
        .toSorted((a, b) => b.position - a.position)
      return { records: found.slice(0, limit), has_more: found.length > limit }
    },
    drop(task) {
      for (const { id, task: of } of kept.values()) if (of === task) kept.delete(id)
    },
  }
}
