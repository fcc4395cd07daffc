/**
 * The delegations of a tenant in SQLite, in a table that the first one makes. The key begins with the status, so that the open ones are
 * found without an index.
 */
import type { StoredDelegation, SettledStatus } from '../../../core/workspace/claims.ts'
import { CommandType } from '../../../core/terms/delegation.ts'
import { delegationIdRange } from '../../../core/terms/delegation-id.ts'
import type { DelegationRows } from './delegations.ts'
import { hasTable } from '../../has-table.ts'

/** No id is inserted twice: the caller searches for it before. */
const TABLE = `CREATE TABLE IF NOT EXISTS delegations (status TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
  task TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, deadline INTEGER NOT NULL, worker TEXT, until INTEGER,
  tell_at INTEGER, tries INTEGER NOT NULL, PRIMARY KEY (status, position)) WITHOUT ROWID`

/** Finds an open delegation by its id, and those of a task by the prefix of their ids. */
const INDEX = "CREATE INDEX IF NOT EXISTS open_delegations ON delegations (id) WHERE status = 'open'"

type Row = {
  status: string
  position: number
  id: string
  task: string
  type: string
  at: number
  deadline: number
  worker: string | null
  until: number | null
  tell_at: number | null
  tries: number
}
/** One query per status, because the key begins with the status. */
const STATUSES = ['open', 'reported', 'expired', 'canceled']
const NEWEST = STATUSES.map(
  (status) => `coalesce((SELECT max(position) FROM delegations WHERE status = '${status}'), 0)`,
)

/** To be called in a transaction. */
export function sqlDelegations(sql: SqlStorage): DelegationRows {
  let made: boolean | null = null
  const isMade = () => (made ??= hasTable(sql, 'delegations'))
  return {
    ...readers(sql, isMade),
    insert({ status, position, id, task, type, at, deadline, claim, tell_at, tries }) {
      sql.exec(TABLE)
      sql.exec(INDEX)
      made = true
      const values = [status, position, id, task, type, at, deadline, claim?.worker ?? null, claim?.until ?? null]
      sql.exec('INSERT INTO delegations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values, tell_at, tries)
    },
    update({ status, position, claim, deadline, tell_at, tries }) {
      const query =
        'UPDATE delegations SET worker = ?, until = ?, deadline = ?, tell_at = ?, tries = ? WHERE status = ? AND position = ?'
      sql.exec(query, claim?.worker ?? null, claim?.until ?? null, deadline, tell_at, tries, status, position)
    },
    settle({ status: from, position }, to) {
      sql.exec('UPDATE delegations SET status = ? WHERE status = ? AND position = ?', to, from, position)
    },
    countOpen(now_ms) {
      if (!isMade()) return { open: 0, claimed: 0 }
      const query = `SELECT count(*) AS open, coalesce(sum(until > ?), 0) AS claimed FROM delegations
        WHERE status = 'open' AND deadline > ?`
      return sql.exec<{ open: number; claimed: number }>(query, now_ms, now_ms).one()
    },
    expire(now_ms) {
      const query = "UPDATE delegations SET status = 'expired' WHERE status = 'open' AND deadline <= ?"
      if (isMade()) sql.exec(query, now_ms)
    },
    drop(task) {
      if (isMade()) sql.exec('DELETE FROM delegations WHERE task = ?', task)
    },
  }
}

export const hasDelegations = (sql: SqlStorage): boolean =>
  hasTable(sql, 'delegations') && sql.exec('SELECT 1 FROM delegations LIMIT 1').toArray().length > 0

type Readers = Pick<DelegationRows, 'open' | 'openOf' | 'settled' | 'findOpen' | 'findSettled' | 'newest'>

function readers(sql: SqlStorage, isMade: () => boolean): Readers {
  const rows = (where: string, ...values: SqlStorageValue[]): StoredDelegation[] => {
    if (!isMade()) return []
    const found = sql.exec<Row>(`SELECT * FROM delegations WHERE ${where}`, ...values)
    return found.toArray().map(keptOf)
  }
  return {
    open: () => rows("status = 'open'"),
    openOf(task) {
      const { from, below } = delegationIdRange(task)
      // The range also holds the ids of a task whose own id continues after an underscore.
      return rows("status = 'open' AND id >= ? AND id < ? AND task = ?", from, below, task)
    },
    settled(status, before, limit) {
      const below = before === 0 ? Number.MAX_SAFE_INTEGER : before
      return rows('status = ? AND position < ? ORDER BY position DESC LIMIT ?', status, below, limit)
    },
    findOpen: (id) => rows("status = 'open' AND id = ?", id)[0] ?? null,
    findSettled(id, since) {
      const settled = "status IN ('reported', 'expired', 'canceled') AND position >= ? AND id = ?"
      return rows(settled, since, id)[0] ?? null
    },
    newest() {
      const query = `SELECT max(${NEWEST.join(', ')}) AS newest`
      return isMade() ? sql.exec<{ newest: number }>(query).one().newest : 0
    },
  }
}

function keptOf({ worker, until, status, type, ...row }: Row): StoredDelegation {
  return {
    ...row,
    type: CommandType.parse(type),
    // `insert` and `settle` write only these values.
    status: status as 'open' | SettledStatus,
    claim: worker === null || until === null ? null : { worker, until },
  }
}
