/** Sends one request again and again, never twice at once. Wishes that come meanwhile become one request, a little later. */

/** Returns a function that cancels the timer. */
export type StartTimer = (act: () => void, ms: number) => () => void
export const startTimer: StartTimer = (act, ms) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
export interface Asker {
  /** Asks when no request is under way and the pause after the last one is over. A longer wait is cut down to such a pause. */
  now(): void
  /** Asks after `ms`, unless the asker waits already. */
  after(ms: number): void
  stop(): void
}

/** News of a change comes in bursts. This pause makes one request of each burst. */
const PAUSE_MS = 200

/** `ask` is told whether the asker has been stopped, because its answer then comes too late. */
export function askerOf(ask: (isStopped: () => boolean) => Promise<void>, startTimer: StartTimer): Asker {
  let [isAsking, isDue, isStopped] = [false, false, false]
  let waiting: { isPause: boolean; cancel: () => void } | null = null

  async function begin(): Promise<void> {
    ;[isAsking, isDue] = [true, false]
    await ask(() => isStopped)
    isAsking = false
    // A request that failed has called `after`, and a wish from before that failure waits for the same retry.
    if (isDue) wait(PAUSE_MS, true)
  }
  function wait(ms: number, isPause: boolean): void {
    if (waiting !== null || isStopped) return
    const endWait = () => {
      waiting = null
      asker.now()
    }
    waiting = { isPause, cancel: startTimer(endWait, ms) }
  }
  const asker: Asker = {
    now() {
      isDue = true
      if (isAsking || isStopped) return
      if (waiting === null) return void begin()
      if (waiting.isPause) return
      waiting.cancel()
      waiting = null
      wait(PAUSE_MS, true)
    },
    after: (ms) => wait(ms, false),
    stop() {
      isStopped = true
      waiting?.cancel()
    },
  }
  return asker
}
