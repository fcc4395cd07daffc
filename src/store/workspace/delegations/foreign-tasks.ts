/**
 * Tasks of other shards that have delegations here, and a time before all that is known of each (SHARD-05). The index of the own shard does
 * not know them.
 */
import { hasTable } from '../../has-table.ts'

const TABLE = 'CREATE TABLE IF NOT EXISTS foreign_tasks (task TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID'

export function keepForeign(sql: SqlStorage, task: string, since: number): void {
  sql.exec(TABLE)
  sql.exec('INSERT OR IGNORE INTO foreign_tasks (task, since) VALUES (?, ?)', task, since)
}

export function foreignSince(sql: SqlStorage, task: string): number | null {
  if (!hasTable(sql, 'foreign_tasks')) return null
  const query = 'SELECT since FROM foreign_tasks WHERE task = ?'
  return sql.exec<{ since: number }>(query, task).toArray()[0]?.since ?? null
}

/** A later task of the id may have delegations here already. */
export function forgetForeign(sql: SqlStorage, task: string): void {
  if (!hasTable(sql, 'foreign_tasks')) return
  const query = 'DELETE FROM foreign_tasks WHERE task = ? AND NOT EXISTS (SELECT 1 FROM delegations WHERE task = ?)'
  sql.exec(query, task, task)
}
