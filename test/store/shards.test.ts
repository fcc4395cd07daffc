/** Several shards of one tenant, each an object of its own, as the requests of the service see them (SHARD-01 …). */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { delegationId } from '../../src/core/terms/delegation-id.ts'
import { FIRST_ROOM } from '../../src/core/workspace/stored-bytes.ts'
import type { RemoteTask } from '../../src/core/replay/stored-task.ts'
import { refuse } from '../../src/core/terms/refusal.ts'
import { homesOf, shardsOf, type ShardLayout } from '../../src/core/workspace/shards/layout.ts'
import { serviceCaller } from '../../src/shell/caller.ts'
import { wakeHolders } from '../../src/shell/jobs/drive.ts'
import { storeWithShards } from '../../src/shell/shards/store-with-shards.ts'
import { keepPool } from '../../src/store/workspace/delegations/pooled-tasks.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { workspaceName } from '../../src/store/workspace/owner.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import V1 from '../fixtures/workspaces/v1.json'
import V2 from '../fixtures/workspaces/v2.json'
import V3 from '../fixtures/workspaces/v3.json'
import V4 from '../fixtures/workspaces/v4.json'
import { workspaceAt } from '../support/workspace-at.ts'
import { NO_TOTAL } from '../support/scripted.ts'

const GB = 1_073_741_824
const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }

const entryOf = (id: string) => ({
  id,
  mode: 'plan_execute',
  status: 'running' as const,
  metadata: {},
  goal: `goal of ${id}`,
  slice: `s of ${id}`,
})

function tenantWith(layout: ShardLayout, limits: { slots?: number; bytes?: number } = {}) {
  const tenant = crypto.randomUUID()
  const there = new Set<string>()
  // Of a task only whether it is there is asked.
  const of = (_tenant: string, id: string) =>
    ({
      ask: async () => (there.has(id) ? { ok: true } : refuse({ code: 'task_not_found' })),
      wake: async () => false,
    }) as unknown as RemoteTask
  const stored = { ...durableStore(env.TASKS, env.WORKSPACES), of }
  const at = { layout, now: Date.now() }
  const config = {
    shardsOf: () => at.layout,
    max_driven_tasks: limits.slots ?? 10,
    max_stored_bytes: limits.bytes ?? GB,
  }
  const store = storeWithShards(stored, config, () => at.now)
  const workspace = () => store.workspace(tenant)
  return {
    tenant,
    ports: { store, clock: { now_ms: () => at.now, wall_ms: () => at.now } },
    there,
    grow: (next: ShardLayout) => void (at.layout = next),
    later: (ms: number) => void (at.now += ms),
    workspace,
    /** The same tenant as another isolate of the service sees it. */
    elsewhere: () => storeWithShards(stored, config, () => at.now).workspace(tenant),
    shard: (number: number) => store.workspace(tenant, number),
    admit: (id: string, open_max = 1_000) =>
      workspace().tell({ kind: 'admit', entry: entryOf(id), open_max, daily: NO_TOTAL }),
    end: (id: string, version = 9) =>
      workspace().tell({ kind: 'set_status', id, status: 'completed', version, spend: null }),
    within: <T>(number: number, body: (sql: SqlStorage) => T) =>
      runInDurableObject(env.WORKSPACES.getByName(workspaceName(tenant, number)), (object: WorkspaceObject, state) => {
        // Its tables are made by the first call.
        object.ask({ kind: 'used_bytes' })
        return body(state.storage.sql)
      }),
  }
}
const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `task_${(n + from).toString(16).padStart(32, 'f')}`)
const FOUR = { count: 4, since: 1 }

async function listed(tenant: ReturnType<typeof tenantWith>, limit = 7) {
  const found: string[] = []
  for (let before = 0; ;) {
    const page = await tenant.workspace().ask({ kind: 'list', filter: ANY, before, limit })
    found.push(...page.entries.map(({ id }) => id))
    if (page.next === null) return found
    before = page.next
  }
}
const openIn = (sql: SqlStorage) =>
  sql.exec<{ value: number }>("SELECT value FROM counters WHERE name = 'open_tasks'").one().value

describe('shards of a tenant', () => {
  it('SHARD-02 each task is entered in its shard, and a list shows all of them once, the newest first', async () => {
    const tenant = tenantWith(FOUR)
    const all = ids(40)
    for (const id of all) expect(await tenant.admit(id)).toEqual({ ok: true, value: null })
    const counts = await Promise.all(shardsOf(FOUR).map((number) => tenant.within(number, openIn)))
    expect(counts).toEqual(shardsOf(FOUR).map((number) => all.filter((id) => homesOf(id, FOUR)[0] === number).length))
    const shown = await listed(tenant)
    expect(shown.toSorted()).toEqual(all.toSorted())
    expect(new Set(shown).size).toBe(40)
  })

  it('SHARD-03 the shards together admit as many open tasks as the tenant may have, and not one more', async () => {
    const tenant = tenantWith(FOUR)
    const answers = []
    for (const id of ids(60)) answers.push(await tenant.admit(id, 25))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(25)
    expect(answers.at(-1)).toEqual({ ok: false, refusal: { code: 'quota_exceeded', open: 25, max: 25 } })
    // What ends in one shard makes room in any other, at the latest a second later.
    const [first = ''] = ids(1)
    await tenant.end(first)
    tenant.later(1_001)
    vi.setSystemTime(Date.now() + 1_001)
    const elsewhere = ids(60, 100).find((id) => homesOf(id, FOUR)[0] !== homesOf(first, FOUR)[0]) ?? ''
    expect(await tenant.admit(elsewhere, 25)).toEqual({ ok: true, value: null })
    vi.useRealTimers()
  })

  it('SHARD-03 a create that a share has room for is one call to one shard', async () => {
    const tenant = tenantWith({ count: 4, since: 4 })
    const [first = '', ...rest] = ids(200).filter((id) => homesOf(id, { count: 4, since: 4 })[0] === 2)
    await tenant.admit(first, 100_000)
    const before = await tenant.within(0, (sql) => sql.exec('SELECT * FROM shares').toArray())
    for (const id of rest.slice(0, 20)) await tenant.admit(id, 100_000)
    expect(await tenant.within(0, (sql) => sql.exec('SELECT * FROM shares').toArray())).toEqual(before)
    expect(await tenant.within(2, openIn)).toBe(21)
  })

  it('SHARD-03 a share and its ledger do not grow with the keys that have ended', async () => {
    const tenant = tenantWith({ count: 4, since: 4 })
    const mine = ids(400).filter((id) => homesOf(id, { count: 4, since: 4 })[0] === 2)
    for (const [n, id] of mine.slice(0, 60).entries()) {
      const entry = { ...entryOf(id), key_name: `key_${n}` }
      const told = { kind: 'admit', entry, open_max: 1_000, key_open_max: 8, daily: NO_TOTAL } as const
      expect(await tenant.workspace().tell(told)).toEqual({ ok: true, value: null })
      await tenant.end(id)
    }
    const axesIn = (shard: number, table: string) =>
      tenant.within(shard, (sql) => {
        const rows = sql.exec<{ amounts: string }>(`SELECT amounts FROM ${table}`).toArray()
        return rows.map(({ amounts }) => Object.keys(JSON.parse(amounts) as object).length)
      })
    expect(Math.max(...(await axesIn(2, 'share')))).toBeLessThan(20)
    expect(Math.max(...(await axesIn(0, 'shares')))).toBeLessThan(20)
  })

  it('SHARD-03 the bytes of all shards stay within the bound of the tenant, and a refusal names those of the tenant', async () => {
    const max = 4_000_000
    const tenant = tenantWith(FOUR, { bytes: max })
    const all = ids(16)
    for (const id of all) await tenant.admit(id)
    const rooms = []
    for (const task of all)
      rooms.push(await tenant.workspace().tell({ kind: 'hold_room', task, least: 500_000, most: 600_000, max }))
    expect(rooms.filter(({ ok }) => ok).length).toBeGreaterThan(3)
    expect(rooms.findLast(({ ok }) => !ok)).toMatchObject({ refusal: { code: 'quota_exceeded', bytes_max: max } })
    const used = await tenant.workspace().ask({ kind: 'used_bytes' })
    expect(used).toBeLessThanOrEqual(max)
    expect(used).toBeGreaterThan(max - 500_000)
  })

  it('SHARD-02 tasks from before a growth are found where they are, counted once, and free what they have there', async () => {
    const tenant = tenantWith({ count: 1, since: 1 })
    const old = ids(12)
    for (const id of old) await tenant.admit(id, 30)
    old.forEach((id) => tenant.there.add(id))
    tenant.grow(FOUR)
    // A create that comes again finds the task.
    for (const id of old) expect(await tenant.admit(id, 30)).toEqual({ ok: true, value: null })
    expect(await Promise.all([0, 1, 2, 3].map((number) => tenant.within(number, openIn)))).toEqual([12, 0, 0, 0])
    const fresh = ids(12, 500)
    for (const id of fresh) await tenant.admit(id, 30)
    expect((await listed(tenant)).toSorted()).toEqual([...old, ...fresh].toSorted())
    const [ended = '', deleted = ''] = old
    await tenant.end(ended)
    expect(await tenant.within(0, openIn)).toBe(11 + fresh.filter((id) => homesOf(id, FOUR)[0] === 0).length)
    const before = await tenant.workspace().ask({ kind: 'used_bytes' })
    const removal = await tenant.workspace().tell({ kind: 'begin_removal', id: deleted })
    await tenant.workspace().tell({ kind: 'drop', id: deleted, admitted: [removal?.admitted ?? ''] })
    expect(await tenant.workspace().ask({ kind: 'used_bytes' })).toBe(before - FIRST_ROOM)
    expect(await listed(tenant)).not.toContain(deleted)
    tenant.grow({ count: 16, since: 1 })
    expect((await listed(tenant)).length).toBe(23)
    await tenant.end(fresh[0] ?? '')
    expect(
      (await tenant.workspace().ask({ kind: 'list', filter: { ...ANY, status: 'completed' }, before: 0, limit: 9 }))
        .entries.length,
    ).toBe(2)
  })

  it('SHARD-02 an entry that two requests made under different numbers is dropped from the older shard when that looks at it', async () => {
    const tenant = tenantWith({ count: 1, since: 1 })
    const id = ids(50).find((one) => homesOf(one, FOUR)[0] !== 0) ?? ''
    await tenant.admit(id)
    tenant.grow(FOUR)
    await tenant.admit(id)
    expect(await listed(tenant)).toEqual([id, id])
    const newer = homesOf(id, FOUR)[0]
    await tenant.within(0, (sql) => keepPool(sql, id, 'gpu'))
    await tenant.within(newer, (sql) => keepPool(sql, id, 'cpu'))
    await tenant.shard(newer).tell({ kind: 'drop_double', id })
    await tenant.shard(0).tell({ kind: 'drop_double', id })
    expect(await listed(tenant)).toEqual([id])
    expect(await tenant.workspace().ask({ kind: 'pools', after: '', limit: 9 })).toEqual(['cpu'])
    expect([await tenant.within(0, openIn), await tenant.within(newer, openIn)]).toEqual([0, 1])
  })

  it('SHARD-07 a run slot that becomes free in one shard goes to the task that waits in another', async () => {
    const tenant = tenantWith(FOUR, { slots: 1 })
    const [one = '', other = '', third = ''] = [1, 2, 1].map(
      (shard, n) => ids(90).filter((id) => homesOf(id, FOUR)[0] === shard)[n],
    )
    for (const id of [one, other, third]) await tenant.admit(id)
    const acquire = (task: string) => tenant.workspace().tell({ kind: 'acquire_slot', task, version: 1 })
    const holdersIn = (number: number) =>
      tenant.within(number, (sql) => sql.exec<{ task: string }>('SELECT task FROM run_slots').toArray())
    const holders = async () => (await Promise.all([0, 1, 2, 3].map(holdersIn))).flat().map(({ task }) => task)
    const waits = [await acquire(one), await acquire(other), await acquire(third)]
    expect(waits).toEqual([true, false, false])
    expect(await holders()).toEqual([one])
    // The third waits in the shard of the first, and the second has waited longer.
    await tenant.end(one)
    expect(await holders()).toEqual([other])
    expect(await tenant.shard(2).tell({ kind: 'take_holders_to_wake' })).toEqual([other])
    expect(await acquire(other)).toBe(true)
    await tenant.end(other)
    expect(await holders()).toEqual([third])
  })

  it('SHARD-07 a holder that is gone frees its slot also where the deployment names fewer shards by now', async () => {
    const tenant = tenantWith(FOUR)
    const holder = ids(90).find((id) => homesOf(id, FOUR)[0] === 2) ?? ''
    await tenant.shard(2).tell({ kind: 'acquire_slot', task: holder, version: 1 })
    await tenant.within(2, (sql) => sql.exec('UPDATE run_slots SET look_at = 0'))
    tenant.grow({ count: 1, since: 1 })
    await wakeHolders(tenant.ports, serviceCaller(tenant.tenant), 2)
    expect(await tenant.within(2, (sql) => sql.exec('SELECT task FROM run_slots').toArray())).toEqual([])
  })

  it('SHARD-05 the end and the deletion of a task reach what the first shard keeps for it', async () => {
    const tenant = tenantWith(FOUR)
    const id = ids(50).find((one) => homesOf(one, FOUR)[0] === 3) ?? ''
    await tenant.admit(id)
    const workspace = tenant.workspace()
    const command = {
      locale: 'en',
      reader: 'model',
      wall_ms: Date.now(),
      timezone: 'UTC',
      caller_timezone: 'UTC',
    } as const
    const windows = { schedule_window_days: 31, conflict_preview_days: 31 }
    await workspace.tell({
      kind: 'run_command',
      command: '/todo add milk',
      key: `${id}:4`,
      request: null,
      ...command,
      ...windows,
    })
    const entry = {
      id: delegationId(id, 5),
      task: id,
      type: 'new' as const,
      at: Date.now(),
      deadline: Date.now() + 60_000,
    }
    await workspace.tell({ kind: 'enter_delegation', entry })
    const statuses = async () =>
      (await workspace.ask({ kind: 'delegations', status: null, before: 0, limit: 9 })).entries.map(
        ({ status }) => status,
      )
    expect(await statuses()).toEqual(['pending'])
    expect(
      await workspace.tell({ kind: 'claim_delegation', id: entry.id, worker: 'w', lease_ms: 1_000 }),
    ).toMatchObject({ ok: true })
    await tenant.end(id)
    expect(await statuses()).toEqual(['canceled'])
    // A settled one is found too.
    expect(
      await workspace.tell({ kind: 'claim_delegation', id: entry.id, worker: 'w', lease_ms: 1_000 }),
    ).toMatchObject({ refusal: { code: 'delegation_canceled' } })
    const kept = () =>
      tenant.within(0, (sql) =>
        ['applied', 'delegations', 'foreign_tasks'].map((table) => sql.exec(`SELECT * FROM ${table}`).toArray().length),
      )
    expect(await kept()).toEqual([1, 1, 1])
    tenant.later(60_000)
    // The entry belongs to a later task of the id.
    await workspace.tell({ kind: 'drop', id, admitted: ['another'] })
    expect(await kept()).toEqual([1, 1, 1])
    const removal = await workspace.tell({ kind: 'begin_removal', id })
    await workspace.tell({ kind: 'drop', id, admitted: [removal?.admitted ?? ''] })
    expect(await kept()).toEqual([0, 0, 0])
    expect(await tenant.within(3, (sql) => sql.exec('SELECT * FROM ties').toArray())).toEqual([])
    expect(await listed(tenant)).toEqual([])
  })

  it('SHARD-05 a task that is created again under its id keeps nothing of its earlier lives', async () => {
    const tenant = tenantWith(FOUR)
    const id = ids(50).find((one) => homesOf(one, FOUR)[0] === 3) ?? ''
    const addTodo = (title: string) =>
      tenant.workspace().tell({
        kind: 'run_command',
        command: `/todo add ${title}`,
        key: `${id}:4`,
        request: null,
        locale: 'en',
        reader: 'model',
        wall_ms: Date.now(),
        timezone: 'UTC',
        caller_timezone: 'UTC',
        schedule_window_days: 31,
        conflict_preview_days: 31,
      })
    const applied = () => tenant.within(0, (sql) => sql.exec('SELECT * FROM applied').toArray().length)
    // An effect that comes before the task is known ties nothing, and leaves no memory of it.
    await addTodo('bread')
    await tenant.within(0, (sql) => void sql.exec('DELETE FROM applied'))
    const lives = ['milk', 'eggs', 'salt']
    for (const [life, title] of lives.entries()) {
      await tenant.admit(id)
      const ran = await addTodo(title)
      expect(JSON.stringify(ran)).toContain(title)
      // One life ends in this isolate, and one in another.
      const remover = life === 0 ? tenant.elsewhere() : tenant.workspace()
      const removal = await remover.tell({ kind: 'begin_removal', id })
      await remover.tell({ kind: 'drop', id, admitted: [removal?.admitted ?? ''] })
      expect(await applied()).toBe(0)
    }
  })

  it('SHARD-05 nothing is entered for a task that no shard knows', async () => {
    const tenant = tenantWith(FOUR)
    const entry = {
      id: delegationId('task_x', 5),
      task: 'task_x',
      type: 'new' as const,
      at: 1,
      deadline: Date.now() + 60_000,
    }
    await tenant.workspace().tell({ kind: 'enter_delegation', entry })
    expect((await tenant.workspace().ask({ kind: 'delegations', status: null, before: 0, limit: 9 })).entries).toEqual(
      [],
    )
  })

  it('SHARD-06 deliveries that failed are kept with their tasks and listed together', async () => {
    const tenant = tenantWith(FOUR)
    const all = ids(12)
    for (const [n, task] of all.entries()) {
      await tenant.admit(task)
      const record = {
        id: `${task}_3`,
        task,
        seq: 3,
        type: 'task.completed',
        status: 'failed' as const,
        attempts: 9,
        detail: null,
        created: 1,
        updated: 1_790_000_000_000 + (n % 3),
      }
      await tenant.workspace().tell({ kind: 'note_delivery', record })
    }
    const seen: string[] = []
    for (let before = 0; ;) {
      const page = await tenant.workspace().ask({ kind: 'deliveries', status: null, before, limit: 5 })
      seen.push(...page.records.map(({ task }) => task))
      if (!page.has_more) break
      before = page.records.at(-1)?.position ?? 0
    }
    expect(seen.toSorted()).toEqual(all.toSorted())
    expect(await tenant.workspace().ask({ kind: 'delivery', id: `${all[4]}_3` })).toMatchObject({ task: all[4] })
  })

  it('SHARD-04 all shards reserve from one total of the day, and what nobody uses comes back', async () => {
    const tenant = tenantWith(FOUR)
    const daily = { tokens: 1_000, cost: null }
    const all = ids(40)
    for (const id of all) await tenant.admit(id)
    const held = new Map<string, number>()
    let refused = 0
    for (const id of all) {
      const chunk = await tenant.workspace().tell({ kind: 'reserve', want: { tokens: 30, cost: 0, task: id }, daily })
      if (chunk === null) refused += 1
      else held.set(id, chunk.tokens)
      tenant.later(1_001)
    }
    const sum = [...held.values()].reduce((total, tokens) => total + tokens, 0)
    expect(refused).toBeGreaterThan(0)
    expect(sum).toBeLessThanOrEqual(1_000)
    // Less than one more call is left, in whatever shard.
    expect(sum).toBeGreaterThan(1_000 - 30)
    expect(await tenant.workspace().ask({ kind: 'may_come_back', task: 'task_none' })).toBe(true)
    const [[giver = '', tokens = 0] = []] = held
    const day = new Date().toISOString().slice(0, 10)
    await tenant.workspace().tell({ kind: 'give_back', refund: { day, tokens, cost: 0, task: giver } })
    const taker = all.find((id) => !held.has(id) && homesOf(id, FOUR)[0] !== homesOf(giver, FOUR)[0]) ?? ''
    tenant.later(1_001)
    const again = await tenant.workspace().tell({ kind: 'reserve', want: { tokens: 30, cost: 0, task: taker }, daily })
    expect(again).toMatchObject({ scarce: true })
  })

  it('SHARD-04 new work is refused where a total is used up', async () => {
    const tenant = tenantWith(FOUR)
    const daily = { tokens: 100, cost: null }
    await tenant.shard(0).tell({ kind: 'reserve', want: { tokens: 100, cost: 0 }, daily })
    for (const id of ids(4)) {
      const refused = await tenant.workspace().tell({ kind: 'admit', entry: entryOf(id), open_max: 9, daily })
      expect(refused).toMatchObject({ ok: false, refusal: { code: 'tenant_budget_exceeded' } })
    }
  })

  it('SHARD-05 an agent with open tasks in another shard is in use', async () => {
    const tenant = tenantWith(FOUR)
    const workspace = tenant.workspace()
    const condition = { match: null, none_match: null }
    await workspace.tell({ kind: 'put_agent', name: 'a', definition: {}, condition, agents_max: 9 })
    const id = ids(50).find((one) => homesOf(one, FOUR)[0] === 2) ?? ''
    await workspace.tell({ kind: 'admit', entry: { ...entryOf(id), agent: 'a' }, open_max: 9, daily: NO_TOTAL })
    expect(await workspace.tell({ kind: 'drop_agent', name: 'a', condition, force: false })).toEqual({
      ok: false,
      refusal: { code: 'agent_in_use', name: 'a', tasks: 1, ids: [id] },
    })
  })
})

describe('workspaces of earlier releases under several shards', () => {
  it.each([
    ['v1', V1],
    ['v2', V2],
    ['v3', V3],
    ['v4', V4],
  ])(
    'SHARD-10 %s: its tasks are found, listed, changed and deleted, and new ones go to all shards',
    async (_, statements) => {
      const tenant = tenantWith(FOUR)
      await runInDurableObject(
        env.WORKSPACES.getByName(workspaceName(tenant.tenant, 0)),
        (_object, { storage: { sql } }) => {
          for (const statement of statements) sql.exec(statement)
          // Entries without a task are forgotten when they are old.
          sql.exec('UPDATE tasks SET at = ?', Date.now())
        },
      )
      const old = await listed(tenant)
      expect(old.length).toBeGreaterThan(1)
      const fresh = ids(12)
      for (const id of fresh) expect(await tenant.admit(id)).toEqual({ ok: true, value: null })
      expect((await listed(tenant)).slice(12)).toEqual(old)
      const [changed = '', gone = ''] = old
      await tenant.end(changed, 1_000)
      const found = await tenant
        .workspace()
        .ask({ kind: 'list', filter: { ...ANY, status: 'completed' }, before: 0, limit: 99 })
      expect(found.entries.map(({ id }) => id)).toContain(changed)
      const removal = await tenant.workspace().tell({ kind: 'begin_removal', id: gone })
      await tenant.workspace().tell({ kind: 'drop', id: gone, admitted: [removal?.admitted ?? ''] })
      expect(await listed(tenant)).not.toContain(gone)
    },
  )
})

describe('a number of shards that became smaller', () => {
  afterEach(() => void vi.useRealTimers())

  it('SHARD-08 refuses new work with the reason, and loses nothing', async () => {
    const desk = workspaceAt(Date.now(), () => ({}))
    const told = { shard: 1, number: 1, amounts: { open: 3 }, is_scarce: false, waits: false }
    await desk.within(
      (object) => void object.tell({ kind: 'settle_shares', shards: 4, told: [told], lacks: null, slots_max: 1 }),
    )
    const fewer = workspaceAt(Date.now(), () => ({}))
    const admit = (object: WorkspaceObject) =>
      object.tell({ kind: 'admit', entry: entryOf('task_1'), open_max: 9, daily: NO_TOTAL })
    expect(await fewer.within(admit)).toEqual({ ok: true, value: null })
    const { evictDurableObject } = await import('cloudflare:test')
    await evictDurableObject(desk.stub)
    expect(await desk.within(admit)).toEqual({
      ok: false,
      refusal: { code: 'not_configured', reasons: [expect.stringContaining('TENANT_SHARDS')] },
    })
  })
})
