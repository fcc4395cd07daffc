/** The tables of the registry in SQLite. Of a key only its SHA-256 is there. */
import type { KeyLimits, TenantLimits } from '../../core/registry/limits.ts'
import { NO_KEY_LIMITS, NO_TENANT_LIMITS } from '../../core/registry/limits.ts'
import type { KeyRecord, TenantRecord } from '../../core/registry/records.ts'
import type { EarlierChange, RegistryRows } from '../../core/registry/registry-rows.ts'
import type { Scope } from '../../core/registry/scopes.ts'
import { AUDIT_TABLES, sqlAudit } from './sql-audit.ts'

const TABLES = [
  `CREATE TABLE IF NOT EXISTS tenants (name TEXT PRIMARY KEY, created INTEGER NOT NULL, disabled INTEGER, deleted INTEGER,
     limits TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS keys (position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL UNIQUE,
     tenant TEXT NOT NULL, name TEXT, prefix TEXT NOT NULL, scopes TEXT NOT NULL, limits TEXT NOT NULL, created INTEGER NOT NULL,
     created_by TEXT NOT NULL, expires INTEGER, last_used INTEGER, revoked INTEGER, replaces TEXT)`,
  `CREATE INDEX IF NOT EXISTS keys_by_tenant ON keys (tenant, position)`,
  `CREATE INDEX IF NOT EXISTS keys_by_replaced ON keys (replaces, position) WHERE replaces IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS requests (owner TEXT NOT NULL, scope TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL,
     made TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (owner, scope, key)) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS requests_by_age ON requests (at)`,
  ...AUDIT_TABLES,
]

export function makeRegistryTables(sql: SqlStorage): void {
  for (const table of TABLES) sql.exec(table)
}

type Columns = Record<string, SqlStorageValue>
type TenantRow = Omit<TenantRecord, 'limits'> & { limits: string } & Columns
type KeyRow = Omit<KeyRecord, 'scopes' | 'limits'> & { scopes: string; limits: string } & Columns

/** A key that was neither revoked nor has it expired at the time that the parameter gives. */
const LIVE = 'revoked IS NULL AND (expires IS NULL OR expires > ?)'
/** Names of columns that `changeKey` may set. */
const CHANGING = ['expires', 'revoked', 'last_used'] as const

/** To be used in a transaction, when the tables are made. */
export function sqlRegistry(sql: SqlStorage): RegistryRows {
  const tenantsBy = (where: string, ...values: SqlStorageValue[]) =>
    sql
      .exec<TenantRow>(`SELECT * FROM tenants WHERE ${where}`, ...values)
      .toArray()
      .map(tenantIn)
  const keysBy = (where: string, ...values: SqlStorageValue[]) =>
    sql
      .exec<KeyRow>(`SELECT * FROM keys WHERE ${where}`, ...values)
      .toArray()
      .map(keyIn)
  const count = (query: string, ...values: SqlStorageValue[]) => sql.exec<{ n: number }>(query, ...values).one().n
  return {
    ...sqlAudit(sql),
    tenant: (name) => tenantsBy('name = ?', name)[0] ?? null,
    tenants: ({ after, limit }) => tenantsBy('name > ? AND deleted IS NULL ORDER BY name LIMIT ?', after, limit),
    countTenants: () => count('SELECT count(*) AS n FROM tenants WHERE deleted IS NULL'),
    putTenant({ name, created, disabled, deleted, limits }) {
      const query = 'INSERT OR REPLACE INTO tenants (name, created, disabled, deleted, limits) VALUES (?, ?, ?, ?, ?)'
      sql.exec(query, name, created, disabled, deleted, JSON.stringify(limits))
    },

    key: (id) => keysBy('id = ?', id)[0] ?? null,
    keyByDigest: (digest) => keysBy('digest = ?', digest)[0] ?? null,
    keys({ tenant, before, limit }) {
      const until = before === 0 ? Number.MAX_SAFE_INTEGER : before
      return tenant === null
        ? keysBy('position < ? ORDER BY position DESC LIMIT ?', until, limit)
        : keysBy('tenant = ? AND position < ? ORDER BY position DESC LIMIT ?', tenant, until, limit)
    },
    successorOf: (id) => keysBy('replaces = ? ORDER BY position DESC LIMIT 1', id)[0] ?? null,
    countLive: (tenant, now_ms) => count(`SELECT count(*) AS n FROM keys WHERE tenant = ? AND ${LIVE}`, tenant, now_ms),
    addKey(key) {
      const { id, digest, tenant, name, prefix, scopes, limits, created, created_by, expires, replaces } = key
      const query = `INSERT INTO keys (id, digest, tenant, name, prefix, scopes, limits, created, created_by, expires, replaces)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING position`
      const texts = [JSON.stringify(scopes), JSON.stringify(limits)]
      const values = [id, digest, tenant, name, prefix, ...texts, created, created_by, expires, replaces]
      return { ...key, position: sql.exec<{ position: number }>(query, ...values).one().position }
    },
    changeKey(id, change) {
      for (const column of CHANGING) {
        const value = change[column]
        if (value !== undefined) sql.exec(`UPDATE keys SET ${column} = ? WHERE id = ?`, value, id)
      }
    },
    revokeAll: (tenant, now_ms) =>
      void sql.exec('UPDATE keys SET revoked = ? WHERE tenant = ? AND revoked IS NULL', now_ms, tenant),
    dropEnded(tenant, now_ms, kept) {
      const ended = `tenant = ? AND NOT (${LIVE})`
      const query = `DELETE FROM keys WHERE ${ended} AND position <=
        (SELECT position FROM keys WHERE ${ended} ORDER BY position DESC LIMIT 1 OFFSET ?)`
      sql.exec(query, tenant, now_ms, tenant, now_ms, kept)
    },

    earlierChange(owner, { scope, key }, since_ms) {
      const query = 'SELECT digest, made FROM requests WHERE owner = ? AND scope = ? AND key = ? AND at >= ?'
      return sql.exec<EarlierChange & Columns>(query, owner, scope, key, since_ms).toArray()[0] ?? null
    },
    keepChange(owner, { scope, key, digest }, made, now_ms, since_ms) {
      sql.exec('DELETE FROM requests WHERE at < ?', since_ms)
      const query = 'INSERT OR REPLACE INTO requests (owner, scope, key, digest, made, at) VALUES (?, ?, ?, ?, ?, ?)'
      sql.exec(query, owner, scope, key, digest, made, now_ms)
    },
  }
}

/** Only `putTenant` and `addKey` write the texts, as JSON of these types. A limit that a later release has added says nothing in an earlier row. */
const tenantIn = ({ name, created, disabled, deleted, limits }: TenantRow): TenantRecord => ({
  name,
  created,
  disabled,
  deleted,
  limits: { ...NO_TENANT_LIMITS, ...(JSON.parse(limits) as TenantLimits) },
})

const keyIn = (row: KeyRow): KeyRecord => ({
  id: row.id,
  tenant: row.tenant,
  name: row.name,
  prefix: row.prefix,
  digest: row.digest,
  scopes: JSON.parse(row.scopes) as Scope[],
  limits: { ...NO_KEY_LIMITS, ...(JSON.parse(row.limits) as KeyLimits) },
  created: row.created,
  created_by: row.created_by,
  expires: row.expires,
  last_used: row.last_used,
  revoked: row.revoked,
  replaces: row.replaces,
  position: row.position,
})
