/** Asks one question again and again, never twice at once: what is wanted meanwhile is asked for once, a little later. */

export type Later = (act: () => void, ms: number) => () => void
export interface Asker {
  /** As soon as nothing is under way and the pause after the last one is over. */
  now(): void
  /** Not before so many ms. */
  after(ms: number): void
  stop(): void
}

/** What tells of a change comes in bursts: it is asked for once in so many ms at most. */
const PAUSE_MS = 200

export function askerOf(ask: () => Promise<void>, later: Later): Asker {
  let [asking, wanted, stopped] = [false, false, false]
  let waiting: (() => void) | null = null

  async function begin(): Promise<void> {
    ;[asking, wanted] = [true, false]
    await ask()
    asking = false
    if (wanted) asker.after(PAUSE_MS)
  }
  const asker: Asker = {
    now() {
      wanted = true
      if (!asking && waiting === null && !stopped) void begin()
    },
    after(ms) {
      if (waiting !== null || stopped) return
      waiting = later(() => {
        waiting = null
        asker.now()
      }, ms)
    },
    stop() {
      stopped = true
      waiting?.()
    },
  }
  return asker
}
