/** What one action leaves for the next (S3-15), and what prompts are given of it (S3-07, S3-09, S3-16, S3-18). */
import { describe, expect, it } from 'vitest'
import { modeOf } from '../../../src/core/modes/index.ts'
import { fillPlaceholders } from '../../../src/core/modes/dynamic/data.ts'
import type { Tool } from '../../../src/shell/tool-ports.ts'
import { benchOf, CALLER, context, journalOf, NONE, ONE, step as advance, type Script } from '../../support/scripted.ts'
import {
  action,
  complete,
  dynamicTask,
  eventsOf,
  goOn,
  played,
  stateOf,
  step,
  steps,
  thought,
  told,
  type Round,
} from './support.ts'

/** The last request of a phase, as the model sees it. */
const seen = (bench: Awaited<ReturnType<typeof played>>['bench'], phase: string) =>
  context(bench.requests.findLast(({ metadata }) => metadata.phase === phase))

/** Actions with these inputs, one a round, and what each brings. */
async function data(acts: [input: string, save_as: string | null, brings: string | null][], goal = 'a goal') {
  const script: Script = {
    ...told(
      [steps('A')],
      acts.map(([input, save_as]): Round => [goOn(), action(input, 'todo', save_as)]),
    ),
    tools: acts.map(([, , text]) => (text === null ? { ok: false } : { ok: true, text })),
  }
  const bench = benchOf(script)
  const task = await dynamicTask(
    bench,
    { max_actions_per_step: 1_000, max_steps: 1_000 },
    { rounds: 50, max_ms: 25_000 },
    goal,
  )
  return { bench, id: task.id, inputs: bench.calls.map(({ input }) => input) }
}

describe('S3-15 data flow', () => {
  it('S3-15 a result has the name it was given, or a number, and its name stands for its whole text', async () => {
    const long = 'x'.repeat(50_000)
    const { inputs } = await data([
      ['/a', 'list', long],
      ['/b', null, 'two'],
      ['use {{list}} and {{ result_2 }} and {{nothing}}', null, 'done'],
    ])
    expect(inputs[2]).toBe(`use ${long} and two and {{nothing}}`)
  })

  it('S3-15 in an input that is JSON a text is put so that it stays JSON', async () => {
    const { inputs } = await data([
      ['/a', 'code', 'say "hi"\n\tdone \\ 中文'],
      ['{"name":"main.py","content":"# {{code}}"}', null, 'written'],
    ])
    expect(JSON.parse(inputs[1] ?? '')).toEqual({ name: 'main.py', content: '# say "hi"\n\tdone \\ 中文' })
  })

  it('S3-15 the newer of two results with one name counts, and a failed action leaves none', async () => {
    const { inputs } = await data([
      ['/a', 'list', 'old'],
      ['/b', 'list', 'new'],
      ['/c', 'other', null],
      ['{{list}} {{other}} {{result_3}}', null, 'x'],
    ])
    expect(inputs[3]).toBe('new {{other}} {{result_3}}')
  })

  it('S3-15 a text that came in place of a name is not looked at again', async () => {
    const { inputs } = await data([
      ['/a', 'a', '{{b}}'],
      ['/b', 'b', 'B'],
      ['{{a}}{{b}}', null, 'x'],
    ])
    expect(inputs[2]).toBe('{{b}}B')
  })

  it('S3-15 each result is shown once, as a whole and with its name; the newest hundred names are kept', async () => {
    const many = Array.from({ length: 50 }, (_, index): [string, null, string] => [
      `/todo ${index}`,
      null,
      `brought ${index}`,
    ])
    const { bench, id } = await data([...many.slice(0, 48), ['/a', 'mine', 'y'.repeat(200)], ['/b', null, 'z']])
    const { actions } = seen(bench, 'action')
    expect(actions).toHaveLength(49)
    expect(actions[29]).toMatchObject({ input: '/todo 29', ok: true, name: 'result_30', result: 'brought 29' })
    expect(actions.at(-1)).toMatchObject({ name: 'mine', result: 'y'.repeat(200) })
    const { messages } = bench.requests.at(-1) ?? { messages: [] }
    expect(JSON.stringify(messages).split('y'.repeat(200))).toHaveLength(2)
    const state = stateOf(bench, id)
    const [row = 0] = state.results.slice(-1)
    const named = { results: Array.from({ length: 100 }, () => row), results_count: 250, clarifications: [] }
    const recall = (seq: number) => {
      const record = bench.store.rows.get(JSON.stringify(['acme', id]))?.closed(seq)
      if (record === null || record === undefined) throw new Error(`no row ${seq}`)
      return { effect: record.effect, event: record.event, at: record.at }
    }
    expect(fillPlaceholders('{{result_150}} {{result_151}} {{result_250}}', named, recall)).toBe('{{result_150}} z z')
  })

  it('S3-15 an input grows to a million characters and no further', async () => {
    const { inputs } = await data([
      ['/a', 'big', 'x'.repeat(100_000)],
      ['{{big}}'.repeat(11), null, 'done'],
    ])
    expect(inputs[1]?.length).toBeLessThanOrEqual(1_000_000)
    expect(inputs[1]?.endsWith('x{{big}}{{big}}')).toBe(true)
  })

  it('S3-15 the journal and the events show the input as it was run', async () => {
    const { bench, id } = await data([
      ['/a', 'list', 'one'],
      ['/b {{list}}', null, 'x'],
    ])
    const runs = (await journalOf(bench, id)).filter(({ kind }) => kind === 'run_tool')
    expect(runs.map(({ request }) => request)).toEqual([
      { tool: 'todo', input: '/a' },
      { tool: 'todo', input: '/b one' },
    ])
    const started = (await eventsOf(bench, id)).filter(({ type }) => type === 'action_started')
    expect(started.map(({ payload }) => payload['input'])).toEqual(['/a', '/b one'])
  })
})

describe('what a model is given', () => {
  const story = (settings = {}) =>
    played(
      {
        ...told(
          [{ steps: [step('A', 'the list is known'), step('B')] }],
          [
            [goOn({}, 'nothing is known'), action('/todo list', 'todo', 'list')],
            [goOn({ add: ['C'], remove: ['B'] }, 'B is in vain'), action('/todo get 1')],
            [goOn(), action('/todo add 1')],
          ],
        ),
        think: [thought('first'), thought('second'), thought('third')],
        tools: [
          { ok: true, text: 'milk' },
          { ok: false, text: `not found ${'.'.repeat(200)}` },
        ],
      },
      settings,
      { rounds: 3, max_ms: 25_000 },
    )

  it('S3-07 a decision is given the step, its goal, its actions so far and the thought', async () => {
    const { bench } = await story()
    expect(seen(bench, 'step_decision')).toMatchObject({
      phase: 'step_decision',
      current_item: { id: 'step_1', title: 'A', description: 'do A', expected_output: 'the list is known' },
      step_goal: 'the list is known',
      thought: 'third',
      actions: [
        { tool: 'todo', input: '/todo list', ok: true, result: 'milk', name: 'list' },
        { tool: 'todo', input: '/todo get 1', ok: false, result: `not found ${'.'.repeat(200)}` },
      ],
    })
    const { content = '' } =
      bench.requests.findLast(({ metadata }) => metadata.phase === 'step_decision')?.messages[0] ?? {}
    for (const asked of ['Is the step complete', 'add_steps come', 'remove_steps holds', 'To change a step'])
      expect(content).toContain(asked)
  })

  it('S3-09 an action is given the goal, the actions with their results and names, the tools and the thought', async () => {
    const { bench } = await story()
    expect(seen(bench, 'action')).toMatchObject({
      phase: 'action',
      step_goal: 'the list is known',
      thought: 'third',
      actions: [
        { input: '/todo list', name: 'list', result: 'milk' },
        { input: '/todo get 1', ok: false, result: `not found ${'.'.repeat(200)}` },
      ],
    })
    const { content = '' } = bench.requests.at(-1)?.messages[0] ?? {}
    for (const name of [...modeOf('dynamic').tools, 'ask_user']) expect(content).toContain(`{"name":"${name}"`)
  })

  it('S3-16 decisions are kept with their reasons, shown in prompts and told', async () => {
    const { bench, task, state } = await story()
    expect(seen(bench, 'think').decisions).toEqual([
      { item_id: 'step_1', is_complete: false, reason: 'nothing is known' },
      { item_id: 'step_1', is_complete: false, reason: 'B is in vain', add_steps: ['C'], remove_steps: ['B'] },
    ])
    const decided = (await eventsOf(bench, task.id)).filter(({ type }) => type === 'thought_decided')
    expect(decided.slice(2, 4).map(({ payload }) => payload)).toMatchObject([
      { phase: 'think', item_id: 'step_1', decision: 'think', text: 'second' },
      {
        phase: 'step_decision',
        item_id: 'step_1',
        decision: 'continue',
        is_complete: false,
        text: 'B is in vain',
        reason: 'B is in vain',
      },
    ])
    expect(task.last_thought).toMatchObject({ phase: 'step_decision', decision: 'continue', text: 'not yet' })
    expect(state.decisions).toHaveLength(3)
  })

  it('S3-16 of the decisions about a step that has ended only its changes of the plan are shown', async () => {
    const { bench } = await played(
      told(
        [steps('A', 'B')],
        [
          [goOn({}, 'nothing is known'), action('/todo add 1')],
          [goOn({ add: ['C'] }, 'C is missing'), action('/todo add 2')],
          [complete('A is done')],
          [goOn({}, 'C is next'), action('/todo add 3')],
        ],
      ),
      {},
      { rounds: 4, max_ms: 25_000 },
    )
    expect(seen(bench, 'action').decisions).toEqual([
      { item_id: 'step_1', add_steps: ['C'] },
      { item_id: 'step_3', is_complete: false, reason: 'C is next' },
    ])
  })

  it('S3-16 last_thought is the thought while it was not decided yet', async () => {
    const bench = benchOf({ plan: [steps('A')], think: [thought('hm')], step_decision: [new Error('down')] })
    const task = await dynamicTask(bench, {}, ONE)
    expect(task.last_thought).toMatchObject({ phase: 'think', decision: 'think', text: 'hm' })
  })

  it('S3-18 a thought is given plan, observations and what is left; a plan only the goal', async () => {
    const { bench } = await story()
    expect(seen(bench, 'think')).toMatchObject({
      goal: 'a goal',
      locale: 'en',
      local_time: 'Sat 2026-11-21 12:00',
      timezone: 'UTC',
      completed: [],
      plan: [
        { id: 'step_1', title: 'A', status: 'running' },
        { id: 'step_3', title: 'C', description: 'do C', expected_output: 'C is done', status: 'pending' },
      ],
      current_item: { title: 'A', description: 'do A', expected_output: 'the list is known' },
      actions: [
        { item_id: 'step_1', tool: 'todo', input: '/todo list', ok: true, result: 'milk' },
        { item_id: 'step_1', tool: 'todo', ok: false },
      ],
      actions_left: 8,
    })
    // The thought of an earlier round is not shown before a new one, and nothing is warned of.
    for (const member of ['thought', 'warning']) expect(Object.keys(seen(bench, 'think'))).not.toContain(member)
    expect(Object.keys(context(bench.requests[0]))).toEqual([
      'goal',
      'locale',
      'timezone',
      'remarks',
      'step_count',
      'max_steps',
      'local_time',
      'phase',
    ])
  })

  it('O0-14 S3-15 results are shown up to observation_char_limit, and older ones than observation_history_limit in short', async () => {
    const { bench } = await story({ observation_char_limit: 50, observation_history_limit: 1 })
    expect(seen(bench, 'step_decision').actions).toMatchObject([
      { input: '/todo list', name: 'list', result: 'milk' },
      { input: '/todo get 1', ok: false, result: `not found ${'.'.repeat(37)}...` },
    ])
  })

  it('S3-12 S3-18 the last look of a step says so', async () => {
    const rounds: Round[] = [[goOn(), action()], [complete()]]
    const { bench } = await played(told([steps('A')], rounds), { max_actions_per_step: 1 })
    expect(seen(bench, 'think')).toMatchObject({ actions_left: 0, warning: expect.stringContaining('its last look') })
    expect(seen(bench, 'action').warning).toBeUndefined()
  })

  it('S3-15 a new step begins with no actions of its own, and all data', async () => {
    const { bench } = await played(
      told([steps('A', 'B')], [[goOn(), action()], [complete()], [goOn(), action('{{result_1}}')], [complete()]]),
    )
    const first = context(
      bench.requests.findLast(({ metadata, messages }) => metadata.phase === 'action' && messages.length > 0),
    )
    expect(first).toMatchObject({
      completed: [{ id: 'step_1', title: 'A', status: 'completed', result: 'it is done' }],
      actions: [{ item_id: 'step_1', name: 'result_1', result: 'todo done' }],
      thought: 'so far so good',
    })
    expect(first.plan.map(({ title }: { title: string }) => title)).toEqual(['B'])
    expect(bench.calls[1]?.input).toBe('todo done')
  })

  it('U2 S3-05 what is said while an action runs is heard by the thought after it', async () => {
    const todo: Tool = {
      name: 'todo',
      run: async () => {
        await bench.service.inputTask(CALLER, id, 'well done', null, NONE)
        return { ok: true, code: 'scripted', text: 'added' }
      },
    }
    const script = told([steps('A')], [[goOn(), action()], [complete()]])
    const bench = benchOf(script, { tools: new Map([['todo', todo]]) })
    const { id } = await dynamicTask(bench, {}, NONE)
    const task = await advance(bench, id, { rounds: 2, max_ms: 25_000 })
    expect([task.status, task.counters.actions]).toEqual(['completed', 1])
    expect(seen(bench, 'think').remarks).toEqual(['well done'])
    bench.spent()
  })
})
