/**
 * A workspace over SQLite in this process, with the handlers of the service: what its object does without the runtime, for simulation. A
 * restart loses what the object has in memory, and nothing of its rows.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { StoredWorkspace } from '../../src/core/protocol/workspace-requests.ts'
import { WHOLE_QUOTA, type QuotaPart, type WriteContext } from '../../src/store/workspace/handlers.ts'
import { refuseOverQuota } from '../../src/store/workspace/quotas/sql-bytes.ts'
import { askWorkspace, tellWorkspace } from '../../src/store/workspace/requests.ts'
import { askAgain, quotaPart, runInShard } from '../../src/store/workspace/shards/shards.ts'
import { makeShardTables, sqlShardRows } from '../../src/store/workspace/shards/sql-shard-rows.ts'
import { makeTables } from '../../src/store/workspace/workspace-schema.ts'

export interface SqlWorkspace extends StoredWorkspace {
  sql: SqlStorage
  /** The time at which a holder of a run slot has to be woken, as it was last asked for. */
  wakes: number[]
  restart(): void
}

export interface SqlWorkspaceTerms {
  now: () => number
  slots_max: () => number
  bytes_max?: number
  /** null: the tenant has one shard. */
  shard: number | null
}

/** The part of `SqlStorage` that the handlers use. */
export function memorySql(): SqlStorage {
  const database = new DatabaseSync(':memory:')
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const exec = (query: string, ...values: unknown[]) => {
    const statement = statements.get(query) ?? database.prepare(query)
    // The tables of a query that was prepared before they were changed are not known to it.
    if (!/^\s*(CREATE|DROP|ALTER)/i.test(query)) statements.set(query, statement)
    else statements.clear()
    const rows = statement.all(...(values as SQLInputValue[]))
    return {
      toArray: () => rows,
      one() {
        if (rows.length !== 1) throw new Error(`Expected exactly one result from SQL query, but got ${rows.length}`)
        return rows[0]
      },
    }
  }
  const size = () => Number(database.prepare('PRAGMA page_count').get()?.page_count ?? 0) * 4096
  return {
    exec,
    get databaseSize() {
      return size()
    },
  } as unknown as SqlStorage // The handlers use no more of it.
}

export function sqlWorkspace({ now, slots_max, bytes_max = 1_073_741_824, shard }: SqlWorkspaceTerms): SqlWorkspace {
  const sql = memorySql()
  const wakes: number[] = []
  let mayAsk = askAgain(now)
  const transact = <T>(body: () => T): T => {
    sql.exec('BEGIN')
    try {
      const answer = body()
      sql.exec('COMMIT')
      return answer
    } catch (error) {
      sql.exec('ROLLBACK')
      throw error
    }
  }
  transact(() => {
    makeTables(sql)
    if (shard !== null) makeShardTables(sql)
  })
  const contextOf = (quota: QuotaPart): WriteContext => ({
    sql,
    now_ms: now(),
    tenant: () => null,
    tenant_bytes_max: bytes_max,
    get bytes_max() {
      return this.quota.of('bytes', bytes_max)
    },
    quota,
    has_shard_tables: shard !== null,
    slots_max: slots_max(),
    feeding: null,
    callersWaiting: () => 0,
    mayAsk: (axis) => mayAsk(axis),
    lookAtOpen: () => undefined,
    after: {
      wakeHolder: (at) => void (at !== null && wakes.push(at)),
      planReminders: () => undefined,
      lookForWaiters: () => undefined,
      holdHasBegun: () => undefined,
      feedHasMoved: () => undefined,
      lookAtSchedules: () => undefined,
    },
  })
  const context = () => contextOf(shard === null ? WHOLE_QUOTA : quotaPart(sqlShardRows(sql, true), shard, []))
  return {
    sql,
    wakes,
    restart() {
      wakes.length = 0
      mayAsk = askAgain(now)
    },
    // A refusal is an answer of each command that writes within the quota.
    tell: (command) => refuseOverQuota(() => transact(() => tellWorkspace(context(), command))) as never,
    ask: (query) => transact(() => askWorkspace(context(), query)),
    tellInShard: (call) =>
      refuseOverQuota(() =>
        transact(() => {
          const whole = contextOf(WHOLE_QUOTA)
          return runInShard(sqlShardRows(sql, shard !== null), whole, call, (quota) =>
            tellWorkspace(Object.assign(whole, { quota }), call.command),
          )
        }),
      ) as never,
    awaitDelegation: () => Promise.resolve(),
  }
}
