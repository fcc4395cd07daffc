/** Limits requests per minute: those of a tenant over all isolates, and those by links in each isolate. */
import type { Bucket, CountRequest } from '../../core/workspace/rate.ts'
import { countRequestOf } from '../../shell/quotas/count-requests.ts'
import { requestCounter } from '../../shell/quotas/request-counter.ts'
import type { Ports } from '../endpoint.ts'
import { workerOf, type KeyHolder } from './auth/key-holder.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'

/** A person needs three requests for an answer. A program that tries again needs a few more. */
const PATH_LINK_PER_MINUTE = 60
/** A page loads all files of a task by one link. */
const READ_LINK_PER_MINUTE = 600

type RateRefusal = Extract<HttpRefusal, { code: 'rate_limited' }>

/** Counts a request, and refuses it beyond the limit of its bucket. `policy` names the limit in the headers. */
async function countUnder(
  count: CountRequest,
  bucket: Bucket,
  policy?: RateRefusal['policy'],
): Promise<RateRefusal | null> {
  const limited = await count(bucket)
  if (limited === null) return null
  return { code: 'rate_limited', ...limited, ...(policy === undefined ? {} : { policy }) }
}

/** Counts the requests with a tenant's keys together. Each key for workers has its own limit, so that a worker cannot use up that of its tenant. */
export function keyLimiter(
  { count_request: count, limits_of }: Pick<Ports, 'count_request' | 'limits_of'>,
  per_minute: number,
  now: () => number,
): (holder: KeyHolder) => Promise<HttpRefusal | null> {
  // An operator belongs to no tenant, so no workspace can count its requests.
  const countHere = requestCounter({ now_ms: now, takePermits: null })
  return async (holder) => {
    const { tenant, key_name, is_operator } = holder
    if (is_operator) return countUnder(countHere, { tenant: '', name: 'operator', per_minute }, 'operator')
    const limits = await limits_of(tenant, key_name)
    const worker = workerOf(holder)
    if (worker !== null) {
      const most = limits.key?.rate_per_minute ?? limits.tenant.rate_per_minute
      return countUnder(count, { tenant, name: `worker ${worker}`, per_minute: most }, 'worker')
    }
    const exceeded = await countRequestOf(count, tenant, limits)
    if (exceeded === null) return null
    const { holder: whose, ...limited } = exceeded
    return { code: 'rate_limited', ...limited, ...(whose === 'key' ? { policy: 'key' } : {}) }
  }
}

/** Each test sends a request to a foreign address, so a key does not make the service a source of many. */
const WEBHOOK_TESTS_PER_MINUTE = 10
export const countWebhookTest = (count: CountRequest, tenant: string): Promise<HttpRefusal | null> =>
  countUnder(count, { tenant, name: 'webhook tests', per_minute: WEBHOOK_TESTS_PER_MINUTE }, 'webhook-tests')

/** One registry serves all tenants, so no tenant's administrators may keep it busy. Operators have a limit of their own. */
const ADMIN_CALLS_PER_MINUTE = 120
export const countAdminCall = (count: CountRequest, tenant: string): Promise<HttpRefusal | null> =>
  countUnder(count, { tenant, name: 'admin calls', per_minute: ADMIN_CALLS_PER_MINUTE }, 'admin')

/** A request by a link of this service. Its token was verified before. */
interface LinkUse {
  kind: 'path' | 'read'
  tenant: string
  token: string
}
export interface LinkLimiter {
  /** Limits each link, and all links of one kind of a tenant. A page with many files therefore does not block an answer. */
  countKnownLink(link: LinkUse): Promise<HttpRefusal | null>
  /** Limits all requests with an invalid link together. They do not use up the limit of a valid one. */
  countUnknownLink(): Promise<HttpRefusal | null>
}

/** Each isolate counts its own requests. */
export function linkLimiter(per_minute: number, now: () => number): LinkLimiter {
  const count = requestCounter({ now_ms: now, takePermits: null })
  return {
    async countKnownLink({ kind, tenant, token }) {
      const most = kind === 'path' ? PATH_LINK_PER_MINUTE : READ_LINK_PER_MINUTE
      const one = await countUnder(count, { tenant, name: `link ${token}`, per_minute: most }, 'link')
      return one ?? countUnder(count, { tenant, name: `${kind} links`, per_minute }, 'links')
    },
    countUnknownLink: () => countUnder(count, { tenant: '', name: 'unknown links', per_minute }, 'links'),
  }
}
