/** A mailbox that keeps the newest only: for news of which each makes the one before it worthless. */
interface AsyncQueue<T extends object> {
  put(value: T): void
  /** Nothing more will come; what is kept can still be taken. */
  end(): void
  /** The newest that was not taken yet, waiting for one if need be; null: none will come. */
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
