/** Objects of pools in the real runtime: their names, who is woken in them, and what they are not. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import type { Job } from '../../src/core/protocol/alarm-times.ts'
import type { DelegationEntry } from '../../src/core/workspace/delegation-index.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { poolIn, poolObjectName, poolOfJob, shardIn, shardOfJob, tenantIn } from '../../src/store/workspace/owner.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { NO_TOTAL } from '../support/scripted.ts'

const NOW = Date.parse('2090-03-18T10:00:00Z')
const MINUTE = 60_000
const ANY = { status: null, before: 0, limit: 20 }
const store = () => durableStore(env.TASKS, env.WORKSPACES)
const entryOf = (seq: number, task = 'task_1'): DelegationEntry => ({
  id: delegationId(task, seq),
  task,
  type: 'new',
  at: Date.now(),
  deadline: Date.now() + 10 * MINUTE,
})
const standing = { status: 'running' as const, since: 0 }
const enter = (seq: number) => ({ kind: 'enter_delegation', entry: entryOf(seq), standing }) as const
const TASK = { id: 'task_1', mode: 'orchestrator', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
const ADMIT = { kind: 'admit', entry: TASK, open_max: 9, daily: NO_TOTAL } as const

afterEach(() => vi.useRealTimers())

/** Whether a wait has ended by the time that the object has answered something else. */
function watched(wait: Promise<void>) {
  const state = { ended: false }
  void wait.then(() => (state.ended = true))
  return state
}

it('POOL-08 the name of its object holds tenant and pool, and is that of no shard', () => {
  const name = poolObjectName('acme', '3')
  expect([name, tenantIn(name), poolIn(name), shardIn(name)]).toEqual(['["acme","3"]', 'acme', '3', 0])
  expect([poolOfJob(name), shardOfJob(name), poolOfJob('["acme"]'), poolOfJob('["acme",3]')]).toEqual([
    { pool: '3' },
    {},
    {},
    {},
  ])
  for (const wrong of ['["acme","g.p"]', '["acme",""]', '["acme","gpu",1]'])
    expect([wrong, tenantIn(wrong), poolIn(wrong)]).toEqual([wrong, null, null])
})

describe('the object of a pool', () => {
  it('POOL-02 wakes a waiter of its own, and none of another pool, of the default pool or of another tenant', async () => {
    const tenant = crypto.randomUUID()
    const [gpu, cpu, none] = [store().pool(tenant, 'gpu'), store().pool(tenant, 'cpu'), store().workspace(tenant)]
    const foreign = store().pool(crypto.randomUUID(), 'gpu')
    const others = [cpu, none, foreign].map((object) => watched(object.awaitDelegation(20_000)))
    const own = gpu.awaitDelegation(20_000)
    await vi.waitUntil(async () => (await gpu.ask({ kind: 'pool_counts' })).waiting === 1)
    for (const object of [cpu, none, foreign])
      await vi.waitUntil(async () => (await object.ask({ kind: 'pool_counts' })).waiting === 1)
    await gpu.tell(enter(4))
    await own
    expect(await gpu.ask({ kind: 'pool_counts' })).toEqual({ pending: 1, claimed: 0, waiting: 0 })
    for (const object of [cpu, none, foreign])
      expect(await object.ask({ kind: 'pool_counts' })).toEqual({ pending: 0, claimed: 0, waiting: 1 })
    expect(others.map(({ ended }) => ended)).toEqual([false, false, false])
    for (const name of [[tenant, 'cpu'], [tenant]])
      await evictDurableObject(env.WORKSPACES.getByName(JSON.stringify(name)))
  })

  it('POOL-03 enters nothing for a task that nobody vouches for, and finds a settled command again', async () => {
    const gpu = store().pool(crypto.randomUUID(), 'gpu')
    await gpu.tell({ kind: 'enter_delegation', entry: entryOf(2) })
    expect((await gpu.ask({ kind: 'delegations', ...ANY })).entries).toEqual([])
    const one = enter(4)
    await gpu.tell(one)
    const { id } = one.entry
    await gpu.tell({ kind: 'settle_delegation', id, status: 'reported' })
    const claim = { kind: 'claim_delegation', id, worker: 'a', lease_ms: MINUTE } as const
    expect(await gpu.tell(claim)).toMatchObject({ refusal: { code: 'already_reported' } })
    await gpu.tell(one)
    expect((await gpu.ask({ kind: 'delegations', ...ANY })).entries.map(({ status }) => status)).toEqual(['reported'])
  })

  it('POOL-03 the index notes the pool of a task that it knows, and names the pools that have a task', async () => {
    const workspace = store().workspace(crypto.randomUUID())
    const tie = { kind: 'tie_to_pool', task: 'task_1', pool: 'gpu' } as const
    expect(await workspace.tell(tie)).toBeNull()
    await workspace.tell(ADMIT)
    expect(await workspace.tell(tie)).toMatchObject({ status: 'running', since: expect.any(Number) })
    await workspace.tell(tie)
    expect(await workspace.ask({ kind: 'admission', id: 'task_1' })).toMatchObject({ pool: 'gpu' })
    for (const n of [2, 3]) {
      await workspace.tell({ ...ADMIT, entry: { ...TASK, id: `task_${n}` } })
      await workspace.tell({ ...tie, task: `task_${n}`, pool: n === 2 ? 'gpu' : 'cpu' })
    }
    expect(await workspace.ask({ kind: 'pools', after: '', limit: 9 })).toEqual(['cpu', 'gpu'])
    expect(await workspace.ask({ kind: 'pools', after: 'cpu', limit: 9 })).toEqual(['gpu'])
    expect(await workspace.ask({ kind: 'pools', after: '', limit: 1 })).toEqual(['cpu'])
    const drop = async (id: string) => {
      const admission = await workspace.ask({ kind: 'admission', id })
      await workspace.tell({ kind: 'drop', id, admitted: [admission?.admitted ?? ''] })
    }
    await drop('task_1')
    await drop('task_3')
    expect(await workspace.ask({ kind: 'pools', after: '', limit: 9 })).toEqual(['gpu'])
  })

  it('POOL-05 forgets a task that is gone, and cancels no command behind the row that an end speaks of', async () => {
    const gpu = store().pool(crypto.randomUUID(), 'gpu')
    for (const seq of [4, 9]) await gpu.tell(enter(seq))
    const note = { kind: 'note_task_change', task: 'task_1' } as const
    await gpu.tell({ ...note, change: 'ended', until: 5 })
    const statuses = async () =>
      (await gpu.ask({ kind: 'delegations', ...ANY })).entries.map(({ id, status }) => [id, status])
    expect(await statuses()).toEqual([
      [entryOf(9).id, 'pending'],
      [entryOf(4).id, 'canceled'],
    ])
    await gpu.tell({ ...note, change: 'gone' })
    expect(await statuses()).toEqual([])
  })
})

describe('POOL-08 the object of a pool without commands', () => {
  const within = <T>(
    tenant: string,
    body: (object: WorkspaceObject, storage: DurableObjectStorage) => T | Promise<T>,
  ) =>
    runInDurableObject(env.WORKSPACES.getByName(poolObjectName(tenant, 'gpu')), (object: WorkspaceObject, state) =>
      body(object, state.storage),
    )
  const tablesOf = (tenant: string) =>
    within(tenant, (_object, { sql }) =>
      sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    )
  const NOTE = { kind: 'note_task_change', task: 'task_1' } as const

  it('POOL-08 keeps no table, whatever it is asked or told', async () => {
    const tenant = crypto.randomUUID()
    const gpu = store().pool(tenant, 'gpu')
    expect(await gpu.ask({ kind: 'delegations', ...ANY })).toEqual({ entries: [], has_more: false })
    expect(await gpu.ask({ kind: 'pool_counts' })).toEqual({ pending: 0, claimed: 0, waiting: 0 })
    expect(await gpu.ask({ kind: 'claim', id: entryOf(4).id })).toBeNull()
    await gpu.awaitDelegation(10)
    for (const change of ['ended', 'reopened', 'gone'] as const) await gpu.tell({ ...NOTE, change })
    const claim = { kind: 'claim_delegation', id: entryOf(4).id, worker: 'a', lease_ms: MINUTE } as const
    expect(await gpu.tell(claim)).toMatchObject({ refusal: { code: 'delegation_not_found' } })
    await gpu.tell({ kind: 'settle_delegation', id: entryOf(4).id, status: 'canceled' })
    await gpu.tell({ kind: 'remind', settled: [], max: 9, timezone: 'UTC' })
    await gpu.tell({ kind: 'enter_delegation', entry: entryOf(4) })
    expect(await tablesOf(tenant)).toEqual([])
  })

  it('POOL-08 deletes all with its last task, also its alarm, and who waits in it is woken by the next command', async () => {
    const { tenant, within: inBound, asked, ring } = poolAt()
    await inBound((object) => void object.tell(enter(4)))
    expect(await inBound((_object, { storage }) => storage.getAlarm())).not.toBeNull()
    await inBound((object) => void object.tell({ ...NOTE, change: 'gone' }))
    expect(await tablesOf(tenant)).toEqual([])
    expect(await inBound((_object, { storage }) => storage.getAlarm())).toBeNull()
    await inBound(async (object) => {
      const waiting = object.awaitDelegation(20_000)
      object.tell(enter(6))
      await waiting
    })
    expect(await store().pool(tenant, 'gpu').ask({ kind: 'pool_counts' })).toMatchObject({ pending: 1 })
    await ring()
    expect(asked).toHaveLength(1)
  })
})

/** The object of the pool `gpu` of a new tenant, in an environment that names shards, a receiver and an index database. */
function poolAt() {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  const tenant = crypto.randomUUID()
  const stub = env.WORKSPACES.getByName(poolObjectName(tenant, 'gpu'))
  const asked: Job[] = []
  const bound = {
    ...env,
    TENANT_SHARDS: `${tenant}:4`,
    WEBHOOK_URL: `${tenant}:https://receiver.example.com/in`,
    INDEX: {},
    JOBS: { send: async (job: Job) => void asked.push(job) },
  }
  const within = <T>(body: (object: WorkspaceObject, state: DurableObjectState) => T | Promise<T>) =>
    runInDurableObject(stub, (object: WorkspaceObject, state) => {
      Object.defineProperty(object, 'env', { value: bound, configurable: true })
      return body(object, state)
    })
  return { tenant, stub, asked, within, ring: () => within(() => undefined).then(() => runDurableObjectAlarm(stub)) }
}

describe('the object of a pool of a tenant with shards and an index database', () => {
  it('POOL-08 is no shard, feeds no index, and asks for the notices of its own commands by the name of its pool', async () => {
    const { tenant, asked, within, ring } = poolAt()
    await within((object) => void object.tell(enter(4)))
    await ring()
    expect(asked).toEqual([{ kind: 'remind', tenant, pool: 'gpu', due_ms: expect.any(Number) }])
    const tables = await within((_object, { storage }) =>
      storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE name IN ('share', 'shares', 'ties', 'feed', 'outbox', 'pooled_tasks')",
        )
        .toArray(),
    )
    expect(tables).toEqual([])
    const CALL = { settled: [], max: 9, timezone: 'UTC' }
    const told = await within((object) => object.tell({ kind: 'remind', ...CALL }))
    expect(told).toMatchObject([{ id: `${entryOf(4).id}_pending`, type: 'delegation.pending' }])
    const settled = told.map(({ id, at }) => ({ id, at, delivered: true }))
    await within((object) => object.tell({ kind: 'remind', ...CALL, settled }))
    vi.setSystemTime(NOW + 5 * MINUTE)
    await ring()
    expect(asked).toHaveLength(1)
  })

  it('POOL-08 has no alarm without a notice to send, also after a restart', async () => {
    const { stub, within, asked } = poolAt()
    await within((object) => {
      object.tell(enter(4))
      object.tell({ kind: 'settle_delegation', id: entryOf(4).id, status: 'reported' })
    })
    await within(async (_object, { storage }) => storage.deleteAlarm())
    await evictDurableObject(stub)
    await within((object) => void object.ask({ kind: 'delegations', ...ANY }))
    expect([asked, await within((_object, { storage }) => storage.getAlarm())]).toEqual([[], null])
  })
})
