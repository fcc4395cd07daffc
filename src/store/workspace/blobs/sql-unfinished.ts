/** Blobs that no row is known to name, in SQLite. */
import {
  RENEW_MS,
  SWEEP_AGAIN_MS,
  SWEEP_BATCH,
  UPLOAD_SILENCE_MS,
  type UnfinishedBlob,
} from '../../../core/workspace/unfinished-blobs.ts'
import { hasTable } from '../../has-table.ts'

const TABLE = `CREATE TABLE IF NOT EXISTS unfinished (task TEXT NOT NULL, blob TEXT NOT NULL, due INTEGER NOT NULL,
  swept INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (task, blob)) WITHOUT ROWID`
/** An earlier release may have left as many rows as there are blobs. Each alarm takes the first few by this index. */
const BY_DUE = 'CREATE INDEX IF NOT EXISTS unfinished_by_due ON unfinished (due)'

function makeTable(sql: SqlStorage): void {
  sql.exec(TABLE)
  sql.exec(BY_DUE)
}

/** An earlier release did not store when a blob was begun. Its blobs count as begun now, and their tasks are asked once. */
export function makeUnfinished(sql: SqlStorage, now_ms: number): void {
  if (!hasTable(sql, 'stored') || hasTable(sql, 'unfinished')) return
  makeTable(sql)
  sql.exec('INSERT INTO unfinished (task, blob, due) SELECT task, blob, ? FROM stored', now_ms + UPLOAD_SILENCE_MS)
}

/** To be called in a transaction. */
export function sqlUnfinished(sql: SqlStorage, now_ms: number) {
  const due = now_ms + UPLOAD_SILENCE_MS
  const find = (task: string, blob: string): { due: number; swept: number } | null => {
    if (!hasTable(sql, 'unfinished')) return null
    const query = 'SELECT due, swept FROM unfinished WHERE task = ? AND blob = ?'
    return sql.exec<{ due: number; swept: number }>(query, task, blob).toArray()[0] ?? null
  }
  return {
    isSwept: (task: string, blob: string) => find(task, blob)?.swept === 1,
    isHeld: (task: string, blob: string) => find(task, blob)?.swept === 0,
    /** Begins a hold, or renews it. */
    renew(task: string, blob: string): void {
      const known = find(task, blob)
      if (known !== null && Math.abs(due - known.due) < RENEW_MS) return
      makeTable(sql)
      sql.exec('INSERT OR REPLACE INTO unfinished (task, blob, due) VALUES (?, ?, ?)', task, blob, due)
    },
    end(task: string, blob: string): void {
      if (hasTable(sql, 'unfinished')) sql.exec('DELETE FROM unfinished WHERE task = ? AND blob = ?', task, blob)
    },
    take(): UnfinishedBlob[] {
      if (!hasTable(sql, 'unfinished')) return []
      const query = 'SELECT task, blob FROM unfinished WHERE due <= ? ORDER BY due LIMIT ?'
      const found = sql.exec<{ task: string; blob: string }>(query, now_ms, SWEEP_BATCH).toArray()
      const update = 'UPDATE unfinished SET swept = 1, due = ? WHERE task = ? AND blob = ?'
      for (const { task, blob } of found) sql.exec(update, now_ms + SWEEP_AGAIN_MS, task, blob)
      return found
    },
    /** When the next hold is overdue; null: there is none. */
    next(): number | null {
      if (!hasTable(sql, 'unfinished')) return null
      return sql.exec<{ due: number | null }>('SELECT min(due) AS due FROM unfinished').one().due
    },
  }
}
