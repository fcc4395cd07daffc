/** The audit log in SQLite: the newest calls of each owner, changes and reads apart. No query reads more than it answers with. */
import { ADMIN_ACTIONS } from '../../core/registry/audit-entry.ts'
import { AUDIT_CHANGES_MAX, AUDIT_MS_MAX, AUDIT_READS_MAX, type AuditEntry } from '../../core/registry/records.ts'
import type { RegistryRows } from '../../core/registry/registry-rows.ts'

/** `owner` is the tenant of the caller, empty for operators: what a tenant calls pushes out no entry of others. */
export const AUDIT_TABLES = [
  `CREATE TABLE IF NOT EXISTS audit (seq INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, is_read INTEGER NOT NULL, at INTEGER NOT NULL,
     request_id TEXT NOT NULL, actor TEXT NOT NULL, actor_tenant TEXT, action TEXT NOT NULL, tenant TEXT, key TEXT, outcome TEXT NOT NULL,
     details TEXT NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS audit_by_owner ON audit (owner, is_read, seq)`,
  `CREATE INDEX IF NOT EXISTS audit_by_caller ON audit (owner, action, seq)`,
  `CREATE INDEX IF NOT EXISTS audit_by_target ON audit (tenant, (owner = ''), action, seq)`,
  `CREATE INDEX IF NOT EXISTS audit_by_action ON audit (action, seq)`,
  `CREATE INDEX IF NOT EXISTS audit_by_age ON audit (at)`,
]

/** Looking for what is too old or too much reads many rows, so it is done for one entry in so many. */
const PRUNE_EVERY = 64
/** More than are added until the next time, so that the log shrinks when calls get fewer. */
const AGED_MAX = 1_000

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
      if (seq % PRUNE_EVERY === 0) prune(sql, seq, at)
    },
    entries({ within, as_operator, action, before, limit }) {
      const until = before === 0 ? Number.MAX_SAFE_INTEGER : before
      const newestOf = (where: string, values: SqlStorageValue[]) =>
        sql.exec<Row>(`${NEWEST} ${where} seq < ? ORDER BY seq DESC LIMIT ?`, ...values, until, limit).toArray()
      if (within === null)
        return newestOf(action === null ? '' : 'action = ? AND', action === null ? [] : [action]).map(entryIn)
      const ofAction = (one: string) => [
        ...newestOf('owner = ? AND action = ? AND', [within, one]),
        ...newestOf(`tenant = ? AND (owner = '') = 1 AND action = ? AND`, [within, one]),
        // What another tenant has tried on this one is between that tenant and the operators.
        ...(as_operator ? newestOf(`tenant = ? AND (owner = '') = 0 AND action = ? AND`, [within, one]) : []),
      ]
      const found = (action === null ? ADMIN_ACTIONS : [action]).flatMap(ofAction)
      return [...new Map(found.map((row) => [row.seq, row])).values()]
        .toSorted((one, other) => other.seq - one.seq)
        .slice(0, limit)
        .map(entryIn)
    },
  }
}

const NEWEST = 'SELECT * FROM audit WHERE'

/** What is too old goes whoever has called, and what is too much of those who have called since the last time. */
function prune(sql: SqlStorage, newest: number, now_ms: number): void {
  const aged = 'DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at < ? ORDER BY at LIMIT ?)'
  sql.exec(aged, now_ms - AUDIT_MS_MAX, AGED_MAX)
  const callers = sql
    .exec<{ owner: string; is_read: number }>(
      'SELECT DISTINCT owner, is_read FROM audit WHERE seq > ?',
      newest - PRUNE_EVERY,
    )
    .toArray()
  const query = `DELETE FROM audit WHERE owner = ? AND is_read = ? AND seq <=
    (SELECT seq FROM audit WHERE owner = ? AND is_read = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`
  for (const { owner, is_read } of callers) {
    const most = is_read === 1 ? AUDIT_READS_MAX : AUDIT_CHANGES_MAX
    sql.exec(query, owner, is_read, owner, is_read, most)
  }
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
