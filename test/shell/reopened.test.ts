/** A task that goes on after its end, with its next run or with more attempts, takes a place among the open tasks again first (U20). */
import { describe, expect, it } from 'vitest'
import type { DailyLimits } from '../../src/core/workspace/daily-totals.ts'
import { mendAll } from '../support/mended.ts'
import { counted } from '../support/counted.ts'
import { begin, rounds } from '../core/session/support.ts'
import {
  benchOf,
  CALLER,
  createTask,
  type Line,
  NO_TOTAL,
  ONE,
  planned,
  say,
  taken,
  type Bench,
} from '../support/scripted.ts'
import type { Caller } from '../../src/shell/caller.ts'
import type { Ports } from '../../src/shell/ports.ts'
import type { Service } from '../../src/shell/service.ts'

const ANY = { status: null, mode: null, metadata: {}, q: null, outcome: null }
const keyed = { ...CALLER, key: { scope: 'POST /input', key: 'k', digest: 'd' } }
const MINUTE = 60_000

/** A tenant with room for one open task, whose session has answered once. */
async function completedSession(turn: Line[], daily: DailyLimits = NO_TOTAL) {
  const bench = benchOf({ turn: ['first', ...turn] }, { max_open_tasks: 1, daily })
  const { id, status } = await begin(bench, {}, ONE)
  expect(status).toBe('completed')
  return { bench, id }
}
const hear = (bench: Bench, id: string, input: string, caller = CALLER, requestId: string | null = null) =>
  bench.service.inputTask(caller, id, input, requestId, ONE)
const entries = async (bench: Bench) =>
  (await bench.store.workspace('acme').ask({ kind: 'list', filter: ANY, before: 0, limit: 9 })).entries.map(
    ({ status }) => status,
  )
const versionOf = async (bench: Bench, id: string) => taken(await bench.service.getTask(CALLER, id)).version

describe('a word to a completed session', () => {
  it('U20 is refused while as many tasks are open as may be, writes nothing, and is heard when there is room again', async () => {
    const { bench, id } = await completedSession(['second'])
    const other = await begin(bench)
    const before = await versionOf(bench, id)
    const refused = { ok: false, refusal: { code: 'quota_exceeded', open: 1, max: 1 } }
    expect(await hear(bench, id, 'go on', keyed)).toEqual(refused)
    expect(await hear(bench, id, 'go on', keyed)).toEqual(refused)
    expect(await versionOf(bench, id)).toBe(before)
    taken(await bench.service.tellTask(CALLER, other.id, { kind: 'cancel' }))
    // The key was not burnt by the refusal.
    expect(taken(await hear(bench, id, 'go on', keyed))).toMatchObject({
      status: 'completed',
      result: { text: 'second' },
    })
    bench.spent()
  })

  it('U16 is refused on a day whose total is used up', async () => {
    const { bench, id } = await completedSession([], { tokens: 100_000_000, cost: null })
    bench.ports.daily = { tokens: 15, cost: null }
    const before = await versionOf(bench, id)
    expect(await hear(bench, id, 'go on')).toMatchObject({ refusal: { code: 'tenant_budget_exceeded' } })
    expect(await versionOf(bench, id)).toBe(before)
  })

  it('U20 counts as open during its next run, and not after it', async () => {
    const { bench, id } = await completedSession(['', 'second', 'third'])
    expect((await say(bench, id, 'go on')).status).toBe('running')
    expect(await entries(bench)).toEqual(['running'])
    await expect(begin(bench)).rejects.toThrow('quota_exceeded')
    expect(taken(await bench.service.stepTask(CALLER, id, ONE)).status).toBe('completed')
    expect((await begin(bench, {}, ONE)).status).toBe('completed')
  })

  it('U20 a run within one request has given its place back with its answer', async () => {
    const { bench, id } = await completedSession(['second', 'other'])
    expect((await say(bench, id, 'go on')).status).toBe('completed')
    expect(await entries(bench)).toEqual(['completed'])
    expect((await begin(bench, {}, ONE)).status).toBe('completed')
  })

  it('a repeated one under its key is shown again, though there is no room by now', async () => {
    const { bench, id } = await completedSession(['second'])
    const first = await hear(bench, id, 'go on', keyed)
    await begin(bench)
    const again = await hear(bench, id, 'go on', keyed)
    expect(again.ok && again.value.replayed).toBe(true)
    expect(taken(again)).toEqual(taken(first))
  })

  it('one that answers a question that is not open is refused as such and takes no place', async () => {
    const { bench, id } = await completedSession([])
    expect(await hear(bench, id, 'go on', CALLER, 'question_9')).toMatchObject({
      refusal: { code: 'question_settled' },
    })
    expect(await entries(bench)).toEqual(['completed'])
  })

  it('U5 costs two calls more than any other word, which costs none', async () => {
    const { bench, id } = await completedSession(['', 'second'])
    const { calls, store } = counted(bench.store)
    bench.ports.store = store
    await hear(bench, id, 'go on')
    expect(calls).toEqual(['task.input', 'workspace.reopen', 'task.input', 'task.commit', 'workspace.set_status'])
    calls.length = 0
    await hear(bench, id, 'and on')
    expect(calls).toEqual(['task.input', 'task.commit', 'workspace.set_status'])
  })

  it('one whose request died before it was heard gives its place back when it is looked at a minute later', async () => {
    const { bench, id } = await completedSession([])
    expect(
      await bench.store.workspace('acme').tell({ kind: 'reopen', id, open_max: 1, daily: NO_TOTAL }),
    ).toMatchObject({ ok: true, value: { pool: null } })
    const look = () => mendAll(bench.ports, CALLER.tenant)
    bench.clock.now += MINUTE
    await look()
    expect(await entries(bench)).toEqual(['running'])
    bench.clock.now += 1
    await look()
    expect(await entries(bench)).toEqual(['completed'])
  })

  it('one that is heard by a task deleted meanwhile leaves nothing in the index', async () => {
    const { bench, id } = await completedSession([])
    await bench.service.deleteTask(CALLER, id)
    expect(await hear(bench, id, 'go on')).toMatchObject({ refusal: { code: 'task_not_found' } })
    expect(await bench.store.workspace('acme').tell({ kind: 'reopen', id, open_max: 1, daily: NO_TOTAL })).toEqual({
      ok: true,
      value: null,
    })
    expect(await entries(bench)).toEqual([])
  })
})

describe('what a session cost', () => {
  it('is remembered whole and once, as of its latest run, within one request or over several', async () => {
    const { bench, id } = await completedSession(['', 'second', 'third'])
    const remembered = async () =>
      (await bench.store.workspace('acme').ask({ kind: 'finished', limit: 9 })).map(({ steps }) => steps)
    expect(await remembered()).toEqual([1])
    await say(bench, id, 'go on')
    taken(await bench.service.stepTask(CALLER, id, rounds(9)))
    expect(await remembered()).toEqual([3])
    await say(bench, id, 'and on')
    expect(await remembered()).toEqual([4])
  })
})

/** A tenant with room for one open task, whose task failed because its model broke the contract. */
async function failedTask(more: Line[] = [], overrides: Partial<Ports> = {}) {
  const bench = benchOf({ plan: ['bad', 'bad', 'bad', ...more] }, { max_open_tasks: 1, ...overrides })
  const { id, status } = await createTask(bench)
  expect(status).toBe('failed')
  return { bench, id }
}

describe('a task whose model failed too often', () => {
  const WAYS: [string, (bench: Bench, id: string, caller?: Caller) => ReturnType<Service['tellTask']>][] = [
    ['a continue text', (bench, id, caller) => hear(bench, id, 'continue', caller)],
    ['a resume', (bench, id, caller = CALLER) => bench.service.tellTask(caller, id, { kind: 'resume' })],
    [
      'more attempts',
      (bench, id, caller = CALLER) => bench.service.tellTask(caller, id, { kind: 'top_up', add: { attempts: 2 } }),
    ],
  ]

  it.each(WAYS)('U20 goes on by %s only while there is room, and is listed as running', async (_way, goOn) => {
    const { bench, id } = await failedTask([planned('A')])
    const other = await begin(bench)
    const before = await versionOf(bench, id)
    const refused = { ok: false, refusal: { code: 'quota_exceeded', open: 1, max: 1 } }
    expect(await goOn(bench, id, keyed)).toEqual(refused)
    expect(await versionOf(bench, id)).toBe(before)
    taken(await bench.service.tellTask(CALLER, other.id, { kind: 'cancel' }))
    const after = await goOn(bench, id, keyed)
    expect(taken(after)).toMatchObject({ status: 'running', error: null })
    expect(await entries(bench)).toEqual(['canceled', 'running'])
    await expect(begin(bench)).rejects.toThrow('quota_exceeded')
    const again = await goOn(bench, id, keyed)
    expect(again.ok && again.value.replayed).toBe(true)
    expect(taken(again)).toEqual(taken(after))
  })

  it.each(WAYS)('U16 does not go on by %s on a day whose total is used up', async (_way, goOn) => {
    const { bench, id } = await failedTask([], { daily: { tokens: 100_000_000, cost: null } })
    bench.ports.daily = { tokens: 15, cost: null }
    expect(await goOn(bench, id)).toMatchObject({ refusal: { code: 'tenant_budget_exceeded' } })
  })

  it('U5 costs two calls more than a resume of a paused task, and what is refused costs none', async () => {
    const { bench, id } = await failedTask()
    const { calls, store } = counted(bench.store)
    bench.ports.store = store
    await hear(bench, id, 'what went wrong?')
    await bench.service.tellTask(CALLER, id, { kind: 'top_up', add: { steps: 2 } })
    expect(calls).toEqual(['task.input', 'task.top_up'])
    calls.length = 0
    await bench.service.tellTask(CALLER, id, { kind: 'resume' })
    expect(calls).toEqual(['task.resume', 'workspace.reopen', 'task.resume', 'workspace.set_status'])
  })

  it('takes files while it may go on', async () => {
    const { bench, id } = await failedTask()
    expect(
      await bench.ports.store.of(CALLER.tenant, id).ask({ kind: 'may_write', name: 'a.csv', seq: null }),
    ).toMatchObject({ ok: true })
  })
})
