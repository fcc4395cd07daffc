/** The bytes of a tenant's blobs: a row for each blob, in a table that the first one makes, and their sum in the tenant's bytes. */
import { ok, refuse } from '../../../core/terms/refusal.ts'
import type { StoredMethods } from '../../../core/protocol/workspace-methods.ts'
import type { UnfinishedMethods } from '../../../core/workspace/unfinished-blobs.ts'
import { sqlBytes } from '../quotas/sql-bytes.ts'
import { sqlUnfinished } from './sql-unfinished.ts'
import { hasTable } from '../../has-table.ts'

/** The key begins with the task, so that the blobs of a task are found without an index. */
const TABLE = `CREATE TABLE IF NOT EXISTS stored (task TEXT NOT NULL, blob TEXT NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (task, blob)) WITHOUT ROWID`

type SqlStored = StoredMethods & UnfinishedMethods & { of(task: string): string[]; drop(task: string): void }
/** To be called in a transaction. */
export function sqlStored(sql: SqlStorage, now_ms = Date.now()): SqlStored {
  const isMade = () => hasTable(sql, 'stored')
  const bytes = sqlBytes(sql)
  const unfinished = sqlUnfinished(sql, now_ms)
  const sumOf = (rest: string, ...values: string[]) => {
    const query = `SELECT coalesce(sum(bytes), 0) AS bytes FROM stored WHERE ${rest}`
    return sql.exec<{ bytes: number }>(query, ...values).one().bytes
  }
  const forget = (rest: string, ...values: string[]) => {
    bytes.add(-sumOf(rest, ...values))
    sql.exec(`DELETE FROM stored WHERE ${rest}`, ...values)
  }
  return {
    holdBytes({ task, blob, bytes: held, named = false }, max) {
      // A task may have been deleted meanwhile. Bytes that are counted for it now would be counted for ever.
      if (sql.exec('SELECT 1 FROM tasks WHERE id = ?', task).toArray().length === 0)
        return refuse({ code: 'task_not_found' })
      if (unfinished.isSwept(task, blob)) return refuse({ code: 'lease_lost' })
      sql.exec(TABLE)
      const before = sumOf('task = ? AND blob = ?', task, blob)
      const taken = bytes.take(held - before, max, before)
      if (!taken.ok) return taken
      sql.exec('INSERT OR REPLACE INTO stored (task, blob, bytes) VALUES (?, ?, ?)', task, blob, held)
      if (!named) unfinished.renew(task, blob)
      return ok(null)
    },
    releaseBytes(task, blobs) {
      if (!isMade()) return
      for (const blob of blobs) forget('task = ? AND blob = ?', task, blob)
    },
    renewHolds(task, blobs) {
      if (!blobs.every((blob) => unfinished.isHeld(task, blob))) return false
      for (const blob of blobs) unfinished.renew(task, blob)
      return true
    },
    settleBlobs(task, { named, removed }) {
      for (const blob of [...named, ...removed]) unfinished.end(task, blob)
      if (isMade()) for (const blob of removed) forget('task = ? AND blob = ?', task, blob)
    },
    takeOverdueBlobs: () => unfinished.take(),
    of(task) {
      if (!isMade()) return []
      const found = sql.exec<{ blob: string }>('SELECT blob FROM stored WHERE task = ?', task).toArray()
      return found.map(({ blob }) => blob)
    },
    drop(task) {
      if (isMade()) forget('task = ?', task)
    },
  }
}
