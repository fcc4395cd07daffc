/**
 * Rate limits: a counter per minute in this isolate. They are approximate – another isolate has its own – and cost no call (ruling 5).
 * With the minute all counts go, so what is remembered is bounded by what one minute may bring.
 */
import type { HttpRefusal } from './errors.ts'

const MINUTE_MS = 60_000
/** A person needs three requests for an answer; a program that repeats one, a few more. */
const LINK_PER_MINUTE = 60

type Limited = Extract<HttpRefusal, { code: 'rate_limited' }>

/** Counts one request and says whether it is one too many. `now` is ms since the epoch. */
export function rateLimiter(per_minute: number, now: () => number): (name: string) => Limited | null {
  let minute = 0
  let counts = new Map<string, number>()
  return (name) => {
    const current = Math.floor(now() / MINUTE_MS)
    if (current !== minute) counts = new Map()
    minute = current
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (count <= per_minute) return null
    const retry_after_s = ((minute + 1) * MINUTE_MS - now()) / 1000
    return { code: 'rate_limited', per_minute, retry_after_s }
  }
}

/** Links are opened by anyone: so many of all in one isolate, tokens that are none included, and so many of each. */
export function linkLimiter(per_minute: number, now: () => number): (token: string) => HttpRefusal | null {
  const [all, each] = [rateLimiter(per_minute, now), rateLimiter(LINK_PER_MINUTE, now)]
  return (token) => {
    const many = all('')
    if (many !== null) return { ...many, policy: 'links' }
    const often = each(token)
    return often === null ? null : { ...often, policy: 'link' }
  }
}
