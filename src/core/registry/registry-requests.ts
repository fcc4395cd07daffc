/**
 * The interface of the registry. `tell` takes a command, which may write. `ask` takes a query, which only reads. Each is data with a `kind`
 * and is answered in one transaction, with its entry of the audit log.
 */
import type { Result } from '../terms/refusal.ts'
import type { KeyLimits, TenantLimits } from './limits.ts'
import type { AuditEntry, KeyRecord, KeyState, TenantRecord } from './records.ts'
import type { Scope } from './scopes.ts'

/** Who administers. The registry looks up a key of its own again, so that a revoked one changes nothing. */
export interface AdminActor {
  key_name: string
  scopes: readonly Scope[]
  /** The only tenant that it may see and change; null: an operator, who may see and change all. */
  tenant: string | null
  request_id: string
}
/** The Idempotency-Key of a request, with the digest that it is compared by. */
export interface AdminRequestKey {
  scope: string
  key: string
  digest: string
}
interface Change {
  by: AdminActor
}
interface KeyedChange extends Change {
  request: AdminRequestKey | null
}
/** `replayed`: this was made by an earlier request with the same Idempotency-Key. */
interface Made<T> {
  made: T
  replayed: boolean
}
/** A key as it is made outside. The registry never sees the key itself. */
type FreshKey = Pick<KeyRecord, 'id' | 'prefix' | 'digest'>
export interface KeyWish {
  /** null: the tenant of the caller. */
  tenant: string | null
  name: string | null
  scopes: Scope[]
  limits: Partial<KeyLimits>
  /** undefined: as long as the key of the caller. */
  expires?: number | null | undefined
}

/** What a look-up answers of a key. */
export interface FoundKey {
  id: string
  tenant: string
  scopes: Scope[]
  limits: KeyLimits
  expires: number | null
  state: KeyState
}
/** null: there is none. `tenant` is that of the key, or the one that was asked for. */
export interface LookedUp {
  key: FoundKey | null
  tenant: TenantRecord | null
}

/** The parameters and the answer of each kind of command. */
interface RegistryCommandTypes {
  create_tenant: [KeyedChange & { name: string; limits: TenantLimits }, Result<Made<TenantRecord>>]
  /** `limits`: those that change. */
  change_tenant: [
    KeyedChange & { name: string; disabled?: boolean | undefined; limits?: Partial<TenantLimits> | undefined },
    Result<Made<TenantRecord>>,
  ]
  /** Revokes the keys of a disabled tenant. Its name stays taken. */
  delete_tenant: [Change & { name: string }, Result<null>]
  create_key: [KeyedChange & { fresh: FreshKey; wish: KeyWish }, Result<Made<KeyRecord>>]
  /** Answers the key also where it was revoked before. */
  revoke_key: [Change & { id: string }, Result<KeyRecord>]
  /** Makes a key that takes the place of another one, which ends after `grace_ms`. `expires` undefined: as the other one did. */
  rotate_key: [
    KeyedChange & { id: string; fresh: FreshKey; grace_ms: number; expires?: number | null | undefined },
    Result<Made<{ key: KeyRecord; replaced: KeyRecord }>>,
  ]
  /** Notes a call that changed nothing. */
  note_call: [{ entry: Omit<AuditEntry, 'seq' | 'at'> }, void]
  /** Looks up a key by its digest or its id, or a tenant by its name, and notes that a live key is in use. */
  look_up: [{ of: 'key' | 'tenant'; name: string }, LookedUp]
}
/** A page that begins with the newest entry: at most `limit` entries before the one with this number. 0: the first page. */
interface NewestFirst {
  before: number
  limit: number
}
/** The parameters and the answer of each kind of query. `within`: only what belongs to this tenant. null: everything. */
interface RegistryQueryTypes {
  tenant: [{ name: string; within: string | null }, Result<TenantRecord>]
  /** By name, without those that were deleted. */
  tenants: [{ after: string; limit: number; within: string | null }, TenantRecord[]]
  key: [{ id: string; within: string | null }, Result<KeyRecord>]
  keys: [NewestFirst & { within: string | null }, KeyRecord[]]
  /** `as_operator`: also what other tenants have tried on the one of `within`. */
  audit: [NewestFirst & { within: string | null; as_operator: boolean; action: string | null }, AuditEntry[]]
}

export type RegistryCommandKind = keyof RegistryCommandTypes
export type RegistryCommand<K extends RegistryCommandKind = RegistryCommandKind> = {
  [Kind in K]: { kind: Kind } & RegistryCommandTypes[Kind][0]
}[K]
export type RegistryCommandAnswer<K extends RegistryCommandKind> = RegistryCommandTypes[K][1]
export type RegistryQueryKind = keyof RegistryQueryTypes
export type RegistryQuery<K extends RegistryQueryKind = RegistryQueryKind> = {
  [Kind in K]: { kind: Kind } & RegistryQueryTypes[Kind][0]
}[K]
export type RegistryQueryAnswer<K extends RegistryQueryKind> = RegistryQueryTypes[K][1]

/** The registry as its object has it. */
export interface StoredRegistry {
  tell<K extends RegistryCommandKind>(command: RegistryCommand<K>): RegistryCommandAnswer<K>
  ask<K extends RegistryQueryKind>(query: RegistryQuery<K>): RegistryQueryAnswer<K>
}
/** The registry as the rest of the service reaches it. */
export interface RemoteRegistry {
  tell<K extends RegistryCommandKind>(command: RegistryCommand<K>): Promise<RegistryCommandAnswer<K>>
  ask<K extends RegistryQueryKind>(query: RegistryQuery<K>): Promise<RegistryQueryAnswer<K>>
}
