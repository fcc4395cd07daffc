/** The Worker of `npm run reindex` over real objects: which entries of an index it forgets. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import reindexWorker from '../../scripts/lib/reindex-worker.js'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import { enterDelegation } from '../../src/shell/pools/pools.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { benchOf, CALLER, createTask, NO_TOTAL, NONE, planned } from '../support/scripted.ts'

it('U43 an entry whose task is missing is forgotten a minute after it was admitted, and one whose task is there stays', async () => {
  const tenant = crypto.randomUUID()
  const store = durableStore(env.TASKS, env.WORKSPACES)
  const bench = benchOf({ plan: [planned('A')] }, { store, random_id: () => crypto.randomUUID().replaceAll('-', '') })
  const { id } = await createTask(bench, {}, NONE, { caller: { ...CALLER, tenant } })
  const workspace = store.workspace(tenant)
  for (const missing of ['task_old', 'task_new']) {
    const entry = { id: missing, mode: 'session', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
    await workspace.tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
  }
  const stub = env.WORKSPACES.getByName(JSON.stringify([tenant]))
  await runInDurableObject(stub, (_object, { storage: { sql } }) => {
    sql.exec("UPDATE tasks SET at = at - 3600000 WHERE id != 'task_new'")
  })
  const request = new Request('http://reindex', {
    method: 'POST',
    body: JSON.stringify({ kind: 'entries', tenant, before: 0 }),
  })
  const answer = await reindexWorker.fetch(request, env)
  expect(await answer.json()).toEqual({ entries: 3, forgotten: 1, next: null })
  const filter = { status: null, mode: null, metadata: {}, q: null, outcome: null }
  const { entries } = await workspace.ask({ kind: 'list', filter, before: 0, limit: 9 })
  expect(entries.map((entry) => entry.id)).toEqual(['task_new', id])
})

it('POOL-05 an entry that is forgotten is forgotten by the pool of its commands too', async () => {
  const tenant = crypto.randomUUID()
  const store = durableStore(env.TASKS, env.WORKSPACES)
  const workspace = store.workspace(tenant)
  const entry = { id: 'task_1', mode: 'orchestrator', status: 'running' as const, metadata: {}, goal: '', slice: 's' }
  await workspace.tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
  const at = Date.now()
  const command = { id: delegationId('task_1', 3), task: 'task_1', type: 'new' as const, at, deadline: at + 60_000 }
  await enterDelegation(store, { tenant, pool: 'gpu' }, command)
  const pool = store.pool(tenant, 'gpu')
  expect(await pool.ask({ kind: 'pool_counts' })).toMatchObject({ pending: 1 })
  const asked = { kind: 'entries', tenant, before: 0, alone: true }
  await reindexWorker.fetch(new Request('http://reindex', { method: 'POST', body: JSON.stringify(asked) }), env)
  expect(await pool.ask({ kind: 'pool_counts' })).toMatchObject({ pending: 0 })
  expect(await workspace.ask({ kind: 'pools', after: '', limit: 9 })).toEqual([])
})

it('SHARD-08 the entries of each shard are looked at and counted alone', async () => {
  const tenant = crypto.randomUUID()
  const store = durableStore(env.TASKS, env.WORKSPACES)
  for (const shard of [0, 2]) {
    const entry = {
      id: `task_in_${shard}`,
      mode: 'session',
      status: 'running' as const,
      metadata: {},
      goal: '',
      slice: 's',
    }
    await store.workspace(tenant, shard).tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
  }
  const ask = async (asked: object) => {
    const request = new Request('http://reindex', { method: 'POST', body: JSON.stringify({ tenant, ...asked }) })
    return (await reindexWorker.fetch(request, env)).json()
  }
  expect(await ask({ kind: 'entries', shard: 2, before: 0, alone: true })).toEqual({
    entries: 1,
    forgotten: 1,
    next: null,
  })
  expect(await ask({ kind: 'recount', shard: 2 })).toMatchObject({ open: 0 })
  expect(await ask({ kind: 'recount' })).toMatchObject({ open: 1 })
})
