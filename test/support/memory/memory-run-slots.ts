/** Run slots and their queue in memory, for tests and simulation. */
import type { RunSlotRows } from '../../../src/core/workspace/run-slots.ts'

export function memoryRunSlots(): RunSlotRows {
  const holders = new Map<string, { version: number; look_at: number }>()
  const waiting = new Map<string, number>()
  const claims = () => [...holders].map(([task, { version, look_at }]) => ({ task, version, look_at }))
  return {
    countHeld: () => holders.size,
    findHolder(task) {
      const holder = holders.get(task)
      return holder === undefined ? null : { task, version: holder.version }
    },
    saveHolder: ({ task, version }, look_at) => void holders.set(task, { version, look_at }),
    removeHolder: (task) => void holders.delete(task),
    findWaiting(task) {
      const version = waiting.get(task)
      return version === undefined ? null : { task, version }
    },
    // A key that exists keeps its place in a map.
    saveWaiting: ({ task, version }) => void waiting.set(task, version),
    removeWaiting: (task) => void waiting.delete(task),
    firstWaiting() {
      const [first] = waiting
      return first === undefined ? null : { task: first[0], version: first[1] }
    },
    holdersDue: (now_ms, limit) =>
      claims()
        .filter(({ look_at }) => look_at <= now_ms)
        .toSorted((a, b) => a.look_at - b.look_at)
        .slice(0, limit)
        .map(({ task, version }) => ({ task, version })),
    nextLook: () => (holders.size === 0 ? null : Math.min(...claims().map(({ look_at }) => look_at))),
  }
}
