/**
 * Admissions of tasks in the index of a workspace: which incarnation was admitted, and whether there is room for one more. To be called in a
 * transaction.
 */
import { ambiguousAdmission, wasAdmittedBy, incarnationOf } from '../../../core/workspace/incarnation.ts'
import { ok, refuse, type Result } from '../../../core/terms/refusal.ts'
import type { Status } from '../../../core/terms/status.ts'
import { foldCase } from '../../../core/workspace/search-match.ts'
import type { DailyLimits } from '../../../core/workspace/daily-totals.ts'
import type { Admission, IndexEntry } from '../../../core/protocol/workspace-methods.ts'
import { sqlStored } from '../blobs/sql-stored.ts'
import { delegationsOver } from '../delegations/delegations.ts'
import { sqlDelegations } from '../delegations/sql-delegations.ts'
import { sqlBytes } from '../quotas/sql-bytes.ts'
import { sqlDeliveries } from '../sql-deliveries.ts'
import { sqlSpend } from '../quotas/sql-spend.ts'
import { dropEntry } from './index-entries.ts'
import { OPEN, openTasks } from './open-tasks.ts'

/** Positions are times, or one more than the highest position. So an entry that is older than the cursor of a page stays older. */
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

/**
 * Admits an incarnation for an id that the index may know. Answers false for an unknown id. The task may be deleted at this moment, so
 * whoever deletes it must see the new admission.
 */
export function admitAgain(sql: SqlStorage, { id, slice }: IndexEntry): boolean {
  const known = entryOf(sql, id)
  if (known === null) return false
  if (wasAdmittedBy(known.admitted, slice)) return true
  sql.exec('UPDATE tasks SET admitted = ?, at = ? WHERE id = ?', ambiguousAdmission(slice), Date.now(), id)
  return true
}

/**
 * A time before all that is known of the task; null for an unknown task. A new admission moves `at`, and in a burst positions run ahead of
 * the clock.
 */
function admittedAt(sql: SqlStorage, id: string): number | null {
  const query = 'SELECT min(position, at) AS since FROM tasks WHERE id = ?'
  return sql.exec<{ since: number }>(query, id).toArray()[0]?.since ?? null
}

export function admissionOf(sql: SqlStorage, id: string): Admission | null {
  const entry = entryOf(sql, id)
  return entry === null ? null : { ...entry, blobs: sqlStored(sql).of(id) }
}

/** Begins the removal of a task: without a listed text, lists ask the task itself and show nothing of it. */
export function beginRemoval(sql: SqlStorage, id: string): Admission | null {
  dropEntry(sql, id)
  return admissionOf(sql, id)
}

function entryOf(sql: SqlStorage, id: string): { admitted: string; at: number } | null {
  const query = 'SELECT admitted, at FROM tasks WHERE id = ?'
  return sql.exec<{ admitted: string; at: number }>(query, id).toArray()[0] ?? null
}

/** The status of a task; null where the index does not know it. */
export const indexedStatus = (sql: SqlStorage, id: string): Status | null =>
  sql.exec<{ status: Status }>('SELECT status FROM tasks WHERE id = ?', id).toArray()[0]?.status ?? null

/** Refuses one more open task where the workspace, or the day, has no room for it. */
export function checkRoom(sql: SqlStorage, open_max: number, daily: DailyLimits): Result<null> {
  const open = openTasks(sql)
  if (open >= open_max) return refuse({ code: 'quota_exceeded', open, max: open_max })
  return sqlSpend(sql).roomOfDay(daily, Date.now())
}

/** Admits the next run of a task that has ended. An entry that is open or gone stays as it is. */
export function reopenEntry(sql: SqlStorage, id: string, open_max: number, daily: DailyLimits): Result<null> {
  const query = `SELECT 1 FROM tasks WHERE id = ? AND NOT (${OPEN})`
  if (sql.exec(query, id).toArray().length === 0) return ok(null)
  const room = checkRoom(sql, open_max, daily)
  if (!room.ok) return room
  sql.exec("UPDATE tasks SET status = 'running', at = ? WHERE id = ?", Date.now(), id)
  // The listed text shows the old status, and the task soon reports a new one.
  dropEntry(sql, id)
  return room
}

/** Deletes everything that a workspace keeps for one task, except its run slot. */
export function forgetTask(sql: SqlStorage, id: string): void {
  dropEntry(sql, id)
  const entries = sql.exec('DELETE FROM tasks WHERE id = ? RETURNING 1', id).toArray().length
  // Effect keys are `task:seq`, and `;` is the character after `:`.
  sql.exec('DELETE FROM applied WHERE key >= ? AND key < ?', `${id}:`, `${id};`)
  sqlDeliveries(sql).drop(id)
  sqlStored(sql).drop(id)
  sqlSpend(sql).forget(id)
  // A task without an entry was not counted.
  if (entries > 0) sqlBytes(sql).leave(id)
  sqlDelegations(sql).drop(id)
}

/** The delegations of the tenant; those of a task that the index does not know are not entered. */
export const delegationsIn = (sql: SqlStorage) =>
  delegationsOver(sqlDelegations(sql), (task) => admittedAt(sql, task), Date.now())
