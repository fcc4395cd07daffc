/** Timers that only move when a test says so. */

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
const waiting = new Map()
let [now, ids] = [0, 0]

export function stop() {
  waiting.clear()
  globalThis.setTimeout = (call, ms = 0) => {
    waiting.set(++ids, { call, at: now + ms })
    return ids
  }
  globalThis.clearTimeout = (id) => void waiting.delete(id)
}
export const resume = () => Object.assign(globalThis, real)
export const count = () => waiting.size

/** What is due is called in the order it is due; promises settle before and between. */
export async function advance(ms) {
  const until = now + ms
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    const due = [...waiting].filter(([, { at }]) => at <= until).toSorted(([, a], [, b]) => a.at - b.at)[0]
    if (due === undefined) break
    const [id, { call, at }] = due
    waiting.delete(id)
    now = at
    call()
  }
  now = until
}
