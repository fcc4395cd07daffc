/** What a key may do. Each route needs one scope, and a key opens the routes of its scopes (docs/keys.md). */
import * as z from 'zod'

const SCOPES = ['tasks:read', 'tasks:write', 'delegations', 'admin'] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.infer<typeof Scope>

/** What a key of a tenant may do where nothing else is said: everything but to administer. Each key of API_KEYS has these. */
export const TENANT_SCOPES: readonly Scope[] = ['tasks:read', 'tasks:write', 'delegations']
/** What a key for workers may do (U21). */
export const WORKER_SCOPES: readonly Scope[] = ['delegations']

/** Whether a key with these scopes is one for workers, which opens nothing but the routes of delegations. */
export const isForWorkers = (scopes: readonly Scope[]): boolean =>
  scopes.length === WORKER_SCOPES.length && scopes.every((scope) => WORKER_SCOPES.includes(scope))
