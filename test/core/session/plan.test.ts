/** The plan of a session: when it is made, what is in it, how it grows, what takes its place (S4-10…S4-13, S4-16, S4-17, R21). */
import { describe, expect, it } from 'vitest'
import { Settings } from '../../../src/core/terms/settings.ts'
import { say, step, taken, titles, types, CALLER } from '../../support/scripted.ts'
import { begin, payloads, rounds, rowsIn, said, sessionBench, states, stateOf, steps, system, use } from './support.ts'

describe('when there is a plan', () => {
  it('S4-13 a first reply without a tool call makes none; items stay empty', async () => {
    const bench = sessionBench(['[Step] A\nParis.', '[Step] A\nParis.'])
    const task = await begin(bench, {}, rounds(5))
    // The first time it is told that steps need a call; the second time it is the answer.
    expect(task).toMatchObject({ status: 'completed', step_count: 2, counters: { iterations: 2, actions: 0 } })
    expect(task.plan).toEqual({
      revision: 0,
      cursor: 0,
      source: 'declared',
      items: [],
      finished: [],
      finished_count: 0,
    })
    expect(task.result?.text).toBe('Paris.')
    expect(types(task)).not.toContain('plan_created')
  })

  it('S4-13 a first reply with a tool call makes one; an empty reply before it is no first one', async () => {
    const bench = sessionBench(['', use(steps('A', 'B')), 'done'])
    const task = await begin(bench, {}, rounds(2))
    expect(titles(task)).toEqual(['A', 'B'])
    expect(payloads(task, 'plan_created')).toMatchObject([
      {
        items: [
          { id: 'step_1', title: 'A' },
          { id: 'step_2', title: 'B' },
        ],
        cursor: 0,
        revision: 1,
      },
    ])
  })

  it('S4-12 the agent keeps the plan: no tool for it is offered', async () => {
    const bench = sessionBench([use(), 'done'])
    await begin(bench, {}, rounds(2))
    const offered = bench.requests[0]?.tools.map(({ name }) => name)
    expect(offered).toEqual(expect.arrayContaining(['todo', 'schedule', 'internet_search']))
    expect(offered?.join(' ')).not.toMatch(/plan|step/)
  })
})

describe('what is in it', () => {
  it('S4-16 id, goal, status, steps with id, state, result and progress, cursor, iteration_count', async () => {
    const bench = sessionBench([use(steps('A', 'B')), use('[Done]'), use('so')])
    const task = await begin(bench, {}, rounds(3), { goal: 'do it' })
    const { at } = task.plan.id === undefined ? { at: '' } : { at: task.plan.id }
    expect(at).toBe(`plan_${bench.clock.now}`)
    expect(task.plan).toMatchObject({ goal: 'do it', status: 'running', cursor: 1, iteration_count: 3, revision: 1 })
    expect(task.plan.items).toEqual([
      {
        id: 'step_1',
        title: 'A',
        description: '',
        expected_output: null,
        status: 'completed',
        result: 'todo: todo done',
        progress: { current: 1, total: 5 },
      },
      expect.objectContaining({ id: 'step_2', status: 'running', result: null, progress: { current: 2, total: 5 } }),
    ])
  })

  it('S4-17 S4-23 the first step is running from the reply that declares it', async () => {
    const bench = sessionBench([use(steps('A', 'B'))])
    const task = await begin(bench, {}, rounds(1))
    expect(states(task)).toEqual(['running', 'pending'])
    expect(types(task).slice(1)).toEqual([
      'plan_created',
      'item_started',
      'thought_decided',
      'action_started',
      'action_finished',
    ])
    expect(payloads(task, 'action_started')[0]).toMatchObject({ item_id: 'step_1', tool: 'todo', input: '/todo list' })
  })

  it('S4-11 steps are one line without dependencies: only the first open one is worked on', async () => {
    const bench = sessionBench([use(steps('A', 'B', 'C')), use('[Done]'), use('[Done]')])
    const task = await begin(bench, {}, rounds(3))
    expect(states(task)).toEqual(['completed', 'completed', 'running'])
  })

  it('S4-10 a plan belongs to its session: another session has its own', async () => {
    const bench = sessionBench([use(steps('A')), use(steps('B'))])
    const [one, other] = [await begin(bench, {}, rounds(1)), await begin(bench, {}, rounds(1))]
    expect([titles(one), titles(other)]).toEqual([['A'], ['B']])
    expect(titles(taken(await bench.service.getTask(CALLER, one.id)))).toEqual(['A'])
    await bench.service.deleteTask(CALLER, one.id)
    expect((await bench.service.getTask(CALLER, one.id)).ok).toBe(false)
  })
})

describe('how it grows', () => {
  it('R21 the declarations of the creating reply are counted once', async () => {
    const bench = sessionBench([use(steps('A', 'A'))])
    expect(titles(await begin(bench, {}, rounds(1)))).toEqual(['A', 'A'])
  })

  it('R21 a plan without steps is completed by no signal; a first step declared later is running', async () => {
    const bench = sessionBench([use('[Done] now'), use('[Done] next'), use(steps('A')), use()])
    const bare = await begin(bench, {}, rounds(2))
    expect(bare.plan).toMatchObject({ status: 'running', items: [], iteration_count: 2, revision: 1 })
    const task = await step(bench, bare.id)
    expect(states(task)).toEqual(['running'])
    expect(payloads(task, 'item_started')).toMatchObject([{ item_id: 'step_1', title: 'A', index: 0, total: 1 }])
    expect(payloads(task, 'plan_adjusted')).toMatchObject([{ items: [{ id: 'step_1', title: 'A' }], revision: 2 }])
  })

  it('S4-18 later declarations are appended; steps that are still open and said again are not new', async () => {
    const bench = sessionBench([use(steps('A', 'B')), use(`${steps('A', 'B', 'C')}\n[Done]`), use(steps('A'))])
    const grown = await begin(bench, {}, rounds(2))
    expect(titles(grown)).toEqual(['A', 'B', 'C'])
    // A is completed: declared alone it is to be done once more.
    const again = await step(bench, grown.id)
    expect(titles(again)).toEqual(['A', 'B', 'C', 'A'])
    expect(again.plan.items.map(({ id }) => id)).toEqual(['step_1', 'step_2', 'step_3', 'step_4'])
  })

  it('S4-18 the whole list said again with every reply, finished steps and all, adds nothing', async () => {
    const list = steps('A', 'B', 'C')
    const bench = sessionBench([use(list), ...Array.from({ length: 4 }, () => use(`${list}\n[Done]`))])
    const task = await begin(bench, {}, rounds(5))
    expect(titles(task)).toEqual(['A', 'B', 'C'])
    expect(task.plan).toMatchObject({ status: 'completed', cursor: 3 })
  })

  it('U24 a plan has at most 100 steps of 500 characters: more is left out and said so', async () => {
    const many = Array.from({ length: 103 }, (_, index) => (index === 1 ? 'x'.repeat(501) : `step ${index}`))
    const bench = sessionBench([use(steps(...many)), use(steps('one more'))])
    const task = await begin(bench, {}, rounds(1))
    expect(task.plan.items).toHaveLength(100)
    expect(task.plan.items[1]?.title).toHaveLength(500)
    expect(payloads(task, 'loop_guard')).toMatchObject([
      { guard: 'plan_bounds', count: 4, evidence: '3 steps beyond 100 ignored, 1 cut to 500 characters' },
    ])
    const full = await step(bench, task.id)
    expect(full.plan.items).toHaveLength(100)
    expect(payloads(full, 'loop_guard')).toMatchObject([{ guard: 'plan_bounds', count: 1 }])
    expect(JSON.stringify(stateOf(bench, task.id)).length).toBeLessThan(4_000)
  })

  it('O4-07 finishing the last step completes the plan while the run goes on; a further declaration sets it running', async () => {
    const bench = sessionBench([use(`${steps('A')}\n[Done]`), use('[Done]'), use(steps('B')), 'so\n[Done]'])
    const over = await begin(bench, {}, rounds(1))
    expect(over).toMatchObject({ status: 'running', plan: { status: 'completed', cursor: 1 } })
    const idle = await step(bench, over.id)
    expect(idle.plan).toMatchObject({ status: 'completed', cursor: 1 })
    expect(system(bench.requests.at(-1))).toContain('All steps are done')
    const more = await step(bench, over.id)
    expect(more.plan).toMatchObject({ status: 'running', cursor: 1 })
    expect(states(more)).toEqual(['completed', 'running'])
  })
})

describe('the next run (U20)', () => {
  it('U20 R21 a finished plan is replaced when the first reply of the next run calls a tool; ids go on', async () => {
    const bench = sessionBench([use(steps('A', 'B')), 'first\n[Done]', use(steps('C')), 'second'])
    const first = await begin(bench, { max_iterations: 2 }, rounds(5))
    expect(first).toMatchObject({ status: 'completed', plan: { id: expect.stringMatching(/^plan_\d+$/) } })
    bench.clock.now += 1_000
    const second = await say(bench, first.id, 'now C please', rounds(1))
    expect(second).toMatchObject({ status: 'running', result: null, plan: { goal: 'now C please', status: 'running' } })
    expect(second.plan.items.map(({ id, title }) => [id, title])).toEqual([['step_3', 'C']])
    expect(second.plan).toMatchObject({ revision: 2, iteration_count: 1 })
    expect(second.plan.id).not.toBe(first.plan.id)
    // Two iterations more were granted.
    expect(second.budget).toMatchObject({ unit: 'iterations', used: 3, max: 4, remaining: 1 })
    expect((await step(bench, first.id)).result?.text).toBe('second')
  })

  it('U20 a next run that needs no tool leaves the finished plan as it was', async () => {
    const bench = sessionBench([use(steps('A', 'B')), 'first\n[Done]', 'second'])
    const first = await begin(bench, {}, rounds(5))
    const second = await say(bench, first.id, 'thanks', rounds(5))
    expect(second).toMatchObject({ status: 'completed', result: { text: 'second' } })
    expect(second.plan).toEqual(first.plan)
    expect(said(bench.requests.at(-1)).at(-1)).toEqual({ role: 'user', content: 'thanks' })
  })

  it('O4-12 a failed plan is kept and shown; its tools were told of as they began and as they ended', async () => {
    const bench = sessionBench([use(steps('A', 'B')), use('[Done]'), '', ''])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'failed', plan: { status: 'failed', cursor: 1, goal: 'a goal' } })
    expect(states(task)).toEqual(['completed', 'failed'])
    const told = types(task).filter((type) => type.startsWith('action_'))
    expect(told).toEqual(['action_started', 'action_finished', 'action_started', 'action_finished'])
    const stored = taken(await bench.service.getTask(CALLER, task.id))
    expect(stored.plan).toEqual(task.plan)
  })

  it('O4-12 a plan that is damaged in storage is refused and left as it is', async () => {
    const bench = sessionBench([use(steps('A'))])
    const task = await begin(bench, {}, rounds(1))
    const rows = rowsIn(bench, task.id)
    const seq = rows.last()?.seq ?? 0
    const record = rows.records.get(seq)
    if (record === undefined) throw new Error('no row')
    rows.records.set(seq, { ...record, head: '{"damaged"' })
    expect(await bench.service.getTask(CALLER, task.id)).toMatchObject({
      ok: false,
      refusal: { code: 'state_unreadable' },
    })
    expect(rows.records.get(seq)?.head).toBe('{"damaged"')
  })

  it('U20 a failed or canceled session begins no next run, and a failed one says why', async () => {
    const bench = sessionBench([use(steps('A')), '', ''])
    const task = await begin(bench, {}, rounds(5))
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', plan: { status: 'failed' } })
    expect(task.error?.detail).toContain('the reply is empty')
    const next = (id: string, text: string) => bench.service.inputTask(CALLER, id, text, null, rounds(1))
    expect(await next(task.id, 'another goal')).toMatchObject({ ok: false, refusal: { code: 'task_ended' } })
    const { id } = await begin(bench)
    await bench.service.tellTask(CALLER, id, { kind: 'cancel' })
    expect(await next(id, 'go on')).toMatchObject({ ok: false, refusal: { code: 'task_ended' } })
  })
})

describe('templates', () => {
  const plan_templates = Settings.parse({
    plan_templates: [
      { words: ['trip'], steps: ['pack'] },
      { words: ['财报', 'Report'], steps: ['download', 'extract', 'draw'] },
    ],
  }).plan_templates

  it('S4-29 a goal with one of the words gets the steps of the template when the model declares none', async () => {
    const bench = sessionBench([use(), use('[Done]'), use(steps('check'))])
    const task = await begin(bench, { plan_templates }, rounds(2), { goal: 'the annual report' })
    expect(task.plan).toMatchObject({ source: 'template', cursor: 1 })
    expect(titles(task)).toEqual(['download', 'extract', 'draw'])
    expect(titles(await step(bench, task.id))).toEqual(['download', 'extract', 'draw', 'check'])
  })

  it.each([
    ['what the model declares comes first', 'the annual report', [use(steps('mine'))], ['mine']],
    ['a goal without the words has none', 'buy milk', [use()], []],
  ])('S4-29 %s', async (_name, goal, turns, expected) => {
    const task = await begin(sessionBench(turns), { plan_templates }, rounds(1), { goal })
    expect(titles(task)).toEqual(expected)
    expect(task.plan.source).toBe('declared')
  })

  it('S4-29 the words are looked for in what the run was asked, and there are no templates by default', async () => {
    const bench = sessionBench(['hello', use()])
    const task = await begin(bench, { plan_templates }, rounds(1), { goal: 'hello' })
    expect(titles(await say(bench, task.id, '做一份财报', rounds(1)))).toEqual(['download', 'extract', 'draw'])
    expect(Settings.parse({}).plan_templates).toEqual([])
  })
})
