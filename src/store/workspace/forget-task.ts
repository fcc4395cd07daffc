/** Deletes everything that a workspace keeps for one task, except its run slot. To be called in a transaction. */
import { sqlBytes } from './quotas/sql-bytes.ts'
import { sqlSpend } from './quotas/sql-spend.ts'
import { sqlDelegations } from './delegations/sql-delegations.ts'
import { sqlDeliveries } from './sql-deliveries.ts'
import { sqlStored } from './blobs/sql-stored.ts'
import { dropEntry } from './task-index/index-entries.ts'

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
