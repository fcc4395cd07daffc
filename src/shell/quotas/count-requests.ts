/** Counts a request against the limit per minute of its tenant, and before that against the one of its key. */
import type { CountRequest, RateRefusal } from '../../core/workspace/rate.ts'
import type { LimitHolder } from '../../core/terms/axes.ts'
import type { LimitsInForce } from '../../core/workspace/limits.ts'
import { REQUESTS } from './request-counter.ts'

/** `holder`: whose limit is exceeded. */
type Exceeded = RateRefusal & { holder: LimitHolder }

/** A request beyond the limit of its key takes nothing from the other keys of the tenant. null: the request is within both limits. */
export async function countRequestOf(
  count: CountRequest,
  tenant: string,
  { tenant: { rate_per_minute }, key }: LimitsInForce,
): Promise<Exceeded | null> {
  if (key !== null && key.rate_per_minute !== null) {
    const bucket = { tenant, name: `key ${key.name}`, per_minute: key.rate_per_minute }
    const exceeded = await count(bucket)
    if (exceeded !== null) return { ...exceeded, holder: 'key' }
  }
  const exceeded = await count({ tenant, name: REQUESTS, per_minute: rate_per_minute })
  return exceeded === null ? null : { ...exceeded, holder: 'tenant' }
}
