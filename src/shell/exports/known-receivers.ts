/** What an isolate remembers of receivers of spans: where tenants want theirs, and which receivers are away. */
import type { StoredReceiver } from '../../core/workspace/telemetry.ts'
import type { Breaker, TenantReceivers } from '../network/export-ports.ts'

/** A change counts everywhere after this time. */
const KNOWN_MS = 30_000
const TENANTS_MAX = 1_000

/** Each export asks where its tenant wants its spans, and that seldom changes. */
export function tenantReceivers(
  ask: (tenant: string) => Promise<StoredReceiver | null>,
  now_ms: () => number,
): TenantReceivers {
  const known = new Map<string, { at: number; receiver: StoredReceiver | null }>()
  return {
    async of(tenant) {
      const found = known.get(tenant)
      if (found !== undefined && Math.abs(now_ms() - found.at) < KNOWN_MS) return found.receiver
      const at = now_ms()
      const receiver = await ask(tenant)
      if (known.size >= TENANTS_MAX) known.clear()
      known.set(tenant, { at, receiver })
      return receiver
    },
    forget: (tenant) => void known.delete(tenant),
  }
}

const RECEIVERS_MAX = 1_000
/** A receiver is asked by one task or another at least this often, however long a task itself waits. */
const CLOSED_MS_MAX = 15_000

/**
 * Many tasks export to the same receiver. One that hangs would keep each job waiting for its time-out, with its spans in memory.
 * So one that was away is tried by one task, and the others wait for what becomes of it. A name is that of one receiver of one holder.
 */
export function newBreaker(now_ms: () => number): Breaker {
  const until = new Map<string, number>()
  return {
    enter(name, try_ms) {
      const wait = until.get(name)
      if (wait === undefined) return 0
      if (wait > now_ms()) return Math.min(wait - now_ms(), CLOSED_MS_MAX)
      until.set(name, now_ms() + try_ms)
      return 0
    },
    failed(name, ms) {
      if (until.size >= RECEIVERS_MAX) until.clear()
      until.set(name, now_ms() + Math.min(ms, CLOSED_MS_MAX))
    },
    answered: (name) => void until.delete(name),
  }
}
