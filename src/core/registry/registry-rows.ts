/** The tables of the registry as its decisions see them. One request reads and writes them in one transaction. */
import type { AdminRequestKey } from './registry-requests.ts'
import type { AuditEntry, KeyRecord, TenantRecord } from './records.ts'

/** What an earlier request with an Idempotency-Key has made: the name of a tenant, or the id of a key. */
export interface EarlierChange {
  digest: string
  made: string
}

export interface RegistryRows {
  tenant(name: string): TenantRecord | null
  /** By name, after `after`, without deleted ones. */
  tenants(range: { after: string; limit: number }): TenantRecord[]
  /** How many are not deleted. */
  countTenants(): number
  putTenant(tenant: TenantRecord): void

  key(id: string): KeyRecord | null
  keyByDigest(digest: string): KeyRecord | null
  /** Newest first. `tenant` null: of all. */
  keys(range: { tenant: string | null; before: number; limit: number }): KeyRecord[]
  /** The newest key that has taken the place of this one. */
  successorOf(id: string): KeyRecord | null
  /** How many keys of a tenant are neither revoked nor expired. */
  countLive(tenant: string, now_ms: number): number
  addKey(key: Omit<KeyRecord, 'position'>): KeyRecord
  /** Replaces what may change of a key: its ends and its last use. */
  changeKey(id: string, change: Partial<Pick<KeyRecord, 'expires' | 'revoked' | 'last_used'>>): void
  /** Revokes every key of a tenant that is not revoked. */
  revokeAll(tenant: string, now_ms: number): void
  /** Forgets the oldest ended keys of a tenant, so that at most `kept` of them stay. */
  dropEnded(tenant: string, now_ms: number, kept: number): void

  earlierChange(owner: string, request: AdminRequestKey, since_ms: number): EarlierChange | null
  /** Requests before `since_ms` are forgotten. */
  keepChange(owner: string, request: AdminRequestKey, made: string, now_ms: number, since_ms: number): void

  addEntry(entry: Omit<AuditEntry, 'seq'>): void
  /** Newest first, before `before`; 0: from the newest on. Of a tenant only operators see what others have tried on it. */
  entries(range: {
    within: string | null
    as_operator: boolean
    action: string | null
    before: number
    limit: number
  }): AuditEntry[]
}
