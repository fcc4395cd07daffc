/** The guards against idling: what each counts, what resets it, and what the next prompt is told (R10, R11, O0-12, U9). */
import { describe, expect, it } from 'vitest'
import {
  act,
  ALL,
  ask,
  benchOf,
  closed,
  context,
  createTask,
  done,
  NONE,
  ONE,
  phases,
  planned,
  replanned,
  say,
  step,
  type Bench,
  type Script,
  CALLER,
} from '../../support/scripted.ts'

const replans = (bench: Bench) => bench.requests.filter((request) => request.metadata.phase === 'replan').map(context)
const notes = (bench: Bench) => replans(bench).map((shown: { note: string | null }) => shown.note)
const IDLE = expect.stringContaining('no item was open')
const REPEATED = expect.stringContaining('asked again')
const NO_MORE = expect.stringContaining('No more questions')

/** Plays a script to its end; every question is answered with "tomorrow". */
async function play(script: Script, settings = {}) {
  const bench = benchOf(script)
  let task = await createTask(bench, { max_steps: 100, ...settings }, ALL)
  while (task.status === 'input_required') task = await say(bench, task.id, 'tomorrow', ALL)
  bench.spent()
  return { bench, task }
}
const A = replanned('A')

describe('R11 U17 conclusions on the empty item', () => {
  it('warn one replan: the next one is given no note again', async () => {
    const { bench } = await play({
      plan: [planned('A')],
      thought: [done(), done(), done(), done()],
      replan: [A, A, replanned('B'), closed()],
    })
    expect(notes(bench)).toEqual([null, null, IDLE, null])
  })

  it.each<[string, Script]>([
    ['an action', { thought: [done(), done(), act(), done()], replan: [A, A, closed()] }],
    ['a question', { thought: [done(), done(), ask(), done()], replan: [A, A, A, closed()] }],
  ])('are counted anew after %s', async (_name, script) => {
    const { bench } = await play({ plan: [planned('A')], ...script })
    expect(notes(bench)).not.toContainEqual(IDLE)
  })
})

describe('O0-12 repeated questions', () => {
  it('hand over to replan at the second in a row, with a note of their own', async () => {
    const { bench } = await play({
      plan: [planned('A')],
      thought: [ask(), ask(), ask('when')],
      replan: [A, closed()],
    })
    expect(notes(bench)).toEqual([null, REPEATED])
  })

  it('are not shown either if another question was asked since', async () => {
    const { bench, task } = await play({
      plan: [planned('A')],
      thought: [ask('Which day?'), ask('Which hour?'), ask('which day'), done()],
      replan: [A, A, closed()],
    })
    expect(task.status).toBe('completed')
    expect(context(bench.requests.findLast(({ metadata }) => metadata.phase === 'thought')).correction).toMatchObject({
      problem: expect.stringContaining('this question was asked before'),
    })
  })

  it('may be asked again in other words about another thing, if they only contain an older one', async () => {
    const { bench, task } = await play({
      plan: [planned('A')],
      thought: [ask('Which one?'), ask('When?'), ask('Which one of the two hotels?'), done()],
      replan: [A, A, A, closed()],
    })
    expect(task.status).toBe('completed')
    expect(context(bench.requests.at(-1)).clarifications).toHaveLength(3)
  })

  it('are counted anew after an action', async () => {
    const { bench } = await play({
      plan: [planned('A')],
      thought: [ask(), ask(), act(), ask(), done()],
      replan: [A, closed()],
    })
    expect(notes(bench)).toEqual([null, null])
    expect(phases(bench).slice(3)).toEqual(['thought', 'thought', 'thought', 'thought', 'replan'])
  })

  it.each<[string, Script]>([
    ['a replan', { thought: [ask(), ask(), done(), ask(), done()], replan: [A, replanned('B'), closed()] }],
    ['a hand-over', { thought: [ask(), ask(), ask(), ask(), done()], replan: [A, A, closed()] }],
  ])('are counted anew after %s', async (_name, script) => {
    const { bench } = await play({ plan: [planned('A')], ...script })
    expect(notes(bench).slice(2)).toEqual([null])
  })

  it('are counted anew after the replan that a remark brings', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask(), ask(), ask(), done()], replan: [A, A, closed()] })
    const { id } = await createTask(bench, {}, ALL)
    await say(bench, id, 'tomorrow', { rounds: 2, max_ms: 25_000 })
    const task = await say(bench, id, 'at noon, I said', ALL)
    expect(task.status).toBe('completed')
    expect(notes(bench)).toEqual([null, null, null])
    bench.spent()
  })

  it('are counted apart from conclusions on the empty item: one of each warns of nothing', async () => {
    const { bench } = await play({
      plan: [planned('A')],
      thought: [ask(), done(), ask(), done()],
      replan: [A, A, closed()],
    })
    expect(notes(bench)).toEqual([null, null, null])
    const other = await play({
      plan: [planned('A')],
      thought: [ask(), done(), done(), ask(), act(), done()],
      replan: [A, A, A, closed()],
    })
    expect(notes(other.bench)).toEqual([null, null, null, null])
  })

  it('beyond max_clarifications tell replan that no further question is allowed', async () => {
    const none = await play(
      { plan: [planned('A')], thought: [ask('One?'), ask('Two?')], replan: [closed()] },
      { max_clarifications: 0 },
    )
    expect(notes(none.bench)).toEqual([NO_MORE])
    const one = await play(
      { plan: [planned('A')], thought: [ask('One?'), ask('Two?'), ask('Three?')], replan: [A, closed()] },
      { max_clarifications: 1 },
    )
    expect(notes(one.bench)).toEqual([null, NO_MORE])
  })

  it('U9 do not touch the streak: bad, repeated, bad is two failures in a row', async () => {
    const { task } = await play(
      { plan: [planned('A')], thought: [ask(), 'bad', ask(), 'bad'], replan: [A] },
      { failure_limit: 2 },
    )
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 5 })
  })
})

describe('R10 actions that fail', () => {
  const FAILING: Script = { plan: [planned('A')], tools: [{ ok: false }, { ok: false }] }
  const mustNot = (bench: Bench) => context(bench.requests.at(-1)).must_not_act

  it('in a row forbid a further one, until a remark makes replan look again', async () => {
    const bench = benchOf({ ...FAILING, thought: [act(), act(), 'bad', act()], replan: [A] })
    const { id } = await createTask(bench, {}, { rounds: 3, max_ms: 25_000 })
    expect(mustNot(bench)).toBe(true)
    const task = await say(bench, id, 'the shop is open now', { rounds: 2, max_ms: 25_000 })
    expect(mustNot(bench)).toBe(false)
    expect(task.counters.actions).toBe(3)
    bench.spent()
  })

  it('with one that works between are not in a row', async () => {
    const tools = [{ ok: false }, { ok: true }, { ok: false }]
    const bench = benchOf({ plan: [planned('A')], tools, thought: [act(), act(), act(), 'bad'] })
    await createTask(bench, {}, { rounds: 4, max_ms: 25_000 })
    expect(mustNot(bench)).toBe(false)
    bench.spent()
  })
})

describe('what replan is given', () => {
  it('S0-64 a conclusion is given to one replan only', async () => {
    const { bench } = await play({
      plan: [planned()],
      thought: [done('nothing is open'), done()],
      replan: [replanned('B'), closed()],
    })
    const pending = replans(bench).map((shown: { pending_answer: string | null }) => shown.pending_answer)
    expect(pending).toEqual(['nothing is open', null])
  })

  it.each<[string, Script, string]>([
    ['planning', { plan: [new Error('x'), planned('A')] }, 'plan'],
    ['replanning', { plan: [planned('A')], thought: [done()], replan: [new Error('x'), closed()] }, 'replan'],
  ])('a remark to a task that is paused while %s reaches its prompt', async (_name, script, phase) => {
    const bench = benchOf(script)
    const paused = await createTask(bench, { plan_retries: 0, failure_limit: 1 }, ALL)
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    await say(bench, paused.id, 'in the evening', phase === 'plan' ? NONE : ALL)
    const last = bench.requests.at(-1)
    expect([last?.metadata.phase, context(last).remarks]).toEqual([phase, ['in the evening']])
    bench.spent()
  })
})

describe('what observers see of an item', () => {
  it('S0-58 an item kept by replan was announced once; a finished one leaves nothing running until the next starts', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [ask(), done()],
      replan: [replanned('A', 'C'), replanned('C')],
    })
    const { id } = await createTask(bench, {}, ALL)
    const kept = await say(bench, id, 'tomorrow', ONE)
    expect(kept.plan.items.map((item) => [item.id, item.status])).toEqual([
      ['step_1', 'running'],
      ['step_3', 'pending'],
    ])
    const between = await step(bench, id)
    expect(between.plan.items.map((item) => item.status)).toEqual(['completed', 'pending'])
    const next = await step(bench, id)
    expect(next.plan.items.map((item) => [item.id, item.status])).toEqual([['step_3', 'running']])
    const shown = replans(bench).map((one: { plan: { status: string }[] }) => one.plan.map((item) => item.status))
    expect(shown).toEqual([['running', 'pending'], ['pending']])
    const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })
    const started = page.ok ? page.value.data.filter((event) => event.type === 'item_started') : []
    expect(started.map((event) => event.payload.item_id)).toEqual(['step_1', 'step_3'])
    bench.spent()
  })
})
