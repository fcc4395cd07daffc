/** One suite for every store: rows in memory, and the real Durable Objects in workerd. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ENDED_STATUSES } from '../../src/core/terms/status.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { bootId } from '../../src/store/boot.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { memoryStore } from '../support/memory/memory-store.ts'
import { builtInTools } from '../../src/tools/index.ts'
import {
  NO_RUNNERS,
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  createTask,
  filesOver,
  FREE,
  UNBOUNDED,
  done,
  NONE,
  ONE,
  planned,
  replanned,
  say,
  step,
  type Script,
} from '../support/scripted.ts'

const search = { name: 'none', search: () => Promise.reject(new Error('no network in tests')) }
const stores: [string, () => TaskStore][] = [
  ['memory', () => memoryStore(() => ({ now_ms: Date.now(), boot: bootId(), prices: FREE, daily: UNBOUNDED }))],
  ['durable objects', () => durableStore(env.TASKS, env.WORKSPACES)],
]

describe.each(stores)('store: %s', (_name, open) => {
  let tenants = 0
  const caller = () => ({ ...CALLER, tenant: `store-${_name}-${++tenants}-${crypto.randomUUID()}` })
  const bench = (script: Script) => {
    const store = open()
    const random_id = () => crypto.randomUUID().replaceAll('-', '')
    const real = { now_ms: () => Date.now(), wall_ms: () => Date.UTC(2026, 10, 21, 12, 0) }
    return benchOf(script, {
      store,
      tools: builtInTools(store, filesOver(store), search, 'UTC', NO_RUNNERS),
      boot: bootId,
      random_id,
      clock: real,
    })
  }
  const make = async (script: Script, who = caller(), metadata = {}) => {
    const one = bench(script)
    const task = await createTask(one, {}, NONE, { caller: who, metadata })
    return { one, task, who }
  }

  it('T1 runs through the store: two items, one tool, completed with 6', async () => {
    const one = bench({
      plan: [planned('A', 'B')],
      thought: [act(), done('a'), done()],
      replan: [replanned('B'), closed('all')],
    })
    const task = await createTask(one, {}, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 6, result: { text: 'all' } })
    expect(task.counters).toMatchObject({ actions: 1, successful_actions: 1 })
    one.spent()
  })

  it('a task waits for its answer, hears it once, and goes on', async () => {
    const one = bench({ plan: [planned('A')], thought: [ask(), done()], replan: [replanned('A'), closed()] })
    const waiting = await createTask(one, {}, ALL)
    expect(waiting.status).toBe('input_required')
    const task = await say(one, waiting.id, 'tomorrow', ALL)
    expect(task.status).toBe('completed')
    one.spent()
  })

  it('D4 S0-30 an action acts in the workspace under its effect key; done twice it changes nothing', async () => {
    const { one, task, who } = await make({ plan: [planned('A')], thought: [act('/todo add milk')] })
    await step(one, task.id, ONE, who)
    const workspace = one.ports.store.workspace(who.tenant)
    const call = {
      command: '/todo add milk',
      reader: 'person' as const,
      locale: 'en' as const,
      request: null,
      wall_ms: 0,
      timezone: 'UTC',
      caller_timezone: 'UTC',
      schedule_window_days: 31,
      conflict_preview_days: 31,
    }
    const again = await workspace.tell({ kind: 'run_command', ...call, key: `${task.id}:4` })
    expect(again).toMatchObject({ value: { result: { kind: 'todo_added', data: { id: 1 } } } })
    const list = await workspace.tell({ kind: 'run_command', ...call, command: '/todo list', key: null })
    expect(list.ok && list.value.result.rows.map((row) => [row.id, row.content])).toEqual([[1, 'milk']])
  })

  it('D4 dropping a task forgets its effect keys, and those of no other: made again under its key it acts anew', async () => {
    const workspace = open().workspace(caller().tenant)
    const zones = { timezone: 'UTC', caller_timezone: 'UTC', schedule_window_days: 31, conflict_preview_days: 31 }
    const add = (text: string, key: string) =>
      workspace.tell({
        kind: 'run_command',
        command: `/todo add ${text}`,
        key,
        request: null,
        reader: 'person',
        locale: 'en',
        wall_ms: 0,
        ...zones,
      })
    await add('milk', 'task_1:4')
    await add('tea', 'task_11:4')
    await workspace.tell({ kind: 'drop', id: 'task_1', admitted: ['life_s'] })
    expect(await add('bread', 'task_1:4')).toMatchObject({ value: { result: { data: { id: 3 } } } })
    expect(await add('bread', 'task_11:4')).toMatchObject({ value: { result: { data: { id: 2 } } } })
  })

  it('a canceled task refuses the commit of its running slice, which answers 200 with the canceled task', async () => {
    const { one, task, who } = await make({ plan: [planned('A')] })
    one.ports.model = {
      async complete() {
        await one.service.tellTask(who, task.id, { kind: 'cancel' })
        return { kind: 'model_replied', text: JSON.stringify(done()), usage: null, model: 'm', form: 'text' }
      },
    }
    const answer = await one.service.stepTask(who, task.id, ONE)
    expect(answer.ok && answer.value.task).toMatchObject({ status: 'canceled', step_count: 1 })
  })

  it('a task deleted during its slice is gone: the slice finds nothing and nothing comes back', async () => {
    const { one, task, who } = await make({ plan: [planned('A')] })
    one.ports.model = {
      async complete() {
        await one.service.deleteTask(who, task.id)
        return { kind: 'model_replied', text: JSON.stringify(done()), usage: null, model: 'm', form: 'text' }
      },
    }
    const gone = { ok: false, refusal: { code: 'task_not_found' } }
    expect(await one.service.stepTask(who, task.id, ONE)).toEqual(gone)
    expect(await one.service.getTask(who, task.id)).toEqual(gone)
    expect(await one.service.deleteTask(who, task.id)).toEqual(gone)
    const list = await one.service.listTasks(
      who,
      { status: null, mode: null, metadata: {}, q: null, outcome: null },
      { limit: 10, after: 0 },
    )
    expect(list.ok && list.value.data).toEqual([])
  })

  it('exactly one of two concurrent steps runs, and the other is task_busy', async () => {
    const { one, task, who } = await make({ plan: [planned('A')], thought: [act()] })
    const answers = await Promise.all([
      one.service.stepTask(who, task.id, ONE),
      one.service.stepTask(who, task.id, ONE),
    ])
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok && answer.refusal.code === 'task_busy')).toHaveLength(1)
    one.spent()
  })

  it('names carry the tenant: another tenant finds nothing under the same id', async () => {
    const { one, task } = await make({ plan: [planned('A')] })
    const stranger = caller()
    const gone = { ok: false, refusal: { code: 'task_not_found' } }
    expect(await one.service.getTask(stranger, task.id)).toEqual(gone)
    expect(await one.service.stepTask(stranger, task.id, ONE)).toEqual(gone)
    expect(await one.service.inputTask(stranger, task.id, 'x', null, ONE)).toEqual(gone)
    expect(await one.service.tellTask(stranger, task.id, { kind: 'cancel' })).toEqual(gone)
    expect(await one.service.deleteTask(stranger, task.id)).toEqual(gone)
    expect(await one.service.runCommand(stranger, '/help', task.id, 'en')).toEqual(gone)
  })

  it('U25 the list is newest first, pages without gap or double, and filters by status, mode and metadata', async () => {
    const who = caller()
    const one = bench({ plan: Array.from({ length: 5 }, () => planned('A')) })
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      ids.unshift(
        (await createTask(one, {}, NONE, { caller: who, metadata: { parity: n % 2 === 0 ? 'even' : 'odd' } })).id,
      )
    }
    await one.service.tellTask(who, ids[0] ?? '', { kind: 'cancel' })
    const list = async (filter: object, limit = 10, after = 0) => {
      const page = await one.service.listTasks(
        who,
        { status: null, mode: null, metadata: {}, q: null, outcome: null, ...filter },
        { limit, after },
      )
      if (!page.ok) throw new Error('refused')
      return page.value
    }
    expect((await list({})).data.map((task) => task.id)).toEqual(ids)
    expect((await list({ status: 'canceled' })).data.map((task) => task.id)).toEqual(ids.slice(0, 1))
    expect((await list({ metadata: { parity: 'odd' } })).data.map((task) => task.id)).toEqual([ids[1], ids[3]])
    expect((await list({ mode: 'session' })).data).toEqual([])
    const first = await list({}, 2)
    expect(first.has_more).toBe(true)
    const rest = await list({}, 3, Number(first.next_cursor))
    expect([...first.data, ...rest.data].map((task) => task.id)).toEqual(ids)
    expect(rest).toMatchObject({ has_more: false, next_cursor: null })
    for (const absent of ['slice', 'last_thought', 'handover']) expect(first.data[0]).not.toHaveProperty(absent)
    expect(first.data[0]?.plan).not.toHaveProperty('items')
  })

  it('MAX_OPEN_TASKS open tasks of a tenant refuse a further one; an ended one makes room', async () => {
    const who = caller()
    const one = bench({ plan: [planned('A'), planned('A')] })
    one.ports.max_open_tasks = 1
    const first = await createTask(one, {}, NONE, { caller: who })
    const second = await createTask(one, {}, NONE, { caller: who }).catch((error: Error) => error.message)
    expect(second).toContain('quota_exceeded')
    await one.service.tellTask(who, first.id, { kind: 'cancel' })
    expect((await createTask(one, {}, NONE, { caller: who })).status).toBe('running')
  })

  it('events and journal are read in pages, and the index follows every change of status', async () => {
    const { one, task, who } = await make({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const end = await step(one, task.id, ALL, who)
    expect(ENDED_STATUSES.has(end.status)).toBe(true)
    const pages = []
    for (let after = 0; after < 100;) {
      const page = await one.service.listEvents(who, task.id, { after, limit: 4 })
      if (!page.ok) throw new Error('refused')
      pages.push(...page.value.data)
      if (page.value.next_cursor === null) break
      after = Number(page.value.next_cursor)
    }
    expect(pages.map((event) => event.seq)).toEqual(pages.map((_, index) => index + 1))
    expect(pages.at(-1)?.type).toBe('task_completed')
    const journal = await one.service.listJournal(who, task.id, { after: 0, limit: 100 })
    const counted = journal.ok ? journal.value.data.filter((row) => row.counted) : []
    expect(counted).toHaveLength(end.step_count)
    const list = await one.service.listTasks(
      who,
      { status: 'completed', mode: null, metadata: {}, q: null, outcome: null },
      { limit: 10, after: 0 },
    )
    expect(list.ok && list.value.data.map((entry) => entry.id)).toEqual([task.id])
  })
})
