/** Records what a task reports of itself in the index of its workspace. A report may come late or twice. To be called in a transaction. */
import type { ListedText } from '../../../core/protocol/view/list-entry.ts'
import { Spend, type Status } from '../../../core/terms/status.ts'
import { ADMITTED_MS_MAX } from '../../../core/protocol/workspace-methods.ts'
import { keepEntry } from './index-entries.ts'

interface StatusReport {
  id: string
  status: Status
  /** The version of the task. */
  version: number
  /** What lists show of the task; undefined where the report does not say. */
  listed: ListedText | undefined
}

/** Answers whether the report is news. A report that only changes the listed text writes no row of `tasks`, which two indexes follow. */
export function recordStatus(sql: SqlStorage, report: StatusReport, now_ms: number): boolean {
  const { id, status, version, listed } = report
  const query = `SELECT tasks.status, tasks.at, max(tasks.version, coalesce(entries.version, 0)) AS version FROM tasks
    LEFT JOIN entries ON entries.position = tasks.position WHERE tasks.id = ?`
  const [known] = sql.exec<{ status: Status; at: number; version: number }>(query, id).toArray()
  if (known === undefined) return false
  // A time in the future is one from before the clock was set back.
  const waits = Math.abs(known.at - now_ms) > ADMITTED_MS_MAX
  const is_news = version > known.version || (version === known.version && status !== known.status && waits)
  if (is_news && (status !== known.status || listed === undefined))
    sql.exec('UPDATE tasks SET status = ?, version = ? WHERE id = ?', status, version, id)
  if (listed !== undefined) keepEntry(sql, report, listed)
  return is_news
}

/** Read whole: a constant number, however many tasks there are. */
const FINISHED_MAX = 200

export function finishedCosts(sql: SqlStorage, limit: number): Spend[] {
  const rows = sql.exec<{ spend: string }>('SELECT spend FROM finished ORDER BY position DESC LIMIT ?', limit)
  return rows.toArray().map((row) => Spend.parse(JSON.parse(row.spend)))
}

/** The cost of an earlier run, or the oldest cost, is overwritten in place: a delete and an insert would write two rows. */
export function recordFinishedCost(sql: SqlStorage, id: string, cost: Spend): void {
  const own = '(SELECT max(position) FROM finished WHERE id = ?)'
  const oldest = '(SELECT min(position) FROM finished HAVING count(*) >= ?)'
  const query = `UPDATE finished SET position = (SELECT max(position) FROM finished) + 1, id = ?, spend = ?
    WHERE position = coalesce(${own}, ${oldest}) RETURNING 1`
  const values = [id, JSON.stringify(cost)]
  const replaced = sql.exec(query, ...values, id, FINISHED_MAX).toArray().length > 0
  if (!replaced) sql.exec('INSERT INTO finished (id, spend) VALUES (?, ?)', ...values)
}
