/**
 * Tasks of this index whose delegations are in the object of a pool (POOL-03), in a table that the first of them makes. The names of the pools
 * follow from it, so a pool is listed as long as it has a task.
 */
import { hasTable } from '../../has-table.ts'

const TABLE =
  'CREATE TABLE IF NOT EXISTS pooled_tasks (pool TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (pool, task)) WITHOUT ROWID'
/** Finds the pool of a task. */
const INDEX = 'CREATE UNIQUE INDEX IF NOT EXISTS pool_of_task ON pooled_tasks (task)'

/** The pool of a task never changes. */
export function keepPool(sql: SqlStorage, task: string, pool: string): void {
  if (poolOf(sql, task) === pool) return
  sql.exec(TABLE)
  sql.exec(INDEX)
  // Another task may have had the id.
  sql.exec('INSERT OR REPLACE INTO pooled_tasks (pool, task) VALUES (?, ?)', pool, task)
}

export function poolOf(sql: SqlStorage, task: string): string | null {
  if (!hasTable(sql, 'pooled_tasks')) return null
  return sql.exec<{ pool: string }>('SELECT pool FROM pooled_tasks WHERE task = ?', task).toArray()[0]?.pool ?? null
}

export function forgetPool(sql: SqlStorage, task: string): void {
  if (hasTable(sql, 'pooled_tasks')) sql.exec('DELETE FROM pooled_tasks WHERE task = ?', task)
}

/** Each name is found by one look at the key, however many tasks have it. */
export function poolsAfter(sql: SqlStorage, after: string, limit: number): string[] {
  if (!hasTable(sql, 'pooled_tasks')) return []
  const query = 'SELECT pool FROM pooled_tasks WHERE pool > ? ORDER BY pool LIMIT 1'
  const names: string[] = []
  while (names.length < limit) {
    const [next] = sql.exec<{ pool: string }>(query, names.at(-1) ?? after).toArray()
    if (next === undefined) break
    names.push(next.pool)
  }
  return names
}
