/** The bytes of a tenant's blobs: a row for each blob, in a table that the first one makes, and their sum in the tenant's bytes. */
import { ok, refuse } from '../../../core/terms/refusal.ts'
import { sqlBytes, takeBytes } from '../quotas/sql-bytes.ts'
import { sqlUnfinished } from './sql-unfinished.ts'
import { hasTable } from '../../has-table.ts'
import type { CommandHandlers } from '../handlers.ts'

/** The key begins with the task, so that the blobs of a task are found without an index. */
const TABLE = `CREATE TABLE IF NOT EXISTS stored (task TEXT NOT NULL, blob TEXT NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY (task, blob)) WITHOUT ROWID`
const ONE = 'task = ? AND blob = ?'

const isMade = (sql: SqlStorage) => hasTable(sql, 'stored')

export const BLOB_COMMANDS: CommandHandlers<
  'hold_bytes' | 'release_bytes' | 'renew_holds' | 'settle_blobs' | 'take_overdue_blobs'
> = {
  hold_bytes(context, { task, blob, bytes, named = false, max }) {
    const { sql, now_ms, after } = context
    // A task may have been deleted meanwhile. Bytes that are counted for it now would be counted for ever.
    if (sql.exec('SELECT 1 FROM tasks WHERE id = ?', task).toArray().length === 0)
      return refuse({ code: 'task_not_found' })
    const unfinished = sqlUnfinished(sql, now_ms)
    if (unfinished.isSwept(task, blob)) return refuse({ code: 'lease_lost' })
    sql.exec(TABLE)
    const before = sumOf(sql, ONE, task, blob)
    const taken = takeBytes(context, bytes - before, max, before)
    if (!taken.ok) return taken
    sql.exec('INSERT OR REPLACE INTO stored (task, blob, bytes) VALUES (?, ?, ?)', task, blob, bytes)
    if (named) return taken
    unfinished.renew(task, blob)
    after.holdHasBegun()
    return ok(null)
  },
  release_bytes({ sql }, { task, blobs }) {
    if (isMade(sql)) for (const blob of blobs) forget(sql, ONE, task, blob)
  },
  renew_holds({ sql, now_ms }, { task, blobs }) {
    const unfinished = sqlUnfinished(sql, now_ms)
    if (!blobs.every((blob) => unfinished.isHeld(task, blob))) return false
    for (const blob of blobs) unfinished.renew(task, blob)
    return true
  },
  settle_blobs({ sql, now_ms }, { task, named, removed }) {
    const unfinished = sqlUnfinished(sql, now_ms)
    for (const blob of [...named, ...removed]) unfinished.end(task, blob)
    if (isMade(sql)) for (const blob of removed) forget(sql, ONE, task, blob)
  },
  take_overdue_blobs: ({ sql, now_ms }) => sqlUnfinished(sql, now_ms).take(),
}

export function storedBlobsOf(sql: SqlStorage, task: string): string[] {
  if (!isMade(sql)) return []
  const found = sql.exec<{ blob: string }>('SELECT blob FROM stored WHERE task = ?', task).toArray()
  return found.map(({ blob }) => blob)
}

export function dropStored(sql: SqlStorage, task: string): void {
  if (isMade(sql)) forget(sql, 'task = ?', task)
}

function sumOf(sql: SqlStorage, rest: string, ...values: string[]): number {
  const query = `SELECT coalesce(sum(bytes), 0) AS bytes FROM stored WHERE ${rest}`
  return sql.exec<{ bytes: number }>(query, ...values).one().bytes
}

function forget(sql: SqlStorage, rest: string, ...values: string[]): void {
  sqlBytes(sql).add(-sumOf(sql, rest, ...values))
  sql.exec(`DELETE FROM stored WHERE ${rest}`, ...values)
}
