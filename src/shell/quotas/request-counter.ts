/**
 * Counts requests of this isolate against a limit per minute, with permits from the tenant's workspace (core/workspace/rate.ts). All
 * isolates together let through the limit, and at most one percent more for each isolate that never asked.
 */
import { freePermits, epochMinute, type Bucket, type CountRequest, type PermitCall } from '../../core/workspace/rate.ts'
import { MINUTE_MS } from '../../core/terms/plain/durations.ts'

interface CounterPorts {
  now_ms: () => number
  /** Asks a workspace for permits; null where this isolate is the only one and counts alone. */
  takePermits: ((tenant: string, call: PermitCall) => Promise<number>) | null
}

interface Count {
  /** Requests that may pass without asking. */
  permits: number
  /** Requests that passed before the workspace was asked for the first time. */
  unasked: number
  /** No permits are left for the minute. */
  is_spent: boolean
  /** The call to the workspace that is under way; all requests of the bucket share it. */
  asking: Promise<void> | null
}

export function requestCounter({ now_ms, takePermits }: CounterPorts): CountRequest {
  let minute = -1
  let counts = new Map<string, Count>()
  const countOf = ({ tenant, name, per_minute }: Bucket): Count => {
    const current = epochMinute(now_ms())
    // All counts are dropped with their minute, so memory is bounded by the requests of one minute.
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

/** A workspace that cannot be reached stops no request: its isolates pass as many as they pass before they ask. */
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

/**
 * Counts the bucket `requests` by the platform's limiter, whose limit is that of its binding and stands for `per_minute`. All other buckets, and
 * those of tenants with another limit, are counted by `others`.
 */
export function platformCounter(
  limiter: { limit(of: { key: string }): Promise<{ success: boolean }> },
  others: CountRequest,
  { now_ms, per_minute }: { now_ms: () => number; per_minute: number },
): CountRequest {
  return async (bucket) => {
    if (bucket.name !== REQUESTS || bucket.per_minute !== per_minute) return others(bucket)
    const { success } = await limiter.limit({ key: bucket.tenant })
    if (success) return null
    return { per_minute: bucket.per_minute, retry_after_s: (MINUTE_MS - (now_ms() % MINUTE_MS)) / 1000 }
  }
}

/** The bucket of a tenant's requests with a key and of its driven slices. */
export const REQUESTS = 'requests'
