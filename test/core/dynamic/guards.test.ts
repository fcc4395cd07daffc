/** Bounds against loops (S3-12…S3-14, S3-30): the same actions again and again are warned of, refused, and end the step. */
import { describe, expect, it } from 'vitest'
import { remember, judge } from '../../../src/core/modes/dynamic/repeat.ts'
import { ITEMS_MAX } from '../../../src/core/modes/dynamic/contract.ts'
import { FINISHED_MAX } from '../../../src/core/modes/plan/plan.ts'
import { DECISIONS_MAX, ENDED_MAX, NO_REPEAT, DynamicState } from '../../../src/core/modes/dynamic/state.ts'
import { benchOf, context, ONE, say, step as advance } from '../../support/scripted.ts'
import { action, complete, dynamicTask, eventsOf, goOn, played, steps, told, type Round } from './support.ts'

const rounds = (inputs: string, last: Round[] = []): Round[] => [
  ...[...inputs].map((letter): Round => [goOn(), action(`/todo add ${letter}`)]),
  ...last,
]
const SAME = { repeat_action_limit: 3, max_actions_per_step: 100 }
/** Rounds whose actions bring another result each time. */
const toldAnew = (...story: Parameters<typeof told>) => ({ ...told(...story), numbered_results: true as const })

describe('S3-13 the same actions again', () => {
  it('S3-13 S3-30 the third in a row is warned of, the fourth is not run, the fifth ends the step', async () => {
    const { bench, task } = await played(toldAnew([steps('A')], rounds('aaaaa')), SAME)
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'loop_detected', step_count: 3 })
    expect(bench.calls).toHaveLength(3)
    const guards = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'loop_guard')
    expect(guards.map(({ payload }) => [payload['guard'], payload['count'], payload['evidence']])).toEqual([
      ['repeated_action', 3, 'todo: /todo add a'],
      ['repeated_action', 4, 'todo: /todo add a'],
      ['repeated_action', 5, 'todo: /todo add a'],
    ])
    const warned = bench.requests.map((request) => typeof context(request).warning)
    // Plan, three rounds of three calls, and the two after them.
    expect(warned.slice(1)).toEqual([...Array<string>(9).fill('undefined'), ...Array<string>(6).fill('string')])
    const { actions, warning } = context(bench.requests.at(-1))
    expect(actions).toHaveLength(3)
    expect(warning).toContain('Not run, because it came too often in a row: todo /todo add a')
    expect(task.error?.detail).toBe('A step failed: A: Ended because the same actions came again and again. not yet')
    bench.spent()
  })

  it('S3-13 a refused action is one of the actions of its step, and something else goes on', async () => {
    const { bench, task } = await played(toldAnew([steps('A')], rounds('aaaab', [[goOn()]])), {
      ...SAME,
      max_actions_per_step: 5,
    })
    expect(bench.calls.map(({ input }) => input.at(-1)).join('')).toBe('aaab')
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'step_failed', step_count: 4 })
    bench.spent()
  })

  it('S3-13 U19 a loop whose last decision added steps leaves the task going on', async () => {
    const script = toldAnew(
      [steps('A')],
      [...rounds('aaaa'), [goOn({ add: ['other'] }), action('/todo add a')], [complete('so')]],
    )
    const { bench, task } = await played(script, SAME)
    expect(task).toMatchObject({
      status: 'completed',
      plan: { items: [{ status: 'failed' }, { status: 'completed' }] },
    })
    bench.spent()
  })

  it.each<[string, string, number, number]>([
    // The actions, the limit, and how many of them are run.
    ['aaaaa', 'one action', 3, 3],
    ['abababab', 'a cycle of two', 3, 6],
    ['abcabcabcab', 'a cycle of three', 3, 9],
    ['aab', 'a limit of one', 1, 2],
    ['ababab', 'a cycle under a limit of one has to come twice', 1, 4],
    ['aabaabaabaa', 'a cycle with the same action twice', 3, 9],
  ])('S3-13 %s: %s', async (inputs, _, limit, run) => {
    const { bench } = await played(
      toldAnew([steps('A')], rounds(inputs)),
      { ...SAME, repeat_action_limit: limit },
      {
        rounds: inputs.length,
        max_ms: 25_000,
      },
    )
    expect(bench.calls).toHaveLength(run)
    bench.spent()
  })

  it.each(['abcdabcdabcdabcd', 'aabbaabbccaabb', 'abcacbabcacb'])('S3-13 %s is no such loop', async (inputs) => {
    const { bench } = await played(toldAnew([steps('A')], rounds(inputs)), SAME, {
      rounds: inputs.length,
      max_ms: 25_000,
    })
    expect(bench.calls).toHaveLength(inputs.length)
    bench.spent()
  })

  it('S3-13 the same words to another tool, or a name whose text has changed, are another action', async () => {
    const named: Round[] = ['a', 'b', 'c', 'd'].flatMap((letter): Round[] => [
      [goOn(), action(`/todo add ${letter}`, 'todo', 'last')],
      [goOn(), action('{{last}}', 'think')],
    ])
    const script = { ...told([steps('A')], named), tools: [...'a-b-c-d-'].map((text) => ({ ok: true, text })) }
    const { bench } = await played(script, { ...SAME, repeat_action_limit: 2 }, { rounds: 8, max_ms: 25_000 })
    expect(bench.calls).toHaveLength(8)
  })

  it('S3-13 what the user says begins the count anew', async () => {
    const bench = benchOf(toldAnew([steps('A')], rounds('aaaa')))
    let task = await dynamicTask(bench, SAME, { rounds: 3, max_ms: 25_000 })
    await say(bench, task.id, 'try that again', { rounds: 0, max_ms: 25_000 })
    task = await advance(bench, task.id, ONE)
    expect([task.status, bench.calls.length]).toEqual(['running', 4])
    bench.spent()
  })

  it('S3-13 a step has its actions to itself', async () => {
    const { bench, task } = await played(
      toldAnew([steps('A', 'B')], [...rounds('aaa'), [complete()], ...rounds('aaa'), [complete()]]),
      SAME,
    )
    expect([task.status, bench.calls.length]).toEqual(['completed', 6])
    bench.spent()
  })

  it('S3-13 what is remembered of the actions is three marks and three counts', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => String(index % 2))
    const repeat = many.reduce(remember, NO_REPEAT)
    expect(repeat).toEqual({ marks: ['1', '0', '1'], runs: [0, 998, 0] })
    expect(judge(repeat, 3)).toEqual({ times: 500, beyond: 994 })
  })
})

describe('what a head refers to is bounded', () => {
  const ENDED = [ENDED_MAX, FINISHED_MAX, ENDED_MAX + ITEMS_MAX]
  it.each(ENDED)('S3-16 the longest lists of a task of many rows stay under 16 KB, with %i ended steps', (ended) => {
    const row = 654_321
    const lots = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
    const state: DynamicState = {
      phase: 'thinking',
      plan: {
        row,
        revision: 1_000,
        cursor: ENDED_MAX + ITEMS_MAX - 1,
        items: lots(ENDED_MAX + ITEMS_MAX, [54_321, row, 99]),
        ends: lots(ended, ['failed', row]),
        causes: lots(ended, 'actions'),
        next_id: 54_322,
        adjustments: 1_000,
        left: 54_321,
        gone: lots(Math.max(0, FINISHED_MAX - ended), [54_321, row, 99, 'completed', row]),
      },
      step: {
        begun: true,
        actions: 1_000,
        refused: 3,
        worked_ms: 604_800_000,
        thought: row,
        decision: row,
        added: true,
        repeat: { marks: lots(3, 'a'.repeat(16)), runs: [1_000, 1_000, 1_000] },
        seen: lots(5, ['a'.repeat(16), 'b'.repeat(16), 1_000]),
      },
      by: row,
      observations: lots(1_000, row),
      results: lots(100, row),
      results_count: 10_000,
      decisions: lots(DECISIONS_MAX, [row, 54_321]),
      remarks: lots(50, row),
      clarifications: lots(15, [row, row]),
      asked: 100,
      hints: [
        { kind: 'unknown_steps', row, indexes: lots(5, 99) },
        { kind: 'plan_full', row, indexes: [] },
        { kind: 'repeated_question', row, indexes: [] },
      ],
      missing: row,
      waits: 3,
      declined: false,
      arrived: row,
      change: row,
    }
    expect(DynamicState.safeParse(state).success).toBe(true)
    // A kilobyte is left for the budget and the rest of the head.
    expect(JSON.stringify(state).length).toBeLessThan(15 * 1_024)
  })
})
