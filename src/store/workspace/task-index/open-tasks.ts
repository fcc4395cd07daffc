/**
 * The number of open tasks of a workspace, in one row. Triggers update it in the statement that changes a status, so no caller can forget
 * it. Admission reads one row, however many tasks there are.
 */
import { hasTable } from '../../has-table.ts'
import { ENDED_STATUSES } from '../../../core/terms/status.ts'

const ended = [...ENDED_STATUSES].map((status) => `'${status}'`).join(', ')
const isOpen = (status: string) => `${status} NOT IN (${ended})`
/** The condition of an open task on a row of `tasks`. The index below serves only queries that repeat it word by word. */
export const OPEN = isOpen('status')

const change = (by: string) => `UPDATE counters SET value = value ${by} WHERE name = 'open_tasks'`
const OPEN_TASK_TABLES = [
  `CREATE INDEX IF NOT EXISTS open_tasks ON tasks (status) WHERE ${OPEN}`,
  `CREATE TRIGGER IF NOT EXISTS open_task_entered AFTER INSERT ON tasks
     WHEN ${isOpen('new.status')} BEGIN ${change('+ 1')}; END`,
  `CREATE TRIGGER IF NOT EXISTS open_task_ended AFTER UPDATE OF status ON tasks
     WHEN ${isOpen('old.status')} AND NOT ${isOpen('new.status')} BEGIN ${change('- 1')}; END`,
  `CREATE TRIGGER IF NOT EXISTS open_task_reopened AFTER UPDATE OF status ON tasks
     WHEN ${isOpen('new.status')} AND NOT ${isOpen('old.status')} BEGIN ${change('+ 1')}; END`,
  `CREATE TRIGGER IF NOT EXISTS open_task_dropped AFTER DELETE ON tasks
     WHEN ${isOpen('old.status')} BEGIN ${change('- 1')}; END`,
] as const

/** To be called in a transaction after `tasks` has the columns of this release. The tasks of an earlier release are counted once. */
export function makeOpenCounter(sql: SqlStorage): void {
  const made = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'open_task_dropped'").toArray().length > 0
  if (made) return
  for (const statement of OPEN_TASK_TABLES) sql.exec(statement)
  sql.exec('CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID')
  countOpenTasks(sql)
}

/** Only a task that a key of the registry has made has an entry here. Queries repeat the condition word by word. */
const OPEN_BY_KEY = `key_name <> '' AND ${OPEN}`
/** To be called before an entry with a key is written. A workspace without such entries has no such index. */
export function makeKeyIndex(sql: SqlStorage): void {
  sql.exec(`CREATE INDEX IF NOT EXISTS open_tasks_by_key ON tasks (key_name) WHERE ${OPEN_BY_KEY}`)
}

/** How many tasks of a key are open, at most `max` of them. */
export function openTasksOfKey(sql: SqlStorage, key_name: string, max: number): number {
  if (!hasTable(sql, 'open_tasks_by_key')) return 0
  const found = `SELECT 1 FROM tasks WHERE key_name = ? AND ${OPEN_BY_KEY} LIMIT ?`
  return sql.exec<{ value: number }>(`SELECT count(*) AS value FROM (${found})`, key_name, max).one().value
}

/** Counts all open tasks anew, for a workspace without a counter or with a damaged one. */
export function countOpenTasks(sql: SqlStorage): number {
  const counted = `SELECT 'open_tasks', count(*) FROM tasks WHERE ${OPEN}`
  const query = `INSERT OR REPLACE INTO counters (name, value) ${counted} RETURNING value`
  return sql.exec<{ value: number }>(query).one().value
}

export function openTasks(sql: SqlStorage): number {
  const [row] = sql.exec<{ value: number }>("SELECT value FROM counters WHERE name = 'open_tasks'").toArray()
  return row?.value ?? countOpenTasks(sql)
}
