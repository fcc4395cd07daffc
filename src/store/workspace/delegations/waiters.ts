/** Callers who wait until something is there. In memory only, and each for a short time: one that is lost with its object asks again. */

/** Of one object; each of them is a call under way. */
export const WAITERS_MAX = 1_000
export const WAIT_MS_MAX = 30_000

interface Waiters {
  /** Resolves when it is there, or after so many ms; at once where too many wait already. All who wait are woken by the same thing. */
  wait(ms: number): Promise<void>
  /** After whatever may have changed when it is there. Costs nothing while nobody waits. */
  look(): void
}

/** `opensAt`: when it is there, ms since the epoch; null: not by itself. It is asked again when that time has come. */
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
