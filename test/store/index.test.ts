/** The tenant's index and its tasks: what a request that died between the two leaves apart, a listing brings together. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { Status } from '../../src/core/terms/status.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { bootId } from '../../src/store/boot.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { mendAll } from '../support/mended.ts'
import {
  MANUAL,
  act,
  ALL,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  NONE,
  planned,
  step,
  type Script,
  FREE,
  UNBOUNDED,
  NO_TOTAL,
} from '../support/scripted.ts'

const TICKET = { slice: 's9', boot: bootId(), more: 'nothing' as const, wall_ms: 0, rounds: 9, key: null }
const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: bootId(), prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', () => durableStore(env.TASKS, env.WORKSPACES)],
]

/** A tenant of its own, on a clock that can be put forward. */
function tenantOn(store: TaskStore, script: Script = {}) {
  const caller = { ...CALLER, tenant: crypto.randomUUID() }
  const late = { ms: 0 }
  const bench = benchOf(script, {
    store,
    boot: bootId,
    random_id: () => crypto.randomUUID().replaceAll('-', ''),
    clock: { now_ms: () => Date.now() + late.ms, wall_ms: () => 0 },
  })
  const workspace = store.workspace(caller.tenant)
  const make = () => createTask(bench, {}, NONE, { caller })
  const list = async (status: Status | null = null) => {
    const page = await bench.service.listTasks(caller, { ...ANY, status }, { limit: 10, after: 0 })
    if (!page.ok) throw new Error('the list is refused')
    return page.value.data.map((task) => task.id)
  }
  const entries = async () =>
    (await workspace.ask({ kind: 'list', filter: ANY, before: 0, limit: 10 })).entries.map(({ id, status }) => [
      id,
      status,
    ])
  const admit = (id: string, open_max = 1_000, goal = '') =>
    workspace.tell({
      kind: 'admit',
      entry: { id, mode: 'plan_execute', status: 'running', metadata: {}, goal, slice: 's', ...MANUAL },
      open_max,
      daily: NO_TOTAL,
    })
  return {
    bench,
    caller,
    late,
    workspace,
    make,
    list,
    entries,
    admit,
    task: (id: string) => store.of(caller.tenant, id),
  }
}

describe.each(stores)('index: %s', (_name, open) => {
  it('a task whose request died before the index heard of its end is listed right once it was looked at', async () => {
    const one = tenantOn(open(), { plan: [planned('A'), planned('A')] })
    const ended = await one.make()
    const other = await one.make()
    await one.task(ended.id).tell({ kind: 'cancel' }, TICKET)
    expect(await one.list('canceled')).toEqual([])
    await mendAll(one.bench.ports, one.caller.tenant)
    expect(await one.list('running')).toEqual([other.id])
    expect(await one.list('canceled')).toEqual([ended.id])
    expect(await one.entries()).toEqual([
      [other.id, 'running'],
      [ended.id, 'canceled'],
    ])
  })

  it('such a task is open no longer: its place is free after that look', async () => {
    const one = tenantOn(open(), { plan: [planned('A')] })
    await one.task((await one.make()).id).tell({ kind: 'cancel' }, TICKET)
    expect(await one.admit('task_next', 1)).toEqual({ ok: false, refusal: { code: 'quota_exceeded', open: 1, max: 1 } })
    await mendAll(one.bench.ports, one.caller.tenant)
    expect(await one.admit('task_next', 1)).toEqual({ ok: true, value: null })
  })

  it('a request that finds its task ended by another tells the index, too', async () => {
    const one = tenantOn(open(), { plan: [planned('A')] })
    const { id } = await one.make()
    one.bench.ports.model = {
      async complete() {
        await one.task(id).tell({ kind: 'cancel' }, TICKET)
        return { kind: 'model_replied', text: JSON.stringify(done()), usage: null, model: 'm', form: 'text' }
      },
    }
    expect(await one.bench.service.stepTask(one.caller, id, ALL)).toMatchObject({
      value: { task: { status: 'canceled' } },
    })
    expect(await one.entries()).toEqual([[id, 'canceled']])
  })

  it.each<[string, Status, number, Status]>([
    ['an older version changes nothing', 'running', 4, 'completed'],
    ['the same version changes nothing', 'running', 5, 'completed'],
    ['a newer version is taken', 'running', 6, 'running'],
  ])('a status of %s', async (_which, status, version, kept) => {
    const one = tenantOn(open())
    await one.admit('task_1')
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 5, spend: null })
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status, version, spend: null })
    expect(await one.entries()).toEqual([['task_1', kept]])
  })

  it('a status of a task that is not listed makes no entry', async () => {
    const one = tenantOn(open())
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'running', version: 1, spend: null })
    expect(await one.entries()).toEqual([])
  })

  it('what a task cost is remembered once, at the first report of its end that is newer than the entry, newest first', async () => {
    const one = tenantOn(open())
    const spend = (steps: number) => ({ steps, tokens: 1, cost_usd: '0', seconds: 1, items: 1 })
    const steps = async () => (await one.workspace.ask({ kind: 'finished', limit: 9 })).map((cost) => cost.steps)
    for (const id of ['task_1', 'task_2']) await one.admit(id)
    await one.workspace.tell({ kind: 'set_status', id: 'task_2', status: 'completed', version: 5, spend: spend(2) })
    await one.workspace.tell({ kind: 'set_status', id: 'task_2', status: 'completed', version: 5, spend: spend(2) })
    // The answer of a request that came to nothing is a row behind the end.
    await one.workspace.tell({ kind: 'set_status', id: 'task_2', status: 'completed', version: 6, spend: spend(2) })
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 5, spend: spend(1) })
    expect(await steps()).toEqual([1, 2])
    await one.workspace.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 6, spend: spend(1) })
    expect(await steps()).toEqual([1, 2])
  })

  it('U20 a completed task is counted again for its next run, where there is room; one that is open or not listed is let be', async () => {
    const one = tenantOn(open())
    const full = { ok: false, refusal: { code: 'quota_exceeded', open: 1, max: 1 } }
    const OK = { ok: true, value: null }
    const reopen = (id: string, max: number) =>
      one.workspace.tell({ kind: 'reopen', id, open_max: max, daily: NO_TOTAL })
    for (const id of ['task_1', 'task_2']) await one.admit(id)
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 5, spend: null })
    expect([await reopen('task_1', 1), await reopen('task_2', 1), await reopen('task_3', 9)]).toEqual([full, OK, OK])
    expect(await reopen('task_1', 2)).toEqual({ ok: true, value: { until: 5, pool: null } })
    // Its version is that of its end: what is told of that late changes nothing.
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 5, spend: null })
    expect(await one.entries()).toEqual([
      ['task_2', 'running'],
      ['task_1', 'running'],
    ])
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 6, spend: null })
    expect((await one.entries()).at(-1)).toEqual(['task_1', 'completed'])
  })

  it.each([
    ['milk', ['task_2', 'task_1']],
    ['MILK and', ['task_1']],
    ['ÜBER', ['task_3']],
    ['ёлк', ['task_3']],
    ['牛奶', ['task_D4']],
    ['%', ['task_2']],
    ['_', ['task_D4', 'task_3', 'task_2', 'task_1']],
    ['100%', ['task_2']],
    ['m_lk', []],
    ["o'", ['task_3']],
    ['TASK_d4', ['task_D4']],
    ['milk  and', []],
  ])(
    'a search finds the tasks whose goal or id contains %s, in upper or lower case, and no character is special',
    async (q, ids) => {
      const one = tenantOn(open())
      const goals = ['Buy Milk and tea', '100% milk', "Über O'Neill, ЁЛКИ", '买牛奶']
      const named = ['task_1', 'task_2', 'task_3', 'task_D4']
      for (const [index, id] of named.entries()) await one.admit(id, 9, goals[index])
      const found = await one.workspace.ask({ kind: 'list', filter: { ...ANY, q }, before: 0, limit: 9 })
      expect(found.entries.map(({ id }) => id)).toEqual(ids)
      expect(
        (await one.workspace.ask({ kind: 'list', filter: { ...ANY, q, mode: 'session' }, before: 0, limit: 9 }))
          .entries,
      ).toEqual([])
      const paged = await one.workspace.ask({ kind: 'list', filter: { ...ANY, q }, before: 0, limit: 1 })
      expect(paged).toMatchObject({ has_more: ids.length > 1, entries: ids.slice(0, 1).map((id) => ({ id })) })
    },
  )

  it('a task is found by the goal it was made with, a fork by that of its parent, a dry run not at all', async () => {
    const one = tenantOn(open(), { plan: [planned('A'), planned('A')] })
    const made = await one.make()
    const find = async (q: string) => {
      const page = await one.bench.service.listTasks(one.caller, { ...ANY, q }, { limit: 9, after: 0 })
      return page.ok ? page.value.data.map(({ id }) => id) : page.refusal
    }
    const wish = { at: 2, settings: {}, outcome: null }
    const fork = await one.bench.service.forkTask(one.caller, made.id, wish)
    if (!fork.ok) throw new Error(fork.refusal.code)
    expect(await find(made.goal.toUpperCase())).toEqual([fork.value.task.id, made.id])
    expect(await find(`${made.goal}!`)).toEqual([])
  })

  it('U52 a fork is listed under its parent, and under no other task', async () => {
    const one = tenantOn(open(), { plan: [planned('A'), planned('A')] })
    const [made, other] = [await one.make(), await one.make()]
    const forksOf = async (forked_from: string) => {
      const page = await one.bench.service.listTasks(one.caller, { ...ANY, forked_from }, { limit: 9, after: 0 })
      return page.ok ? page.value.data.map(({ id }) => id) : page.refusal
    }
    const wish = { at: 1, settings: {}, outcome: null }
    const fork = await one.bench.service.forkTask(one.caller, made.id, wish)
    if (!fork.ok) throw new Error(fork.refusal.code)
    const { id } = fork.value.task
    const second = await one.bench.service.forkTask(one.caller, id, wish)
    if (!second.ok) throw new Error(second.refusal.code)
    expect([await forksOf(made.id), await forksOf(id), await forksOf(other.id)]).toEqual([
      [id],
      [second.value.task.id],
      [],
    ])
  })

  it('the cost of a later run replaces the earlier cost of the task', async () => {
    const one = tenantOn(open())
    const spend = (steps: number) => ({ steps, tokens: 1, cost_usd: '0', seconds: 1, items: 1 })
    for (const id of ['task_1', 'task_2']) await one.admit(id)
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 5, spend: spend(1) })
    await one.workspace.tell({ kind: 'set_status', id: 'task_2', status: 'completed', version: 5, spend: spend(2) })
    await one.workspace.tell({ kind: 'reopen', id: 'task_1', open_max: 9, daily: NO_TOTAL })
    await one.workspace.tell({ kind: 'set_status', id: 'task_1', status: 'completed', version: 9, spend: spend(3) })
    expect((await one.workspace.ask({ kind: 'finished', limit: 9 })).map(({ steps }) => steps)).toEqual([3, 2])
  })

  it('a page goes on with what is older than it, though newer tasks were deleted and made since', async () => {
    const one = tenantOn(open())
    for (const id of ['task_1', 'task_2', 'task_3', 'task_4']) await one.admit(id)
    const [, last] = (await one.workspace.ask({ kind: 'list', filter: ANY, before: 0, limit: 2 })).entries
    for (const id of ['task_2', 'task_3', 'task_4'])
      await one.workspace.tell({ kind: 'drop', id, admitted: ['life_s'] })
    // Positions are times, four of one millisecond the next four: only after those is what was deleted surely passed.
    const from = Date.now()
    while (Date.now() < from + 4) await one.workspace.ask({ kind: 'finished', limit: 1 })
    await one.admit('task_5')
    expect(
      (await one.workspace.ask({ kind: 'list', filter: ANY, before: last?.position ?? 0, limit: 9 })).entries.map(
        ({ id }) => id,
      ),
    ).toEqual(['task_1'])
    expect(await one.entries()).toEqual([
      ['task_5', 'running'],
      ['task_1', 'running'],
    ])
  })

  it('an entry without a task is kept for a minute, and then dropped by the next list', async () => {
    const one = tenantOn(open(), { plan: [planned('A')] })
    const other = await one.make()
    await one.admit('task_lost')
    one.late.ms = 55_000
    expect(await one.list()).toEqual([other.id])
    expect(await one.entries()).toHaveLength(2)
    one.late.ms = 60_500
    expect(await one.list()).toEqual([other.id])
    expect(await one.entries()).toEqual([[other.id, 'running']])
  })

  it('a listing between the entry of a task and its creation loses nothing', async () => {
    const one = tenantOn(open())
    await one.admit('task_new')
    expect(await one.list()).toEqual([])
    const fixed = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
    const brief = { ...fixed, settings: one.bench.ports.default_settings }
    const ticket = { slice: 's1', boot: bootId(), more: 'new_round' as const, wall_ms: 0, rounds: 9, key: null }
    await one.task('task_new').create({ id: 'task_new', tenant: one.caller.tenant, brief }, ticket)
    expect(await one.list()).toEqual(['task_new'])
  })

  it('steps that change no status leave the entry alone; the end is told to it', async () => {
    const one = tenantOn(open(), { plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const { id } = await one.make()
    const acted = await step(one.bench, id, { rounds: 1, max_ms: 25_000 }, one.caller)
    // An entry that was written carries that version; this one would then refuse the status of version 1.
    await one.workspace.tell({ kind: 'set_status', id, status: 'paused', version: 1, spend: null })
    expect([acted.status, await one.entries()]).toEqual(['running', [[id, 'paused']]])
    expect((await step(one.bench, id, ALL, one.caller)).status).toBe('completed')
    expect(await one.entries()).toEqual([[id, 'completed']])
  })
})

describe('a damaged task object', () => {
  it.each([
    [
      'a state its mode does not know',
      "UPDATE journal SET head = json_set(head, '$.state.phase', 'dreaming') WHERE seq = 2",
    ],
    ['a missing row', 'DELETE FROM journal WHERE seq = 1'],
    ['an event that is not JSON', "UPDATE journal SET event = 'planned' WHERE seq = 1"],
  ])('F59 F60 with %s is state_unreadable, is listed as it was told last, and can be deleted', async (_name, query) => {
    const one = tenantOn(durableStore(env.TASKS, env.WORKSPACES), { plan: [planned('A'), planned('A')] })
    const { id } = await one.make()
    const other = await one.make()
    const stub = env.TASKS.getByName(JSON.stringify([one.caller.tenant, id]))
    await runInDurableObject(stub, (_object, state) => void state.storage.sql.exec(query))
    // What the object had read before is not read again while it lives.
    await evictDurableObject(stub)
    const { service } = one.bench
    const answers = [
      await service.getTask(one.caller, id),
      await service.stepTask(one.caller, id, ALL),
      await service.inputTask(one.caller, id, 'hurry', null, ALL),
      await service.tellTask(one.caller, id, { kind: 'cancel' }),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, refusal: { code: 'state_unreadable' } })
    one.late.ms = 3_600_000
    expect(await one.list()).toEqual([other.id, id])
    expect(await service.deleteTask(one.caller, id)).toEqual({ ok: true, value: null })
    expect(await one.entries()).toEqual([[other.id, 'running']])
    expect(await service.getTask(one.caller, id)).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
  })

  it.each([2, 3])(
    'F60 with row %i missing its journal names it, and its events are refused, never a part of them',
    async (seq) => {
      const script = { plan: [planned('A')], thought: [act(), done()], replan: [closed()] }
      const one = tenantOn(durableStore(env.TASKS, env.WORKSPACES), script)
      const { id } = await one.make()
      await step(one.bench, id, ALL, one.caller)
      const stub = env.TASKS.getByName(JSON.stringify([one.caller.tenant, id]))
      await runInDurableObject(
        stub,
        (_object, state) => void state.storage.sql.exec('DELETE FROM journal WHERE seq = ?', seq),
      )
      const refused = { ok: false, refusal: { code: 'state_unreadable' } }
      const { service } = one.bench
      const journal = await service.listJournal(one.caller, id, { after: 0, limit: 100 })
      expect(journal).toMatchObject({ ok: true, value: { incomplete: true } })
      expect(journal.ok && journal.value.unreadable?.includes(seq)).toBe(true)
      expect(await service.listEvents(one.caller, id, { after: 0, limit: 100 })).toMatchObject(refused)
    },
  )
})
