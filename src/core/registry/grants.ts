/** What an administrator may hand out: nothing that it does not have itself. */
import type { KeyLimits } from './limits.ts'
import type { KeyRecord } from './records.ts'
import type { Scope } from './scopes.ts'

/** What a caller has. `limits` and `expires` are those of its key, if it is one of the registry. */
export interface Grantor {
  scopes: readonly Scope[]
  limits: KeyLimits
  expires: number | null
}
type Wanted = Pick<KeyRecord, 'scopes' | 'limits' | 'expires'>

/** What a key may use up. Each key has its own count. */
const TOTALS = [
  'rate_per_minute',
  'open_tasks',
  'tokens_per_day',
  'tokens_per_month',
  'cost_usd_per_day',
  'cost_usd_per_month',
] as const

/** A key that makes keys would multiply its own totals, so a key with the scope admin has none: those of its tenant bound it (KEY-11). */
export function totalErrors({ scopes, limits }: Wanted): { pointer: string; message: string }[] {
  if (!scopes.includes('admin')) return []
  const given = TOTALS.filter((name) => limits[name] !== null)
  return given.map((name) => ({
    pointer: `/limits/${name}`,
    message: `a key with the scope admin has no ${name}, because it can make further keys: limit its tenant, or leave admin out`,
  }))
}

/** Where the wanted key would have more than its maker. `pointer` as in RFC 6901. */
export function grantErrors(by: Grantor, wanted: Wanted): { pointer: string; message: string }[] {
  const errors: { pointer: string; message: string }[] = []
  const scopes = wanted.scopes.filter((scope) => !by.scopes.includes(scope))
  if (scopes.length > 0) {
    const message = `your key does not have ${scopes.join(', ')}: it has ${by.scopes.join(', ')}`
    errors.push({ pointer: '/scopes', message })
  }
  if (by.expires !== null && (wanted.expires === null || wanted.expires > by.expires)) {
    const message = `expires_at must not be after that of your key, ${new Date(by.expires).toISOString()}`
    errors.push({ pointer: '/expires_at', message })
  }
  const { models } = by.limits
  if (models !== null && !(wanted.limits.models?.every((model) => models.includes(model)) ?? false))
    errors.push({ pointer: '/limits/models', message: `models must be among those of your key: ${models.join(', ')}` })
  return errors
}

/** The wanted limits, with those of the maker where nothing is said, so that a key is not refused for what it did not mention. */
export function inheritedLimits(by: Grantor, given: Partial<KeyLimits>): KeyLimits {
  return { ...by.limits, ...given }
}
