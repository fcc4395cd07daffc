/**
 * The rate limit of a tenant: a counter per minute in this isolate. It is approximate – another isolate has its own –
 * and costs no call (ruling 5). One entry per tenant, so configuration bounds the map.
 */
import type { HttpRefusal } from './errors.ts'

const MINUTE_MS = 60_000

/** Counts one request and says whether it is one too many. `now` is ms since the epoch. */
export function rateLimiter(per_minute: number, now: () => number): (tenant: string) => HttpRefusal | null {
  const counts = new Map<string, { minute: number; count: number }>()
  return (tenant) => {
    const minute = Math.floor(now() / MINUTE_MS)
    const last = counts.get(tenant)
    const count = last?.minute === minute ? last.count + 1 : 1
    counts.set(tenant, { minute, count })
    if (count <= per_minute) return null
    const retry_after_s = ((minute + 1) * MINUTE_MS - now()) / 1000
    return { code: 'rate_limited', per_minute, retry_after_s }
  }
}
