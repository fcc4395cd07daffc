/**
 * Callers who wait until something is there. They are in memory only, and each waits for a short time: a caller that is lost with its object
 * asks again.
 */

/** Waiters of one object. Each is a call under way. */
export const WAITERS_MAX = 1_000
export const WAIT_MS_MAX = 30_000

interface Waiters {
  /** Resolves when the thing is there, or after `ms`, or at once where too many callers wait. One thing wakes all of them. */
  wait(ms: number): Promise<void>
  /** Call this after a change. It costs nothing while no caller waits. */
  look(): void
}

/** `opensAt` gives the time, in ms since the epoch, when the thing is there; null: not by time alone. It is asked again at that time. */
export function waiters(opensAt: () => number | null, now: () => number): Waiters {
  const waiting = new Set<() => void>()
  let opening: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(opening)
    const at = waiting.size === 0 ? null : opensAt()
    if (at === null) return
    const left = at - now()
    if (left <= 0) for (const leave of waiting) leave()
    else opening = setTimeout(look, Math.min(left, WAIT_MS_MAX))
  }
  return {
    look,
    wait(ms) {
      if (ms <= 0 || waiting.size >= WAITERS_MAX) return Promise.resolve()
      return new Promise((resolve) => {
        const leave = () => {
          clearTimeout(own)
          waiting.delete(leave)
          if (waiting.size === 0) clearTimeout(opening)
          resolve()
        }
        const own = setTimeout(leave, Math.min(ms, WAIT_MS_MAX))
        waiting.add(leave)
        look()
      })
    },
  }
}
