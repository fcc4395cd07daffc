/**
 * A document of the issuer, read over the network and held for all requests of the isolate. Nobody can make the service ask the issuer more
 * often than stated here, and while the issuer is away what was read last stays good for a stated time.
 */
import { withDeadline } from '../../../shell/network/bounded-fetch.ts'

/** How long a document is used without asking again, and how long at most where the issuer gives no newer one. */
interface Ages {
  fresh_ms: number
  stale_ms: number
}
/** A document was read, or the issuer gave none and may be asked again after so many seconds. */
export type Loaded<T> = { ok: true; value: T } | { ok: false; retry_after_s: number }

interface Attempt {
  since_ms: number
  done: Promise<void>
}

export interface CachedDocument<T> {
  read(): Promise<Loaded<T>>
  /** Asks again because `seen` does not have what a token needs. Gives `seen` where it may not ask, or where nothing newer came. */
  renew(seen: T): Promise<T>
}

/** The longest that a request waits for the issuer. A caller notices a wait of this length, and does not give up yet. */
export const LOAD_MS = 5_000
/** An issuer that did not answer is left alone for this long. */
export const RETRY_MS = 5_000
/** How often strangers can make the service ask again: so many times at once, and then once in this time. */
export const RENEWALS_AT_ONCE = 3
export const RENEWAL_MS = 10_000

/** `load` resolves to null where no document could be had, and has then said so in the log. It ends within LOAD_MS. */
export function cachedDocument<T>(
  load: () => Promise<T | null>,
  { fresh_ms, stale_ms }: Ages,
  now_ms: () => number,
): CachedDocument<T> {
  let held: { value: T; at_ms: number } | null = null
  let failed_ms = -Infinity
  let loading: Attempt | null = null
  let renewals = { left: RENEWALS_AT_ONCE, at_ms: now_ms() }

  const settle = async (attempt: Attempt) => {
    const value = await load().catch(() => null)
    // It was given up, and a newer one may have read a newer document.
    if (loading !== attempt) return
    loading = null
    if (value === null) failed_ms = now_ms()
    else [held, failed_ms] = [{ value, at_ms: now_ms() }, -Infinity]
  }
  /** All who wait share one attempt. The runtime may end the request that began it, so each has a deadline, and an old attempt is given up. */
  const loadOnce = async () => {
    if (loading === null || now_ms() - loading.since_ms > LOAD_MS) {
      loading = { since_ms: now_ms(), done: Promise.resolve() }
      loading.done = settle(loading)
    }
    const { done } = loading
    await withDeadline(LOAD_MS, undefined, () => done)
  }
  const heldFor = (ms: number): T | null => (held !== null && now_ms() - held.at_ms < ms ? held.value : null)
  const waitsAfterFailure = () => now_ms() - failed_ms < RETRY_MS

  return {
    async read() {
      if (heldFor(fresh_ms) === null && !waitsAfterFailure()) await loadOnce()
      const value = heldFor(fresh_ms) ?? heldFor(stale_ms)
      if (value !== null) return { ok: true, value }
      return { ok: false, retry_after_s: Math.max(1, (failed_ms + RETRY_MS - now_ms()) / 1000) }
    },
    async renew(seen) {
      if (held !== null && held.value !== seen) return held.value
      const gained = Math.floor((now_ms() - renewals.at_ms) / RENEWAL_MS)
      if (gained > 0) {
        const left = Math.min(RENEWALS_AT_ONCE, renewals.left + gained)
        renewals = { left, at_ms: renewals.at_ms + gained * RENEWAL_MS }
      }
      if (loading === null) {
        if (renewals.left === 0 || waitsAfterFailure()) return seen
        renewals.left -= 1
      }
      await loadOnce()
      return held === null ? seen : held.value
    },
  }
}
