/** merged_calls (S3-37): one call in place of three; what happens, what is kept and what is charged stay the same. */
import { describe, expect, it } from 'vitest'
import { journalOf, phases, type Script } from '../../support/scripted.ts'
import { action, acts, complete, eventsOf, goOn, played, steps, told, type Round } from './support.ts'

const STORIES: [string, Round[], object, Script['tools']][] = [
  ['two steps', [...acts(2), [complete('a')], ...acts(1), [complete('b')]], {}, []],
  [
    'a plan that changes',
    [
      [goOn({ add: ['x'], remove: ['B'] }), action('1', 'think')],
      [complete('a', { add: ['y'] })],
      [complete()],
      [complete()],
    ],
    {},
    [],
  ],
  ['a step that fails', [...acts(2), [goOn()]], { max_actions_per_step: 2 }, [{ ok: false }]],
  [
    'a step that is repaired',
    [...acts(1), [goOn({ add: ['x'] })], [complete()], [complete()]],
    { max_actions_per_step: 1 },
    [],
  ],
  ['a loop', Array.from({ length: 4 }, (): Round => [goOn(), action()]), { repeat_action_limit: 2 }, []],
  ['a budget that is spent', acts(2), { max_steps: 2 }, []],
]

describe('merged and in three calls', () => {
  it.each(STORIES)('S3-37 %s: the same plan, actions, events and budget', async (_, rounds, settings, tools) => {
    const run = async (merged_calls: boolean) => {
      const script = told([steps('A', 'B')], rounds, merged_calls)
      const { bench, task } = await played(
        { ...script, ...(tools === undefined ? {} : { tools }) },
        { ...settings, merged_calls },
      )
      const { plan, budget, status, stop_reason, result, handover } = task
      const { actions, successful_actions, failed_actions } = task.counters
      const events = (await eventsOf(bench, task.id)).map(({ type, payload: { journal_seq: _seq, ...payload } }) => ({
        type,
        payload,
      }))
      bench.spent()
      const counted = (await journalOf(bench, task.id)).filter((row) => row.counted).length
      const ends = { status, stop_reason, result, handover, actions, successful_actions, failed_actions, counted }
      return {
        told: { plan, ends, steps: budget.used, calls: bench.calls.map(({ input }) => input), events },
        asked: bench.requests.length,
      }
    }
    const [apart, merged] = [await run(false), await run(true)]
    expect(merged.told).toEqual(apart.told)
    expect(merged.asked).toBe(1 + rounds.length)
    expect(apart.asked).toBe(1 + 2 * rounds.length + rounds.filter(([, act]) => act !== undefined).length)
  })

  it('S3-37 a round is one call of the phase step_decision and its action', async () => {
    const { bench, task } = await played(told([steps('A')], [[goOn(), action()], [complete()]], true), {
      merged_calls: true,
    })
    expect(phases(bench)).toEqual(['plan', 'step_decision', 'step_decision'])
    expect(task).toMatchObject({ status: 'completed', slice: { rounds: 2 } })
    const rows = await journalOf(bench, task.id)
    expect(
      rows.filter(({ request_exact }) => request_exact !== null).map(({ request_exact }) => request_exact),
    ).toEqual([true, true, true, true])
  })
})

describe.each([
  ['merged calls', { merged_calls: true }],
  ['few calls', { calls: 'few' as const }],
])('an action beside is_complete, with %s', (_, way) => {
  const both_move = (more: object = {}) => ({
    thought: 'so',
    ...complete('added'),
    action: action('/todo add milk'),
    ...more,
  })

  it('S3-37 is made, and its success finishes the step', async () => {
    const script = { plan: [steps('A', 'B')], step_decision: [both_move(), { thought: 'so', ...complete('b') }] }
    const { bench, task } = await played(script, way)
    bench.spent()
    expect(bench.calls).toMatchObject([{ tool: 'todo', input: '/todo add milk' }])
    expect(task).toMatchObject({ status: 'completed', step_count: 1 })
    expect(task.plan.items.map(({ status, result }) => [status, result])).toEqual([
      ['completed', 'todo done'],
      ['completed', 'b'],
    ])
  })

  it('S3-37 leaves the step open if it fails', async () => {
    const script = {
      plan: [steps('A')],
      step_decision: [both_move(), { thought: 'so', ...complete('a') }],
      tools: [{ ok: false, text: 'the list is full' }],
    }
    const { bench, task } = await played(script, way)
    expect(bench.requests.at(-1)?.messages.at(-1)?.content).toContain('the list is full')
    expect(task).toMatchObject({ status: 'completed', plan: { items: [{ status: 'completed', result: 'a' }] } })
  })

  it('S3-37 is told if the step is given up in the same reply', async () => {
    const script = {
      plan: [steps('A')],
      step_decision: [both_move({ achieved: false }), { thought: 'so', ...complete('no way'), achieved: false }],
    }
    const { bench, task } = await played(script, way)
    bench.spent()
    expect(bench.calls).toEqual([])
    expect(bench.requests.at(-1)?.messages.at(-1)?.content).toContain('action: must be null when is_complete is true')
    expect(task.result).toMatchObject({ outcome: 'not_done' })
  })

  it('S3-37 is not made if the step has used up its actions, so the step ends as the reply says', async () => {
    const script = {
      plan: [steps('A')],
      step_decision: [{ thought: 'so', ...goOn(), action: action('/todo add eggs') }, both_move()],
    }
    const { bench, task } = await played(script, { ...way, max_actions_per_step: 1 })
    expect(bench.calls).toHaveLength(1)
    expect(task).toMatchObject({
      status: 'completed',
      last_thought: { decision: 'done' },
      plan: { items: [{ status: 'completed', result: 'added' }] },
    })
  })
})
