/** The service beside the slices: lists that mend themselves, deletes, commands under keys and in zones (U5, U6, U25). */
import { describe, expect, it } from 'vitest'
import { mendAll } from '../support/mended.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { MANUAL, benchOf, CALLER, createTask, NO_TOTAL, NONE, planned, taken, type Bench } from '../support/scripted.ts'

const MINUTE = 60_000
const EVERY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const keyed = (scope: string, digest = 'd') => ({ ...CALLER, key: { scope, key: 'k', digest } })
const index = (bench: Bench) => bench.store.workspace('acme')

async function listed(bench: Bench, status: 'running' | 'canceled' | null = null, after = 0) {
  const page = await bench.service.listTasks(CALLER, { ...EVERY, status }, { limit: 2, after })
  if (!page.ok) throw new Error('refused')
  return page.value
}

describe('the list of tasks', () => {
  it('comes in pages, newest first, whose cursors lead through all of it', async () => {
    const bench = benchOf({ plan: [planned('A'), planned('A'), planned('A'), planned('A')] })
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.unshift((await createTask(bench)).id)
    const first = await listed(bench)
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) })
    const second = await listed(bench, null, Number(first.next_cursor))
    expect(second).toMatchObject({ has_more: false, next_cursor: null })
    expect([...first.data, ...second.data].map((task) => task.id)).toEqual(ids)
  })

  it('is mended by a look at a task where the index is behind', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const { id } = await createTask(bench)
    const ticket = { slice: 's', boot: 'boot', more: 'nothing' as const, rounds: 0, wall_ms: 0, key: null }
    await bench.store.of('acme', id).tell({ kind: 'cancel' }, ticket) // its request dies before the index hears of it
    expect((await listed(bench, 'canceled')).data).toEqual([])
    await mendAll(bench.ports, CALLER.tenant)
    expect((await listed(bench, 'running')).data).toEqual([])
    expect((await listed(bench, 'canceled')).data.map((task) => task.id)).toEqual([id])
  })

  it('keeps an entry without a task for a minute, in which its create may still be under way, and drops it after', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const entry = {
      id: 'task_gone',
      mode: 'plan_execute',
      status: 'running' as const,
      metadata: {},
      goal: '',
      slice: 's',
      ...MANUAL,
    }
    await index(bench).tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
    const { id } = await createTask(bench)
    const kept = async () =>
      (await index(bench).ask({ kind: 'list', filter: EVERY, before: 0, limit: 9 })).entries.map((one) => one.id)
    bench.clock.now += MINUTE
    expect((await listed(bench)).data.map((task) => task.id)).toEqual([id])
    expect(await kept()).toEqual([id, 'task_gone'])
    bench.clock.now += 1
    await listed(bench)
    expect(await kept()).toEqual([id])
  })

  it('loses no entry by a delete that found no task', async () => {
    const bench = benchOf({})
    const entry = {
      id: 'task_new',
      mode: 'plan_execute',
      status: 'running' as const,
      metadata: {},
      goal: '',
      slice: 's',
      ...MANUAL,
    }
    await index(bench).tell({ kind: 'admit', entry, open_max: 9, daily: NO_TOTAL })
    expect(await bench.service.deleteTask(CALLER, 'task_new')).toMatchObject({ refusal: { code: 'task_not_found' } })
    expect((await index(bench).ask({ kind: 'list', filter: EVERY, before: 0, limit: 9 })).entries).toHaveLength(1)
  })
})

describe('U6 a command', () => {
  const add = (bench: Bench, id: string, digest: string, text: string) =>
    bench.service.inputTask(keyed(`POST /tasks/${id}/input`, digest), id, text, null, NONE)

  it('beside a task is run once under its key; another body is refused', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const { id } = await createTask(bench)
    const first = await add(bench, id, 'd1', '/todo add milk')
    expect(first).toMatchObject({ value: { command: { kind: 'todo_added', data: { id: 1 } } } })
    expect(first.ok && first.value.replayed).toBeUndefined()
    const again = await add(bench, id, 'd1', '/todo add milk')
    expect(again).toMatchObject({ value: { replayed: true, command: { data: { id: 1 } } } })
    expect(await add(bench, id, 'd2', '/todo add tea')).toEqual({
      ok: false,
      refusal: { code: 'idempotency_key_reused' },
    })
  })

  it('under the same key in another scope is another request', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const { id } = await createTask(bench)
    await add(bench, id, 'd', '/todo add milk')
    const other = await bench.service.runCommand(keyed('POST /commands'), '/todo add milk', null, 'en')
    expect(other).toMatchObject({ value: { replayed: false, result: { data: { id: 2 } } } })
  })

  it('that only reads gets the same answer under the key of a request, and a new one for a tool or without a key', async () => {
    const bench = benchOf({})
    const counted = async (key: string | null, request: ReturnType<typeof keyed>['key'] | null) => {
      const fixed = {
        reader: 'person' as const,
        locale: 'en' as const,
        wall_ms: 0,
        timezone: 'UTC',
        caller_timezone: 'UTC',
      }
      const windows = { schedule_window_days: 31, conflict_preview_days: 31 }
      const ran = await index(bench).tell({
        kind: 'run_command',
        command: '/todo list',
        key,
        request,
        ...fixed,
        ...windows,
      })
      return ran.ok ? ran.value.result.rows.length : -1
    }
    const { key: request } = keyed('POST /commands')
    expect([await counted(null, request), await counted('task_1:3', null), await counted(null, null)]).toEqual([
      0, 0, 0,
    ])
    await bench.service.runCommand(CALLER, '/todo add milk', null, 'en')
    expect([await counted(null, request), await counted('task_1:3', null), await counted(null, null)]).toEqual([
      0, 1, 1,
    ])
  })

  it('that is the cancel phrase without a task does not count as a replay', async () => {
    const answer = await benchOf({}).service.runCommand(CALLER, '取消当前任务', null, 'en')
    expect(answer).toMatchObject({ value: { replayed: false, result: { kind: 'no_active_task' } } })
  })
})

describe('U25 the zone of a task', () => {
  it('is converted at its commands: times are kept in the zone of the workspace and shown in that of the task', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const fixed = { goal: 'g', mode: 'plan_execute' as const, locale: 'en' as const, metadata: {}, ...MANUAL }
    const brief = { ...fixed, settings: Settings.parse({}), timezone: 'Asia/Shanghai' }
    const { id } = taken(await bench.service.createTask(CALLER, brief, NONE))
    const due = async (command: string, task: string | null) => {
      const ran = await bench.service.runCommand(CALLER, command, task, 'en')
      return ran.ok ? ran.value.result.rows[0]?.due : null
    }
    expect(await due('/todo add milk --due 2026-11-22 10:00', id)).toBe('2026-11-22 10:00')
    expect(await due('/todo list', null)).toBe('2026-11-22 02:00')
    expect(await due('/todo list', id)).toBe('2026-11-22 10:00')
  })
})
