/** Asks one question again and again, never twice at once: what is wanted meanwhile is asked for once, a little later. */

/** Answers with what calls it off. */
export type Later = (act: () => void, ms: number) => () => void
/** By the browser's own clock. */
export const later: Later = (act, ms) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
export interface Asker {
  /** As soon as nothing is under way and the pause after the last one is over; a longer wait becomes such a pause. */
  now(): void
  /** Not before so many ms. */
  after(ms: number): void
  stop(): void
}

/** What tells of a change comes in bursts: it is asked for once in so many ms at most. */
const PAUSE_MS = 200

export function askerOf(ask: () => Promise<void>, later: Later): Asker {
  let [asking, wanted, stopped] = [false, false, false]
  let waiting: { isPause: boolean; cancel: () => void } | null = null

  async function begin(): Promise<void> {
    ;[asking, wanted] = [true, false]
    await ask()
    asking = false
    // What was wanted before a failure was known waits for its retry.
    if (wanted) wait(PAUSE_MS, true)
  }
  function wait(ms: number, isPause: boolean): void {
    if (waiting !== null || stopped) return
    const due = () => {
      waiting = null
      asker.now()
    }
    waiting = { isPause, cancel: later(due, ms) }
  }
  const asker: Asker = {
    now() {
      wanted = true
      if (asking || stopped) return
      if (waiting === null) return void begin()
      if (waiting.isPause) return
      waiting.cancel()
      waiting = null
      wait(PAUSE_MS, true)
    },
    after: (ms) => wait(ms, false),
    stop() {
      stopped = true
      waiting?.cancel()
    },
  }
  return asker
}
