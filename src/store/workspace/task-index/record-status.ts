/** What a task tells of itself, late or twice as it may come, in the index of its workspace. To be called in a transaction. */
import type { ListedText } from '../../../core/protocol/list-entry.ts'
import type { Status } from '../../../core/terms/status.ts'
import { ADMITTED_MS_MAX } from '../../../core/protocol/workspace-methods.ts'
import { keepEntry } from './index-entries.ts'

interface StatusReport {
  id: string
  status: Status
  /** Of the task. */
  version: number
  /** What lists show of it; undefined: it is not told. */
  listed: ListedText | undefined
}

/** True: it is news. A report that only shows more of a status that the index has writes no row of `tasks`, which two indexes follow. */
export function recordStatus(sql: SqlStorage, report: StatusReport, now_ms: number): boolean {
  const { id, status, version, listed } = report
  const query = `SELECT tasks.status, tasks.at, max(tasks.version, coalesce(entries.version, 0)) AS version FROM tasks
    LEFT JOIN entries ON entries.position = tasks.position WHERE tasks.id = ?`
  const [known] = sql.exec<{ status: Status; at: number; version: number }>(query, id).toArray()
  if (known === undefined) return false
  // A time that is still to come is one before the clock was put back.
  const waits = Math.abs(known.at - now_ms) > ADMITTED_MS_MAX
  const is_news = version > known.version || (version === known.version && status !== known.status && waits)
  if (is_news && (status !== known.status || listed === undefined))
    sql.exec('UPDATE tasks SET status = ?, version = ? WHERE id = ?', status, version, id)
  if (listed !== undefined) keepEntry(sql, report, listed)
  return is_news
}
