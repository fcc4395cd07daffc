/**
 * The rate limit of a tenant over all isolates. The workspace counts requests per minute, and isolates take permits in
 * chunks, so that most requests need no call. A chunk is a share of what is left, so idle isolates hold little near the limit.
 */
import { MINUTE_MS } from '../terms/plain/durations.ts'

/** Requests that are counted together. The name is unique within a tenant, such as `requests` or `link <fingerprint>`. */
export interface Bucket {
  tenant: string
  name: string
  per_minute: number
}

/** The limit that a request exceeds, and the seconds until the next minute begins. */
export interface RateRefusal {
  per_minute: number
  retry_after_s: number
}
/** Counts one request. null: the request is within the limit. */
export type CountRequest = (bucket: Bucket) => Promise<RateRefusal | null>

/** A call of an isolate for permits. `used` counts the requests that it let through before its first call. */
export interface PermitCall {
  name: string
  /** The minute since the epoch, by the clock of the isolate. */
  minute: number
  per_minute: number
  used: number
}

export const epochMinute = (now_ms: number): number => Math.floor(now_ms / MINUTE_MS)

/** One chunk takes 1/10 of what is left. */
const CHUNK_SHARE = 10
/** Each isolate lets 1/100 of the limit through before it calls, so a client with few requests causes no call. */
const FREE_SHARE = 100

/** The requests of a minute that an isolate lets through before it calls. A small limit has none, so it is exact. */
export const freePermits = (per_minute: number): number => Math.floor(per_minute / FREE_SHARE)

/** The permits of the next chunk, after `taken` permits of the minute. */
export const chunkPermits = (per_minute: number, taken: number): number =>
  Math.ceil(Math.max(0, per_minute - taken) / CHUNK_SHARE)
