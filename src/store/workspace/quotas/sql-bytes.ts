/** The stored bytes of a tenant, as one number that each change adds to, and the room of tasks that have more than the first room. */
import { FIRST_ROOM } from '../../../core/workspace/stored-bytes.ts'
import { ok, refuse, type Result } from '../../../core/terms/refusal.ts'
import { hasTable } from '../../has-table.ts'
import type { CommandHandlers, QueryHandlers, ReadContext } from '../handlers.ts'

const ROOMS = 'CREATE TABLE IF NOT EXISTS rooms (task TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID'

/** The first call in a workspace of an earlier release sums what is there. No other call sums anything. */
export function makeBytes(sql: SqlStorage): void {
  if (hasTable(sql, 'bytes')) return
  const blobs = hasTable(sql, 'stored') ? '(SELECT coalesce(sum(bytes), 0) FROM stored)' : '0'
  sql.exec('CREATE TABLE bytes (id INTEGER PRIMARY KEY, used INTEGER NOT NULL)')
  sql.exec(`INSERT INTO bytes (id, used) SELECT 1, count(*) * ${FIRST_ROOM} + ${blobs} FROM tasks`)
}

/** Restores the room of a task into an index that was made again. A task that was given more room meanwhile keeps it. */
export function restoreRoom(sql: SqlStorage, task: string, bytes: number): void {
  if (bytes <= FIRST_ROOM) return
  sql.exec(ROOMS)
  const query = `INSERT INTO rooms (task, bytes) VALUES (?, ?)
    ON CONFLICT (task) DO UPDATE SET bytes = max(bytes, excluded.bytes)`
  sql.exec(query, task, bytes)
}

/** Computes the sum anew, for an index that was made again. */
export function recountBytes(sql: SqlStorage): void {
  sql.exec(ROOMS)
  sql.exec('DELETE FROM rooms WHERE task NOT IN (SELECT id FROM tasks)')
  const blobs = hasTable(sql, 'stored') ? '(SELECT coalesce(sum(bytes), 0) FROM stored)' : '0'
  const rooms = `(SELECT coalesce(sum(bytes - ${FIRST_ROOM}), 0) FROM rooms)`
  sql.exec(`UPDATE bytes SET used = (SELECT count(*) * ${FIRST_ROOM} FROM tasks) + ${rooms} + ${blobs}`)
}

/** To be called in a transaction. */
export function sqlBytes(sql: SqlStorage) {
  /** The rows of the workspace itself count as the bytes of its file. */
  const used = () => sql.exec<{ used: number }>('SELECT used FROM bytes').one().used + sql.databaseSize
  const add = (bytes: number) => {
    if (bytes !== 0) sql.exec('UPDATE bytes SET used = used + ?', bytes)
  }
  const roomOf = (task: string): number => {
    if (!hasTable(sql, 'rooms')) return FIRST_ROOM
    const query = 'SELECT bytes FROM rooms WHERE task = ?'
    return sql.exec<{ bytes: number }>(query, task).toArray()[0]?.bytes ?? FIRST_ROOM
  }
  /**
   * Adds bytes, or refuses what goes beyond `max`. A change that takes fewer bytes than before is never refused; one that adds none is
   * refused where too much is taken already. `own` is what the same thing took before.
   */
  const take = (bytes: number, max: number, own = 0): Result<null> => {
    const before = used()
    const others = before - own
    if (bytes >= 0 && before + bytes > max) return refuse({ code: 'quota_exceeded', bytes: others, bytes_max: max })
    add(bytes)
    return ok(null)
  }
  return {
    used,
    add,
    take,
    roomOf,
    /** Frees the room of a task that leaves the index. */
    leave(task: string): void {
      add(-roomOf(task))
      if (hasTable(sql, 'rooms')) sql.exec('DELETE FROM rooms WHERE task = ?', task)
    },
  }
}

/** The same within the part of the quota that this object has. `max` is the bound of the tenant. */
export function takeBytes(
  { sql, quota }: Pick<ReadContext, 'sql' | 'quota'>,
  bytes: number,
  max: number,
  own = 0,
): Result<null> {
  const { take, used } = sqlBytes(sql)
  const part = quota.of('bytes', max)
  const taken = take(bytes, part, own)
  if (!taken.ok) quota.lacks({ axis: 'bytes', amount: Math.max(1, used() + bytes - part), max })
  return taken
}

export const ROOM_COMMANDS: CommandHandlers<'hold_room'> = {
  hold_room(context, { task, least, most, max: max_of_tenant }) {
    const { sql, quota } = context
    if (sql.exec('SELECT 1 FROM tasks WHERE id = ?', task).toArray().length === 0)
      return refuse({ code: 'task_not_found' })
    const { used, roomOf } = sqlBytes(sql)
    const before = roomOf(task)
    const max = quota.of('bytes', max_of_tenant)
    // Two answers may ask at once, in any order. The counted room never becomes less than the task was told.
    const room = Math.max(least, Math.min(most, max - used() + before), before)
    const taken = takeBytes(context, room - before, max_of_tenant, before)
    if (!taken.ok) return taken
    sql.exec(ROOMS)
    sql.exec('INSERT OR REPLACE INTO rooms (task, bytes) VALUES (?, ?)', task, room)
    return ok(room)
  },
}

export const ROOM_QUERIES: QueryHandlers<'used_bytes'> = { used_bytes: ({ sql }) => sqlBytes(sql).used() }

type OverQuota = { code: 'quota_exceeded'; bytes: number; bytes_max: number }
const overs = new WeakMap<Error, OverQuota>()

/** Throws where the write makes the workspace larger than its tenant may have, so that the transaction is rolled back. */
export function writeWithin<T>(sql: SqlStorage, max: number, write: () => T): T {
  const before = sql.databaseSize
  const answer = write()
  if (sql.databaseSize <= before) return answer
  const bytes = sqlBytes(sql).used()
  if (bytes <= max) return answer
  const error = new Error('the bytes of the tenant are used up')
  overs.set(error, { code: 'quota_exceeded', bytes: bytes - sql.databaseSize + before, bytes_max: max })
  throw error
}

/** Turns the error of such a rollback into its refusal. */
export function refuseOverQuota<T>(transact: () => T): T | ReturnType<typeof refuse> {
  try {
    return transact()
  } catch (error) {
    const over = error instanceof Error ? overs.get(error) : undefined
    if (over === undefined) throw error
    return refuse(over)
  }
}

/** Refuses a new request where there is no room to keep its answer for a day. */
export function refuseWithoutRoom(sql: SqlStorage, known: Result<string | null>, max: number): Result<string | null> {
  const room = known.ok && known.value === null ? sqlBytes(sql).take(0, max) : known
  return room.ok ? known : room
}
