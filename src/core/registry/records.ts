/** What the registry stores of tenants, keys and calls. Times are in ms since the epoch. */
import type { KeyLimits, TenantLimits } from './limits.ts'
import type { Scope } from './scopes.ts'

/** Tenants that are not deleted. */
export const TENANTS_MAX = 100_000
/** Keys of one tenant that are neither revoked nor expired. */
export const KEYS_MAX = 1_000
/** Keys of one tenant that are revoked or expired: so many are listed still, the newest of them. */
export const ENDED_KEYS_MAX = 1_000
/** The last use of a key is written at most this often, so that a busy key does not write a row for each request. */
const USE_NOTED_MS = 5 * 60_000

/**
 * For registered tenants, keys of API_KEYS and logins alike, so that an operator can register and disable every tenant that a caller can have.
 * A path cannot name `.` and `..`.
 */
const TENANT_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/
export const TENANT_NAME_RULE = '1 to 64 of A-Z a-z 0-9 . _ -, and not . or ..'
export const isTenantName = (text: string): boolean => TENANT_NAME.test(text)

export interface TenantRecord {
  name: string
  created: number
  /** null: it is served. */
  disabled: number | null
  /** A deleted tenant keeps its name, because what is stored under the name would fall to the next one who takes it. */
  deleted: number | null
  limits: TenantLimits
}

export interface KeyRecord {
  id: string
  tenant: string
  /** What people call it; null: it has no name. */
  name: string | null
  /** The first characters of the key. */
  prefix: string
  /** SHA-256 of the key in lower-case hex. The key itself is stored nowhere. */
  digest: string
  scopes: Scope[]
  limits: KeyLimits
  created: number
  /** The name of the key that has made it. */
  created_by: string
  expires: number | null
  last_used: number | null
  revoked: number | null
  /** The key that it takes the place of; null: of none. */
  replaces: string | null
  /** Newer keys have greater numbers. Lists are paged by it. */
  position: number
}

export type KeyState = 'live' | 'expired' | 'revoked'

export function stateOf({ revoked, expires }: Pick<KeyRecord, 'revoked' | 'expires'>, now_ms: number): KeyState {
  if (revoked !== null) return 'revoked'
  return expires !== null && expires <= now_ms ? 'expired' : 'live'
}

/** Whether a use at this time is worth a write. */
export const isKeyUseDue = (last_used: number | null, now_ms: number): boolean =>
  last_used === null || now_ms - last_used >= USE_NOTED_MS

/** One call of a route under /admin. Nothing in it is a secret. */
export interface AuditEntry {
  /** Dense enough to page by; newer ones are greater. */
  seq: number
  at: number
  request_id: string
  /** The name of the key or login that has called. */
  actor: string
  /** The tenant of the caller; null: an operator. */
  actor_tenant: string | null
  /** The operation, as the contract names it. */
  action: string
  /** Whether the call could only read. */
  is_read: boolean
  /** The tenant that it was about; null: about several, or none. */
  tenant: string | null
  /** The key that it was about. */
  key: string | null
  /** `done`, or the code of the refusal. */
  outcome: string
  /** What was asked for: the members of the request that are no secret. */
  details: Record<string, unknown>
}

/** How many calls of one owner (a tenant, or the operators together) are kept. Reads are kept apart, so that lists do not push out changes. */
export const AUDIT_CHANGES_MAX = 10_000
export const AUDIT_READS_MAX = 1_000
export const AUDIT_MS_MAX = 400 * 24 * 60 * 60_000
