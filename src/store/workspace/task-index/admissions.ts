/** Admissions of tasks in the index of a workspace: which incarnation was admitted, whether there is room for one more, and how a task leaves. */
import { ambiguousAdmission, wasAdmittedBy, incarnationOf } from '../../../core/workspace/incarnation.ts'
import { ok, refuse, type Result } from '../../../core/terms/refusal.ts'
import type { Status } from '../../../core/terms/status.ts'
import { forgetVersions } from '../../../core/workspace/run-slots.ts'
import { dayOf } from '../../../core/workspace/daily-totals.ts'
import { foldCase } from '../../../core/workspace/search-match.ts'
import { FIRST_ROOM } from '../../../core/workspace/stored-bytes.ts'
import type { TaskStanding } from '../../../core/protocol/shard-requests.ts'
import type { Admission, IndexEntry, WorkLimits } from '../../../core/protocol/workspace-records.ts'
import { forgetEffectKeys } from '../book/sql-keys.ts'
import { foreignSince, keepForeign } from '../delegations/foreign-tasks.ts'
import { forgetPool, poolOf } from '../delegations/pooled-tasks.ts'
import { dropStored, storedBlobsOf } from '../blobs/sql-stored.ts'
import { withdrawEnd, type DelegationStore } from '../delegations/delegations.ts'
import { sqlDelegations } from '../delegations/sql-delegations.ts'
import type { CommandHandlers, QueryHandlers, ReadContext } from '../handlers.ts'
import { sqlBytes, takeBytes } from '../quotas/sql-bytes.ts'
import { checkTotals, forgetChunk, totalsOf } from '../quotas/sql-spend.ts'
import { forgetCounted } from '../sql-usage.ts'
import { releaseSlot } from '../run-slots/slot-alarm.ts'
import { unsettledRun } from '../schedules/schedules.ts'
import { noteEndOfRun, sqlSchedules } from '../schedules/sql-schedules.ts'
import { sqlRunSlots } from '../run-slots/sql-run-slots.ts'
import { dropDeliveries } from '../sql-deliveries.ts'
import { dropEntry, NEWEST_VERSION, NO_AGENT, NO_KEY, NO_OUTCOME, NO_PARENT } from './index-entries.ts'
import { makeKeyIndex, OPEN, openTasks, openTasksOfKey } from './open-tasks.ts'
import { LOOK_FOR_ROOM } from './sweep.ts'

export const ADMISSION_COMMANDS: CommandHandlers<'admit' | 'reopen' | 'begin_removal' | 'drop'> = {
  admit(context, command) {
    const { entry } = command
    const { sql, now_ms, tenant_bytes_max } = context
    if (admitAgain(sql, entry, now_ms)) {
      // Another task may have the id by now.
      forgetVersions(sqlRunSlots(sql), entry.id, now_ms)
      return ok(null)
    }
    const room = checkRoom(context, command, entry.key_name)
    const taken = room.ok ? takeBytes(context, FIRST_ROOM, tenant_bytes_max) : room
    if (taken.ok) insertEntry(sql, entry, now_ms)
    else if (taken.refusal.code === 'quota_exceeded') context.lookAtOpen(LOOK_FOR_ROOM)
    return taken
  },
  reopen(context, command) {
    const { sql, now_ms } = context
    const { id } = command
    const query = `SELECT tasks.key_name, ${NEWEST_VERSION} WHERE tasks.id = ? AND NOT (${OPEN})`
    const [found] = sql.exec<{ key_name: string; version: number }>(query, id).toArray()
    if (found === undefined) return ok(null)
    const { key_name, version: until } = found
    if (key_name !== NO_KEY && key_name !== command.key?.name) return ok({ made_with: key_name })
    const room = checkRoom(context, command, key_name)
    if (!room.ok) return room
    sql.exec("UPDATE tasks SET status = 'running', outcome = ?, at = ? WHERE id = ?", NO_OUTCOME, now_ms, id)
    withdrawEnd(sqlDelegations(sql), id, until)
    // The listed text shows the old status, and the task soon reports a new one.
    dropEntry(sql, id)
    return ok({ until, pool: poolOf(sql, id) })
  },
  /** Without a listed text, lists ask the task itself and show nothing of it. */
  begin_removal({ sql, now_ms }, { id }) {
    dropEntry(sql, id)
    const admission = admissionOf(sql, id)
    return admission === null ? null : { ...admission, unsettled: unsettledRun(sqlSchedules(sql), now_ms, id) }
  },
  drop(context, { id, admitted }) {
    const known = admittedEntry(context.sql, id)
    if (known !== null && !admitted.includes(known.admitted)) return
    forgetTask(context.sql, id)
    releaseSlot(context, id, Infinity)
    noteEndOfRun(context, id)
  },
}

export const ADMISSION_QUERIES: QueryHandlers<'admission' | 'unsettled_run' | 'limit_use'> = {
  admission: ({ sql }, { id }) => admissionOf(sql, id),
  unsettled_run: ({ sql, now_ms }, { task }) => unsettledRun(sqlSchedules(sql), now_ms, task),
  limit_use: ({ sql, now_ms }, limits) => ({
    totals: totalsOf(sql, limits, dayOf(now_ms)),
    open_tasks: openTasks(sql),
    key_open_tasks: limits.key === undefined ? null : openTasksOfKey(sql, limits.key.name, COUNTED_MAX),
    stored_bytes: sqlBytes(sql).used(),
  }),
}

/** More open tasks of a key are not counted for a look at its limits. */
const COUNTED_MAX = 100_000

/** Positions are times, or one more than the highest position. So an entry that is older than the cursor of a page stays older. */
function insertEntry(sql: SqlStorage, entry: IndexEntry, now: number): void {
  const {
    id,
    mode,
    status,
    metadata,
    goal,
    forked_from = NO_PARENT,
    agent = NO_AGENT,
    key_name = NO_KEY,
    slice,
  } = entry
  if (key_name !== NO_KEY) makeKeyIndex(sql)
  const position = 'max(?, coalesce((SELECT max(position) FROM tasks), 0) + 1)'
  const query = `INSERT INTO tasks (position, id, mode, status, version, metadata, at, admitted, goal, outcome, forked_from, agent,
    key_name) VALUES (${position}, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)`
  sql.exec(
    query,
    now,
    id,
    mode,
    status,
    JSON.stringify(metadata),
    now,
    incarnationOf(slice),
    foldCase(goal),
    NO_OUTCOME,
    forked_from,
    agent,
    key_name,
  )
}

/**
 * Admits an incarnation for an id that the index may know. Answers false for an unknown id. The task may be deleted at this moment, so
 * whoever deletes it must see the new admission.
 */
function admitAgain(sql: SqlStorage, { id, slice }: IndexEntry, now_ms: number): boolean {
  const known = admittedEntry(sql, id)
  if (known === null) return false
  if (wasAdmittedBy(known.admitted, slice)) return true
  sql.exec('UPDATE tasks SET admitted = ?, at = ? WHERE id = ?', ambiguousAdmission(slice), now_ms, id)
  return true
}

/**
 * A time before all that is known of the task; null for an unknown task. A new admission moves `at`, and in a burst positions run ahead of
 * the clock.
 */
function admittedAt(sql: SqlStorage, id: string): number | null {
  const query = 'SELECT min(position, at) AS since FROM tasks WHERE id = ?'
  return sql.exec<{ since: number }>(query, id).toArray()[0]?.since ?? null
}

function admissionOf(sql: SqlStorage, id: string): Admission | null {
  const entry = admittedEntry(sql, id)
  if (entry === null) return null
  const pool = poolOf(sql, id)
  return { ...entry, blobs: storedBlobsOf(sql, id), ...(pool === null ? {} : { pool }) }
}

export function admittedEntry(sql: SqlStorage, id: string): { admitted: string; at: number } | null {
  const query = 'SELECT admitted, at FROM tasks WHERE id = ?'
  return sql.exec<{ admitted: string; at: number }>(query, id).toArray()[0] ?? null
}

/** Refuses one more open task where the workspace, the key that makes the task, or one of the totals has no room for it. */
function checkRoom(
  context: ReadContext,
  { open_max, key_open_max, ...limits }: WorkLimits,
  key_name: string = NO_KEY,
): Result<null> {
  const open = openTasks(context.sql)
  if (open >= context.quota.of('open', open_max)) {
    context.quota.lacks({ axis: 'open', amount: 1, max: open_max })
    return refuse({ code: 'quota_exceeded', open, max: open_max })
  }
  if (key_open_max !== undefined && key_name !== NO_KEY) {
    const axis = `open ${key_name}` as const
    const part = context.quota.of(axis, key_open_max)
    const own = openTasksOfKey(context.sql, key_name, part)
    if (own >= part) {
      context.quota.lacks({ axis, amount: 1, max: key_open_max })
      return refuse({ code: 'quota_exceeded', open: own, max: key_open_max, holder: 'key' })
    }
  }
  return checkTotals(context, limits)
}

/** Deletes everything that a workspace keeps for one task, except its run slot. */
function forgetTask(sql: SqlStorage, id: string): void {
  dropEntry(sql, id)
  const entries = sql.exec('DELETE FROM tasks WHERE id = ? RETURNING 1', id).toArray().length
  forgetEffectKeys(sql, id)
  dropDeliveries(sql, id)
  dropStored(sql, id)
  forgetChunk(sql, id)
  forgetCounted(sql, id)
  // A task without an entry was not counted.
  if (entries > 0) sqlBytes(sql).leave(id)
  sqlDelegations(sql).drop(id)
  forgetPool(sql, id)
}

/** Forgets an entry whose task a newer shard knows too. What is kept for the task elsewhere stays. */
export function dropDouble(sql: SqlStorage, id: string): void {
  dropEntry(sql, id)
  if (sql.exec('DELETE FROM tasks WHERE id = ? RETURNING 1', id).toArray().length > 0) sqlBytes(sql).leave(id)
  dropStored(sql, id)
  // The newer shard notes the pool, which keeps the commands.
  forgetPool(sql, id)
}

export function standingOf(sql: SqlStorage, id: string): TaskStanding | null {
  const status = statusOf(sql, id)
  return status === null ? null : { status, since: admittedAt(sql, id) ?? 0 }
}

const statusOf = (sql: SqlStorage, id: string): Status | null =>
  sql.exec<{ status: Status }>('SELECT status FROM tasks WHERE id = ?', id).toArray()[0]?.status ?? null

export const delegationsIn = ({ sql }: Pick<ReadContext, 'sql'>): DelegationStore => ({
  rows: sqlDelegations(sql),
  statusOf: (task) => statusOf(sql, task),
  admittedAt: (task) => admittedAt(sql, task) ?? foreignSince(sql, task),
  keepForeign: (task, since) => keepForeign(sql, task, since),
})
