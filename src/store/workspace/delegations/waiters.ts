/**
 * Callers who wait for work. They are in memory only, and each waits for a short time: a caller that is lost with its object asks again. One
 * piece of work wakes one caller, the one that has waited longest, so that a crowd of workers costs no more than one (SHARD-09).
 */
import { earliest } from '../../../core/terms/values/earliest.ts'
import type { PendingTime } from '../../../core/workspace/claims.ts'

/** Waiters of one object. Each is a call under way. */
export const WAITERS_MAX = 1_000
export const WAIT_MS_MAX = 30_000
/** Whoever is woken and has not taken the work by then may not want it, or may be gone. The next caller is woken. */
export const OFFER_MS = 1_000

interface Waiters {
  /** Resolves when there is work for this caller, or after `ms`, or at once where too many callers wait. */
  wait(ms: number): Promise<void>
  count(): number
  /** Call this after a change. It costs nothing while no caller waits. */
  look(): void
}

/**
 * `pending` gives at most `max` pieces of the work that is there. Where there are fewer, it also gives what will be there next, at a time in
 * ms since the epoch. It is asked again at that time.
 */
export function waiters(pending: (max: number) => readonly PendingTime[], now: () => number): Waiters {
  const waiting = new Set<() => void>()
  /** Until when each piece of work is left to the caller that was woken for it. */
  let offers = new Map<string, number>()
  let opening: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(opening)
    if (waiting.size === 0) return
    offers = new Map([...offers].filter(([, until]) => until > now()))
    // Enough for all who wait, beside what is left to others.
    const found = pending(waiting.size + offers.size)
    const ids = new Set(found.map(({ id }) => id))
    offers = new Map([...offers].filter(([id]) => ids.has(id)))
    for (const { id, at } of found) {
      const [longest] = waiting
      if (longest === undefined || at > now() || offers.has(id)) continue
      offers.set(id, now() + OFFER_MS)
      longest()
    }
    if (waiting.size === 0) return
    const next = earliest(found.map(({ id, at }) => Math.max(at, offers.get(id) ?? at)))
    if (next !== null && next !== Infinity) opening = setTimeout(look, Math.min(Math.max(0, next - now()), WAIT_MS_MAX))
  }
  return {
    look,
    count: () => waiting.size,
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
