/** Records what a task reports of itself in the index of its workspace. A report may come late or twice. */
import { forgetChunk } from '../quotas/sql-spend.ts'
import type { WorkspaceCommand } from '../../../core/protocol/workspace-requests.ts'
import { ENDED_STATUSES, RUNNING_STATUSES, Spend, type Status } from '../../../core/terms/status.ts'
import { ADMITTED_MS_MAX } from '../../../core/protocol/workspace-records.ts'
import { forgetEffectKeys } from '../book/sql-keys.ts'
import { cancelOpen, withdrawEnd } from '../delegations/delegations.ts'
import { forgetForeign } from '../delegations/foreign-tasks.ts'
import { keepPool, poolsAfter } from '../delegations/pooled-tasks.ts'
import { sqlDelegations } from '../delegations/sql-delegations.ts'
import type { CommandHandlers, QueryHandlers } from '../handlers.ts'
import { releaseSlot } from '../run-slots/slot-alarm.ts'
import { noteEndOfRun } from '../schedules/sql-schedules.ts'
import { standingOf } from './admissions.ts'
import { keepEntry, NEWEST_VERSION, NO_OUTCOME, NO_PARENT } from './index-entries.ts'

export const STATUS_COMMANDS: CommandHandlers<'set_status'> = {
  set_status(context, report) {
    const { sql, now_ms } = context
    const { id, status, version, spend } = report
    const is_news = recordStatus(sql, report, now_ms)
    if (is_news && spend !== null) recordFinishedCost(sql, id, spend)
    if (is_news && ENDED_STATUSES.has(status)) {
      cancelOpen(sqlDelegations(sql), id, version)
      noteEndOfRun(context, id)
    }
    if (!RUNNING_STATUSES.has(status)) releaseSlot(context, id, version)
    // A task that rests gives nothing back by itself, so others must not wait for its part of the daily total.
    if (is_news && !RUNNING_STATUSES.has(status)) forgetChunk(sql, id)
  },
}

/**
 * What the first shard keeps for tasks of other shards: their delegations, their effect keys, and their runs of schedules (SHARD-05). The object
 * of a pool keeps delegations alone (POOL-03).
 */
export const TASK_CHANGE_COMMANDS: CommandHandlers<'tie_to_pool' | 'note_task_change'> = {
  tie_to_pool({ sql }, { task, pool }) {
    const standing = standingOf(sql, task)
    if (standing !== null) keepPool(sql, task, pool)
    return standing
  },
  note_task_change(context, { task, change, until, at }) {
    const { sql } = context
    if (change === 'reopened') return withdrawEnd(sqlDelegations(sql), task, until)
    noteEndOfRun(context, task)
    if (change === 'ended') return cancelOpen(sqlDelegations(sql), task, until)
    forgetEffectKeys(sql, task)
    sqlDelegations(sql).drop(task, at)
    forgetForeign(sql, task)
  },
}

export const POOL_QUERIES: QueryHandlers<'pools'> = {
  pools: ({ sql }, { after, limit }) => poolsAfter(sql, after, limit),
}

export const COST_QUERIES: QueryHandlers<'finished'> = {
  finished({ sql }, { limit }) {
    const rows = sql.exec<{ spend: string }>('SELECT spend FROM finished ORDER BY position DESC LIMIT ?', limit)
    return rows.toArray().map((row) => Spend.parse(JSON.parse(row.spend)))
  },
}

type KnownRow = {
  metadata: string
  status: Status
  outcome: string | null
  forked_from: string | null
  at: number
  version: number
}

/** Answers whether the report is news. A report that only changes the listed text writes no row of `tasks`, which two indexes follow. */
function recordStatus(sql: SqlStorage, report: WorkspaceCommand<'set_status'>, now_ms: number): boolean {
  const { id, status, version, listed, outcome, forked_from } = report
  const query = `SELECT tasks.metadata, tasks.status, tasks.outcome, tasks.forked_from, tasks.at, ${NEWEST_VERSION} WHERE tasks.id = ?`
  const [known] = sql.exec<KnownRow>(query, id).toArray()
  if (known === undefined) return false
  // A time in the future is one from before the clock was set back.
  const waits = Math.abs(known.at - now_ms) > ADMITTED_MS_MAX
  const is_news = version > known.version || (version === known.version && status !== known.status && waits)
  const told_outcome = outcome === undefined ? known.outcome : (outcome ?? NO_OUTCOME)
  if (is_news && (status !== known.status || listed === undefined))
    sql.exec('UPDATE tasks SET status = ?, version = ?, outcome = ? WHERE id = ?', status, version, told_outcome, id)
  else if (version >= known.version && told_outcome !== known.outcome)
    sql.exec('UPDATE tasks SET outcome = ? WHERE id = ?', told_outcome, id)
  // A task never becomes a fork of another one. Only a task of an earlier release is told of a second time.
  if (known.forked_from === null && forked_from !== undefined)
    sql.exec('UPDATE tasks SET forked_from = ? WHERE id = ?', forked_from ?? NO_PARENT, id)
  const labels = report.metadata === undefined ? known.metadata : JSON.stringify(report.metadata)
  if (version >= known.version && labels !== known.metadata)
    sql.exec('UPDATE tasks SET metadata = ? WHERE id = ?', labels, id)
  if (listed !== undefined) keepEntry(sql, report, listed)
  return is_news
}

/** Read whole: a constant number, however many tasks there are. */
const FINISHED_MAX = 200

/** The cost of an earlier run, or the oldest cost, is overwritten in place: a delete and an insert would write two rows. */
function recordFinishedCost(sql: SqlStorage, id: string, cost: Spend): void {
  const own = '(SELECT max(position) FROM finished WHERE id = ?)'
  const oldest = '(SELECT min(position) FROM finished HAVING count(*) >= ?)'
  const query = `UPDATE finished SET position = (SELECT max(position) FROM finished) + 1, id = ?, spend = ?
    WHERE position = coalesce(${own}, ${oldest}) RETURNING 1`
  const values = [id, JSON.stringify(cost)]
  const replaced = sql.exec(query, ...values, id, FINISHED_MAX).toArray().length > 0
  if (!replaced) sql.exec('INSERT INTO finished (id, spend) VALUES (?, ?)', ...values)
}
