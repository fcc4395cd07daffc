/**
 * Counts requests against a limit per minute, in this isolate, with permits from the tenant's workspace (core/workspace/rate.ts). Together
 * all isolates let through the limit, and at most one percent of it more for each isolate that never asked.
 */
import {
  freePermits,
  MINUTE_MS,
  minuteOf,
  type Bucket,
  type CountRequest,
  type PermitCall,
} from '../../core/workspace/rate.ts'

interface CounterPorts {
  now_ms: () => number
  /** Asks a workspace for permits; null: this isolate is the only one, and counts alone. */
  takePermits: ((tenant: string, call: PermitCall) => Promise<number>) | null
}

interface Count {
  /** Requests that may go on without asking. */
  permits: number
  /** Let through before the workspace was asked for the first time. */
  unasked: number
  /** Nothing is left of the minute. */
  is_spent: boolean
  /** The call to the workspace under way, which all requests of the bucket share. */
  asking: Promise<void> | null
}

export function requestCounter({ now_ms, takePermits }: CounterPorts): CountRequest {
  let minute = -1
  let counts = new Map<string, Count>()
  const countOf = ({ tenant, name, per_minute }: Bucket): Count => {
    const current = minuteOf(now_ms())
    // With the minute all counts go, so what is remembered is bounded by what one minute may bring.
    if (current !== minute) counts = new Map()
    minute = current
    const key = JSON.stringify([tenant, name])
    const known = counts.get(key)
    if (known !== undefined) return known
    const permits = takePermits === null ? per_minute : freePermits(per_minute)
    const made: Count = { permits, unasked: permits, is_spent: takePermits === null, asking: null }
    counts.set(key, made)
    return made
  }
  return async (bucket) => {
    for (;;) {
      const count = countOf(bucket)
      if (count.permits > 0) {
        count.permits -= 1
        return null
      }
      if (count.is_spent || takePermits === null) {
        const retry_after_s = ((minute + 1) * MINUTE_MS - now_ms()) / 1000
        return { per_minute: bucket.per_minute, retry_after_s }
      }
      count.asking ??= askFor(count, bucket, minute, takePermits)
      await count.asking
    }
  }
}

/** A workspace that cannot be reached stops nobody: its isolates then let through what they let through before they ask. */
async function askFor(
  count: Count,
  { tenant, name, per_minute }: Bucket,
  minute: number,
  takePermits: NonNullable<CounterPorts['takePermits']>,
): Promise<void> {
  const used = count.unasked
  try {
    const permits = await takePermits(tenant, { name, minute, per_minute, used })
    count.unasked = 0
    count.permits += permits
    count.is_spent = permits === 0
  } catch {
    count.permits += Math.max(1, freePermits(per_minute))
  } finally {
    count.asking = null
  }
}

/** Counts requests of the bucket `requests` by the platform's own limiter, whose limit is that of its binding; all others as before. */
export function platformCounter(
  limiter: { limit(of: { key: string }): Promise<{ success: boolean }> },
  others: CountRequest,
  now_ms: () => number,
): CountRequest {
  return async (bucket) => {
    if (bucket.name !== REQUESTS) return others(bucket)
    const { success } = await limiter.limit({ key: bucket.tenant })
    if (success) return null
    return { per_minute: bucket.per_minute, retry_after_s: (MINUTE_MS - (now_ms() % MINUTE_MS)) / 1000 }
  }
}

/** The bucket of all requests with a key of a tenant, and of the slices that the service drives for it. */
export const REQUESTS = 'requests'
