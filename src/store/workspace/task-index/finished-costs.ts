/** What the newest finished tasks of a workspace cost, for forecasts. To be called in a transaction. */
import { Spend } from '../../../core/terms/status.ts'

/** Looked through whole: a constant, however many tasks there are. */
const FINISHED_MAX = 200

export function finishedCosts(sql: SqlStorage, limit: number): Spend[] {
  const rows = sql.exec<{ spend: string }>('SELECT spend FROM finished ORDER BY position DESC LIMIT ?', limit)
  return rows.toArray().map((row) => Spend.parse(JSON.parse(row.spend)))
}

/** What it cost by an earlier run, or the oldest, makes room by becoming the newest: a row deleted and one inserted would be two. */
export function recordFinishedCost(sql: SqlStorage, id: string, cost: Spend): void {
  const own = '(SELECT max(position) FROM finished WHERE id = ?)'
  const oldest = '(SELECT min(position) FROM finished HAVING count(*) >= ?)'
  const query = `UPDATE finished SET position = (SELECT max(position) FROM finished) + 1, id = ?, spend = ?
    WHERE position = coalesce(${own}, ${oldest}) RETURNING 1`
  const values = [id, JSON.stringify(cost)]
  const replaced = sql.exec(query, ...values, id, FINISHED_MAX).toArray().length > 0
  if (!replaced) sql.exec('INSERT INTO finished (id, spend) VALUES (?, ?)', ...values)
}
