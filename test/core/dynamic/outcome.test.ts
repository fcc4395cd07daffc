/** What becomes of the goal: the answer, steps that cannot be done, and the guard against the same result (U35, S3-13). */
import { describe, expect, it } from 'vitest'
import { benchOf, context } from '../../support/scripted.ts'
import {
  action,
  answered,
  complete,
  dynamicTask,
  eventsOf,
  failed,
  goOn,
  played,
  steps,
  told,
  type Round,
} from './support.ts'

describe('the answer', () => {
  it('U35 the decision that completes the last step answers the goal', async () => {
    const { task } = await played(told([steps('A', 'B')], [[complete('a')], [answered('It is 42.', 'b')]]))
    expect(task.result).toMatchObject({ text: 'It is 42.', outcome: 'done', unmet: [] })
    expect(task.plan.items.map(({ result }) => result)).toEqual(['a', 'b'])
  })

  const WAYS: [string, object][] = [
    ['three calls', {}],
    ['merged calls', { merged_calls: true }],
    ['few calls', { calls: 'few' }],
  ]
  const without = (reason: string) => ({ ...complete(reason), answer: null })
  const told_by = (way: object, ...rounds: Round[]) =>
    played(told([steps('A', 'B')], rounds, Object.keys(way).length > 0), way)

  it.each(WAYS)('U35 a decision that leaves it out is told once, and its next one is taken: %s', async (name, way) => {
    const script = told([steps('A', 'B')], [[answered('too early', 'a')], [without('b')]], name !== 'three calls')
    script.step_decision?.push(
      name === 'three calls' ? answered('It is 42.', 'b') : { thought: 'so', ...answered('It is 42.', 'b') },
    )
    const { bench, task } = await played(script, way)
    bench.spent()
    expect(context(bench.requests.at(-1)).warning).toContain('has no answer, so it was not used')
    expect(task).toMatchObject({ step_count: 0, result: { text: 'It is 42.' } })
    expect(task.plan.items.map(({ result }) => result)).toEqual(['a', 'b'])
  })

  it('U35 without one the result of the last step is the text, and an earlier answer is not', async () => {
    const { task } = await told_by({ merged_calls: true }, [answered('too early', 'a')], [without('b')], [without('b')])
    expect(task.result?.text).toBe('b')
  })

  it('U32 read strictly it is never told', async () => {
    const { task } = await told_by({ merged_calls: true, strict_replies: true }, [complete('a')], [without('b')])
    expect(task.result?.text).toBe('b')
  })
})

describe('a step that cannot be done', () => {
  it('U35 has failed, the next one goes on, and the outcome is partial', async () => {
    const { bench, task } = await played(told([steps('A', 'B')], [[failed('no network')], [answered('half', 'b')]]))
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done' })
    expect(task.plan.items).toMatchObject([
      { status: 'failed', result: 'no network' },
      { status: 'completed', result: 'b' },
    ])
    expect(task.result).toMatchObject({
      text: 'half',
      outcome: 'partial',
      unmet: [{ item: 'A', reason: 'no network' }],
    })
    expect(context(bench.requests.at(-1)).completed).toEqual([
      { id: 'step_1', title: 'A', status: 'failed', result: 'no network' },
    ])
    const ended = (await eventsOf(bench, task.id)).filter(({ type }) => /^item_(failed|completed)/.test(type))
    expect(ended.map(({ type }) => type)).toEqual(['item_failed', 'item_completed'])
  })

  it('U35 as the only one completes the task as not done', async () => {
    const { task } = await played(told([steps('A')], [[{ ...failed('I write no poems'), answer: 'No poem.' }]]))
    expect(task).toMatchObject({ status: 'completed', result: { outcome: 'not_done', text: 'No poem.' } })
    expect(task.result?.unmet).toContainEqual({ item: 'A', reason: 'I write no poems' })
  })

  it('U35 steps that its decision adds come next', async () => {
    const { task } = await played(told([steps('A')], [[failed('no way', { add: ['another way'] })], [complete('b')]]))
    expect(task.plan.items.map(({ title, status }) => [title, status])).toEqual([
      ['A', 'failed'],
      ['another way', 'completed'],
    ])
  })

  it('U35 a verdict beside a step that goes on says nothing', async () => {
    const rounds: Round[] = [[{ ...goOn(), achieved: false }, action()], [complete()]]
    const { task } = await played(told([steps('A')], rounds))
    expect(task.result?.outcome).toBe('done')
  })
})

describe('the same action with the same result', () => {
  const same = (count: number): Round[] => Array.from({ length: count }, () => [goOn(), action()])

  it('S3-13 is told after the second time, and a third is not run', async () => {
    const { bench, task } = await played(told([steps('A')], [...same(3), [complete()]]), { repeat_action_limit: 9 })
    expect([bench.calls.length, task.status, task.step_count]).toEqual([2, 'completed', 2])
    const warnings = bench.requests
      .filter(({ metadata }) => metadata.phase === 'think')
      .map((one) => context(one).warning)
    expect(warnings.slice(0, 2)).toEqual([undefined, undefined])
    expect(warnings[2]).toContain('has brought the same result 2 times')
    expect(warnings[3]).toContain('Not run, because it has brought the same result twice')
    const guards = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'loop_guard')
    expect(guards.map(({ payload }) => [payload['guard'], payload['count']])).toEqual([['same_result', 2]])
  })

  it('S3-13 ends the step when the model insists', async () => {
    const { task } = await played(told([steps('A')], same(5)), { repeat_action_limit: 9 })
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'loop_detected', step_count: 2 })
  })

  it('S3-13 is run again where it brings another result', async () => {
    const script = { ...told([steps('A')], [...same(3), [complete()]]), numbered_results: true as const }
    const { bench } = await played(script, { repeat_action_limit: 9 })
    expect(bench.calls).toHaveLength(3)
  })

  it('S3-13 is run again in the next step', async () => {
    const bench = benchOf(told([steps('A', 'B')], [...same(2), [complete()], ...same(2), [complete()]]))
    expect(await dynamicTask(bench, { repeat_action_limit: 9 })).toMatchObject({ status: 'completed', step_count: 4 })
  })
})

it('S3-15 a result that is shown in part is shown as a whole by thinking its name', async () => {
  const long = 'x'.repeat(300)
  const rounds: Round[] = [
    [goOn(), action('/todo list', 'todo', 'list')],
    [goOn(), action('{{list}}', 'think')],
    [complete()],
  ]
  const script = { ...told([steps('A')], rounds), tools: [{ ok: true, text: long }] }
  const { bench } = await played(script, { observation_char_limit: 100 })
  const first = context(bench.requests.findLast(({ metadata }) => metadata.phase === 'action'))
  expect(first.actions).toMatchObject([{ name: 'list', partial: true, result: `${'x'.repeat(97)}...` }])
  expect(bench.calls[1]?.input).toBe(long)
})
