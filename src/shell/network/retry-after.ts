/** Reads how long an endpoint asks to be left alone: `Retry-After` in its two forms, and `retry-after-ms`. */

/** The longest time for which an endpoint can delay a task. */
const RETRY_AFTER_MS_MAX = 86_400_000

const NUMBER = /^[+-]?\d+(\.\d+)?$/
/** All three HTTP date forms begin with the name of a day. `Date.parse` alone would accept almost anything as a date. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/** Whole ms from `now_ms` on, between 0 and a day; null where no readable value was sent (F23). */
export function retryAfterMs(headers: Headers, now_ms: number): number | null {
  const exact = headers.get('retry-after-ms')?.trim() ?? ''
  if (NUMBER.test(exact)) return clamp(Number(exact))
  const value = headers.get('retry-after')?.trim() ?? ''
  if (NUMBER.test(value)) return clamp(Number(value) * 1_000)
  const at_ms = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at_ms) ? null : clamp(at_ms - now_ms)
}

function clamp(ms: number): number {
  return Math.ceil(Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX))
}
