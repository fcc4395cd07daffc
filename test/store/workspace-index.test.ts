/** The index of a workspace: how many tasks are open, what lists show without asking a task, how far a search looks. */
import { env } from 'cloudflare:workers'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { bootId } from '../../src/store/boot.ts'
import { KEY_MEMORY_MS } from '../../src/core/protocol/idempotency.ts'
import { LISTED_CHARS_MAX, listedText } from '../../src/core/protocol/view/list-entry.ts'
import { ENDED_STATUSES, Status, type Outcome } from '../../src/core/terms/status.ts'
import type { TaskStore } from '../../src/shell/ports.ts'
import { durableStore } from '../../src/store/durable-store.ts'
import { requestKeys } from '../../src/store/workspace/book/sql-keys.ts'
import { makeTables } from '../../src/store/workspace/workspace-schema.ts'
import type { WorkspaceObject } from '../../src/store/workspace/workspace-object.ts'
import { ROWS_MAX } from '../../src/store/workspace/task-index/index-page.ts'
import {
  ALL,
  benchOf,
  CALLER,
  createTask,
  done,
  NO_TOTAL,
  NONE,
  ONE,
  planned,
  act,
  closed,
  step,
} from '../support/scripted.ts'

const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const entryOf = (id: string, slice = 's', goal = '') => ({
  id,
  mode: 'plan_execute',
  status: 'running' as const,
  metadata: {},
  goal,
  slice,
})
const inWorkspace = <T>(body: (desk: WorkspaceObject, sql: SqlStorage) => T) =>
  runInDurableObject(env.WORKSPACES.getByName(crypto.randomUUID()), (object: WorkspaceObject, { storage: { sql } }) =>
    body(object, sql),
  )
const counted = (sql: SqlStorage) => sql.exec("SELECT value FROM counters WHERE name = 'open_tasks'").one()['value']
const open = (sql: SqlStorage) =>
  sql
    .exec<{ status: Status }>('SELECT status FROM tasks')
    .toArray()
    .filter(({ status }) => !ENDED_STATUSES.has(status)).length

const id = fc.constantFrom('task_1', 'task_2', 'task_3')
const slice = fc.constantFrom('a', 'b')
const Call = fc.oneof(
  fc.record({ kind: fc.constant('admit' as const), id, slice, max: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    kind: fc.constant('status' as const),
    id,
    status: fc.constantFrom(...Status.options),
    version: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ kind: fc.constant('reopen' as const), id, max: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('drop' as const), id, slice }),
)
type Call = typeof Call extends fc.Arbitrary<infer T> ? T : never

function call(desk: WorkspaceObject, one: Call): void {
  switch (one.kind) {
    case 'admit':
      return void desk.tell({ kind: 'admit', entry: entryOf(one.id, one.slice), open_max: one.max, daily: NO_TOTAL })
    case 'status':
      return desk.tell({
        kind: 'set_status',
        id: one.id,
        status: one.status,
        version: one.version,
        spend: null,
        listed: { as_of: one.version, text: one.status },
      })
    case 'reopen':
      return void desk.tell({ kind: 'reopen', id: one.id, open_max: one.max, daily: NO_TOTAL })
    case 'drop':
      return desk.tell({ kind: 'drop', id: one.id, admitted: [`life_${one.slice}`] })
  }
}

describe('how many tasks are open', () => {
  it('a list asks a task itself as soon as its DELETE has begun, even if the DELETE fails', () =>
    inWorkspace((desk) => {
      desk.tell({ kind: 'admit', entry: entryOf('task_1'), open_max: 9, daily: NO_TOTAL })
      desk.tell({
        kind: 'set_status',
        id: 'task_1',
        status: 'running',
        version: 1,
        spend: null,
        listed: { as_of: 1, text: 'as it was' },
      })
      const shown = () => desk.ask({ kind: 'list', filter: ANY, before: 0, limit: 9 }).entries.map(({ text }) => text)
      expect(shown()).toEqual(['as it was'])
      expect(desk.tell({ kind: 'begin_removal', id: 'task_1' })).toEqual({
        ...desk.ask({ kind: 'admission', id: 'task_1' }),
        unsettled: null,
      })
      expect(shown()).toEqual([null])
    }))

  it('U43 is what a count says after any calls, late, repeated and out of order, and no entry outlives its task', async () => {
    await inWorkspace((desk, sql) => {
      desk.ask({ kind: 'finished', limit: 1 })
      const calls = fc.array(Call, { minLength: 1, maxLength: 40 })
      fc.assert(
        fc.property(calls, (drawn) => {
          for (const one of drawn) {
            call(desk, one)
            expect(counted(sql)).toBe(open(sql))
          }
          const lost = 'SELECT 1 FROM entries WHERE position NOT IN (SELECT position FROM tasks)'
          expect(sql.exec(lost).toArray()).toEqual([])
          // No list shows an entry under a status that it does not have.
          for (const { status, text } of desk.ask({ kind: 'list', filter: ANY, before: 0, limit: 9 }).entries)
            expect([null, status]).toContain(text)
        }),
        { numRuns: 60 },
      )
    })
  })

  it('U43 is counted once in a workspace of an earlier release, and bounds it from then on', async () => {
    await inWorkspace((desk, sql) => {
      for (const n of [1, 2, 3]) desk.tell({ kind: 'admit', entry: entryOf(`task_${n}`), open_max: 9, daily: NO_TOTAL })
      desk.tell({ kind: 'set_status', id: 'task_3', status: 'completed', version: 2, spend: null })
      for (const { name } of sql.exec("SELECT name FROM sqlite_master WHERE type = 'trigger'").toArray())
        sql.exec(`DROP TRIGGER ${String(name)}`)
      sql.exec('DROP TABLE counters')
      sql.exec('DROP INDEX open_tasks')
      makeTables(sql)
      expect(counted(sql)).toBe(2)
      const full = { ok: false, refusal: { code: 'quota_exceeded', open: 2, max: 2 } }
      expect(desk.tell({ kind: 'admit', entry: entryOf('task_4'), open_max: 2, daily: NO_TOTAL })).toEqual(full)
      expect(desk.tell({ kind: 'admit', entry: entryOf('task_4'), open_max: 3, daily: NO_TOTAL })).toEqual({
        ok: true,
        value: null,
      })
      makeTables(sql)
      expect(counted(sql)).toBe(3)
    })
  })

  it('U43 no query of a create, a step or a status reads more rows where there are more tasks', async () => {
    const read = (tasks: number) =>
      inWorkspace((desk, sql) => {
        fill(sql, desk, tasks)
        const exec = sql.exec.bind(sql)
        const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
        sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
          const cursor = exec(query, ...values)
          cursors.push(cursor)
          return cursor
        }) as SqlStorage['exec'] // whoever asks says himself what the rows are
        const daily = { tokens: 1_000_000, cost: null }
        desk.tell({ kind: 'admit', entry: entryOf('task_new'), open_max: tasks + 9, daily })
        desk.tell({ kind: 'reserve', want: { tokens: 5, cost: 0 }, daily })
        desk.tell({
          kind: 'set_status',
          id: 'task_new',
          status: 'paused',
          version: 2,
          spend: null,
          listed: { as_of: 1, text: 'x' },
        })
        desk.tell({
          kind: 'set_status',
          id: 'task_new',
          status: 'completed',
          version: 3,
          spend: null,
          listed: { as_of: 2, text: 'y' },
        })
        desk.tell({ kind: 'reopen', id: 'task_new', open_max: tasks + 9, daily })
        desk.tell({ kind: 'keep', request: { scope: 'POST /commands', key: 'k', digest: 'd' }, answer: 'answer' })
        desk.ask({ kind: 'list', filter: { ...ANY, status: 'paused' }, before: 0, limit: 9 })
        desk.tell({ kind: 'drop', id: 'task_new', admitted: ['life_s'] })
        return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
      })
    expect(await read(5_000)).toBe(await read(50))
  })
})

/** So many tasks as an earlier release would have entered them, and as many answers, none of them old. */
function fill(sql: SqlStorage, desk: WorkspaceObject, tasks: number): void {
  desk.ask({ kind: 'finished', limit: 1 })
  const numbers = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?)'
  sql.exec(
    `${numbers} INSERT INTO tasks SELECT x, 'task_' || x, 'plan_execute', 'running', 1, '{}', ?, 'life_s', 'goal ' || x, '', '', '', '' FROM n`,
    tasks,
    Date.now(),
  )
  sql.exec(`${numbers} INSERT INTO replies SELECT 'k' || x, ?, 'd', 'r' FROM n`, tasks, Date.now())
}

it('answers that are older than a day are forgotten some at a time, and none of them is given again', async () => {
  await inWorkspace((desk, sql) => {
    fill(sql, desk, 50)
    sql.exec('UPDATE replies SET at = ?', Date.now() - KEY_MEMORY_MS - 1)
    const keys = requestKeys(sql)
    expect(keys.find('k50')).toBeNull()
    keys.keep('k50', 'd2', 'new')
    expect(keys.find('k50')).toEqual({ digest: 'd2', result: 'new' })
    for (const n of [51, 52]) keys.keep(`k${n}`, 'd', 'r')
    expect(sql.exec('SELECT count(*) AS kept FROM replies').one()['kept']).toBe(3)
  })
})

describe('a search', () => {
  it('U43 looks at so many tasks a page, and goes on behind them until there are none', async () => {
    await inWorkspace((desk, sql) => {
      fill(sql, desk, ROWS_MAX + 100)
      const first = desk.ask({ kind: 'list', filter: { ...ANY, q: 'GOAL 7' }, before: 0, limit: 100 })
      expect(first.entries.length).toBe(100)
      const none = { ...ANY, q: 'task_1', mode: 'session' }
      expect(desk.ask({ kind: 'list', filter: none, before: 0, limit: 9 })).toEqual({
        entries: [],
        has_more: true,
        next: 101,
      })
      expect(desk.ask({ kind: 'list', filter: none, before: 101, limit: 9 })).toEqual({
        entries: [],
        has_more: false,
        next: null,
      })
      sql.exec("UPDATE tasks SET status = 'failed' WHERE position IN (3, 5)")
      const failed = { ...ANY, status: 'failed' as const }
      const passed = desk.ask({ kind: 'list', filter: failed, before: 0, limit: 1 })
      expect(passed).toMatchObject({ entries: [], has_more: true, next: 101 })
      const found = desk.ask({ kind: 'list', filter: failed, before: passed.next ?? 0, limit: 1 })
      expect(found).toMatchObject({ entries: [{ id: 'task_5' }], has_more: true, next: 5 })
      expect(desk.ask({ kind: 'list', filter: failed, before: 5, limit: 1 })).toMatchObject({
        entries: [{ id: 'task_3' }],
        has_more: false,
        next: null,
      })
    })
  })
})

/** A tenant over real objects; `calls` are those of its tasks. */
function tenantOver(script: Parameters<typeof benchOf>[0]) {
  const real = durableStore(env.TASKS, env.WORKSPACES)
  const calls: string[] = []
  const of: TaskStore['of'] = (tenant, task) =>
    new Proxy(real.of(tenant, task), {
      get: (target, name) => {
        calls.push(String(name))
        return Reflect.get(target, name)
      },
    })
  const caller = { ...CALLER, tenant: crypto.randomUUID() }
  const bench = benchOf(script, {
    store: { ...real, of },
    boot: bootId,
    random_id: () => crypto.randomUUID().replaceAll('-', ''),
    clock: { now_ms: () => Date.now(), wall_ms: () => 0 },
  })
  const list = async (filter: { outcome?: Outcome } = {}) => {
    calls.length = 0
    const page = await bench.service.listTasks(caller, { ...ANY, ...filter }, { limit: 100, after: 0 })
    if (!page.ok) throw new Error(page.refusal.code)
    return page.value
  }
  const damage = async (task: string) => {
    const stub = env.TASKS.getByName(JSON.stringify([caller.tenant, task]))
    await runInDurableObject(stub, (_object, state) => void state.storage.sql.exec('DELETE FROM journal WHERE seq = 1'))
    await evictDurableObject(stub)
  }
  const stored = <T>(body: (sql: SqlStorage) => T) =>
    runInDurableObject(env.WORKSPACES.getByName(JSON.stringify([caller.tenant])), (_object, state) =>
      body(state.storage.sql),
    )
  return { bench, caller, list, calls, damage, stored, real }
}

describe('U43 a list', () => {
  it('asks no task that has told the index, and shows what the task shows', async () => {
    const one = tenantOver({ plan: [planned('A'), planned('A')], thought: [done()], replan: [closed('the answer')] })
    const { id } = await createTask(one.bench, {}, NONE, { caller: one.caller })
    await createTask(one.bench, {}, NONE, { caller: one.caller })
    const shown = await step(one.bench, id, ALL, one.caller)
    expect(shown).toMatchObject({ status: 'completed', result: { text: 'the answer' } })
    await one.list()
    const { data, as_of, incomplete } = await one.list()
    expect([one.calls, incomplete]).toEqual([[], undefined])
    const { slice: _slice, last_thought: _thought, handover: _handover, plan, ...rest } = shown
    const { items: _items, finished: _finished, ...planShown } = plan
    const [, entry] = data
    expect(entry).toEqual({ ...rest, plan: planShown, as_of: expect.any(String) })
    expect(Date.parse(as_of)).toBeGreaterThanOrEqual(Date.parse(entry?.as_of ?? ''))
  })

  it('U35 shows the tasks of one outcome, and none that has not ended', async () => {
    const one = tenantOver({
      plan: [planned('A'), planned('A', 'B'), planned('A')],
      thought: [done(), done()],
      replan: [closed('all of it'), closed('half of it')],
    })
    const make = async () => (await createTask(one.bench, {}, NONE, { caller: one.caller })).id
    const [whole, half] = [await make(), await make()]
    await make()
    for (const id of [whole, half]) await step(one.bench, id, ALL, one.caller)
    const find = async (outcome: Outcome) =>
      (await one.list({ outcome })).data.map(({ id, result }) => [id, result?.outcome])
    expect(await find('done')).toEqual([[whole, 'done']])
    expect(await find('partial')).toEqual([[half, 'partial']])
    expect(await find('not_done')).toEqual([])
  })

  it('U35 shows no task of an earlier release under an outcome that it does not have, and knows its own from then on', async () => {
    const one = tenantOver({ plan: [planned('A')], thought: [done()], replan: [closed('the answer')] })
    const { id } = await createTask(one.bench, {}, NONE, { caller: one.caller })
    await step(one.bench, id, ALL, one.caller)
    await one.stored((sql) => {
      sql.exec('UPDATE tasks SET outcome = NULL')
      sql.exec(`UPDATE entries SET text = '{"format":2,"entry":{}}'`)
    })
    expect((await one.list({ outcome: 'partial' })).data).toEqual([])
    const outcomes = await one.stored((sql) => sql.exec('SELECT outcome FROM tasks').toArray())
    expect(outcomes).toEqual([{ outcome: 'done' }])
    expect((await one.list({ outcome: 'done' })).data.map((entry) => entry.id)).toEqual([id])
  })

  it('shows the index entry of a task that cannot be read and has told nothing, and the other tasks', async () => {
    const one = tenantOver({ plan: [planned('A'), planned('A')] })
    const lost = await createTask(one.bench, {}, NONE, { caller: one.caller })
    const other = await createTask(one.bench, {}, NONE, { caller: one.caller })
    await one.damage(lost.id)
    await one.stored((sql) => void sql.exec('DELETE FROM entries'))
    const { data, incomplete } = await one.list()
    expect(data.map(({ id }) => id)).toEqual([other.id])
    const known = { id: lost.id, mode: 'plan_execute', status: 'running', metadata: {}, created_at: expect.any(String) }
    expect(incomplete).toEqual([known])
    // What was asked for once is known from then on.
    await one.list()
    expect(one.calls).toEqual(['ask'])
  })

  it('hears of steps that change no status from the task itself', async () => {
    const one = tenantOver({ plan: [planned('A')], thought: [act(), act(), act()] })
    const { id } = await createTask(one.bench, {}, ONE, { caller: one.caller })
    const { step_count } = await step(one.bench, id, ONE, one.caller)
    const told = async () => (await one.list()).data[0]?.step_count
    await vi.waitFor(async () => expect(await told()).toBe(step_count), { timeout: 20_000 })
  })
})

it('an entry that is too long to be kept is read from its task', () => {
  const seen = { goal: 'g'.repeat(LISTED_CHARS_MAX) }
  // A part of a task is enough to measure.
  expect(listedText({ ...seen, plan: {}, pending: null } as never, 5)).toEqual({ as_of: 5, text: null })
})
