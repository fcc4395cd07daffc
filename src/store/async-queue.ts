/** A queue that keeps only its newest value: for news, where each makes the one before worthless. */
interface AsyncQueue<T extends object> {
  put(value: T): void
  /** No value follows. The kept value can still be taken. */
  end(): void
  /** The newest value that was not taken yet. Waits for one; null when none will come. */
  next(): Promise<T | null>
}

export function newAsyncQueue<T extends object>(): AsyncQueue<T> {
  const box = { kept: null as T | null, ended: false, wake: () => {} }
  return {
    put(value) {
      if (!box.ended) box.kept = value
      box.wake()
    },
    end() {
      box.ended = true
      box.wake()
    },
    async next() {
      while (box.kept === null && !box.ended) await new Promise<void>((resolve) => (box.wake = resolve))
      const taken = box.kept
      box.kept = null
      return taken
    },
  }
}
