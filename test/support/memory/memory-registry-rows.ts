/** The tables of the registry in memory. */
import {
  AUDIT_CHANGES_MAX,
  AUDIT_READS_MAX,
  stateOf,
  type AuditEntry,
  type KeyRecord,
  type TenantRecord,
} from '../../../src/core/registry/records.ts'
import type { RegistryRows } from '../../../src/core/registry/registry-rows.ts'

interface KeptRequest {
  digest: string
  made: string
  at: number
}

export function memoryRegistryRows(): RegistryRows {
  const tenants = new Map<string, TenantRecord>()
  const keys = new Map<string, KeyRecord>()
  const digests = new Map<string, string>()
  const requests = new Map<string, KeptRequest>()
  let log: AuditEntry[] = []
  let seq = 0
  let position = 0
  const newest = () => [...keys.values()].toReversed()
  const nameOf = (owner: string, { scope, key }: { scope: string; key: string }) => JSON.stringify([owner, scope, key])
  const byName = () => [...tenants.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return {
    tenant: (name) => tenants.get(name) ?? null,
    tenants: ({ after, limit }) =>
      byName()
        .filter(({ name, deleted }) => name > after && deleted === null)
        .slice(0, limit),
    countTenants: () => byName().filter(({ deleted }) => deleted === null).length,
    putTenant: (tenant) => void tenants.set(tenant.name, tenant),
    key: (id) => keys.get(id) ?? null,
    keyByDigest: (digest) => keys.get(digests.get(digest) ?? '') ?? null,
    keys: ({ tenant, before, limit }) =>
      newest()
        .filter((key) => (tenant === null || key.tenant === tenant) && (before === 0 || key.position < before))
        .slice(0, limit),
    successorOf: (id) => newest().find(({ replaces }) => replaces === id) ?? null,
    countLive: (tenant, now_ms) =>
      [...keys.values()].filter((key) => key.tenant === tenant && stateOf(key, now_ms) === 'live').length,
    addKey(key) {
      const added = { ...key, position: ++position }
      keys.set(key.id, added)
      digests.set(key.digest, key.id)
      return added
    },
    changeKey(id, change) {
      const key = keys.get(id)
      if (key !== undefined) keys.set(id, { ...key, ...change })
    },
    revokeAll(tenant, now_ms) {
      for (const key of keys.values())
        if (key.tenant === tenant && key.revoked === null) keys.set(key.id, { ...key, revoked: now_ms })
    },
    dropEnded(tenant, now_ms, kept) {
      const ended = newest().filter((key) => key.tenant === tenant && stateOf(key, now_ms) !== 'live')
      for (const { id } of ended.slice(kept)) keys.delete(id)
    },
    earlierChange(owner, request, since_ms) {
      const kept = requests.get(nameOf(owner, request))
      return kept === undefined || kept.at < since_ms ? null : { digest: kept.digest, made: kept.made }
    },
    keepChange(owner, request, made, now_ms) {
      requests.set(nameOf(owner, request), { digest: request.digest, made, at: now_ms })
    },
    addEntry(entry) {
      log.push({ ...entry, seq: ++seq, details: JSON.parse(JSON.stringify(entry.details)) })
      const isBeside = (one: AuditEntry) => one.actor_tenant === entry.actor_tenant && one.is_read === entry.is_read
      const most = entry.is_read ? AUDIT_READS_MAX : AUDIT_CHANGES_MAX
      const [first] = log.filter(isBeside).slice(-most)
      log = log.filter((one) => !isBeside(one) || one.seq >= (first?.seq ?? 0))
    },
    entries: ({ within, as_operator, action, before, limit }) =>
      log
        .filter(
          (one) =>
            (within === null ||
              one.actor_tenant === within ||
              (one.tenant === within && (as_operator || one.actor_tenant === null))) &&
            (action === null || one.action === action) &&
            (before === 0 || one.seq < before),
        )
        .toReversed()
        .slice(0, limit),
  }
}
