/**
 * The end of a process that serves the API. Once draining has begun, new requests are refused, no round and no background work starts, and
 * waiting clients are sent away. Running work is counted, so that the process can end when none is left.
 */
export interface Draining {
  hasBegun(): boolean
  begin(): void
  /** Counts the work as running until it is over. */
  during<T>(work: () => Promise<T>): Promise<T>
  isIdle(): boolean
  /** Calls the listener once when draining begins. Returns a function that removes the listener. */
  onBegin(listener: () => void): () => void
}

export function newDraining(): Draining {
  const listeners = new Set<() => void>()
  let begun = false
  let underWay = 0
  return {
    hasBegun: () => begun,
    begin() {
      begun = true
      for (const listener of listeners) listener()
      listeners.clear()
    },
    async during(work) {
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
      }
    },
    isIdle: () => underWay === 0,
    onBegin(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
