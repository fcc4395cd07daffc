/** What a person does to a dynamic task: edits its steps, approves its plan and its actions (U15, U18). */
import { describe, expect, it } from 'vitest'
import type { SentItem } from '../../../src/core/protocol/plan-edit.ts'
import type { ModelRequest } from '../../../src/shell/ports.ts'
import type { TaskView } from '../../../src/core/terms/view.ts'
import type { Settings } from '../../../src/core/terms/settings.ts'
import { EQUAL, expectFold, replayOf } from '../../support/forks.ts'
import {
  ALL,
  benchOf,
  CALLER,
  context,
  createTask,
  NONE,
  ONE,
  phases,
  say,
  step,
  taken,
  titles,
  types,
  type Bench,
} from '../../support/scripted.ts'
import {
  action,
  acts,
  complete,
  dynamicTask,
  eventsOf,
  goOn,
  stateOf,
  steps,
  thought,
  told,
  type Round,
} from './support.ts'

const edit = async (bench: Bench, id: string, items: SentItem[]): Promise<TaskView> =>
  taken(await bench.service.editPlan(CALLER, id, items, null))
const titled = (...all: string[]): SentItem[] => all.map((title) => ({ title }))
const ids = (task: TaskView) => task.plan.items.map(({ id }) => id)
const states = (task: TaskView) => task.plan.items.map(({ status }) => status)
const asked = (bench: Bench) => context(bench.requests.at(-1))
async function begun(plan: object, rounds: Round[], settings: Partial<Settings> = {}) {
  const bench = benchOf(told([plan], rounds, settings.merged_calls === true))
  return { bench, task: await dynamicTask(bench, settings, NONE) }
}
async function expectSound(bench: Bench, id: string): Promise<void> {
  expectFold(bench, id)
  const last = taken(await bench.service.getTask(CALLER, id)).version
  expect(await replayOf(bench, id)).toEqual(EQUAL(last))
}

describe.each([false, true])('PATCH of the plan (merged_calls: %s)', (merged_calls) => {
  it('PATCH replaces the unfinished steps; the next thought is about the new current one, with what was written', async () => {
    const { bench, task } = await begun(steps('A', 'B'), acts(1), { merged_calls })
    const after = await edit(bench, task.id, [
      { title: 'X', description: 'by train', expected_output: 'a ticket' },
      { title: 'B' },
    ])
    expect(after).toMatchObject({ version: task.version + 1, step_count: 0, status: 'running' })
    expect([titles(after), ids(after), states(after)]).toEqual([
      ['X', 'B'],
      ['step_3', 'step_2'],
      ['running', 'pending'],
    ])
    expect(after.plan).toMatchObject({ revision: 2, cursor: 0, source: 'edit' })
    expect(after.plan.items[1]).toMatchObject({ description: 'do B', expected_output: 'B is done' })
    expect(types(after)).toEqual(['plan_edited', 'item_started'])
    await step(bench, task.id)
    const seen = bench.requests.map(context).find(({ phase }) => phase !== 'plan')
    expect(seen).toMatchObject({
      current_item: { id: 'step_3', title: 'X', description: 'by train', expected_output: 'a ticket' },
      step_goal: 'a ticket',
      plan: [{ title: 'X' }, { id: 'step_2', title: 'B', description: 'do B' }],
      note: expect.stringContaining('edited the plan by hand'),
    })
    await expectSound(bench, task.id)
  })

  it('U18 a current step that is kept goes on with what it has done, under its new text', async () => {
    const { bench, task } = await begun(steps('A', 'B'), acts(2), { merged_calls })
    await step(bench, task.id)
    const after = await edit(bench, task.id, [{ id: 'step_1', title: 'A2' }])
    expect(types(after)).toEqual(['plan_edited'])
    expect(after.plan.items).toMatchObject([{ id: 'step_1', title: 'A2', progress: { current: 1 }, status: 'running' }])
    await step(bench, task.id)
    expect(asked(bench)).toMatchObject({
      current_item: { title: 'A2' },
      actions: [{ item_id: 'step_1', tool: 'todo' }],
    })
  })

  it('U18 finished steps stay with their results; decisions adjust an edited list as they do any other', async () => {
    const rounds: Round[] = [[complete('a')], [goOn({ add: ['N'], remove: ['Y'] }), action()], [complete('x')]]
    const { bench, task } = await begun(steps('A', 'B'), rounds, { merged_calls, max_adjustments: 1 })
    await step(bench, task.id)
    const edited = await edit(bench, task.id, titled('X', 'Y', 'Z', 'A'))
    expect(edited.plan).toMatchObject({ cursor: 1, revision: 2 })
    expect(edited.plan.items[0]).toMatchObject({ id: 'step_1', status: 'completed', result: 'a' })
    expect(ids(edited)).toEqual(['step_1', 'step_3', 'step_4', 'step_5', 'step_6'])
    const after = await step(bench, task.id)
    expect([titles(after), types(after).includes('plan_adjusted')]).toEqual([['A', 'X', 'N', 'Z', 'A'], true])
    expect(ids(after)).toEqual(['step_1', 'step_3', 'step_7', 'step_5', 'step_6'])
    expect(stateOf(bench, task.id).plan.adjustments).toBe(1)
    expect((await step(bench, task.id)).plan.cursor).toBe(2)
    await expectSound(bench, task.id)
  })

  it('PATCH to an empty list ends the task: nothing is left to do', async () => {
    const { bench, task } = await begun(steps('A'), [[complete('a')]], { merged_calls })
    const after = await edit(bench, task.id, [])
    const text = 'No steps were left to work on.'
    expect(after).toMatchObject({ status: 'completed', stop_reason: 'done', result: { text } })
    await expectSound(bench, task.id)
  })
})

describe('PATCH in each phase', () => {
  it('in planning an edit becomes the plan', async () => {
    const bench = benchOf({ ...told([new Error('down')], acts(1)) })
    const made = await dynamicTask(bench, { plan_retries: 0 }, NONE)
    expect(made).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    await edit(bench, made.id, titled('X'))
    const task = taken(await bench.service.tellTask(CALLER, made.id, { kind: 'resume' }))
    await step(bench, task.id)
    expect([phases(bench), asked(bench).current_item.title]).toEqual([
      ['plan', 'think', 'step_decision', 'action'],
      'X',
    ])
    await expectSound(bench, task.id)
  })

  it.each(['think', 'step_decision', 'action'] as const)(
    'U2 behind the call of %s it waits; what is thought next is about the new list',
    async (phase) => {
      const script = told([steps('A', 'B')], acts(2))
      const bench: Bench = benchOf({
        ...script,
        [phase]: [
          ({ metadata }: ModelRequest) => {
            void edit(bench, metadata.task, titled('X'))
            return { think: thought(), step_decision: goOn(), action: action() }[phase]
          },
          ...(script[phase] ?? []).slice(1),
        ],
      })
      const task = await dynamicTask(bench, {}, NONE)
      await step(bench, task.id)
      const after = await step(bench, task.id)
      expect([titles(after), asked(bench).current_item]).toMatchObject([['X'], { id: 'step_3', title: 'X' }])
      const events = await eventsOf(bench, task.id)
      const actions = events.filter(({ type }) => type === 'action_started' || type === 'action_finished')
      // What was told to begin is told to be over, too.
      expect(actions.length % 2).toBe(0)
      if (phase === 'action')
        expect(actions[1]?.payload).toMatchObject({ ok: false, text: 'not run: the plan was edited' })
      await expectSound(bench, task.id)
    },
  )

  it('a very long history of edits keeps the head small, and the number of finished steps', async () => {
    const many = (count: number) => titled(...Array.from({ length: count }, (_, index) => `T${index}`))
    const rounds = Array.from({ length: 230 }, (): Round => [complete('ok')])
    const { bench, task } = await begun(steps('A'), rounds)
    await edit(bench, task.id, many(100))
    for (let index = 0; index < 99; index++) await step(bench, task.id)
    await edit(bench, task.id, many(100))
    for (let index = 0; index < 99; index++) await step(bench, task.id)
    const after = await edit(bench, task.id, many(100))
    expect([after.plan.items.length, after.plan.cursor]).toEqual([120, 20])
    await bench.service.tellTask(CALLER, task.id, { kind: 'pause' })
    const { handover } = taken(await bench.service.getTask(CALLER, task.id))
    expect(handover?.completed.length).toBeGreaterThan(0)
    expect(stateOf(bench, task.id).plan.left).toBe(178)
    const rows = bench.store.rows.get(JSON.stringify([CALLER.tenant, task.id]))
    expect(JSON.stringify(rows?.last()?.head).length).toBeLessThan(16_384)
  })
})

describe.each([false, true])('a plan that waits for its approval (merged_calls: %s)', (merged_calls) => {
  const PLAN = { approve: 'plan', merged_calls } as const
  it('U15 holds before anything is begun; approved it goes on', async () => {
    const bench = benchOf(told([steps('A')], [[complete('a')]], merged_calls))
    const task = await dynamicTask(bench, PLAN)
    expect(task).toMatchObject({ status: 'input_required', stop_reason: 'approval', step_count: 0 })
    expect([types(task), states(task)]).toEqual([
      ['task_created', 'plan_created', 'clarification_requested'],
      ['pending'],
    ])
    const after = await say(bench, task.id, 'yes', ALL)
    expect(after).toMatchObject({ status: 'completed' })
    expect(types(after).slice(0, 2)).toEqual(['clarification_answered', 'item_started'])
    bench.spent()
    await expectSound(bench, task.id)
  })

  it('U15 a change is a further uncounted plan call that is shown both, before anything acts', async () => {
    const bench = benchOf({ ...told([steps('A', 'B'), steps('B', 'C')], acts(1), merged_calls) })
    const task = await dynamicTask(bench, PLAN)
    const after = await say(bench, task.id, 'without A', ALL)
    expect(asked(bench)).toMatchObject({
      phase: 'plan',
      requested_change: 'without A',
      plan: [{ name: 'A', description: 'do A' }, { name: 'B' }],
      remarks: ['without A'],
    })
    expect([after.stop_reason, after.step_count, titles(after), ids(after)]).toEqual([
      'approval',
      0,
      ['B', 'C'],
      ['step_2', 'step_3'],
    ])
    expect(after.pending).not.toEqual(task.pending)
    await say(bench, task.id, 'ok', ONE)
    expect(asked(bench).note).toBeUndefined()
    await expectSound(bench, task.id)
  })

  it('U15 PATCH makes a new request, and its list is what is begun', async () => {
    const bench = benchOf(told([steps('A')], [[complete('x')]], merged_calls))
    const task = await dynamicTask(bench, PLAN)
    const after = await edit(bench, task.id, titled('X'))
    expect([after.stop_reason, states(after), types(after)]).toEqual([
      'approval',
      ['pending'],
      ['plan_edited', 'clarification_requested'],
    ])
    expect(await say(bench, task.id, 'yes', ALL)).toMatchObject({ status: 'completed', result: { text: 'x' } })
    await expectSound(bench, task.id)
  })

  it('U15 rejected it is the end', async () => {
    const bench = benchOf(told([steps('A')], [], merged_calls))
    const task = await dynamicTask(bench, PLAN)
    expect(await say(bench, task.id, 'no')).toMatchObject({ status: 'failed', stop_reason: 'aborted' })
  })
})

describe.each([false, true])('an action that waits for its approval (merged_calls: %s)', (merged_calls) => {
  const ACTIONS = { approve: 'actions', merged_calls } as const
  it('U15 approved it runs, once', async () => {
    const bench = benchOf(told([steps('A')], [...acts(1), [complete('a')]], merged_calls))
    const task = await dynamicTask(bench, ACTIONS)
    expect(task.pending).toMatchObject({
      kind: 'approval',
      action: { tool: 'todo', input: '/todo add 0', item_id: 'step_1' },
    })
    expect([bench.calls, types(task).includes('action_started')]).toEqual([[], false])
    expect(await say(bench, task.id, 'yes', ALL)).toMatchObject({ status: 'completed', step_count: 1 })
    expect(bench.calls).toHaveLength(1)
    await expectSound(bench, task.id)
  })

  it('U15 rejected it is a failed observation and an action of its step, not of the budget', async () => {
    const rounds: Round[] = [...acts(2), [goOn()]]
    const bench = benchOf(told([steps('A')], rounds, merged_calls))
    const task = await dynamicTask(bench, { ...ACTIONS, max_actions_per_step: 2 })
    const after = await say(bench, task.id, 'no', ONE)
    const result = 'not run: the user rejected it'
    expect(asked(bench)).toMatchObject({
      actions: [{ tool: 'todo', input: '/todo add 0', ok: false, result }],
      actions_left: 1,
    })
    expect([after.step_count, after.counters.actions, bench.calls]).toEqual([0, 0, []])
    expect(await say(bench, task.id, 'no', ONE)).toMatchObject({ status: 'failed', stop_reason: 'step_failed' })
    await expectSound(bench, task.id)
  })

  it('U15 any other text is kept as a remark, and the mode thinks again', async () => {
    const bench = benchOf(told([steps('A')], acts(2), merged_calls))
    const task = await dynamicTask(bench, ACTIONS)
    const after = await say(bench, task.id, 'bread, not milk', ONE)
    expect(asked(bench)).toMatchObject({ remarks: ['bread, not milk'], actions_left: 10 })
    expect(after.pending).toMatchObject({ action: { input: '/todo add 1' } })
    expect([after.step_count, bench.calls]).toEqual([0, []])
    await expectSound(bench, task.id)
  })

  it('U15 PATCH of the plan settles it: the next thought is about the new step', async () => {
    const bench = benchOf(told([steps('A')], acts(2), merged_calls))
    const task = await dynamicTask(bench, ACTIONS)
    const after = await edit(bench, task.id, titled('X'))
    expect(after).toMatchObject({ status: 'running', pending: null })
    await step(bench, task.id)
    expect(asked(bench).current_item.title).toBe('X')
    await expectSound(bench, task.id)
  })
})

describe('a tool of the client', () => {
  const own = { name: 'getWeather', description: 'w', parameters: null, url: 'https://example.com/w', idempotent: true }
  it.each([false, true])(
    'O0-04 is run under its own name, however a reply writes it (merged_calls: %s)',
    async (merged_calls) => {
      const rounds: Round[] = [
        [goOn(), action('{}', 'GETWEATHER')],
        [goOn(), action('{"a":1}', 'getWeather')],
        [complete()],
      ]
      const bench = benchOf(told([steps('A')], rounds, merged_calls))
      const task = await createTask(bench, { merged_calls }, ALL, { mode: 'dynamic', tools: [own] })
      expect(bench.calls.map(({ tool }) => tool)).toEqual(['getWeather', 'getWeather'])
      expect(task.status).toBe('completed')
      const started = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'action_started')
      expect(started.map(({ payload }) => payload['tool'])).toEqual(['getWeather', 'getWeather'])
    },
  )
})
