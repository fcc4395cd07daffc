/** The loop of a step (S3-05): think, decide, choose, act, look; what it costs; how steps and tasks end. */
import { describe, expect, it } from 'vitest'
import { dynamic } from '../../../src/core/modes/dynamic/machine.ts'
import { storedRows } from '../../support/forks.ts'
import { benchOf, journalOf, NONE, ONE, phases, say, step as advance, titles, types } from '../../support/scripted.ts'
import {
  action,
  acts,
  complete,
  dynamicTask,
  eventsOf,
  goOn,
  played,
  stateOf,
  steps,
  thought,
  told,
  type Round,
} from './support.ts'

const statuses = (task: { plan: { items: { status: string }[] } }) => task.plan.items.map(({ status }) => status)

describe('two levels', () => {
  it('S3-01 S3-05 S3-21 a step is worked off in rounds of think, decide and act, then the next one', async () => {
    const { bench, task } = await played(
      told(
        [steps('A', 'B')],
        [[goOn(), action()], [complete('A is done')], [goOn(), action('/view all')], [complete()]],
      ),
    )
    const round = ['think', 'step_decision', 'action']
    expect(phases(bench)).toEqual(['plan', ...round, 'think', 'step_decision', ...round, 'think', 'step_decision'])
    expect(bench.calls.map(({ input }) => input)).toEqual(['/todo add milk', '/view all'])
    expect(task).toMatchObject({ mode: 'dynamic', status: 'completed', stop_reason: 'done', step_count: 2 })
    expect(statuses(task)).toEqual(['completed', 'completed'])
    expect(task.plan).toMatchObject({ cursor: 2, revision: 1, source: 'plan' })
    bench.spent()
  })

  it('S3-31 a simple task, one step and one action: its events in order', async () => {
    const { task } = await played(told([steps('A')], [[goOn(), action()], [complete()]]))
    expect(types(task)).toEqual([
      'task_created',
      'plan_created',
      'item_started',
      'thought_decided',
      'thought_decided',
      'action_started',
      'action_finished',
      'thought_decided',
      'thought_decided',
      'item_completed',
      'task_completed',
    ])
    expect(task.result).toMatchObject({ text: 'it is done', outcome: 'done' })
  })

  it('S3-32 a complex task: several steps of several actions each, cut into single rounds', async () => {
    const rounds: Round[] = [...acts(3), [complete('a')], ...acts(2), [complete('b')], [complete('c')]]
    const script = told([steps('A', 'B', 'C')], rounds)
    const whole = await played(script)
    const bench = benchOf(script)
    let task = await dynamicTask(bench, {}, NONE)
    for (let request = 0; task.status === 'running' && request < 20; request++)
      task = await advance(bench, task.id, ONE)
    const shown = ({ plan, budget, counters, result }: typeof task) => ({ plan, budget, counters, result })
    expect(shown(task)).toEqual(shown(whole.task))
    expect(task.result?.text).toBe('c')
    bench.spent()
  })

  it('S3-05 a step that is complete takes its reason as its result, a running one shows its actions', async () => {
    const { task } = await played(
      told([steps('A', 'B')], [...acts(1), [complete('because')], ...acts(2)]),
      {},
      {
        rounds: 4,
        max_ms: 25_000,
      },
    )
    expect(task.plan.items).toMatchObject([
      { id: 'step_1', title: 'A', status: 'completed', result: 'because', progress: null },
      { id: 'step_2', title: 'B', status: 'running', result: null, progress: { current: 2, total: 10 } },
    ])
    expect(task.plan.items[0]).toMatchObject({ description: 'do A', expected_output: 'A is done' })
  })

  it('S3-24 S3-28 a step is complete when its decision says so, whether or not it acted', async () => {
    const { bench, task } = await played(
      told([steps('A', 'B')], [[complete('known already')], ...acts(1), [complete()]]),
    )
    expect(task.plan.items.map(({ result }) => result)).toEqual(['known already', 'it is done'])
    expect(task.step_count).toBe(1)
    bench.spent()
  })
})

describe('accounting', () => {
  it('R24 only executed actions are counted: thoughts, decisions and choices cost nothing', async () => {
    const { bench, task } = await played(told([steps('A')], [...acts(2), [complete()]]))
    expect(task.budget).toMatchObject({ unit: 'actions', used: 2, max: 100, remaining: 98 })
    expect([task.step_count, task.counters.model_calls, task.counters.actions]).toEqual([2, 9, 2])
    const rows = await journalOf(bench, task.id)
    expect(rows.filter(({ counted }) => counted).map(({ kind }) => kind)).toEqual(['run_tool', 'run_tool'])
  })

  it('R24 U13 max_steps bounds the actions of all steps; continue grants them again', async () => {
    const bench = benchOf(told([steps('A')], [...acts(3), [complete()]]))
    const paused = await dynamicTask(bench, { max_steps: 2 })
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:steps', step_count: 2 })
    expect(paused.budget).toMatchObject({ unit: 'actions', used: 2, max: 2, remaining: 0 })
    expect(paused.handover).toMatchObject({
      completed: ['todo: /todo add 0', 'todo: /todo add 1'],
      remaining: ['A'],
      unfinished_reason: expect.stringContaining('limit of 2 actions'),
    })
    const task = await say(bench, paused.id, 'continue', { rounds: 9, max_ms: 25_000 })
    expect(task).toMatchObject({ status: 'completed', step_count: 3, budget: { max: 4 } })
    bench.spent()
  })

  it('a handover names what a finished step has found and not its actions again, and no obstacle that a step has overcome', async () => {
    const progressAfter = async (ok: boolean, rounds: Round[]) => {
      const bench = benchOf({ ...told([steps('A', 'B')], rounds), tools: [{ ok, text: 'shop is closed' }] })
      const { id } = await dynamicTask(bench, {}, { rounds: rounds.length, max_ms: 25_000 })
      const rows = storedRows(bench, id)
      return dynamic.progress(stateOf(bench, id), { recall: rows.recall })
    }
    const failing: Round = [goOn(), action('/todo add a')]
    const found = await progressAfter(true, [failing, [complete('found a')], [goOn(), action('/todo add b')]])
    expect(found).toMatchObject({
      completed: ['A: found a', 'todo: /todo add b'],
      remaining: ['B'],
      last_failure: null,
    })
    expect(await progressAfter(false, [failing])).toMatchObject({ last_failure: 'shop is closed' })
    expect(await progressAfter(false, [failing, [complete('found another')]])).toMatchObject({ last_failure: null })
  })

  it('R20 an action that fails counts like any other, one of a tool that is not offered too', async () => {
    const script = told([steps('A')], [[goOn(), action()], [goOn(), action('x', 'rocket')], [complete()]])
    const { task, state } = await played({ ...script, tools: [{ ok: false }] })
    expect(task.counters).toMatchObject({ actions: 2, failed_actions: 2, successful_actions: 0 })
    expect([task.step_count, state.results]).toEqual([2, []])
  })
})

describe('ends', () => {
  it('R20 S3-12 S3-30 O3-01 after its last action a step has one more look; complete then is complete', async () => {
    const { bench, task } = await played(told([steps('A')], [...acts(3), [complete('just so')]]), {
      max_actions_per_step: 3,
    })
    expect(task).toMatchObject({ status: 'completed', step_count: 3, result: { text: 'just so' } })
    bench.spent()
  })

  it('R20 S3-12 U19 without completion the step has failed, and the task with it: no further action is chosen', async () => {
    const { bench, task } = await played(told([steps('A', 'B')], [...acts(10), [goOn({}, 'still not')]]))
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'step_failed', step_count: 10, result: null })
    expect(task.error).toEqual({
      code: 'step_failed',
      detail: 'A step failed: A: Not complete after 10 actions. still not',
    })
    expect(statuses(task)).toEqual(['failed', 'skipped'])
    expect(task.plan).toMatchObject({ cursor: 0, items: [{ result: 'Not complete after 10 actions. still not' }, {}] })
    expect(task.handover).toMatchObject({ remaining: ['A (failed)', 'B'] })
    const last = (await eventsOf(bench, task.id)).slice(-3).map(({ type, payload }) => ({ type, ...payload }))
    expect(last).toMatchObject([
      { type: 'loop_guard', guard: 'max_actions_per_step', count: 10, evidence: 'A' },
      { type: 'item_failed', item_id: 'step_1', title: 'A', index: 0 },
      { type: 'task_failed', stop_reason: 'step_failed' },
    ])
    bench.spent()
  })

  it('U19 a failed step whose last decision added steps lets the task go on', async () => {
    const repair = goOn({ add: ['repair'] }, 'it needs repair')
    const script = told([steps('A', 'B')], [...acts(1), [repair], [complete('mended')], [complete('b')]])
    const { bench, task } = await played(script, { max_actions_per_step: 1 })
    expect(task.status).toBe('completed')
    expect([titles(task), statuses(task)]).toEqual([
      ['A', 'repair', 'B'],
      ['failed', 'completed', 'completed'],
    ])
    expect(task.plan.items[0]?.result).toBe('Not complete after 1 action. it needs repair')
    expect(task.result).toMatchObject({ text: 'b', outcome: 'partial', unmet: [{ item: 'A' }] })
    bench.spent()
  })

  it('S3-14 a step that has used up its working time has one more look and then fails; waiting is free', async () => {
    const bench = benchOf({
      plan: [steps('A')],
      think: [thought(), thought()],
      step_decision: [goOn(), goOn({}, 'too slow')],
      action: [
        () => {
          bench.clock.now += 4_000
          return action()
        },
      ],
    })
    const settings = { step_timeout_s: 4, max_actions_per_step: 5 }
    const acted = await dynamicTask(bench, settings, ONE)
    bench.clock.now += 86_400_000
    expect(acted).toMatchObject({ status: 'running', step_count: 1 })
    const task = await advance(bench, acted.id, ONE)
    expect(task).toMatchObject({ status: 'failed', stop_reason: 'step_failed' })
    expect(task.plan.items[0]?.result).toBe('Not complete after 4 s of working time. too slow')
    bench.spent()
  })

  it('S3-14 time that runs out in a decision leaves one look, and no action', async () => {
    const bench = benchOf({
      plan: [steps('A')],
      think: [thought(), thought()],
      step_decision: [
        () => {
          bench.clock.now += 9_000
          return goOn()
        },
        complete('after all'),
      ],
    })
    const task = await dynamicTask(bench, { step_timeout_s: 9 })
    expect(task).toMatchObject({ status: 'completed', step_count: 0 })
    bench.spent()
  })

  it('S3-14 a step has its time to itself: that of the one before does not count', async () => {
    const late = (reply: object) => () => {
      bench.clock.now += 3_000
      return reply
    }
    const bench = benchOf({
      plan: [steps('A', 'B')],
      think: [thought(), thought(), thought()],
      step_decision: [late(complete('a')), late(goOn()), complete('b')],
      action: [action()],
    })
    const task = await dynamicTask(bench, { step_timeout_s: 4 })
    expect(task).toMatchObject({ status: 'completed', step_count: 1, budget: { seconds: { used: 6 } } })
    bench.spent()
  })
})
