/**
 * The rate limit over all isolates. The tenant's workspace counts requests per minute; an isolate takes permits from it in chunks, so
 * that most requests cost no call. A chunk is a share of what is left: what idle isolates hold gets small as the limit comes near.
 */

/** Requests that are counted together. Names are unique within a tenant, such as `requests` or `link <fingerprint>`. */
export interface Bucket {
  tenant: string
  name: string
  per_minute: number
}

/** What stands against a request, and after how many seconds the next minute begins. */
export interface RateRefusal {
  per_minute: number
  retry_after_s: number
}
/** Counts one request and says whether it is one too many; null: it may go on. */
export type CountRequest = (bucket: Bucket) => Promise<RateRefusal | null>

/** What an isolate asks for: `used` are requests that it let through before it asked for the first time. */
export interface PermitCall {
  name: string
  /** Minutes since the epoch, by the clock of the isolate. */
  minute: number
  per_minute: number
  used: number
}
export interface RateMethods {
  /** How many more requests the isolate may let through in this minute without asking again; 0: none until the minute is over. */
  takePermits(call: PermitCall): number
}

export const MINUTE_MS = 60_000
export const epochMinute = (now_ms: number): number => Math.floor(now_ms / MINUTE_MS)

/** The part of what is left that one chunk takes. */
const CHUNK_SHARE = 10
/** The part of the limit that each isolate lets through before it asks: a client that steps now and then costs its tenant no call. */
const FREE_SHARE = 100

/** Requests an isolate lets through in a minute before it asks; none where the limit is small, which makes that one exact. */
export const freePermits = (per_minute: number): number => Math.floor(per_minute / FREE_SHARE)

/** Permits of the next chunk when so many of the minute are taken. */
export const chunkPermits = (per_minute: number, taken: number): number =>
  Math.ceil(Math.max(0, per_minute - taken) / CHUNK_SHARE)
