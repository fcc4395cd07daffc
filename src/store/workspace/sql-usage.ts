/**
 * The usage of a tenant: a row for each day, key, model and mode. How far the rows of a task are counted stands in a table of its own, so that
 * a row that is told twice counts once (USE-01). Both tables are made by the first row.
 */
import {
  firstUsageDay,
  NO_USAGE,
  sumRows,
  USAGE_AMOUNTS,
  type UsageGroup,
  type UsageSum,
} from '../../core/terms/values/usage-sums.ts'
import { hasTable } from '../has-table.ts'
import type { CommandHandlers, QueryHandlers } from './handlers.ts'

const AMOUNTS = USAGE_AMOUNTS.join(', ')
const TABLE = `CREATE TABLE IF NOT EXISTS usage (day TEXT NOT NULL, key TEXT NOT NULL, model TEXT NOT NULL, mode TEXT NOT NULL,
  ${USAGE_AMOUNTS.map((name) => `${name} INTEGER NOT NULL`).join(', ')}, PRIMARY KEY (day, key, model, mode)) WITHOUT ROWID`
const COUNTED = `CREATE TABLE IF NOT EXISTS counted (task TEXT PRIMARY KEY, incarnation TEXT NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID`
const ADD = `INSERT INTO usage (day, key, model, mode, ${AMOUNTS}) VALUES (?, ?, ?, ?, ${USAGE_AMOUNTS.map(() => '?').join(', ')})
  ON CONFLICT (day, key, model, mode) DO UPDATE SET ${USAGE_AMOUNTS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

const isMade = (sql: SqlStorage) => hasTable(sql, 'counted')

export const USAGE_COMMANDS: CommandHandlers<'count_usage'> = {
  count_usage({ sql, now_ms }, { task, incarnation, mode, key, rows }) {
    // Nobody would ever remove what is noted for a task that is gone.
    if (sql.exec('SELECT 1 FROM tasks WHERE id = ?', task).toArray().length === 0) return
    const after = countedUpTo(sql, task, incarnation)
    const fresh = rows.filter(({ seq }) => seq > after)
    const last = fresh.at(-1)
    if (last === undefined) return
    if (!isMade(sql)) {
      sql.exec(TABLE)
      sql.exec(COUNTED)
    }
    const first_day = firstUsageDay(now_ms)
    for (const { day, model, ...amounts } of sumRows(fresh.filter((row) => row.day >= first_day))) {
      if (isNewestDay(sql, day)) sql.exec('DELETE FROM usage WHERE day < ?', first_day)
      sql.exec(ADD, day, key, model, mode, ...USAGE_AMOUNTS.map((name) => amounts[name]))
    }
    sql.exec('INSERT OR REPLACE INTO counted (task, incarnation, seq) VALUES (?, ?, ?)', task, incarnation, last.seq)
  },
}

export const USAGE_QUERIES: QueryHandlers<'usage'> = {
  usage({ sql }, { from, to, group_by, limit }) {
    if (!isMade(sql)) return []
    const sums = USAGE_AMOUNTS.map((name) => `sum(${name}) AS ${name}`)
    const groups = group_by.join(', ')
    const grouped = groups === '' ? '' : `GROUP BY ${groups} ORDER BY ${groups}`
    const query = `SELECT ${[...group_by, ...sums].join(', ')} FROM usage WHERE day BETWEEN ? AND ? ${grouped} LIMIT ?`
    return sql
      .exec(query, from, to, limit)
      .toArray()
      .map((row) => sumOf(row, group_by))
  },
}

/** The rows of a task that is deleted are counted for good. */
export function forgetCounted(sql: SqlStorage, task: string): void {
  if (isMade(sql)) sql.exec('DELETE FROM counted WHERE task = ?', task)
}

function countedUpTo(sql: SqlStorage, task: string, incarnation: string): number {
  if (!isMade(sql)) return 0
  const query = 'SELECT seq FROM counted WHERE task = ? AND incarnation = ?'
  return sql.exec<{ seq: number }>(query, task, incarnation).toArray()[0]?.seq ?? 0
}

/** Whether no row is of this day or a later one. Days that are too old are dropped then. */
const isNewestDay = (sql: SqlStorage, day: string) =>
  sql.exec('SELECT 1 FROM usage WHERE day >= ? LIMIT 1', day).toArray().length === 0

/** A sum over no rows is NULL. */
function sumOf(row: Record<string, SqlStorageValue>, group_by: readonly UsageGroup[]): UsageSum {
  const sum: UsageSum = { ...NO_USAGE }
  for (const name of USAGE_AMOUNTS) sum[name] = Number(row[name] ?? 0)
  for (const name of group_by) sum[name] = String(row[name] ?? '')
  return sum
}
