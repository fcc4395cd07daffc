/**
 * Orchestrated tasks of one tenant over the tables and handlers of the service, with an object for each shard and each pool.
 * Workers of ours may die at any call to one of these objects.
 */
import type { DelegationStatus } from '../../src/core/terms/delegation.ts'
import type { Settings } from '../../src/core/terms/settings.ts'
import type { TaskView } from '../../src/core/terms/view.ts'
import type { RemoteTask } from '../../src/core/replay/stored-task.ts'
import type { RemoteWorkspace } from '../../src/core/protocol/workspace-requests.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { storeWithShards } from '../../src/shell/shards/store-with-shards.ts'
import { memoryStore } from './memory/memory-store.ts'
import { benchOf, CALLER, createTask, FREE, ALL, UNBOUNDED, type Bench, type Script } from './scripted.ts'
import { sqlWorkspace, type SqlWorkspace } from './sql-workspace.ts'

export const DIED = new Error('the worker died')
const PAGE = { after: 0, limit: 100 }

export interface PoolBench extends Bench {
  time: { now: number }
  /** By name: `0`, `1`, … are shards, `gpu` is a pool. */
  objects: Map<string, SqlWorkspace>
  /** The calls to shards and pools, such as `gpu.enter_delegation`. */
  told: string[]
  /** The call of this number and all later ones find no worker that makes them. With `done` that call has its effect first. */
  dieAt(call: number, done: boolean): void
  live(): void
  /** A new task whose commands are for this pool. It works until it waits. */
  dispatch(pool: string | null, settings?: Partial<Settings>): Promise<TaskView>
  /** The delegations of a pool as its workers see them: `delegation_… pending`. */
  seen(pool: string | null, status?: DelegationStatus | null): Promise<string[]>
  /** The rows of a table in all objects together. */
  rows(table: string): number
}

export function poolBench(script: Script, shards: number): PoolBench {
  const time = { now: Date.UTC(2026, 10, 21, 12, 0) }
  const life = { calls: 0, dies_at: Infinity, done: false }
  const objects = new Map<string, SqlWorkspace>()
  const told: string[] = []
  const tasks = memoryStore(() => ({ now_ms: time.now, boot: 'boot', prices: FREE, daily: UNBOUNDED }))
  const call = async (name: string, make: () => unknown): Promise<never> => {
    const number = life.calls++
    if (number > life.dies_at || (number === life.dies_at && !life.done)) throw DIED
    told.push(name)
    const answer = structuredClone(make())
    if (number === life.dies_at) throw DIED
    return answer as never // what its kind is answered
  }
  const objectAt = (name: string, shard: number | null): RemoteWorkspace => {
    const object =
      objects.get(name) ??
      sqlWorkspace({ now: () => time.now, slots_max: () => 10, shard: shards === 1 ? null : shard })
    objects.set(name, object)
    return {
      tell: (command) => call(`${name}.${command.kind}`, () => object.tell(command)),
      ask: (query) => call(`${name}.${query.kind}`, () => object.ask(query)),
      tellInShard: (one) => call(`${name}.${one.command.kind}`, () => object.tellInShard(one)),
      awaitDelegation: () => call(`${name}.await`, () => undefined),
    }
  }
  /** A worker that has died tells its task nothing more. */
  const mortal = (task: RemoteTask): RemoteTask =>
    new Proxy(task, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]): Promise<unknown> => {
          if (life.calls > life.dies_at) throw DIED
          return Reflect.apply(method, target, args)
        }
      },
    })
  const stored: TaskStore = {
    of: (tenant, id) => mortal(tasks.of(tenant, id)),
    workspace: (_tenant, shard = 0) => objectAt(String(shard), shard),
    pool: (_tenant, pool) => objectAt(pool, null),
  }
  const layout = { count: shards, since: shards }
  const config = { shardsOf: () => layout, max_driven_tasks: 10, max_stored_bytes: 1_073_741_824 }
  const store = storeWithShards(stored, config, () => time.now)
  const clock = { now_ms: () => time.now, wall_ms: () => time.now }
  const bench = benchOf(script, { store, clock })
  return {
    ...bench,
    time,
    objects,
    told,
    dieAt(number, done) {
      Object.assign(life, { calls: 0, dies_at: number, done })
    },
    live: () => void (life.dies_at = Infinity),
    dispatch: (pool, settings = {}) =>
      createTask(bench, { worker_pool: pool, report_timeout_s: 600, ...settings }, ALL, { mode: 'orchestrator' }),
    async seen(pool, status = null) {
      const page = await bench.service.listDelegations(CALLER, { status, pool }, PAGE, 0)
      return page.ok ? page.value.data.map((one) => `${one.id} ${one.status}`) : []
    },
    rows: (table) =>
      [...objects.values()].reduce((sum, { sql }) => {
        const is_there = sql
          .exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table)
          .toArray().length
        return is_there === 0 ? sum : sum + sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n
      }, 0),
  }
}

/** The id of the delegation that a task waits for. */
export function awaited({ pending }: TaskView): string {
  if (pending?.kind !== 'report') throw new Error(`it waits for ${pending?.kind}`)
  return pending.delegation_id
}
