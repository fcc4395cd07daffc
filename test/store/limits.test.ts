/** The limits of tenants and keys in real objects, and in memory: many reservations at once, the turn of a month, tasks and bytes. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AllowanceChunk } from '../../src/core/terms/axes.ts'
import { dayOf, monthOf, type SpendLimits } from '../../src/core/workspace/daily-totals.ts'
import { FIRST_ROOM } from '../../src/core/workspace/stored-bytes.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { bytesMaxOf } from '../../src/shell/quotas/limits-of.ts'
import { storeWithRoom } from '../../src/shell/quotas/store-with-room.ts'
import { storeWithShards } from '../../src/shell/shards/store-with-shards.ts'
import { noteChunk } from '../../src/store/workspace/quotas/sql-spend.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { registryOf } from '../support/memory/memory-registry.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { FREE, NO_TOTAL, UNBOUNDED } from '../support/scripted.ts'

const tokens = (most: number | null) => ({ tokens: most, cost: null })
const entryOf = (id: string, key_name?: string) => ({
  id,
  mode: 'session',
  status: 'running' as const,
  metadata: {},
  goal: '',
  slice: 's',
  ...(key_name === undefined ? {} : { key_name }),
})
const real = () => durableStore(env.TASKS, env.WORKSPACES)
const sharded = () =>
  storeWithShards(
    real(),
    { shardsOf: () => ({ count: 4, since: 4 }), max_driven_tasks: 10, max_stored_bytes: 1e9 },
    Date.now,
  )
const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: 'boot', prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', real],
]

/** Tenant and key, day and month. The smallest of them is the month of the key. */
const limitsOf = (name: string): SpendLimits => ({
  daily: tokens(9_000),
  monthly: tokens(20_000),
  key: { name, daily: { tokens: 6_000, cost: 900 }, monthly: tokens(5_000) },
})

afterEach(() => void vi.useRealTimers())

describe.each([...stores, ['four shards', sharded] as [string, () => TaskStore]])('limits in %s', (_name, open) => {
  it('LIM-04 many tasks that reserve at once never get more than the smallest total, and all of it', async () => {
    const workspace = open().workspace(crypto.randomUUID())
    const chunks: AllowanceChunk[] = []
    const work = async (index: number) => {
      const want = { tokens: 7 + (index % 11), cost: 1, task: `task_${crypto.randomUUID()}`, key: 'key_a' }
      await workspace.tell({ kind: 'admit', entry: entryOf(want.task, 'key_a'), open_max: 999, daily: NO_TOTAL })
      for (;;) {
        const chunk = await workspace.tell({ kind: 'reserve', want, ...limitsOf('key_a') })
        if (chunk === null) return
        chunks.push(chunk)
      }
    }
    await Promise.all(Array.from({ length: 24 }, (_, index) => work(index)))
    const got = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
    expect(got).toBeLessThanOrEqual(5_000)
    expect(got).toBeGreaterThan(5_000 - 24 * 18)
    // Another key has what the tenant has left of its day.
    const want = { tokens: 1_000, cost: 0, key: 'key_b' }
    expect(await workspace.tell({ kind: 'reserve', want, ...limitsOf('key_b') })).toMatchObject({ scarce: true })
    const { totals } = await workspace.ask({ kind: 'limit_use', ...limitsOf('key_a') })
    expect(totals.every(({ limits, spent }) => spent.tokens <= (limits.tokens ?? Infinity))).toBe(true)
  })

  it('LIM-04 what is given back can be reserved again, by the same key and by others', async () => {
    const workspace = open().workspace(crypto.randomUUID())
    const bounds = limitsOf('key_a')
    const want = { tokens: 5_000, cost: 0, key: 'key_a' }
    const chunk = await workspace.tell({ kind: 'reserve', want, ...bounds })
    expect(chunk?.tokens).toBe(5_000)
    expect(await workspace.tell({ kind: 'reserve', want: { ...want, tokens: 1 }, ...bounds })).toBeNull()
    if (chunk === null) throw new Error('nothing was reserved')
    await workspace.tell({ kind: 'give_back', refund: { day: chunk.day, tokens: 4_000, cost: 0, key: 'key_a' } })
    const { totals } = await workspace.ask({ kind: 'limit_use', ...bounds })
    expect(totals.map(({ spent }) => spent.tokens)).toEqual([1_000, 1_000, 1_000, 1_000])
    expect(await workspace.tell({ kind: 'reserve', want: { ...want, tokens: 4_000 }, ...bounds })).not.toBeNull()
  })

  it('LIM-06 open tasks are counted for the key that made them, and for its tenant', async () => {
    const workspace = open().workspace(crypto.randomUUID())
    const ids: string[] = []
    const admit = async (key_name?: string) => {
      const entry = entryOf(`task_${crypto.randomUUID()}`, key_name)
      ids.push(entry.id)
      return workspace.tell({ kind: 'admit', entry, open_max: 9, key_open_max: 3, daily: NO_TOTAL })
    }
    const admitted = await Promise.all(Array.from({ length: 6 }, () => admit('key_a')))
    // A shard finds what is unused in another one a second later.
    const later = () => vi.setSystemTime(Date.now() + 1_001)
    for (let tries = 0; tries < 2; tries++) {
      later()
      admitted.push(await admit('key_a'))
    }
    expect(admitted.filter(({ ok }) => ok)).toHaveLength(3)
    expect(admitted.find(({ ok }) => !ok)).toEqual({
      ok: false,
      refusal: { code: 'quota_exceeded', open: expect.any(Number), max: 3, holder: 'key' },
    })
    later()
    expect((await admit('key_b')).ok).toBe(true)
    later()
    expect((await admit()).ok).toBe(true)
    const use = () =>
      workspace.ask({ kind: 'limit_use', daily: NO_TOTAL, key: { name: 'key_a', daily: NO_TOTAL, monthly: NO_TOTAL } })
    expect(await use()).toMatchObject({ open_tasks: 5, key_open_tasks: 3 })
    const first = ids[admitted.findIndex(({ ok }) => ok)] ?? ''
    await workspace.tell({ kind: 'set_status', id: first, status: 'canceled', version: 2, spend: null })
    expect(await use()).toMatchObject({ open_tasks: 4, key_open_tasks: 2 })
    later()
    expect((await admit('key_a')).ok).toBe(true)
    // Its next run counts for the key that made it, whoever asks for it.
    const reopen = (more: object) =>
      workspace.tell({ kind: 'reopen', id: first, open_max: 9, daily: NO_TOTAL, ...more })
    await workspace.tell({ kind: 'set_status', id: first, status: 'completed', version: 3, spend: null })
    later()
    expect(await reopen({})).toEqual({ ok: true, value: { made_with: 'key_a' } })
    const key = { name: 'key_a', daily: NO_TOTAL, monthly: NO_TOTAL }
    expect(await reopen({ key, key_open_max: 3 })).toMatchObject({ refusal: { holder: 'key' } })
    later()
    expect(await reopen({ key, key_open_max: 4 })).toMatchObject({ ok: true, value: { pool: null } })
    expect(await use()).toMatchObject({ key_open_tasks: 4 })
  })
})

describe('the totals of a month', () => {
  const stubOf = (tenant: string) => env.WORKSPACES.getByName(JSON.stringify([tenant]))

  it('LIM-04 are the sum of its days: what was spent in other months does not count, and what was spent before does', async () => {
    const tenant = crypto.randomUUID()
    await runInDurableObject(stubOf(tenant), (object, { storage: { sql } }) => {
      object.ask({ kind: 'used_bytes' })
      const today = dayOf(Date.now())
      const month = monthOf(today)
      const [year = 0, number = 1] = month.split('-').map(Number)
      const before = dayOf(Date.UTC(year, number - 1, 0))
      const after = dayOf(Date.UTC(year, number, 1))
      const first = `${month}-01`
      for (const day of new Set([before, after, first]))
        sql.exec('INSERT INTO spend (day, tokens, cost) VALUES (?, 700, 0)', day)
      const bounds = { daily: tokens(null), monthly: tokens(1_000) }
      const reserve = (amount: number) => object.tell({ kind: 'reserve', want: { tokens: amount, cost: 0 }, ...bounds })
      expect(reserve(301)).toBeNull()
      expect(reserve(300)).toMatchObject({ tokens: 300, day: today })
      expect(object.tell({ kind: 'admit', entry: entryOf('task_1'), open_max: 9, ...bounds })).toMatchObject({
        refusal: { code: 'tenant_budget_exceeded', spent: { holder: 'tenant', period: 'month', axis: 'tokens' } },
      })
      // What a task gives back belongs to the day, and so to the month, on which it was reserved.
      object.tell({ kind: 'give_back', refund: { day: before, tokens: 500, cost: 0 } })
      expect(reserve(1)).toBeNull()
      object.tell({ kind: 'give_back', refund: { day: first, tokens: 500, cost: 0 } })
      expect(reserve(500)).not.toBeNull()
    })
  })

  it('LIM-04 rows of keys from before the last month are dropped once a day, also those of keys that have ended', async () => {
    await runInDurableObject(stubOf(crypto.randomUUID()), (object, { storage: { sql } }) => {
      const bounds = { daily: tokens(null), key: { name: 'key_a', daily: tokens(100), monthly: tokens(100) } }
      const reserve = () => object.tell({ kind: 'reserve', want: { tokens: 1, cost: 0 }, ...bounds })
      reserve()
      for (const day of ['2020-01-01', '2020-02-01'])
        sql.exec(
          "INSERT INTO key_spend (name, day, tokens, cost) VALUES ('key_a', ?, 1, 1), ('key_b', ?, 1, 1)",
          day,
          day,
        )
      sql.exec('DELETE FROM spend')
      reserve()
      const days = (name: string) => sql.exec('SELECT day FROM key_spend WHERE name = ?', name).toArray().length
      expect([days('key_a'), days('key_b')]).toEqual([1, 0])
    })
  })

  it('LIM-04 a reservation looks at few of the tasks that hold a part, and those that are too old go all the same', async () => {
    await runInDurableObject(stubOf(crypto.randomUUID()), (object, { storage: { sql } }) => {
      const bounds = { daily: tokens(1e9) }
      const reserve = (task: string) => object.tell({ kind: 'reserve', want: { tokens: 1, cost: 0, task }, ...bounds })
      reserve('task_0')
      const enter = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO chunks (task, at) SELECT 'task_' || printf('%08x', i * 800000), ? FROM n`
      sql.exec(enter, Date.now())
      let read = 0
      const counting = {
        exec(query: string, ...values: SqlStorageValue[]) {
          const cursor = sql.exec(query, ...values)
          const rows = cursor.toArray()
          read += cursor.rowsRead
          return { toArray: () => rows }
        },
      } as unknown as SqlStorage // what a note uses of it
      noteChunk(counting, 'task_5', Date.now())
      expect(read).toBeLessThan(100)
      sql.exec('UPDATE chunks SET at = 1')
      for (let n = 0; n < 500; n++) reserve(`task_${((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}`)
      const { old } = sql.exec<{ old: number }>('SELECT count(*) AS old FROM chunks WHERE at = 1').one()
      expect(old).toBeLessThan(500)
    })
  })
})

describe('LIM-07 the bytes of a tenant', () => {
  it('LIM-07 are those of the registry for its tasks and for the rows of its workspace', async () => {
    const tenant = crypto.randomUUID()
    const used = await real().workspace(tenant).ask({ kind: 'used_bytes' })
    const stored_bytes = used + FIRST_ROOM + 20_000
    const registry = registryOf({ tenants: { [tenant]: { stored_bytes } } })
    const store = storeWithRoom(real(), (one) => bytesMaxOf({ registry, max_stored_bytes: 1e9 }, one))
    const workspace = store.workspace(tenant)
    const admit = (id: string) => workspace.tell({ kind: 'admit', entry: entryOf(id), open_max: 9, daily: NO_TOTAL })
    expect((await admit('task_1')).ok).toBe(true)
    expect(await admit('task_2')).toMatchObject({ refusal: { code: 'quota_exceeded', bytes_max: stored_bytes } })
    const secret = (length: number) =>
      workspace.tell({
        kind: 'put_secret',
        secret: { name: 'big', hosts: ['a.example'], key_id: 'k', sealed: 'x'.repeat(length) },
        secrets_max: 9,
      })
    expect(await secret(200_000)).toMatchObject({ refusal: { code: 'quota_exceeded', bytes_max: stored_bytes } })
    // Another tenant has what the service is configured with.
    const other = store.workspace(crypto.randomUUID())
    for (const id of ['task_1', 'task_2'])
      expect(await other.tell({ kind: 'admit', entry: entryOf(id), open_max: 9, daily: NO_TOTAL })).toMatchObject({
        ok: true,
      })
  })
})
