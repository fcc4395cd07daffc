/** The flow and state machine of seed 000: S0-01…S0-27, S0-34…S0-59, S0-64, S0-81…S0-90, one sentence each. */
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/shell/ports.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  closed,
  createTask,
  done,
  NONE,
  planned,
  replanned,
  say,
  step,
  type Bench,
} from '../../support/scripted.ts'

const phases = (bench: Bench) => bench.requests.map((request) => request.metadata.phase)
const context = (request: ModelRequest | undefined) => JSON.parse(request?.messages[1]?.content ?? '{}')
const types = (task: { slice: { events: { type: string }[] } | null }) =>
  task.slice?.events.map((event) => event.type) ?? []
const ROUND = { rounds: 1, max_ms: 25_000 }

describe('flow', () => {
  it('S0-01 S0-12 the main flow is plan, thought, act, observe, replan', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const task = await createTask(bench, {}, ALL)
    expect(phases(bench)).toEqual(['plan', 'thought', 'thought', 'replan'])
    expect(types(task)).toEqual([
      'task_created',
      'plan_created',
      'item_started',
      'thought_decided',
      'action_started',
      'action_finished',
      'thought_decided',
      'item_completed',
      'task_completed',
    ])
    bench.spent()
  })

  it('S0-02 S0-13 S0-22 S0-81 plan runs once per new task, on its first input, never again', async () => {
    const bench = benchOf({
      plan: [planned('A'), planned('X')],
      thought: [ask(), done(), done()],
      replan: [replanned('A'), closed(), closed()],
    })
    const first = await createTask(bench, {}, ALL)
    await say(bench, first.id, 'an answer', ALL)
    expect(phases(bench).filter((phase) => phase === 'plan')).toHaveLength(1)
    await createTask(bench, {}, ALL)
    expect(phases(bench).filter((phase) => phase === 'plan')).toHaveLength(2)
    bench.spent()
  })

  it('S0-04 S0-14 S0-21 S0-84 thought works the items in order, several rounds inside one item', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), act(), done(), act('/todo list'), done()],
      replan: [replanned('A', 'B'), closed()],
    })
    await createTask(bench, {}, ALL)
    const items = bench.requests.filter((r) => r.metadata.phase === 'thought').map((r) => context(r).current_item.title)
    expect(items).toEqual(['A', 'A', 'A', 'B', 'B'])
    bench.spent()
  })

  it('S0-10 S0-16 S0-38 S0-82 a finished sub-task without clarification triggers one replan', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done(), done()], replan: [replanned('B'), closed()] })
    await createTask(bench, {}, ALL)
    expect(phases(bench)).toEqual(['plan', 'thought', 'replan', 'thought', 'replan'])
    bench.spent()
  })

  it('S0-11 S0-17 S0-83 R1 an answer triggers replan before the next thought', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask(), done()], replan: [replanned('A'), closed()] })
    const task = await createTask(bench, {}, ALL)
    await say(bench, task.id, 'tomorrow', ALL)
    expect(phases(bench)).toEqual(['plan', 'thought', 'replan', 'thought', 'replan'])
    expect(context(bench.requests[2]).clarifications).toEqual([{ question: 'When?', answer: 'tomorrow' }])
    bench.spent()
  })

  it('S0-85 R4 a failed tool is recorded, stays in the inner loop, replan only after the sub-task', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act(), act(), done()],
      replan: [closed()],
      tools: [{ ok: false, text: 'broken' }, { ok: true }],
    })
    const task = await createTask(bench, {}, ALL)
    expect(phases(bench)).toEqual(['plan', 'thought', 'thought', 'thought', 'replan'])
    const [failure] = context(bench.requests[2]).observations
    expect(failure).toMatchObject({ tool: 'todo', ok: false, result: 'broken', item_id: 'step_1' })
    expect(task.counters).toMatchObject({ actions: 2, successful_actions: 1, failed_actions: 1 })
    bench.spent()
  })

  it('S0-19 S0-62 waiting for an answer suspends the task: a step does nothing and costs nothing', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const waiting = await createTask(bench, {}, ALL)
    const task = await step(bench, waiting.id, ALL)
    expect(task).toMatchObject({ status: 'input_required', step_count: 1, version: waiting.version })
    expect(task.slice).toEqual({ advanced: false, rounds: 0, events: [] })
    bench.spent()
  })

  it('S0-25 S0-77 a slash command during waiting runs first and keeps the pending task', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const waiting = await createTask(bench, {}, ALL)
    const answer = await bench.service.inputTask(
      { tenant: 'acme', traceparent: null },
      waiting.id,
      '/todo add milk',
      null,
      ROUND,
    )
    expect(answer.ok && answer.value.command?.kind).toBe('todo_added')
    expect(answer.ok && { ...answer.value.task, slice: null }).toEqual({ ...waiting, slice: null })
  })

  it.each([
    ['en', 'Please confirm: When?'],
    ['zh', '请确认：When?'],
  ] as const)('S0-63 the question is returned with the literal prefix (%s)', async (locale, prompt) => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const task = await createTask(bench, {}, ALL, { locale })
    expect(task.pending).toMatchObject({ kind: 'question', prompt })
  })

  it('S0-37 thought never rewrites the plan', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [{ ...act(), plan: ['X'] }] })
    const task = await createTask(bench, {}, ROUND)
    expect(task.plan).toMatchObject({ revision: 1, cursor: 0 })
    expect(task.plan.items.map((item) => item.title)).toEqual(['A'])
  })

  it('S0-49 S0-54 S0-55 R3 only replan closes: after the last item replan decides, with the conclusion as context', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done('all is done')], replan: [closed('final')] })
    const last = await createTask(bench, {}, ROUND)
    expect(last).toMatchObject({ status: 'running', result: null })
    expect(last.plan).toMatchObject({ cursor: 1 })
    const task = await step(bench, last.id)
    expect(context(bench.requests.at(-1)).pending_answer).toBe('all is done')
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', result: { text: 'final' } })
    bench.spent()
  })

  it('S0-64 thought done moves the cursor, keeps its response for replan, and leaves the inner loop', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done('A is ready')], replan: [replanned('B')] })
    const task = await createTask(bench, {}, { rounds: 2, max_ms: 25_000 })
    expect(context(bench.requests.at(-1))).toMatchObject({ pending_answer: 'A is ready', completed: ['A'] })
    expect(task.plan.items.map((item) => [item.id, item.title])).toEqual([['step_2', 'B']])
    bench.spent()
  })

  it('S0-58 ruling 18 replanned replaces the items and aligns the cursor atomically; ids of kept titles stay', async () => {
    const bench = benchOf({ plan: [planned('A', 'B', 'C')], thought: [done()], replan: [replanned('C', 'D', 'B')] })
    const task = await createTask(bench, {}, { rounds: 2, max_ms: 25_000 })
    expect(task.plan).toMatchObject({ revision: 2, cursor: 0, source: 'replan' })
    expect(task.plan.items.map((item) => item.id)).toEqual(['step_3', 'step_4', 'step_2'])
    bench.spent()
  })

  it('R5 an identical list keeps cursor and revision', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')], thought: [done()], replan: [replanned(' A ', 'B')] })
    const task = await createTask(bench, {}, { rounds: 2, max_ms: 25_000 })
    expect(task.plan).toMatchObject({ revision: 1, cursor: 1 })
    expect(task.plan.items.map((item) => item.status)).toEqual(['completed', 'running'])
    bench.spent()
  })

  it('S0-88 R9 an empty plan leads to an explicit done or ask_user: the thought is given an empty item', async () => {
    const bench = benchOf({ plan: [planned()], thought: [done()], replan: [closed()] })
    await createTask(bench, {}, ALL)
    expect(context(bench.requests[1]).current_item).toEqual({ id: null, title: '' })
    bench.spent()
  })

  it('R11 ruling 17 an identical list at its end offers the empty item; the second conclusion in a row warns replan', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [done(), done(), done()],
      replan: [replanned('A'), replanned('A'), closed()],
    })
    const task = await createTask(bench, {}, ALL)
    const notes = bench.requests.filter((r) => r.metadata.phase === 'replan').map((r) => context(r).note)
    expect(notes).toEqual([null, null, expect.stringContaining('no item was open')])
    expect(task).toMatchObject({ status: 'completed', step_count: 6 })
    bench.spent()
  })

  it('S0-24 R10 after two failed actions in a row a further continue is refused, counts one and runs nothing', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [act(), act(), act(), done()],
      replan: [closed()],
      tools: [{ ok: false }, { ok: false }],
    })
    let task = await createTask(bench, {}, { rounds: 3, max_ms: 25_000 })
    expect(task.step_count).toBe(5)
    expect(bench.calls).toHaveLength(2)
    expect(types(task)).toContain('contract_failed')
    expect(context(bench.requests.at(-1)).must_not_act).toBe(true)
    task = await step(bench, task.id, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 7 })
    bench.spent()
  })

  it.each([
    ['a success', [{ ok: false }, { ok: true }, { ok: false }], [act(), act(), act(), act()], 4],
    ['a new item', [{ ok: false }, { ok: false }, { ok: true }], [act(), act(), done(), act()], 3],
  ])('R10 %s resets the count of failed actions', async (_name, tools, thought, calls) => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought,
      replan: [replanned('A', 'B')],
      tools: [...tools, { ok: true }],
    })
    await createTask(bench, {}, { rounds: thought.length + (calls === 3 ? 1 : 0), max_ms: 25_000 })
    expect(bench.calls).toHaveLength(calls)
  })

  it('O0-12 R25 questions are limited by max_clarifications; a refused one is not shown', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [ask('One?'), ask('Two?'), done()],
      replan: [replanned('A'), closed()],
    })
    let task = await createTask(bench, { max_clarifications: 1 }, ALL)
    task = await say(bench, task.id, 'first', ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 5 })
    expect(types(task)).toContain('loop_guard')
    bench.spent()
  })

  it('O0-12 ruling 9 a repeated question does not touch the failure streak', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [ask(), ask(), 'bad', done()],
      replan: [replanned('A'), closed()],
    })
    let task = await createTask(bench, { failure_limit: 2 }, ALL)
    task = await say(bench, task.id, 'tomorrow', ALL)
    expect(task.status).toBe('completed')
    bench.spent()
  })

  it('S0-20 plan and replan deliver complete lists: all of a list is shown', async () => {
    const titles = Array.from({ length: 100 }, (_, index) => `item ${index + 1}`)
    const bench = benchOf({ plan: [planned(...titles)] })
    const task = await createTask(bench, {}, NONE)
    expect(task.plan.items.map((item) => item.title)).toEqual(titles)
  })
})

describe('accounting', () => {
  it.each([
    ['S0-28 every thought attempt costs one', { thought: [done()] }, 1],
    ['S0-30 every executed action costs one', { thought: [act()] }, 2],
    ['S0-31 S0-32 planning, asking and waiting are free', { thought: [ask()] }, 1],
    ['S0-06 S0-89 an unparsable thought costs one', { thought: ['garbage'] }, 1],
    ['S0-06 S0-89 a field-invalid thought costs one', { thought: [{ ...act(), question: 'why?' }] }, 1],
    [
      'S0-23 an action of a tool that is not offered is a failed action and costs one',
      { thought: [act('x', 'rocket')] },
      2,
    ],
  ] as const)('%s', async (_name, script, steps) => {
    const bench = benchOf({ plan: [planned('A')], thought: [...script.thought] })
    const task = await createTask(bench, {}, ROUND)
    expect(task.step_count).toBe(steps)
    expect(task.budget.used).toBe(steps)
    bench.spent()
  })

  it('S0-29 S0-86 every replan attempt costs one, a broken one too', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: ['{}', closed()] })
    const task = await createTask(bench, {}, ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 3 })
    bench.spent()
  })

  it('S0-07 S0-27 S0-90 ruling 12 at the limit neither thought nor replan nor tool runs', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const spent = await createTask(bench, { max_steps: 2 }, ROUND)
    expect(spent).toMatchObject({ status: 'running', step_count: 2 })
    const task = await step(bench, spent.id)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 2 })
    expect(task.slice).toMatchObject({ advanced: true, rounds: 0 })
    expect(types(task)).toEqual(['budget_exhausted', 'task_paused'])
    bench.spent()
  })

  it.each(['en', 'zh'] as const)('S0-33 S0-87 the limit answer has its three parts (%s)', async (locale) => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), done(), act()],
      replan: [replanned('B')],
      tools: [{ ok: true }, { ok: false, text: 'nobody answered' }],
    })
    const task = await createTask(bench, { max_steps: 5 }, ALL, { locale })
    const handover = task.handover
    expect(handover?.completed).toEqual(['A', 'todo: /todo add milk'])
    expect(handover?.remaining).toEqual(['B'])
    expect(handover?.unfinished_reason).toContain('nobody answered')
    expect(handover?.next_steps).toHaveLength(2)
    for (const part of [...(handover?.completed ?? []), handover?.unfinished_reason, ...(handover?.next_steps ?? [])]) {
      expect(handover?.text).toContain(part)
    }
    expect(handover?.text).toContain(locale === 'zh' ? '未完成原因' : 'Unfinished because')
  })

  it('R8 plan attempts are 1 + plan_retries, free, back to back; then the task fails with step_count 0', async () => {
    const bench = benchOf({ plan: ['no', '[]', '{"status":"planned"}'] })
    const task = await createTask(bench)
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 0 })
    expect(task.counters.model_calls).toBe(3)
    bench.spent()
  })

  it('ruling 8 plan attempts that end in a model failure pause the task; planning starts anew on resume', async () => {
    const bench = benchOf({ plan: ['no', new Error('down'), new Error('down'), planned('A')] })
    const paused = await createTask(bench)
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable', step_count: 0 })
    const task = await say(bench, paused.id, 'continue', NONE)
    expect(task).toMatchObject({ status: 'running', step_count: 0, stop_reason: null })
    expect(task.plan.items).toHaveLength(1)
    bench.spent()
  })

  it('ruling 9 failed model calls in a row pause the task at failure_limit, each counted once', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [new Error('down'), new Error('down'), done()],
      replan: [closed()],
    })
    let task = await createTask(bench, {}, ROUND)
    expect(task).toMatchObject({ status: 'running', step_count: 1 })
    task = await step(bench, task.id)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable', step_count: 2 })
    expect(task.pending).toMatchObject({ kind: 'resume' })
    expect(task.handover?.unfinished_reason).toContain('down')
    task = await say(bench, task.id, '继续', ALL)
    expect(task).toMatchObject({ status: 'completed', step_count: 4 })
    bench.spent()
  })

  it('ruling 9 a failed call ends the slice with retry_after_ms; an earlier step is not advanced and calls nothing', async () => {
    const bench = benchOf({})
    bench.ports.model = {
      complete: (request) =>
        Promise.resolve(
          request.metadata.phase === 'plan'
            ? { kind: 'model_replied', text: JSON.stringify(planned('A')), usage: null, model: 'm', form: 'text' }
            : { kind: 'model_failed', reason: 'busy', status: 429, retry_after_ms: 90_000 },
        ),
    }
    const limited = await createTask(bench, {}, ALL)
    expect(limited).toMatchObject({ status: 'running', step_count: 1, retry_after_ms: 90_000 })
    bench.clock.now += 89_000
    const early = await step(bench, limited.id, ALL)
    expect(early).toMatchObject({ step_count: 1, retry_after_ms: 1_000 })
    expect(early.slice?.advanced).toBe(false)
    bench.clock.now += 1_000
    const later = await step(bench, limited.id, ALL)
    expect(later).toMatchObject({ status: 'paused', step_count: 2, retry_after_ms: null })
  })

  it('ruling 9 one streak for model and contract failures; the last kind decides', async () => {
    const one = benchOf({ plan: [planned('A')], thought: [new Error('down'), 'bad'] })
    let task = await createTask(one, {}, ROUND)
    task = await step(one, task.id)
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'contract_failures', step_count: 2 })
    const other = benchOf({ plan: [planned('A')], thought: ['bad', new Error('down')] })
    task = await createTask(other, {}, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable', step_count: 2 })
  })

  it('S0-26 step_count is one budget for thoughts, replans and actions together, and equals budget.used', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), done(), done()],
      replan: [replanned('B'), closed()],
    })
    const task = await createTask(bench, {}, ALL)
    expect(task.step_count).toBe(6)
    expect(task.budget).toMatchObject({ used: 6, max: 20, remaining: 14 })
    expect(task.counters).toEqual({
      model_calls: 6,
      actions: 1,
      successful_actions: 1,
      failed_actions: 0,
      replans: 2,
      iterations: 0,
    })
  })

  it('api.md how a task is cut into slices never changes its accounting or its result', async () => {
    const script = () => ({
      plan: [planned('A', 'B')],
      thought: [act(), 'bad', done('a'), ask(), act(), done()],
      replan: [replanned('B'), replanned('B'), closed()],
    })
    const ends = []
    for (const rounds of [1, 2, 3, 50]) {
      const bench = benchOf(script())
      let task = await createTask(bench, {}, NONE)
      for (let i = 0; i < 30 && task.status !== 'completed'; i++) {
        const bounds = { rounds, max_ms: 25_000 }
        task =
          task.status === 'input_required' ? await say(bench, task.id, 'x', bounds) : await step(bench, task.id, bounds)
      }
      const { slice: _slice, id: _id, ...end } = task
      ends.push(end)
      bench.spent()
    }
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1)
    expect(ends[0]).toMatchObject({ status: 'completed', step_count: 11 })
  })
})
