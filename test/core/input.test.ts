/** What a text from a person does (O0-02, R23, U3 and U14). */
import { describe, expect, it } from 'vitest'
import { isContinue } from '../../src/core/protocol/input.ts'
import {
  act,
  ALL,
  ask,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  journalOf,
  NONE,
  ONE,
  planned,
  replanned,
  say,
  step,
} from '../support/scripted.ts'

const SPENT = { plan: [planned('A')], thought: [act(), act(), done()], replan: [closed()] }
const context = (content: string | undefined) => JSON.parse(content ?? '{}')

describe('continue texts', () => {
  it.each([
    'why not continue?',
    'stop worrying and continue',
    '不得不继续',
    '没问题，继续',

    '继续',
    '请继续吧',
    'continue',
    'Continue!',
    'please RESUME',
    'go on',
    'Go  on then',
    'proceed',
    'ok, proceed.',
    '不要停，继续',
  ])('resumes: %s', (text) => expect(isContinue(text)).toBe(true))
  it.each([
    '不要继续',
    '不要继续了',
    '别继续',
    '停止继续',
    "don't continue",
    'do not go on',
    'never resume this',
    'discontinued',
    'discontinue',
    'proceeds',
    'stop',
    '',
    'resumed',
  ])('does not resume: %s', (text) => expect(isContinue(text)).toBe(false))
})

describe('routing', () => {
  it('O0-02 the cancel phrase cancels, before anything else is looked at', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const task = await createTask(bench, {}, ALL)
    const canceled = await say(bench, task.id, '取消当前任务')
    expect(canceled).toMatchObject({ status: 'canceled', stop_reason: 'canceled', step_count: 1 })
    expect(canceled.slice?.events.map((event) => event.type)).toEqual(['task_canceled'])
  })

  it('O0-01 the cancel phrase is a setting; it is tested before the slash; with a full stop it is ordinary text', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()], replan: [replanned('A')] })
    const task = await createTask(bench, { cancel_phrase: '/stop' }, ALL)
    expect((await say(bench, task.id, '/stop.', NONE)).status).toBe('input_required')
    expect((await say(bench, task.id, '取消当前任务', NONE)).status).toBe('running')
    expect((await say(bench, task.id, '/stop')).status).toBe('canceled')
  })

  it('an answer with the request_id of the open question is taken; any other is question_settled', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask()] })
    const task = await createTask(bench, {}, ALL)
    const open = task.pending?.kind === 'question' ? task.pending.request_id : ''
    const other = await bench.service.inputTask(CALLER, task.id, 'x', 'question_99', NONE)
    expect(other).toEqual({ ok: false, refusal: { code: 'question_settled' } })
    const taken = await bench.service.inputTask(CALLER, task.id, 'x', open, NONE)
    expect(taken.ok && taken.value.task.status).toBe('running')
    const again = await bench.service.inputTask(CALLER, task.id, 'x', open, NONE)
    expect(again).toEqual({ ok: false, refusal: { code: 'question_settled' } })
  })

  it('a remark on a running task makes the mode look at the plan again', async () => {
    const bench = benchOf({ plan: [planned('A')], replan: [replanned('A', 'B')] })
    const task = await createTask(bench)
    const after = await say(bench, task.id, 'also B')
    expect(after.plan.items.map((item) => item.title)).toEqual(['A', 'B'])
    expect(context(bench.requests.at(-1)?.messages[1]?.content).remarks).toEqual(['also B'])
    bench.spent()
  })

  it('an ended task answers 409 task_ended; the cancel phrase and slash commands still work', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done()], replan: [closed()] })
    const task = await createTask(bench, {}, ALL)
    const refused = await bench.service.inputTask(CALLER, task.id, 'more', null, ONE)
    expect(refused).toEqual({ ok: false, refusal: { code: 'task_ended', status: 'completed' } })
    expect((await say(bench, task.id, '取消当前任务')).status).toBe('completed')
    const command = await bench.service.inputTask(CALLER, task.id, '/help', null, ONE)
    expect(command.ok && command.value.command?.kind).toBe('help')
  })
})

describe('a spent budget', () => {
  it('U14 a continue text grants the original amount again and goes on', async () => {
    const bench = benchOf(SPENT)
    const paused = await createTask(bench, { max_steps: 2 }, ALL)
    expect(paused).toMatchObject({ status: 'paused', step_count: 2 })
    const task = await say(bench, paused.id, 'please continue')
    expect(task.budget).toMatchObject({ used: 4, max: 4, remaining: 0 })
    expect(task.slice?.events.map((event) => event.type).slice(0, 2)).toEqual(['budget_added', 'task_resumed'])
    const again = await say(bench, (await step(bench, task.id)).id, '继续', ALL)
    expect(again).toMatchObject({ status: 'completed', step_count: 6 })
  })

  it('U14 any other text is kept as a remark and does not resume', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()], replan: [closed()] })
    const paused = await createTask(bench, { max_steps: 2 }, ALL)
    const kept = await say(bench, paused.id, 'use the other list')
    expect(kept).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 2 })
    const task = await say(bench, paused.id, 'continue', ALL)
    expect(task.status).toBe('completed')
    expect(context(bench.requests.at(-1)?.messages[1]?.content).remarks).toEqual(['use the other list'])
    bench.spent()
  })

  it.each([
    ['continue', []],
    ['Please go on, thanks!', []],
    ['好的，请继续执行任务吧。', []],
    ['continue, and use blue', ['continue, and use blue']],
    ['继续，但用蓝色', ['继续，但用蓝色']],
    [`continue${' please'.repeat(20)}`, [`continue${' please'.repeat(20)}`]],
  ])('U14 what "%s" says beyond that the task is to go on is a remark', async (text, remarks) => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], replan: [closed()] })
    const paused = await createTask(bench, { max_steps: 2 }, ALL)
    const task = await say(bench, paused.id, text, ALL)
    expect(task.status).toBe('completed')
    const events = (await journalOf(bench, task.id)).filter(({ kind }) => kind === 'user_remarked')
    expect(events.map(({ reply }) => reply)).toEqual(remarks.map((remark) => ({ text: remark })))
  })

  it('U14 a remark beside a continue text is kept if nothing is granted, and while an approval is open', async () => {
    const spent = benchOf({ plan: [planned('A')], thought: [act()] })
    const { id } = await createTask(spent, { max_steps: 2, continue_grants: false }, ALL)
    expect((await say(spent, id, 'continue, and use blue')).status).toBe('paused')
    const asking = benchOf({ plan: [planned('A')] })
    const task = await createTask(asking, { approve: 'plan' }, ALL)
    await asking.service.tellTask(CALLER, task.id, { kind: 'pause' })
    expect((await say(asking, task.id, 'continue, and use blue')).stop_reason).toBe('approval')
    for (const [bench, of] of [
      [spent, id],
      [asking, task.id],
    ] as const)
      expect((await journalOf(bench, of)).map(({ kind }) => kind)).toContain('user_remarked')
  })

  it('U14 with continue_grants false nothing is granted and the task stays paused', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act()] })
    const paused = await createTask(bench, { max_steps: 2, continue_grants: false }, ALL)
    const task = await say(bench, paused.id, 'continue')
    expect(task).toMatchObject({ status: 'paused', step_count: 2, version: paused.version })
    expect(task.slice?.advanced).toBe(false)
  })

  it('a text on a task paused for its model is added and resumes', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [new Error('x')], replan: [closed()] })
    const paused = await createTask(bench, { failure_limit: 1 }, ALL)
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    const task = await say(bench, paused.id, 'try it in the evening', ALL)
    expect(task.status).toBe('completed')
    bench.spent()
  })
})
