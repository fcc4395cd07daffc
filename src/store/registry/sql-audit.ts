/** The audit log in SQLite: the newest calls of each owner, changes and reads apart. */
import { AUDIT_CHANGES_MAX, AUDIT_MS_MAX, AUDIT_READS_MAX, type AuditEntry } from '../../core/registry/records.ts'
import type { RegistryRows } from '../../core/registry/registry-rows.ts'

/** `owner` is the tenant of the caller, empty for operators: what a tenant calls pushes out no entry of others. */
export const AUDIT_TABLES = [
  `CREATE TABLE IF NOT EXISTS audit (seq INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, is_read INTEGER NOT NULL, at INTEGER NOT NULL,
     request_id TEXT NOT NULL, actor TEXT NOT NULL, actor_tenant TEXT, action TEXT NOT NULL, tenant TEXT, key TEXT, outcome TEXT NOT NULL,
     details TEXT NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS audit_by_owner ON audit (owner, is_read, seq)`,
  `CREATE INDEX IF NOT EXISTS audit_by_tenant ON audit (tenant, seq)`,
]

/** Looking for what is too old or too much reads many rows, so it is done for one entry in so many. */
const PRUNE_EVERY = 64

type Row = Omit<AuditEntry, 'is_read' | 'details'> & { is_read: number; details: string } & Record<
    string,
    SqlStorageValue
  >

export function sqlAudit(sql: SqlStorage): Pick<RegistryRows, 'addEntry' | 'entries'> {
  return {
    addEntry({ at, request_id, actor, actor_tenant, action, is_read, tenant, key, outcome, details }) {
      const owner = actor_tenant ?? ''
      const query = `INSERT INTO audit (owner, is_read, at, request_id, actor, actor_tenant, action, tenant, key, outcome, details)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`
      const who = [owner, Number(is_read), at, request_id, actor, actor_tenant]
      const { seq } = sql
        .exec<{ seq: number }>(query, ...who, action, tenant, key, outcome, JSON.stringify(details))
        .one()
      if (seq % PRUNE_EVERY === 0) prune(sql, owner, is_read, at)
    },
    entries({ within, action, before, limit }) {
      const until = before === 0 ? Number.MAX_SAFE_INTEGER : before
      // What another tenant has tried on this one is between that tenant and the operators.
      const seen = '(actor_tenant = ? OR (tenant = ? AND actor_tenant IS NULL))'
      const wanted = [...(within === null ? [] : [seen]), ...(action === null ? [] : ['action = ?']), 'seq < ?']
      const values = [...(within === null ? [] : [within, within]), ...(action === null ? [] : [action]), until, limit]
      const query = `SELECT * FROM audit WHERE ${wanted.join(' AND ')} ORDER BY seq DESC LIMIT ?`
      return sql
        .exec<Row>(query, ...values)
        .toArray()
        .map(entryIn)
    },
  }
}

function prune(sql: SqlStorage, owner: string, is_read: boolean, now_ms: number): void {
  const most = is_read ? AUDIT_READS_MAX : AUDIT_CHANGES_MAX
  const query = `DELETE FROM audit WHERE owner = ? AND is_read = ? AND seq <=
    (SELECT seq FROM audit WHERE owner = ? AND is_read = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`
  sql.exec(query, owner, Number(is_read), owner, Number(is_read), most)
  sql.exec(
    'DELETE FROM audit WHERE owner = ? AND is_read = ? AND at < ?',
    owner,
    Number(is_read),
    now_ms - AUDIT_MS_MAX,
  )
}

const entryIn = ({
  seq,
  at,
  request_id,
  actor,
  actor_tenant,
  action,
  is_read,
  tenant,
  key,
  outcome,
  details,
}: Row) => ({
  seq,
  at,
  request_id,
  actor,
  actor_tenant,
  action,
  is_read: is_read === 1,
  tenant,
  key,
  outcome,
  // Only `addEntry` writes it.
  details: JSON.parse(details) as Record<string, unknown>,
})
