/** `agent_mode: staged` (S1-61, S1-63): the program leads – it looks at the data, has tasks planned, each worked off, the report written. */
import { describe, expect, it } from 'vitest'
import { autonomous } from '../../../src/core/modes/autonomous/machine.ts'
import { storedRows } from '../../support/forks.ts'
import { CALLER, calling, NONE, say, step, taken, types, type Bench } from '../../support/scripted.ts'
import {
  agentBench,
  begin,
  blocks,
  code,
  history,
  payloads,
  ran,
  roles,
  rounds,
  states,
  system,
  user,
} from './support.ts'

const SETTINGS = { agent_mode: 'staged' as const, dataset: 'sales.csv' }
const LOOK = { ok: true, text: '{"tool":"read_dataset","status":"success","rows":3}' }
const PLAN = blocks('two of them', [' ', 'Trend'], [' ', 'Regions'])
const last = (bench: ReturnType<typeof agentBench>, index: number) =>
  history(bench.requests[index]).at(-1)?.content ?? ''

const STORY = () =>
  agentBench([PLAN, code(), 'It grew.', code(), 'North leads.', '# Report\nIt grew.'], [LOOK, ran('up'), ran('north')])

describe('the staged run', () => {
  it('S1-44 S1-61 S1-63 explore, plan, each task, report: the program decides each stage', async () => {
    const bench = STORY()
    const task = await begin(bench, SETTINGS, rounds(9))
    expect(task).toMatchObject({
      status: 'completed',
      stop_reason: 'done',
      step_count: 6,
      result: { text: '# Report\nIt grew.' },
    })
    expect(bench.calls.map(({ tool, input }) => [tool, tool === 'read_dataset' ? input : ''])).toEqual([
      ['read_dataset', '{}'],
      ['run_code', ''],
      ['run_code', ''],
    ])
    expect(states(task)).toEqual(['completed', 'completed'])
    expect(payloads(task, 'agent_started')).toMatchObject([{ mode: 'staged' }])
    expect(payloads(task, 'agent_completed')).toMatchObject([{ iterations: 6, limit_reached: false, reason: 'stages' }])
    bench.spent()
  })

  it('S1-63 it looks at the data itself, before the first turn and without one, and only in a step', async () => {
    const bench = STORY()
    const made = await begin(bench, SETTINGS)
    expect(bench.calls).toEqual([])
    const task = await step(bench, made.id)
    expect(task).toMatchObject({ step_count: 1, counters: { actions: 1 } })
    expect(user(bench.requests[0])).toContain('"rows":3')
  })

  it('S1-63 its own look is announced when the task is made, like every action that is finished', async () => {
    const bench = STORY()
    const made = await begin(bench, SETTINGS)
    expect(payloads(made, 'action_started')).toMatchObject([{ item_id: null, tool: 'read_dataset', input: '{}' }])
    await step(bench, made.id, rounds(9))
    const page = await bench.service.listEvents(CALLER, made.id, { after: 0, limit: 100 })
    const actions = page.ok
      ? page.value.data
          .filter(({ type }) => type.startsWith('action_'))
          .map(({ type, payload }) => `${type} ${String(payload['tool'])}`)
      : []
    expect(actions).toEqual(
      ['read_dataset', 'run_code', 'run_code'].flatMap((tool) => [`action_started ${tool}`, `action_finished ${tool}`]),
    )
  })

  it('S1-63 where it needs approval it is announced after that', async () => {
    const bench = agentBench([PLAN], [LOOK])
    const made = await begin(bench, { ...SETTINGS, approve: 'actions' })
    expect(types(made)).toEqual(['task_created', 'agent_started', 'clarification_requested'])
    expect(types(await say(bench, made.id, 'yes', NONE))).toEqual(['clarification_answered', 'action_started'])
  })

  it('S1-63 a task of an earlier release has the events that it had', async () => {
    const bench = STORY()
    const { event } = storedRows(bench, (await begin(bench, SETTINGS)).id).recall(1)
    if (event.kind !== 'task_created') throw new Error('row 1 makes the task')
    const typesSince = (made_in: number) =>
      autonomous.startNotes?.('task_x', { ...event.brief, made_in }).map(({ type }) => type)
    expect(typesSince(4)).toEqual(['agent_started'])
    expect(typesSince(5)).toEqual(['agent_started', 'action_started'])
  })

  it('S1-63 each stage has a prompt of its own as the last message, which is no part of the history', async () => {
    const bench = STORY()
    await begin(bench, SETTINGS, rounds(9))
    expect(bench.requests.map((_, index) => last(bench, index).split('\n')[0])).toEqual([
      'Plan 3 to 5 analysis tasks for this request, from what the data holds. Reply with the list and call no tool:',
      'Work on task 1 of 2, and on no other: Trend',
      'Work on task 1 of 2, and on no other: Trend',
      'Work on task 2 of 2, and on no other: Regions',
      'Work on task 2 of 2, and on no other: Regions',
      expect.stringContaining('Write the final report in Markdown'),
    ])
    expect(roles(bench.requests[2])).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'tool', 'user'])
    expect(system(bench.requests[2])).toContain('A program leads you')
  })

  it('S1-30 the list is the program’s: the model’s ticks of other tasks change nothing', async () => {
    const bench = agentBench([PLAN, blocks('all done?', ['x', 'Trend'], ['x', 'Regions'])], [LOOK])
    const task = await begin(bench, SETTINGS, rounds(2))
    expect(states(task)).toEqual(['completed', 'running'])
    expect(payloads(task, 'tasks_updated').map(({ source }) => source)).toEqual(['system', 'system'])
  })

  it('S1-16 a task whose last code failed, or that the model itself leaves unticked, has failed, and the report is told', async () => {
    const bench = agentBench(
      [PLAN, code(), 'I cannot.', blocks('no figures', [' ', 'Regions']), '# Report\nLittle.'],
      [LOOK, ran('error', false)],
    )
    const task = await begin(bench, SETTINGS, rounds(9))
    expect(states(task)).toEqual(['failed', 'failed'])
    expect(last(bench, 2)).toContain('The last code failed')
    expect(last(bench, 4)).toContain('Tasks that failed, to be named as such: Trend; Regions')
    expect(types(task).filter((type) => type === 'item_failed')).toHaveLength(2)
  })

  it('S1-15 what failed in one task is held against no other; what the model leaves unticked is not done', async () => {
    const bench = agentBench([PLAN, code(), 'I cannot.', 'North leads.', '# Report'], [LOOK, ran('error', false)])
    expect(states(await begin(bench, SETTINGS, rounds(9)))).toEqual(['failed', 'completed'])
    const unticked = agentBench([PLAN, blocks('hm', [' ', 'Trend'])], [LOOK])
    expect(states(await begin(unticked, SETTINGS, rounds(2)))).toEqual(['failed', 'running'])
  })

  it('S1-15 a failed call that was mended in the same reply, or belongs to the task before, is not held against a task', async () => {
    const both = calling('', ['run_code', { code: '1' }], ['run_code', { code: '2' }])
    const bench = agentBench(
      [PLAN, both, 'mended', code(), 'no', '# Report'],
      [LOOK, ran('typo', false), ran('fine'), ran('no', false)],
    )
    expect(states(await begin(bench, SETTINGS, rounds(9)))).toEqual(['completed', 'failed'])
    expect(bench.requests.map((_, index) => last(bench, index).includes('The last code failed'))).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
    ])
  })

  it('S1-31 R16 a task is completed, failed, running or pending', async () => {
    const three = blocks('three', [' ', 'A'], [' ', 'B'], [' ', 'C'], [' ', 'D'])
    const bench = agentBench([three, code(), 'fine', code(), 'no'], [LOOK, ran(), ran('no', false)])
    const task = await begin(bench, SETTINGS, rounds(5))
    expect(states(task)).toEqual(['completed', 'failed', 'running', 'pending'])
    expect(payloads(task, 'tasks_updated').at(-1)?.['tasks']).toMatchObject([
      { status: 'completed' },
      { status: 'failed' },
      { status: 'pending' },
      { status: 'pending' },
    ])
  })

  it('S1-34 one task takes no more than eight turns', async () => {
    const bench = agentBench([PLAN, ...Array.from({ length: 8 }, () => code()), 'North leads.', '# Report'], [LOOK])
    const task = await begin(bench, SETTINGS, rounds(50))
    expect(task.status).toBe('completed')
    expect(states(task)).toEqual(['failed', 'completed'])
    expect(payloads(task, 'loop_guard')).toMatchObject([{ guard: 'task_turns', count: 8 }])
  })

  it.each([
    ['a plan without tasks', ['no list'], /no <tasks> block/],
    ['an empty report', [blocks('one', [' ', 'A']), 'done', '<thinking>hm</thinking>'], /without a report/],
  ])('%s breaks the contract of its stage, and the model is told', async (_, replies, reason) => {
    const bench = agentBench([...replies, new Error('enough')], [LOOK])
    const task = await begin(bench, { ...SETTINGS, failure_limit: 2 }, rounds(9))
    expect(payloads(task, 'contract_failed')).toMatchObject([{ reason: expect.stringMatching(reason) }])
  })

  it('a dataset that cannot be read is told to the model, and the run goes on', async () => {
    const bench = agentBench([PLAN], [{ ok: false, text: 'There is no file sales.csv.' }])
    const task = await begin(bench, SETTINGS, rounds(1))
    expect(user(bench.requests[0])).toContain('There is no file sales.csv.')
    expect(states(task)).toEqual(['running', 'pending'])
  })
})

const edit = async (bench: Bench, id: string, ...titles: string[]) =>
  taken(
    await bench.service.editPlan(
      CALLER,
      id,
      titles.map((title) => ({ title })),
      null,
    ),
  )

describe('a person over a staged run', () => {
  it('U18 an edit that leaves nothing open leads to the report, one that opens a task back to work', async () => {
    const bench = agentBench([PLAN, '# Report'], [LOOK])
    const { id } = await begin(bench, SETTINGS, rounds(1))
    await edit(bench, id)
    expect(await step(bench, id)).toMatchObject({ status: 'completed', step_count: 2 })
    const other = agentBench([PLAN, 'a', 'b', 'c', '# Report'], [LOOK])
    const task = await begin(other, SETTINGS, rounds(3))
    await edit(other, task.id, 'Returns')
    expect(last(other, 2)).toContain('Work on task 2 of 2')
    const done = await step(other, task.id, rounds(9))
    expect(last(other, 3)).toContain('Work on task 3 of 3, and on no other: Returns')
    expect(states(done)).toEqual(['completed', 'completed', 'completed'])
  })

  it.each([
    ['approve', 1, 'What the dataset looks like'],
    ['no', 0, 'Request: the trend'],
    ['use the other sheet', 0, '- use the other sheet'],
  ])('U15 its own look at the data waits for approval: %s', async (word, calls, asked) => {
    const bench = agentBench([PLAN], [LOOK])
    const made = await begin(bench, { ...SETTINGS, approve: 'actions' }, rounds(1))
    expect(made).toMatchObject({ status: 'input_required', pending: { action: { tool: 'read_dataset' } } })
    const task = await say(bench, made.id, word)
    expect(task).toMatchObject({ status: 'running', step_count: 1 })
    expect(bench.calls).toHaveLength(calls)
    expect(user(bench.requests[0])).toContain(asked)
  })

  it.each([
    ['ok', 'running', 1],
    ['no', 'failed', 1],
    ['by product too', 'input_required', 2],
  ])('U15 its plan waits for approval before anything acts: %s', async (word, status, turns) => {
    const bench = agentBench([PLAN, blocks('three', [' ', 'A'], [' ', 'B'], [' ', 'C'])], [LOOK])
    const made = await begin(bench, { ...SETTINGS, approve: 'plan' }, rounds(9))
    expect(made).toMatchObject({ status: 'input_required', stop_reason: 'approval', pending: { action: null } })
    const task = await say(bench, made.id, word, { rounds: word === 'ok' ? 0 : 9, max_ms: 25_000 })
    expect(task).toMatchObject({ status, step_count: turns })
    if (turns === 2) expect(user(bench.requests[1])).toContain('- by product too')
  })
})
