/**
 * The delegations of a tenant in SQLite, in a table that the first one makes. The key begins with the status, so that the open ones are
 * found without an index.
 */
import type { StoredDelegation, SettledStatus } from '../../../core/workspace/claims.ts'
import { CommandType, type DelegationStatus } from '../../../core/terms/delegation.ts'
import { delegationIdRange } from '../../../core/terms/delegation-id.ts'
import type { DelegationRows } from './delegations.ts'
import { hasTable } from '../../has-table.ts'

/** No id is inserted twice: the caller searches for it before. */
const TABLE = `CREATE TABLE IF NOT EXISTS delegations (status TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
  task TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, deadline INTEGER NOT NULL, worker TEXT, until INTEGER,
  tell_at INTEGER, tries INTEGER NOT NULL, PRIMARY KEY (status, position)) WITHOUT ROWID`

/** Finds an open delegation by its id, and those of a task by the prefix of their ids. */
const INDEX = "CREATE INDEX IF NOT EXISTS open_delegations ON delegations (id) WHERE status = 'open'"

/** Finds what has expired. With `status` in front the planner prefers it to the key. */
const DEADLINES = "CREATE INDEX IF NOT EXISTS open_deadlines ON delegations (status, deadline) WHERE status = 'open'"
/** Finds the next notice. The first look for one makes it, because most tenants are told of nothing. */
const NOTICES =
  "CREATE INDEX IF NOT EXISTS open_notices ON delegations (status, tell_at) WHERE status = 'open' AND tell_at IS NOT NULL"

/** The time stands twice in each. A column with a plus is read in the order of the key, in which a page is soon full. */
const OPEN: Record<'pending' | 'claimed' | 'expired', string> = {
  pending: "status = 'open' AND position < ? AND +deadline > ? AND (until IS NULL OR until <= ?)",
  claimed: "status = 'open' AND position < ? AND +deadline > ? AND until > ?",
  expired: "status = 'open' AND +position < ? AND deadline <= ? AND deadline <= ?",
}
/** A notice is due before the deadline of its command, or never. */
const TOLD = "status = 'open' AND tell_at IS NOT NULL AND tell_at < deadline AND +deadline > ?"

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
      sql.exec(DEADLINES)
      made = true
      const values = [status, position, id, task, type, at, deadline, claim?.worker ?? null, claim?.until ?? null]
      sql.exec('INSERT INTO delegations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values, tell_at, tries)
    },
    // A column that is set is written to its index, although it has had the same value.
    update({ status, position, claim, deadline, tell_at, tries }) {
      const change = (set: string, differs: string, ...values: SqlStorageValue[]) => {
        const query = `UPDATE delegations SET ${set} WHERE status = ? AND position = ? AND (${differs})`
        sql.exec(query, ...values, status, position, ...values)
      }
      const lease = [claim?.worker ?? null, claim?.until ?? null]
      change('worker = ?, until = ?', 'worker IS NOT ? OR until IS NOT ?', ...lease)
      change('deadline = ?', 'deadline <> ?', deadline)
      change('tell_at = ?, tries = ?', 'tell_at IS NOT ? OR tries <> ?', tell_at, tries)
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
    drop(task, at = Number.MAX_SAFE_INTEGER) {
      if (isMade()) sql.exec('DELETE FROM delegations WHERE task = ? AND at <= ?', task, at)
    },
  }
}

export const hasDelegations = (sql: SqlStorage): boolean =>
  hasTable(sql, 'delegations') && sql.exec('SELECT 1 FROM delegations LIMIT 1').toArray().length > 0

/** Undoes a transaction. It is made with its first use: an error that is made at start has the runtime parse the whole bundle again, for its lines. */
let nothing_kept: Error | null = null

/** Answers as `transact`, and keeps nothing of the transaction unless there is a command after it (POOL-08). */
export function keptWithCommands<T>(transact: (body: (sql: SqlStorage) => T) => T, body: (sql: SqlStorage) => T): T {
  const answers: T[] = []
  try {
    return transact((sql) => {
      const answer = body(sql)
      answers.push(answer)
      if (!hasDelegations(sql)) throw (nothing_kept ??= new Error('nothing is kept'))
      return answer
    })
  } catch (error) {
    if (error === nothing_kept) return answers[0] as T // it is thrown behind an answer
    throw error
  }
}

type Readers = Pick<
  DelegationRows,
  | 'open'
  | 'longestPending'
  | 'dueNotices'
  | 'firstNoticeAt'
  | 'openOf'
  | 'settled'
  | 'findOpen'
  | 'findSettled'
  | 'newest'
>

function readers(sql: SqlStorage, isMade: () => boolean): Readers {
  const select = (from: string, ...values: SqlStorageValue[]): StoredDelegation[] =>
    isMade()
      ? sql
          .exec<Row>(`SELECT * FROM delegations ${from}`, ...values)
          .toArray()
          .map(keptOf)
      : []
  const rows = (where: string, ...values: SqlStorageValue[]) => select(`WHERE ${where}`, ...values)
  return {
    open(status, before, limit, now_ms) {
      const below = before === 0 ? Number.MAX_SAFE_INTEGER : before
      const newest_first = 'ORDER BY position DESC LIMIT ?'
      if (status === null) return rows(`status = 'open' AND position < ? ${newest_first}`, below, limit)
      if (!isOpenStatus(status)) return []
      return rows(`${OPEN[status]} ${newest_first}`, below, now_ms, now_ms, limit)
    },
    longestPending(limit, now_ms) {
      const found = rows(`${OPEN.pending} ORDER BY position LIMIT ?`, Number.MAX_SAFE_INTEGER, now_ms, now_ms, limit)
      if (found.length >= limit) return found
      return [...found, ...rows("status = 'open' AND until > ? AND until < deadline ORDER BY until LIMIT 1", now_ms)]
    },
    dueNotices(limit, now_ms) {
      if (isMade()) sql.exec(NOTICES)
      return rows(`${TOLD} AND tell_at <= ? ORDER BY tell_at, position LIMIT ?`, now_ms, now_ms, limit)
    },
    firstNoticeAt(now_ms) {
      if (isMade()) sql.exec(NOTICES)
      return rows(`${TOLD} ORDER BY tell_at LIMIT 1`, now_ms)[0]?.tell_at ?? null
    },
    openOf(task) {
      const { from, below } = delegationIdRange(task)
      // The range also holds the ids of a task whose own id continues after an underscore.
      return select(
        "INDEXED BY open_delegations WHERE status = 'open' AND id >= ? AND id < ? AND task = ?",
        from,
        below,
        task,
      )
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

const isOpenStatus = (status: DelegationStatus): status is keyof typeof OPEN => status in OPEN

function keptOf({ worker, until, status, type, ...row }: Row): StoredDelegation {
  return {
    ...row,
    type: CommandType.parse(type),
    // `insert` and `settle` write only these values.
    status: status as 'open' | SettledStatus,
    claim: worker === null || until === null ? null : { worker, until },
  }
}
