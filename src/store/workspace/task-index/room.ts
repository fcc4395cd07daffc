/** Whether a workspace has room for one more open task. To be called in a transaction. */
import { ok, refuse, type Result } from '../../../core/terms/refusal.ts'
import type { Daily } from '../../../core/workspace/daily-totals.ts'
import { sqlSpend } from '../quotas/sql-spend.ts'
import { dropEntry } from './index-entries.ts'
import { OPEN, openTasks } from './open-tasks.ts'

export function checkRoom(sql: SqlStorage, open_max: number, daily: Daily): Result<null> {
  const open = openTasks(sql)
  if (open >= open_max) return refuse({ code: 'quota_exceeded', open, max: open_max })
  return sqlSpend(sql).roomOfDay(daily, Date.now())
}

/** A task that is open, or gone, stays as it is. */
export function reopenEntry(sql: SqlStorage, id: string, open_max: number, daily: Daily): Result<null> {
  const query = `SELECT 1 FROM tasks WHERE id = ? AND NOT (${OPEN})`
  if (sql.exec(query, id).toArray().length === 0) return ok(null)
  const room = checkRoom(sql, open_max, daily)
  if (!room.ok) return room
  sql.exec("UPDATE tasks SET status = 'running', at = ? WHERE id = ?", Date.now(), id)
  // It shows another status, and the task soon tells a new one.
  dropEntry(sql, id)
  return room
}
