/** Rate limits as the edge applies them: a tenant's requests over all isolates, and links in each isolate alone. */
import type { Bucket, CountRequest } from '../../core/workspace/rate.ts'
import { REQUESTS, requestCounter } from '../../shell/quotas/request-counter.ts'
import type { KeyHolder } from './auth.ts'
import type { HttpRefusal } from '../shapes/http-refusal.ts'

/** A person needs three requests for an answer; a program that repeats one, a few more. */
const PATH_LINK_PER_MINUTE = 60
/** A page with the files of a task loads all of them by one link. */
const READ_LINK_PER_MINUTE = 600

type RateRefusal = Extract<HttpRefusal, { code: 'rate_limited' }>

/** Counts a request of a tenant under its own bucket, and refuses it beyond the limit. `policy` names the limit in the headers. */
export async function countUnder(
  count: CountRequest,
  bucket: Bucket,
  policy?: RateRefusal['policy'],
): Promise<RateRefusal | null> {
  const limited = await count(bucket)
  if (limited === null) return null
  return { code: 'rate_limited', ...limited, ...(policy === undefined ? {} : { policy }) }
}

/** Counts a request with a key: those of a tenant together, and each key for workers apart, so that neither can use up what is the other's. */
export const keyLimiter =
  (count: CountRequest, per_minute: number) =>
  ({ tenant, worker }: KeyHolder): Promise<HttpRefusal | null> =>
    worker === null
      ? countUnder(count, { tenant, name: REQUESTS, per_minute })
      : countUnder(count, { tenant, name: `worker ${worker}`, per_minute }, 'worker')

/** A link that was opened: nobody is counted here by what he made up. */
export interface LinkUse {
  kind: 'path' | 'read'
  tenant: string
  token: string
}
export interface LinkLimiter {
  /** Counts a request by a link of ours: so many of each link, so many by all links of its tenant and kind. So no page with files stops an answer. */
  countKnownLink(link: LinkUse): Promise<HttpRefusal | null>
  /** Counts a request by a link that is none; such requests are counted together, and stop none by a link of ours. */
  countUnknownLink(): Promise<HttpRefusal | null>
}

/** Links are counted in each isolate alone. */
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
