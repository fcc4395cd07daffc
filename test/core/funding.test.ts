/** An effect that lacks its tenant's total of the day: who holds it meanwhile, and what is taken and given back (U16, P4, P13, P14). */
import { describe, expect, it } from 'vitest'
import type { ObjectContext, Ticket } from '../../src/core/protocol/advance.ts'
import { NO_ALLOWANCE } from '../../src/core/terms/axes.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { memoryRows } from '../../src/store/task/rows/memory-rows.ts'
import { taskMethods } from '../../src/store/task/task-methods.ts'
import { failed, replied, value } from '../support/held.ts'
import { MANUAL, act, ask, done, planned, FREE } from '../support/scripted.ts'

const SECOND = 1_000
const DAY = '2026-11-21'
const PRICED = { ...FREE, every: { input: 1_000_000, output: 2_000_000 } }
const keyed = (slice: string, boot = 'boot', key = 'k'): Ticket => {
  const request = { scope: 'POST /tasks', key, digest: 'd1' }
  return { slice, boot, more: 'new_round', rounds: 1, wall_ms: 0, key: request }
}
const plain = (slice: string): Ticket => ({ ...keyed(slice), rounds: 9, key: null })
const allowance = (tokens: number, cost = 0) => ({ tokens, cost, day: DAY })
const NEW = { goal: 'g', mode: 'plan_execute', locale: 'en' as const, timezone: 'UTC', metadata: {}, ...MANUAL }

/** Slice s1 has made the task and lacks what its plan call may take. */
function waiting(daily = { tokens: true, cost: false }, first = keyed('s1'), settings: Partial<Settings> = {}) {
  const here: ObjectContext = { now_ms: 0, boot: 'boot', prices: PRICED, daily }
  const rows = memoryRows()
  const task = taskMethods(rows, () => here)
  const brief = { ...NEW, settings: Settings.parse(settings) }
  const create = (ticket: Ticket) => task.create({ id: 'task_1', tenant: 'acme', brief }, ticket)
  const { wants, assignment } = value(create(first))
  expect(assignment).toBeNull()
  if (wants === null) throw new Error('it lacks nothing')
  return { here, rows, task, create, wants, stored: () => JSON.stringify([...rows.records]) }
}
/** The same with all it wants for a while: its plan is under way, held by s1, seq 3. */
function funded(given: ReturnType<typeof allowance>, settings: Partial<Settings> = {}) {
  const one = waiting({ tokens: true, cost: true }, plain('s1'), settings)
  expect(value(one.task.tell({ kind: 'fund', allowance: given }, plain('s1'))).assignment?.seq).toBe(3)
  return one
}

describe('P14 a request that waits for its total', () => {
  it('is in progress for ten seconds, and gone on with after them', () => {
    const { here, create } = waiting()
    here.now_ms = 10 * SECOND - 1
    const refusal = { code: 'request_in_progress', expires_ms: 10 * SECOND, now_ms: here.now_ms }
    expect(create(keyed('s2'))).toEqual({ ok: false, refusal })
    here.now_ms = 10 * SECOND
    expect(value(create(keyed('s2')))).toMatchObject({ advanced: false, earlier: { rounds: 0 } })
  })

  it('is gone on with at once when its process died, if Worker and object shared one', () => {
    const { here, create } = waiting()
    here.boot = 'boot-2'
    expect(value(create(keyed('s2', 'boot-2'))).wants).not.toBeNull()
    const apart = waiting(undefined, keyed('s1', 'elsewhere'))
    apart.here.boot = 'boot-2'
    expect(apart.create(keyed('s2', 'boot-2'))).toMatchObject({ refusal: { code: 'request_in_progress' } })
  })

  it('is told again what it lacks when its call is delivered twice', () => {
    const { create, wants } = waiting()
    expect(value(create(keyed('s1')))).toMatchObject({ advanced: false, wants })
  })

  it('P9 is told again what it lacks when the answer of its commit was lost', () => {
    const { task, wants, stored } = waiting()
    value(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, keyed('s1')))
    const usage = { input_tokens: wants.tokens, output_tokens: 0 }
    const commit = () => value(task.commit(3, { ...replied(planned('A')), usage }, keyed('s1')))
    const next = commit()
    const before = stored()
    expect(next.wants).not.toBeNull()
    expect(commit()).toMatchObject({ advanced: false, events: [], assignment: null, wants: next.wants })
    expect(stored()).toBe(before)
  })

  it('is in progress although what others had queued was closed behind its last row', () => {
    const { here, task, wants, create } = waiting()
    value(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, keyed('s1')))
    value(task.tell({ kind: 'input', text: 'hurry', request_id: null }, keyed('s9', 'boot', 'other')))
    const usage = { input_tokens: wants.tokens, output_tokens: 0 }
    const next = value(task.commit(3, { ...replied(planned('A')), usage }, keyed('s1')))
    expect(next).toMatchObject({ assignment: null, wants: { cost: expect.any(Number) } })
    here.now_ms = SECOND
    expect(create(keyed('s2'))).toMatchObject({ refusal: { code: 'request_in_progress' } })
  })
})

describe('P4 P13 funding', () => {
  it('begins the effect with exactly what it lacked, and not with less', () => {
    const { task, wants } = waiting()
    const held = allowance(wants.tokens - 1)
    expect(value(task.tell({ kind: 'fund', allowance: held }, keyed('s1')))).toMatchObject({
      assignment: null,
      wants: { ...wants, held },
    })
    expect(value(task.tell({ kind: 'fund', allowance: allowance(1) }, keyed('s1')))).toMatchObject({
      assignment: { seq: 4 },
      returned: [],
    })
  })

  it('is of money where money is bounded, and of nothing where nothing is', () => {
    const { task, wants } = waiting({ tokens: false, cost: true })
    expect(wants.cost).toBeGreaterThan(0)
    const held = allowance(0, wants.cost - 1)
    expect(value(task.tell({ kind: 'fund', allowance: held }, keyed('s1')))).toMatchObject({
      assignment: null,
      wants: { ...wants, held },
    })
    const begun = value(task.tell({ kind: 'fund', allowance: allowance(0, 1) }, keyed('s1')))
    expect(begun).toMatchObject({ assignment: { seq: 4 }, wants: null, events: [{ type: 'task_created' }] })
  })

  it('twice is handed its own effect again', () => {
    const { task, wants } = waiting()
    const first = value(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, keyed('s1')))
    const again = value(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, keyed('s1')))
    expect(again).toMatchObject({ advanced: false, assignment: first.assignment })
  })

  it('takes nothing from another request that was funded meanwhile: that one is busy, and commits', () => {
    const { here, task, create, wants } = waiting()
    expect(value(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, plain('other'))).assignment?.seq).toBe(
      3,
    )
    here.now_ms = 11 * SECOND
    expect(create(keyed('s2'))).toMatchObject({ refusal: { code: 'task_busy' } })
    expect(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, plain('s3'))).toMatchObject({
      refusal: { code: 'task_busy' },
    })
    expect(task.commit(3, replied(planned('A')), plain('other')).ok).toBe(true)
  })

  it('is refused while another worker goes on with the request, and shown its answer when that is over', () => {
    const { here, task, create, wants } = waiting()
    here.now_ms = 10 * SECOND
    value(create(keyed('s2')))
    value(task.tell({ kind: 'fund', allowance: allowance(9 * wants.tokens) }, keyed('s2')))
    expect(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, keyed('s1'))).toMatchObject({
      refusal: { code: 'request_in_progress' },
    })
    value(task.commit(3, replied(planned('A')), { ...keyed('s2'), more: 'this_round' }))
    const shown = value(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, keyed('s1')))
    expect(shown).toMatchObject({ advanced: false, assignment: null, earlier: { version: 3, advanced: true } })
  })

  it('with nothing left does not pause a task that was funded meanwhile or that asks', () => {
    const { task, wants, stored } = waiting(undefined, plain('s1'))
    value(task.tell({ kind: 'fund', allowance: allowance(9 * wants.tokens) }, plain('s2')))
    value(task.commit(3, replied(planned('A')), plain('s2')))
    value(task.commit(4, replied(ask()), plain('s2')))
    const before = stored()
    expect(value(task.tell({ kind: 'fund', allowance: null }, plain('s1')))).toMatchObject({
      status: 'input_required',
      advanced: false,
    })
    expect(stored()).toBe(before)
    const other = waiting(undefined, plain('s1'))
    value(other.task.tell({ kind: 'fund', allowance: allowance(9 * wants.tokens) }, plain('s2')))
    value(other.task.commit(3, replied(planned('A')), { ...plain('s2'), more: 'nothing' }))
    expect(value(other.task.tell({ kind: 'fund', allowance: null }, plain('s1')))).toMatchObject({
      status: 'running',
      assignment: { seq: 4 },
    })
  })

  it('writes nothing for a task that was canceled or paused meanwhile, and is task_not_found without a task', () => {
    const canceled = waiting()
    value(canceled.task.tell({ kind: 'cancel' }, plain('s9')))
    const paused = waiting()
    const spent = value(paused.task.tell({ kind: 'fund', allowance: null }, plain('s2')))
    expect(spent.status).toBe('paused')
    expect(spent.events.map(({ type, payload }) => [type, payload])).toMatchObject([
      ['budget_exhausted', { axis: 'tenant', used: null, max: null }],
      ['task_paused', { stop_reason: 'budget_exhausted:tenant' }],
    ])
    for (const { task, wants, stored } of [canceled, paused]) {
      const before = stored()
      const nothing = { advanced: false, assignment: null }
      expect(value(task.tell({ kind: 'fund', allowance: allowance(wants.tokens) }, plain('s3')))).toMatchObject(nothing)
      expect(value(task.tell({ kind: 'fund', allowance: null }, plain('s3')))).toMatchObject(nothing)
      expect(stored()).toBe(before)
    }
    const none = taskMethods(memoryRows(), () => canceled.here)
    expect(none.tell({ kind: 'fund', allowance: null }, plain('s1'))).toEqual({
      ok: false,
      refusal: { code: 'task_not_found' },
    })
  })
})

describe('U16 what a task has reserved ahead', () => {
  const usage = { input_tokens: 100, output_tokens: 10 }
  const GIVEN = allowance(1_000_000, 100_000_000)

  it('shrinks by what its calls cost, on both axes, and nothing is given back while it works', () => {
    const { task, rows } = funded(GIVEN)
    const next = value(task.commit(3, { ...replied(planned('A')), usage }, plain('s1')))
    expect(next).toMatchObject({ returned: [], assignment: { seq: 4 } })
    expect(rows.last()?.head.allowance).toEqual(allowance(GIVEN.tokens - 110, GIVEN.cost - 120))
  })

  it.each<[string, object, Partial<Settings>, string]>([
    ['waits for an answer', ask(), {}, 'input_required'],
    ['has spent its steps', done(), { max_steps: 1 }, 'paused'],
  ])('comes back when the task %s', (_name, thought, settings, status) => {
    const { task, rows } = funded(GIVEN, settings)
    value(task.commit(3, { ...replied(planned('A')), usage }, plain('s1')))
    const rests = value(task.commit(4, { ...replied(thought), usage }, plain('s1')))
    expect(rests).toMatchObject({ status, returned: [allowance(GIVEN.tokens - 220, GIVEN.cost - 240)] })
    expect(rows.last()?.head.allowance).toEqual(NO_ALLOWANCE)
    expect(value(task.tell({ kind: 'cancel' }, plain('s2'))).returned).toEqual([])
  })

  it.each([
    ['of both axes', GIVEN],
    ['of as much on both', allowance(50_000_000, 50_000_000)],
  ])('comes back when it is canceled: %s', (_name, given) => {
    const { task } = funded(given)
    value(task.commit(3, failed(), { ...plain('s1'), more: 'nothing' }))
    expect(value(task.tell({ kind: 'cancel' }, plain('s2'))).returned).toEqual([{ ...given, task: 'task_1' }])
  })

  it('is short of what a call reported beyond it: that is told as owed', () => {
    const { task } = funded(allowance(50_000, 10_000_000))
    const much = { input_tokens: 500_000, output_tokens: 10 }
    const next = value(task.commit(3, { ...replied(planned('A')), usage: much }, plain('s1')))
    expect(next.returned).toContainEqual(allowance(50_000 - 500_010, 0))
  })

  it('comes back when another allowance takes its place, each on its own day', () => {
    const left = { ...allowance(10, 5), day: '2026-11-20' }
    const { task, wants } = waiting({ tokens: true, cost: true }, plain('s1'))
    expect(value(task.tell({ kind: 'fund', allowance: left }, plain('s1')))).toMatchObject({
      assignment: null,
      returned: [],
    })
    const begun = value(task.tell({ kind: 'fund', allowance: allowance(wants.tokens, wants.cost) }, plain('s1')))
    expect(begun).toMatchObject({ returned: [left], assignment: { seq: 4 } })
  })

  it('comes back when others hold what it lacks beside it, and the task then waits: nothing more is written, and it is not paused', () => {
    const { task, wants, stored } = waiting(undefined, plain('s1'))
    const less = allowance(wants.tokens - 1)
    value(task.tell({ kind: 'fund', allowance: less }, plain('s1')))
    const returned = value(task.tell({ kind: 'fund', allowance: null, later: true }, plain('s1')))
    expect(returned).toMatchObject({
      assignment: null,
      wants: { held: NO_ALLOWANCE },
      returned: [{ ...less, task: 'task_1' }],
    })
    const before = stored()
    expect(value(task.tell({ kind: 'fund', allowance: null, later: true }, plain('s1')))).toMatchObject({
      assignment: null,
      wants: null,
      status: 'running',
    })
    expect(stored()).toBe(before)
  })

  it('P14 a request with a key that waits for others is over, and is shown again', () => {
    const { task, create } = waiting()
    expect(value(task.tell({ kind: 'fund', allowance: null, later: true }, keyed('s1')))).toMatchObject({
      assignment: null,
      wants: null,
      status: 'running',
    })
    expect(value(create(keyed('s2')))).toMatchObject({ wants: null, earlier: { version: 2 } })
  })

  it('is not asked for by a tool, which takes neither tokens nor money', () => {
    const { task, rows } = funded(GIVEN)
    value(task.commit(3, { ...replied(planned('A')), usage }, plain('s1')))
    const whole = { input_tokens: 2_000_000, output_tokens: 0 }
    const tool = value(task.commit(4, { ...replied(act()), usage: whole }, plain('s1')))
    expect(rows.last()?.head.allowance.tokens).toBe(0)
    expect(tool).toMatchObject({ wants: null, assignment: { seq: 5, work: { kind: 'run_tool' } } })
  })
})
