/** `calls: few` in mode dynamic (S3-37): native calls, actions that finish their step, and how many calls a goal takes. */
import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src/shell/tool-ports.ts'
import { EQUAL, expectFold, replayOf } from '../../support/forks.ts'
import {
  ALL,
  benchOf,
  CALLER,
  calling,
  context,
  createTask,
  NONE,
  ONE,
  phases,
  step as advance,
  taken,
  type Bench,
  type Line,
} from '../../support/scripted.ts'
import { action, complete, dynamicTask, eventsOf, goOn, steps } from './support.ts'

const FEW = { calls: 'few' } as const
const call = (input = '/todo add milk', ends_item = false, tool = 'todo') =>
  calling('On with it.', [tool, { [tool === 'todo' ? 'command' : 'query']: input, why: `to do ${input}`, ends_item }])
const done = (answer: string | null = 'it is done', reason = 'it is done') => ({
  thought: 'good',
  ...complete(reason),
  answer,
  action: null,
})

async function playedFew(plan: object, moves: Line[], settings: object = {}, tools?: { ok: boolean; text?: string }[]) {
  const bench = benchOf({ plan: [plan], step_decision: moves, ...(tools === undefined ? {} : { tools }) })
  const task = await dynamicTask(bench, { ...FEW, ...settings })
  return { bench, task }
}
async function expectSound(bench: Bench, id: string): Promise<void> {
  bench.spent()
  expectFold(bench, id)
  expect(await replayOf(bench, id)).toEqual(EQUAL(taken(await bench.service.getTask(CALLER, id)).version))
}

describe('native calls', () => {
  it('S3-37 a call is an action: why is its reason, and neither why nor ends_item reaches the tool', async () => {
    const { bench, task } = await playedFew(steps('A'), [call(), done('Milk is on the list.')])
    expect(bench.calls).toMatchObject([{ tool: 'todo', input: '/todo add milk' }])
    expect(task).toMatchObject({ status: 'completed', step_count: 1, result: { text: 'Milk is on the list.' } })
    const decided = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'thought_decided')
    expect(decided.slice(0, 2).map(({ payload }) => payload['text'])).toEqual(['On with it.', 'to do /todo add milk'])
    await expectSound(bench, task.id)
  })

  it('S3-37 in place of the plan a call is not made and told, and the next reply is understood', async () => {
    const bench = benchOf({ plan: [call(), steps('A')], step_decision: [call(), done()] })
    const task = await dynamicTask(bench, FEW)
    expect(task).toMatchObject({ status: 'completed', counters: { actions: 1 } })
    expect(bench.calls).toHaveLength(1)
    expect(bench.requests[1]?.messages[1]?.content).toContain(
      'todo was not called, because phase plan calls no tool: reply with its JSON object',
    )
    expect(new Set(bench.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1)
    await expectSound(bench, task.id)
  })

  it('S3-37 an argument of the same name that a tool of the client declares is its own', async () => {
    const properties = { why: { type: 'string' }, place: { type: 'string' } }
    const own = {
      name: 'weather',
      description: 'w',
      parameters: { type: 'object', properties },
      url: 'https://example.com/w',
      idempotent: true,
    }
    const bench = benchOf({
      plan: [steps('A')],
      step_decision: [calling('', ['Weather', { why: 'x', place: 'Rome', ends_item: true }]), done()],
    })
    const task = await createTask(bench, FEW, ALL, { mode: 'dynamic', tools: [own] })
    expect([task.status, bench.calls.map(({ tool, input }) => [tool, input])]).toEqual([
      'completed',
      [['weather', '{"why":"x","place":"Rome"}']],
    ])
  })

  it('S3-37 the JSON form is accepted as well', async () => {
    const move = { thought: 'hm', ...goOn(), action: { ...action(), ends_item: 'yes' } }
    const { bench, task } = await playedFew(steps('A', 'B'), [move, done()])
    expect(task).toMatchObject({ status: 'completed', step_count: 1 })
    expect(phases(bench)).toEqual(['plan', 'step_decision', 'step_decision'])
    await expectSound(bench, task.id)
  })

  it('S3-37 of several calls the first is made, and the next prompt says so', async () => {
    const both = calling('', ['todo', { command: '/todo add a' }], ['todo', { command: '/todo add b' }])
    const { bench, task } = await playedFew(steps('A'), [both, call('/todo add b'), done()])
    expect(bench.calls.map(({ input }) => input)).toEqual(['/todo add a', '/todo add b'])
    const warnings = bench.requests.map((request) => context(request).warning ?? '')
    expect(warnings[2]).toContain('Only the first call of your last reply was made')
    expect(warnings[3]).toBe('')
    await expectSound(bench, task.id)
  })

  it('S3-37 prose without a call is refused, and the correction says what was wrong', async () => {
    const { bench, task } = await playedFew(steps('A'), ['It is all done now.', done()])
    expect(task.status).toBe('completed')
    expect(context(bench.requests[2]).correction).toEqual({
      your_reply: 'It is all done now.',
      problem: 'the reply has no JSON object',
    })
    await expectSound(bench, task.id)
  })
})

describe('an action that finishes its step', () => {
  it('S3-37 its success ends the step with its result, without a further call', async () => {
    const { bench, task } = await playedFew(steps('A', 'B'), [call('/todo add milk', true), done('all')], {}, [
      { ok: true, text: 'Added todo #7' },
    ])
    expect(phases(bench)).toEqual(['plan', 'step_decision', 'step_decision'])
    expect(task.plan.items).toMatchObject([{ status: 'completed', result: 'Added todo #7' }, { status: 'completed' }])
    expect(context(bench.requests[2]).completed).toEqual([
      { id: 'step_1', title: 'A', status: 'completed', result: 'Added todo #7' },
    ])
    // The result of the step is not told once more as the result of its action.
    expect(context(bench.requests[2]).actions).toEqual([
      { item_id: 'step_1', tool: 'todo', input: '/todo add milk', ok: true, name: 'result_1' },
    ])
    expect(JSON.stringify(context(bench.requests[2])).split('Added todo #7')).toHaveLength(2)
    await expectSound(bench, task.id)
  })

  it('O0-14 a result too long for its step stands with its action', async () => {
    const text = 'long '.repeat(600)
    const { bench } = await playedFew(steps('A', 'B'), [call('/todo add milk', true), done()], {}, [{ ok: true, text }])
    const shown = context(bench.requests[2])
    expect(shown.completed[0].result.length).toBe(2_000)
    expect(shown.actions[0].result).toBe(text)
  })

  it('O0-14 a thought of the tool think is told once', async () => {
    const think = calling('', ['think', { thought: 'Oak is the best of the three' }])
    const { bench } = await playedFew(steps('A'), [think, done()], {}, [
      { ok: true, text: 'Oak is the best of the three' },
    ])
    expect(context(bench.requests[2]).actions).toEqual([
      { item_id: 'step_1', tool: 'think', ok: true, name: 'result_1', result: 'Oak is the best of the three' },
    ])
  })

  it('S3-37 its failure does not', async () => {
    const { bench, task } = await playedFew(
      steps('A', 'B'),
      [call('/todo add milk', true), call('/todo add bread', true), done()],
      {},
      [{ ok: false }],
    )
    expect(task.plan.items[0]).toMatchObject({ status: 'completed', result: 'todo done' })
    await expectSound(bench, task.id)
  })

  it('S3-37 the last step ends by a decision, which has the answer; its request says why it comes', async () => {
    const { bench, task } = await playedFew(steps('A', 'B'), [
      call('/todo add milk', true),
      call('/todo add bread'),
      call('/todo add eggs', true),
      done('Milk it is.'),
    ])
    expect([bench.requests.length, task.result?.text]).toEqual([5, 'Milk it is.'])
    const warnings = bench.requests.map((request) => context(request).warning)
    expect(warnings.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined])
    expect(warnings[4]).toContain(
      'finishes this last step: say is_complete true with its result as reason, and give answer',
    )
    await expectSound(bench, task.id)
  })

  it('S3-37 what the user said while it ran is heeded by the next move', async () => {
    const todo: Tool = {
      name: 'todo',
      run: async () => {
        await bench.service.inputTask(CALLER, id, 'bread too', null, NONE)
        return { ok: true, code: 'scripted', text: 'added' }
      },
    }
    const bench = benchOf(
      { plan: [steps('A', 'B')], step_decision: [call('/todo add milk', true), done(), done()] },
      { tools: new Map([['todo', todo]]) },
    )
    const { id } = await dynamicTask(bench, FEW, NONE)
    const task = await advance(bench, id, ONE)
    expect([task.plan.cursor, task.step_count]).toEqual([1, 1])
    await advance(bench, id, ONE)
    expect(context(bench.requests.at(-1)).remarks).toEqual(['bread too'])
  })

  it('S3-37 a move that says complete and acts is complete once the action has succeeded', async () => {
    const move = { thought: 'hm', ...complete('done by this'), action: { ...action(), ends_item: null } }
    const { bench, task } = await playedFew(steps('A', 'B'), [move, done()])
    expect([bench.calls.length, task.plan.items[0]?.result]).toEqual([1, 'todo done'])
    await expectSound(bench, task.id)
  })
})

describe('how many calls a goal takes', () => {
  const ends = (input: string) => call(input, true)
  const GOALS: [string, string[], Line[], number][] = [
    // The plan and the moves, and the calls of a plain loop of tools: one for each action and one for the answer.
    ['1 action', ['A'], [ends('a'), done('x')], 2],
    ['3 actions', ['A', 'B', 'C'], [ends('a'), ends('b'), ends('c'), done('x')], 4],
    ['a search, then a note', ['A', 'B'], [call('a', true, 'internet_search'), ends('b'), done('x')], 3],
    ['5 items', ['A', 'B', 'C', 'D', 'E'], [...'abcde'].map(ends).concat(done('x') as never), 6],
  ]
  it.each(GOALS)('S3-37 %s: at most one and a half times a plain loop of tools', async (_, titles, moves, plain) => {
    const { bench, task } = await playedFew(steps(...titles), moves)
    expect(task).toMatchObject({ status: 'completed', step_count: titles.length, result: { text: 'x' } })
    expect(bench.requests.length).toBeLessThanOrEqual(1.5 * plain)
    await expectSound(bench, task.id)
  })
})
