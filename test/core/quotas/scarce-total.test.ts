/** A total of a day that is scarce: what idle tasks hold of it comes back, and no request waits long for it (U16). */
import type { RemoteWorkspace } from '../../../src/core/protocol/workspace-requests.ts'
import { describe, expect, it } from 'vitest'
import type { Ticket } from '../../../src/core/protocol/advance.ts'
import { NO_ALLOWANCE } from '../../../src/core/terms/axes.ts'
import { Settings } from '../../../src/core/terms/settings.ts'
import { memoryRows } from '../../../src/store/task/rows/memory-rows.ts'
import { taskMethods } from '../../../src/store/task/task-methods.ts'
import { replied, value } from '../../support/held.ts'
import {
  act,
  benchOf,
  CALLER,
  createTask,
  FREE,
  journalOf,
  MANUAL,
  NONE,
  ONE,
  planned,
  step,
  type Script,
} from '../../support/scripted.ts'
import { workspaceWith } from '../../support/workspace-with.ts'

const TASKS = 12
const plansOf = (count: number) => Array.from({ length: count }, () => planned('A'))

/** A tenant with a total, and what its requests wait and ask its workspace for. */
function tenantWith(tokens: number, script: Script) {
  const bench = benchOf(script, { daily: { tokens, cost: null } })
  const seen = { waited_ms: 0, asked: 0 }
  bench.ports.wait = (ms) => {
    seen.waited_ms += ms
    return Promise.resolve()
  }
  const { workspace } = bench.store
  bench.store.workspace = (tenant) => {
    const desk = workspace(tenant)
    const counted: RemoteWorkspace['tell'] = (command) => {
      seen.asked += 1
      return desk.tell(command)
    }
    return workspaceWith(desk, { reserve: counted, give_back: counted })
  }
  return { bench, seen }
}

/** A task whose plan call is under way, with a chunk of a million tokens. */
function planning(drive: 'manual' | 'background') {
  const here = { now_ms: 0, boot: 'boot', prices: FREE, daily: { tokens: true, cost: false } }
  const rows = memoryRows()
  const task = taskMethods(rows, () => here)
  const brief = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }
  const settings = Settings.parse({})
  value(task.create({ id: 'task_1', tenant: 'acme', brief: { ...brief, drive, settings } }, TICKET))
  value(task.tell({ kind: 'fund', allowance: CHUNK }, TICKET))
  return { task, rows }
}
const DAY = '2026-11-21'
const CHUNK = { tokens: 1_000_000, cost: 0, day: DAY }
const TICKET: Ticket = { slice: 's1', boot: 'boot', more: 'this_round', rounds: 0, wall_ms: 0, key: null }

describe('a total of a day that is scarce', () => {
  it('is planned from by one idle task after the other, each at once: none holds what it does not use', async () => {
    const { bench, seen } = tenantWith(20_000, { plan: plansOf(TASKS) })
    for (let made = 0; made < TASKS; made++) {
      const task = await createTask(bench, {}, NONE)
      expect(task).toMatchObject({ status: 'running', retry_after_ms: null, plan: { items: [{ title: 'A' }] } })
    }
    expect(seen.waited_ms).toBe(0)
  })

  it('comes back after a step as well, and the task goes on with the next one', async () => {
    const { bench, seen } = tenantWith(20_000, { plan: plansOf(2), thought: [act(), act(), act()] })
    const one = await createTask(bench, {}, ONE)
    await createTask(bench, {}, ONE)
    expect(await step(bench, one.id)).toMatchObject({ status: 'running', slice: { advanced: true, rounds: 1 } })
    const desk = bench.store.workspace(CALLER.tenant)
    expect(await desk.ask({ kind: 'may_come_back', task: 'another' })).toBe(false)
    const used = 5 * 15
    expect(
      await desk.tell({ kind: 'reserve', want: { tokens: 20_000 - used, cost: 0 }, daily: bench.ports.daily }),
    ).not.toBeNull()
    expect(seen.waited_ms).toBe(0)
  })

  it('P14 is given back by a request with a key, which is shown again as it was', async () => {
    const { bench } = tenantWith(20_000, { plan: plansOf(1) })
    const caller = { ...CALLER, key: { scope: 'POST /tasks', key: 'k', digest: 'd' } }
    const first = await createTask(bench, {}, NONE, { caller })
    expect((await journalOf(bench, first.id)).map(({ kind }) => kind)).toEqual([
      'task_created',
      'allowance_granted',
      'call_model',
      'allowance_granted',
    ])
    expect(await createTask(bench, {}, NONE, { caller })).toEqual(first)
  })

  it('is waited for no more than 300 ms by a create, which is told when to come again and plans then', async () => {
    const { bench, seen } = tenantWith(20_000, { plan: plansOf(1) })
    const desk = bench.store.workspace(CALLER.tenant)
    await desk.tell({
      kind: 'reserve',
      want: { tokens: 19_000, cost: 0, task: 'task_at_work' },
      daily: bench.ports.daily,
    })
    const task = await createTask(bench, {}, ONE)
    expect(task).toMatchObject({ status: 'running', retry_after_ms: 1_000, slice: { rounds: 0 } })
    expect(seen.waited_ms).toBe(300)
    expect(await step(bench, task.id)).toMatchObject({ retry_after_ms: 1_000, slice: { advanced: false, rounds: 0 } })
    expect(seen.waited_ms).toBe(600)
    await desk.tell({ kind: 'give_back', refund: { tokens: 19_000, cost: 0, day: DAY, task: 'task_at_work' } })
    const planning = await step(bench, task.id, NONE)
    expect(planning).toMatchObject({ slice: { advanced: true }, plan: { items: [{ title: 'A' }] } })
    expect(seen.waited_ms).toBe(600)
  })
})

describe('a total of a day that is plentiful', () => {
  it('is not asked for between two steps: the task keeps its chunk', async () => {
    const { bench, seen } = tenantWith(100_000_000, { plan: plansOf(1), thought: [act(), act()] })
    const { id } = await createTask(bench, {}, NONE)
    expect(seen.asked).toBe(1)
    await step(bench, id)
    await step(bench, id)
    expect(seen.asked).toBe(1)
  })
})

describe('what a task holds of a scarce total at the end of its slice', () => {
  const usage = { input_tokens: 100, output_tokens: 10 }
  const left = { ...CHUNK, tokens: CHUNK.tokens - 110 }

  it.each([
    ['goes back when its client drives it', 'manual', true, [{ ...left, task: 'task_1' }], NO_ALLOWANCE],
    ['stays with it when the service drives it: it goes on at once', 'background', true, [], left],
    ['stays with it when the total is plentiful', 'manual', false, [], left],
  ] as const)('%s', (_name, drive, scarce, returned, held) => {
    const { task, rows } = planning(drive)
    const ticket = scarce ? { ...TICKET, scarce } : TICKET
    const ended = value(task.commit(3, { ...replied(planned('A')), usage }, ticket))
    expect(ended).toMatchObject({ assignment: null, returned })
    expect(rows.last()?.head.allowance).toEqual(held)
  })

  it('stays with it while it goes on in the same slice', () => {
    const { task, rows } = planning('manual')
    const ticket: Ticket = { ...TICKET, more: 'new_round', scarce: true }
    const goesOn = value(task.commit(3, { ...replied(planned('A')), usage }, ticket))
    expect(goesOn).toMatchObject({ assignment: { seq: 4 }, returned: [] })
    expect(rows.last()?.head.allowance).toEqual(left)
  })
})

it('a chunk that comes when nothing needs it any more goes back, and the task no longer counts as one that holds one', () => {
  const { task } = planning('manual')
  value(task.tell({ kind: 'cancel' }, { ...TICKET, slice: 's2' }))
  const refund = value(task.tell({ kind: 'fund', allowance: CHUNK }, { ...TICKET, slice: 's3' })).returned
  expect(refund).toEqual([{ ...CHUNK, task: 'task_1' }])
})
