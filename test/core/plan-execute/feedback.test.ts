/** What a model is told: results of finished items, what was wrong with its last reply, and what it repeats. And what it says of its goal. */
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
  ONE,
  phases,
  planned,
  replanned,
  say,
  step,
} from '../../support/scripted.ts'

describe('ruling 33 a refused reply', () => {
  it('of the plan is shown to the next attempt, last of all, and goes when one is accepted', async () => {
    const bench = benchOf({ plan: ['no plan', planned('A')], thought: [done()] })
    await createTask(bench, {}, ONE)
    const [first, second, third] = bench.requests.map(context)
    expect([first.correction, third.correction]).toEqual([undefined, undefined])
    expect(second.correction).toMatchObject({ your_reply: 'no plan', problem: 'the reply has no JSON object' })
    expect(Object.keys(second).at(-1)).toBe('correction')
  })

  it('of a thought names the member and what was given, and is no observation', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [{ ...act(), status: 'go' }, done()], replan: [closed()] })
    await createTask(bench, {}, ALL)
    const { correction, observations } = context(bench.requests[2])
    expect(correction.problem).toMatch(/^status: .*"continue".*\(given: "go"\)$/)
    expect(observations).toEqual([])
  })

  it('whose question was asked before is told, too', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [ask(), ask(), done()], replan: [replanned('A'), closed()] })
    const { id } = await createTask(bench, {}, ALL)
    await say(bench, id, 'tomorrow', ALL)
    expect(context(bench.requests[4]).correction.problem).toContain('asked before')
  })
})

describe('the same action with the same result', () => {
  it('is told after the second time, not run a third time, and handed to replan when it is chosen again', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), act(), act(), act()], replan: [closed()] })
    const task = await createTask(bench, {}, ALL)
    expect(bench.calls).toHaveLength(2)
    expect(phases(bench)).toEqual(['plan', 'thought', 'thought', 'thought', 'thought', 'replan'])
    expect(bench.requests.slice(1, 4).map((request) => context(request).note)).toEqual([
      null,
      null,
      expect.stringContaining('2 times'),
    ])
    expect(context(bench.requests[4]).correction.problem).toContain('same result')
    expect(context(bench.requests[5]).note).toContain('again and again')
    expect(task).toMatchObject({ status: 'completed', step_count: 7 })
  })

  it('may be run again in another item, or after the user has said something', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), act(), act()], replan: [replanned('A')] })
    const { id } = await createTask(bench, {}, ONE)
    await step(bench, id)
    await say(bench, id, 'try again', { rounds: 2, max_ms: 25_000 })
    expect(bench.calls).toHaveLength(3)
  })
})

describe('what an item has found', () => {
  it('is in every later prompt, in place of its observations', async () => {
    const bench = benchOf({
      plan: [planned('A', 'B')],
      thought: [act(), done('code 4711'), done()],
      replan: [replanned('B'), closed()],
    })
    await createTask(bench, {}, ALL)
    for (const request of bench.requests.slice(3)) {
      expect(context(request).observations).toEqual([])
      expect(context(request).completed[0]).toEqual({
        id: 'step_1',
        title: 'A',
        status: 'completed',
        result: 'code 4711',
      })
    }
  })

  it('is the result of its last successful action if its thought says nothing', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [act(), done()], tools: [{ ok: true, text: 'added #7' }] })
    await createTask(bench, {}, { rounds: 2, max_ms: 25_000 })
    const task = benchOf({
      plan: [planned('A')],
      thought: [act(), done()],
      replan: [closed()],
      tools: [{ ok: true, text: 'added #7' }],
    })
    expect((await createTask(task, {}, ALL)).plan.finished).toMatchObject([{ title: 'A', result: 'added #7' }])
  })
})

describe('achieved', () => {
  const refused = { ...done('there is no phone'), achieved: false }

  it('false in a thought makes the item failed, with the reason, and the outcome not_done', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [refused], replan: [closed()] })
    const task = await createTask(bench, {}, ALL)
    expect(task.plan.finished).toMatchObject([{ status: 'failed', result: 'there is no phone' }])
    expect(task.result).toMatchObject({ outcome: 'not_done', unmet: [{ item: 'A', reason: 'there is no phone' }] })
  })

  it('false at the end says that the goal is not reached, in part if an item was completed', async () => {
    const bench = benchOf({
      plan: [planned('A')],
      thought: [done()],
      replan: [{ ...closed('no seat'), achieved: false }],
    })
    const task = await createTask(bench, {}, ALL)
    expect(task.result).toMatchObject({ outcome: 'partial', unmet: [{ item: 'a goal', reason: 'no seat' }] })
  })

  it('left out says nothing: a done in prose stays completed', async () => {
    const bench = benchOf({ plan: [planned('A')], thought: [done('cannot be done')], replan: [closed()] })
    expect((await createTask(bench, {}, ALL)).result).toMatchObject({ outcome: 'done', unmet: [] })
  })
})
