/** Time and randomness as arguments, so that a test waits for nothing. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** At least 0 and less than 1. */
  random(): number
  /** Resolves when the time is over, or at once when the signal is aborted. It never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** A longer timer of the runtime would go off at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    for (let left = ms; left > 0; left -= TIMER_MS_MAX) {
      if (signal?.aborted === true) return
      await pause(Math.min(left, TIMER_MS_MAX), signal)
    }
  },
}

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })

/** A signal that is aborted with `reason()` after so many milliseconds, or when `outer` is. `clear` ends the timer. */
export function timeLimit(
  clock: Clock,
  ms: number,
  outer: AbortSignal | undefined,
  reason: () => Error,
): { signal: AbortSignal; clear: () => void } {
  const limit = new AbortController()
  const cleared = new AbortController()
  void clock.sleep(ms, cleared.signal).then(() => {
    if (!cleared.signal.aborted) limit.abort(reason())
  })
  const signal = outer === undefined ? limit.signal : AbortSignal.any([outer, limit.signal])
  return { signal, clear: () => cleared.abort() }
}
