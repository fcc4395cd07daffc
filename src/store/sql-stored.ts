/** What a tenant's blobs take, in its workspace: a row for each, in a table that the first one makes. */
import { ok, refuse } from '../core/refusal.ts'
import type { StoredMethods } from '../core/workspace-methods.ts'

/** By task, so that those of one are found without an index. */
const TABLE = `CREATE TABLE IF NOT EXISTS stored (task TEXT NOT NULL, blob TEXT NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (task, blob)) WITHOUT ROWID`

/** To be called in a transaction. */
export function sqlStored(sql: SqlStorage): StoredMethods & { of(task: string): string[]; drop(task: string): void } {
  const isMade = () => sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'stored'").toArray().length > 0
  return {
    holdBytes({ task, blob, bytes }, max) {
      // A task that was deleted meanwhile: what is counted for it now would be counted for good.
      if (sql.exec('SELECT 1 FROM tasks WHERE id = ?', task).toArray().length === 0)
        return refuse({ code: 'task_not_found' })
      sql.exec(TABLE)
      const query = 'SELECT coalesce(sum(bytes), 0) AS others FROM stored WHERE NOT (task = ? AND blob = ?)'
      const { others } = sql.exec<{ others: number }>(query, task, blob).one()
      if (others + bytes > max) return refuse({ code: 'quota_exceeded', bytes: others, bytes_max: max })
      sql.exec('INSERT OR REPLACE INTO stored (task, blob, bytes) VALUES (?, ?, ?)', task, blob, bytes)
      return ok(null)
    },
    releaseBytes(task, blobs) {
      if (!isMade()) return
      for (const blob of blobs) sql.exec('DELETE FROM stored WHERE task = ? AND blob = ?', task, blob)
    },
    of(task) {
      if (!isMade()) return []
      const found = sql.exec<{ blob: string }>('SELECT blob FROM stored WHERE task = ?', task).toArray()
      return found.map(({ blob }) => blob)
    },
    drop(task) {
      if (isMade()) sql.exec('DELETE FROM stored WHERE task = ?', task)
    },
  }
}
