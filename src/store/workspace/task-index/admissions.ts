/** Who was admitted for a task, in the index of its workspace. To be called in a transaction. */
import { ambiguousAdmission, isOfAdmitted, incarnationOf } from '../../../core/workspace/incarnation.ts'
import type { Status } from '../../../core/terms/status.ts'
import { foldCase } from '../../../core/workspace/search-match.ts'
import type { Admission, IndexEntry } from '../../../core/protocol/workspace-methods.ts'
import { sqlStored } from '../blobs/sql-stored.ts'
import { dropEntry } from './index-entries.ts'

/** Positions are times, or one more than the highest: what is older than a page's cursor stays older while the clock goes on. */
export function insertEntry(
  sql: SqlStorage,
  { id, mode, status, metadata, goal, slice }: IndexEntry,
  now: number,
): void {
  const position = 'max(?, coalesce((SELECT max(position) FROM tasks), 0) + 1)'
  const query = `INSERT INTO tasks (position, id, mode, status, version, metadata, at, admitted, goal)
    VALUES (${position}, ?, ?, ?, 0, ?, ?, ?, ?)`
  sql.exec(query, now, id, mode, status, JSON.stringify(metadata), now, incarnationOf(slice), foldCase(goal))
}

/** The task may be there, or be deleted at this very moment: whoever forgets it then must see that it is asked for again. False: it is new. */
export function admitAgain(sql: SqlStorage, { id, slice }: IndexEntry): boolean {
  const known = entryOf(sql, id)
  if (known === null) return false
  if (isOfAdmitted(known.admitted, slice)) return true
  sql.exec('UPDATE tasks SET admitted = ?, at = ? WHERE id = ?', ambiguousAdmission(slice), Date.now(), id)
  return true
}

/** Nothing of the task is older; null: the index does not know it. Who asks for it again moves `at`, and a burst runs ahead with positions. */
export function admittedAt(sql: SqlStorage, id: string): number | null {
  const query = 'SELECT min(position, at) AS since FROM tasks WHERE id = ?'
  return sql.exec<{ since: number }>(query, id).toArray()[0]?.since ?? null
}

export function admissionOf(sql: SqlStorage, id: string): Admission | null {
  const entry = entryOf(sql, id)
  return entry === null ? null : { ...entry, blobs: sqlStored(sql).of(id) }
}

/** From now on lists ask the task itself: of an entry without a text nothing is shown. */
export function beginRemoval(sql: SqlStorage, id: string): Admission | null {
  dropEntry(sql, id)
  return admissionOf(sql, id)
}

function entryOf(sql: SqlStorage, id: string): { admitted: string; at: number } | null {
  const query = 'SELECT admitted, at FROM tasks WHERE id = ?'
  return sql.exec<{ admitted: string; at: number }>(query, id).toArray()[0] ?? null
}

/** null: the index does not know the task. */
export const indexedStatus = (sql: SqlStorage, id: string): Status | null =>
  sql.exec<{ status: Status }>('SELECT status FROM tasks WHERE id = ?', id).toArray()[0]?.status ?? null
