/** What the credential of a request says about its sender, which scope a route needs, and what reads one kind of credential. */
import { isForWorkers, type Scope } from '../../../core/registry/scopes.ts'
import type { Route } from '../../route.ts'
import type { HttpRefusal, HttpResult } from '../../shapes/http-refusal.ts'

/** The owner of a key, or whoever a login names. */
export interface KeyHolder {
  /** Empty for an operator, who belongs to no tenant. */
  tenant: string
  /** What the key may do. A route that needs another scope refuses it. */
  scopes: readonly Scope[]
  /** Names the key or the login in lists, totals and logs. It does not reveal the key. */
  key_name: string
  /** The holder of ADMIN_KEY, who administers all tenants and works for none. */
  is_operator: boolean
}

/** Tokens of a login with the groups of a large company have half of it. Keys are much shorter. */
export const TOKEN_CHARS_MAX = 16_384

/** The credential that a request presents: the token after `Bearer`, and its SHA-256. */
interface PresentedKey {
  token: string
  digest: Uint8Array
}

/** Reads one kind of credential. null: it is not of this kind, and the next verifier is asked. */
export type Verifier = (key: PresentedKey) => Promise<HttpResult<KeyHolder> | null>

/** The name of a key for workers (U21), which has limits of its own; null: the holder works for the tenant. */
export const workerOf = ({ scopes, key_name }: KeyHolder): string | null => (isForWorkers(scopes) ? key_name : null)

/** Reading is GET, unless the route says otherwise; the routes for workers need a scope of their own. */
export function scopeOf({ scope, worker, method }: Pick<Route, 'scope' | 'worker' | 'method'>): Scope {
  if (scope !== undefined) return scope
  if (worker === true) return 'delegations'
  return method === 'get' ? 'tasks:read' : 'tasks:write'
}

/** A key that is only for workers keeps the refusal that it always had (U21). */
export function routeRefusal(
  { scopes, is_operator }: Pick<KeyHolder, 'scopes' | 'is_operator'>,
  route: Pick<Route, 'scope' | 'worker' | 'method' | 'for_operators'>,
): HttpRefusal | null {
  const needed = scopeOf(route)
  if (scopes.includes(needed) || (is_operator && route.for_operators === true)) return null
  return isForWorkers(scopes) ? { code: 'worker_key' } : { code: 'insufficient_scope', needed, given: scopes }
}
