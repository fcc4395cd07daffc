/** The loop (S1-01…S1-05, S1-07…S1-23, S1-26…S1-28, S1-33…S1-37, S1-44, S1-45, R13, R15, O1-03, O1-04, O1-07, O1-10). */
import { describe, expect, it } from 'vitest'
import { AutonomousState } from '../../../src/core/modes/autonomous/state.ts'
import { isDataset, uploadBytesMax } from '../../../src/core/terms/files/file-types.ts'
import { BUILT_IN_TOOLS } from '../../../src/core/mode/tools.ts'
import { CALLER, calling, ONE, step, types, type Bench } from '../../support/scripted.ts'
import {
  agentBench,
  begin,
  blocks,
  code,
  END,
  history,
  look,
  payloads,
  program,
  ran,
  roles,
  rounds,
  stateOf,
  states,
  system,
  user,
} from './support.ts'

async function filesOf(bench: Bench, id: string) {
  const page = await bench.service.listFiles(CALLER, id, { limit: 10, after: '' })
  return page.ok ? page.value.data : null
}
const SETTINGS = { dataset: 'sales.csv' }
const PLAN = blocks('look first', [' ', 'Explore'], [' ', 'Trend'], [' ', 'Report'])
const EXPLORED = blocks('now the trend', ['x', 'Explore'], [' ', 'Trend'], [' ', 'Report'])
const DONE = blocks('write', ['x', 'Explore'], ['x', 'Trend'], ['x', 'Report'])
const STORY = () =>
  agentBench(
    [look(PLAN), code(EXPLORED), `${DONE}\n# Report\nIt grew.${END}`],
    [{ ok: true, text: '{"tool":"read_dataset","status":"success"}' }, ran('Q4 +15%')],
  )

describe('the whole run', () => {
  it('S1-01 S1-45 S1-58 the model decides each step: explore, plan, execute, report', async () => {
    const bench = STORY()
    const task = await begin(bench, SETTINGS, rounds(9))
    expect(task).toMatchObject({
      status: 'completed',
      stop_reason: 'done',
      step_count: 3,
      result: { text: '# Report\nIt grew.' },
    })
    expect(bench.calls.map(({ tool }) => tool)).toEqual(['read_dataset', 'run_code'])
    expect(states(task)).toEqual(['completed', 'completed', 'completed'])
    bench.spent()
  })

  it('S1-02 S1-05 S1-33 one system message, exactly one user message, then assistant ↔ tool: blocks stand with the calls', async () => {
    const bench = STORY()
    await begin(bench, SETTINGS, rounds(9))
    expect(bench.requests.map(roles)).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
      ['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
    ])
    expect(history(bench.requests[2])[2]).toMatchObject({ content: EXPLORED, tool_calls: [{ name: 'run_code' }] })
    expect(user(bench.requests[2])).toBe('Please analyse the dataset: sales.csv\n\nRequest: the trend')
  })

  it('S1-03 S1-22 S1-29 S1-49 thinking that is shown is what the model wrote, with its turn', async () => {
    const task = await begin(STORY(), SETTINGS, rounds(9))
    expect(payloads(task, 'llm_thinking')).toMatchObject([
      { thinking: 'look first', is_real: true, iteration: 1 },
      { thinking: 'now the trend', is_real: true, iteration: 2 },
      { thinking: 'write', is_real: true, iteration: 3 },
    ])
    expect(task.last_thought).toMatchObject({ phase: 'turn', decision: 'done', text: 'write' })
  })

  it('S1-04 S1-22 S1-32 S1-50 S1-56 the model ticks its own tasks, and every reply tells of them', async () => {
    const task = await begin(STORY(), SETTINGS, rounds(9))
    const told = payloads(task, 'tasks_updated')
    expect(told.map(({ source }) => source)).toEqual(['llm', 'llm', 'llm'])
    expect(told[1]?.['tasks']).toEqual([
      { id: 1, name: 'Explore', status: 'completed' },
      { id: 2, name: 'Trend', status: 'pending' },
      { id: 3, name: 'Report', status: 'pending' },
    ])
  })

  it('S1-20 S1-21 O1-07 a call of a tool is run and answered under its id, as JSON', async () => {
    const bench = STORY()
    await begin(bench, SETTINGS, rounds(9))
    expect(history(bench.requests[1])[1]).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: '{"tool":"read_dataset","status":"success"}',
    })
    expect(bench.requests[0]?.tools.map(({ name }) => name)).toEqual([
      'fetch_url',
      'read_file',
      'write_file',
      'list_files',
      'think',
      'read_dataset',
      'run_code',
      'ask_user',
    ])
  })

  it('O1-02 S1-23 events begin with agent_started and end with agent_completed, in the order of the loop', async () => {
    const task = await begin(STORY(), SETTINGS, rounds(9))
    expect(types(task)).toEqual([
      'task_created',
      'agent_started',
      'llm_thinking',
      'plan_created',
      'tasks_updated',
      'item_started',
      'action_started',
      'action_finished',
      'llm_thinking',
      'tasks_updated',
      'item_completed',
      'item_started',
      'action_started',
      'action_finished',
      'llm_thinking',
      'tasks_updated',
      'item_completed',
      'item_completed',
      'report_generated',
      'agent_completed',
      'task_completed',
    ])
    expect(payloads(task, 'agent_started')).toMatchObject([
      { session_id: task.id, user_request: 'the trend', mode: 'autonomous' },
    ])
    expect(payloads(task, 'agent_completed')).toMatchObject([
      {
        iterations: 3,
        limit_reached: false,
        reason: 'marker',
        tasks_summary: { total: 3, completed: 3 },
        open_tasks: [],
      },
    ])
    expect(payloads(task, 'report_generated')).toMatchObject([{ report: '# Report\nIt grew.' }])
  })

  it('S1-26 S1-51 there are five phases: looking, the model’s turn, its calls, the wait for a file, the end', () =>
    expect(AutonomousState.shape.phase.options).toEqual(['exploring', 'turning', 'acting', 'waiting', 'ended']))

  it('S1-27 S1-28 S1-52 S1-53 the state has few phases, the history of thoughts and the list of tasks', async () => {
    const bench = STORY()
    const task = await begin(bench, SETTINGS, rounds(9))
    const state = stateOf(bench, task.id)
    expect(state).toMatchObject({ phase: 'ended', ending: { reason: 'marker' }, turns: 3 })
    expect(state.thoughts).toHaveLength(3)
    expect(state.plan.ends.map((end) => end?.[0])).toEqual(['completed', 'completed', 'completed'])
  })

  it('O1-09 a reader who comes after the end gets all events from the first one', async () => {
    const bench = STORY()
    const { id } = await begin(bench, SETTINGS, rounds(9))
    const page = await bench.service.listEvents(CALLER, id, { after: 0, limit: 100 })
    const seen = page.ok ? page.value.data : []
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1))
    expect([seen.at(1)?.type, seen.at(-2)?.type]).toEqual(['agent_started', 'agent_completed'])
  })

  it('how it is cut into slices changes nothing', async () => {
    const whole = await begin(STORY(), SETTINGS, rounds(9))
    const bench = STORY()
    let task = await begin(bench, SETTINGS)
    expect(task).toMatchObject({ status: 'running', step_count: 0, slice: { rounds: 0 } })
    for (let count = 0; count < 3; count++) task = await step(bench, task.id)
    expect({ ...task, slice: null, id: '', version: 0 }).toEqual({ ...whole, slice: null, id: '', version: 0 })
  })
})

describe('the report', () => {
  it('is a file of the task from the end on, and none before', async () => {
    const bench = STORY()
    const { id } = await begin(bench, SETTINGS, rounds(2))
    expect(await filesOf(bench, id)).toEqual([])
    await step(bench, id)
    expect(await filesOf(bench, id)).toMatchObject([
      { name: 'report.md', content_type: 'text/markdown; charset=utf-8', bytes: '# Report\nIt grew.\n'.length },
    ])
  })
})

describe('tools', () => {
  it('R13 several calls of one reply are all made and all answered', async () => {
    const both = calling(PLAN, ['read_dataset', {}], ['run_code', { code: '1' }])
    const bench = agentBench([both, `x${END}`])
    await begin(bench, {}, rounds(9))
    expect(bench.calls.map(({ tool }) => tool)).toEqual(['read_dataset', 'run_code'])
    expect(
      history(bench.requests[1]).map((message) => ('tool_call_id' in message ? message.tool_call_id : '')),
    ).toEqual(['', 'call_1', 'call_2'])
  })

  it('O1-07 the model gets the error of an unknown tool as JSON, and it costs no further turn', async () => {
    const bench = agentBench([calling('', ['rocket', {}]), `x${END}`])
    const task = await begin(bench, {}, rounds(9))
    expect(JSON.parse(history(bench.requests[1])[1]?.content ?? '')).toMatchObject({ tool: 'rocket', status: 'error' })
    expect(task).toMatchObject({ status: 'completed', step_count: 2 })
  })

  it('S1-16 after failed code the task stays open, and the model has its turn', async () => {
    const bench = agentBench(
      [code(EXPLORED), code(blocks('a typo, once more', ['x', 'Explore'], [' ', 'Trend']))],
      [ran('no column', false), ran()],
    )
    const task = await begin(bench, {}, rounds(2))
    expect(states(task)).toEqual(['completed', 'running'])
    expect(payloads(task, 'action_finished').map(({ ok }) => ok)).toEqual([false, true])
    expect(history(bench.requests[1])[1]?.content).toContain('"status":"error"')
  })

  it('a result that is longer than observations may be is cut within its JSON', async () => {
    const bench = agentBench([look(), `x${END}`], [{ ok: true, text: '"'.repeat(5_000) }])
    await begin(bench, { observation_char_limit: 500 }, rounds(9))
    const content = history(bench.requests[1])[1]?.content ?? ''
    expect(content.length).toBeLessThanOrEqual(500)
    expect(JSON.parse(content)).toMatchObject({ tool: 'read_dataset', status: 'success' })
  })
})

describe('the end', () => {
  it('O1-04 S1-19 the marker ends nothing in a reply that calls tools, or in what a tool says', async () => {
    const bench = agentBench(
      [look(`${PLAN}${END}`), code(EXPLORED), `${DONE}\nreport${END}`],
      [{ ok: true, text: END }, ran(END)],
    )
    expect(await begin(bench, {}, rounds(9))).toMatchObject({ status: 'completed', step_count: 3 })
  })

  it('R15 S1-36 forgotten marker: all tasks ticked and words beyond the blocks end it as a backup', async () => {
    const task = await begin(agentBench([`${DONE}\n\n# Report`]), {}, rounds(9))
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', result: { text: '# Report' } })
    expect(payloads(task, 'agent_completed')).toMatchObject([{ reason: 'backup' }])
  })

  it.each([
    ['an open task', `${EXPLORED}\n\nmore to do`],
    ['no words beyond the blocks', DONE],
    ['no list at all', 'just talk'],
  ])('R15 S1-35 with %s a reply without calls does not end it: the model is told to go on', async (_, reply) => {
    const bench = agentBench([reply, `${DONE}\nreport${END}`])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'completed', step_count: 2 })
    expect(system(bench.requests[1])).toBe(system(bench.requests[0]))
    expect(program(bench.requests[1])).toContain('neither called a tool')
    expect(roles(bench.requests[1])).toEqual(['system', 'user', 'assistant', 'user'])
  })

  it('S1-48 the marker without a report is a broken contract, and the model is told', async () => {
    const bench = agentBench([`${DONE}${END}`, `${DONE}\nreport${END}`])
    const task = await begin(bench, {}, rounds(9))
    expect(payloads(task, 'contract_failed')).toMatchObject([{ reason: expect.stringContaining('without a report') }])
    expect(program(bench.requests[1])).toContain('without a report')
    expect(task.result?.text).toBe('report')
  })

  it('S1-36 a marker on its own ends with what was said just before', async () => {
    const bench = agentBench(['# Report\nIt grew.', '---\n[ANALYSIS_COMPLETE]'])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'completed', step_count: 2, result: { text: '# Report\nIt grew.' } })
    expect(payloads(task, 'report_generated')).toMatchObject([{ report: '# Report\nIt grew.' }])
  })

  it('S1-31 R16 tasks that are open at the end are shown as skipped, none as done', async () => {
    const report = `${PLAN}\nnothing came of it${END}`
    const task = await begin(agentBench([report, report]), {}, rounds(9))
    expect(states(task)).toEqual(['skipped', 'skipped', 'skipped'])
    expect(payloads(task, 'agent_completed')).toMatchObject([{ open_tasks: ['Explore', 'Trend', 'Report'] }])
  })
})

describe('limits and failures', () => {
  it('S1-34 R15 at the limit it pauses with the open tasks listed, and agent_completed says so', async () => {
    const bench = agentBench([look(PLAN), code(EXPLORED)])
    const task = await begin(bench, { max_iterations: 2 }, rounds(9))
    expect(task).toMatchObject({
      status: 'paused',
      stop_reason: 'iteration_limit',
      budget: { unit: 'iterations', used: 2, remaining: 0 },
    })
    expect(task.handover).toMatchObject({ completed: ['Explore'], remaining: ['Trend', 'Report'] })
    expect(payloads(task, 'agent_completed')).toMatchObject([
      { iterations: 2, limit_reached: true, reason: 'iteration_limit', open_tasks: ['Trend', 'Report'] },
    ])
  })

  it('O1-01 the limits: 20 turns unless settings say more, 30 s of code, 50 MB of five types', async () => {
    expect((await begin(agentBench([]))).budget).toMatchObject({ unit: 'iterations', max: 20 })
    expect(BUILT_IN_TOOLS.find(({ name }) => name === 'run_code')?.timeout_ms).toBeGreaterThanOrEqual(30_000)
    const names = ['a.csv', 'a.tsv', 'a.json', 'a.xlsx', 'a.xls', 'a.txt', 'a.exe']
    expect(names.map((name) => isDataset(name))).toEqual([true, true, true, true, true, false, false])
    expect(names.slice(0, 5).map((name) => (uploadBytesMax(name) ?? 0) / 1_048_576)).toEqual([50, 50, 50, 10, 10])
  })

  it('S1-34 a model that calls tools for ever is stopped', async () => {
    const bench = agentBench(Array.from({ length: 20 }, () => code()))
    expect(await begin(bench, {}, rounds(50))).toMatchObject({ status: 'paused', step_count: 20 })
  })

  it('the last thought is that of the reply, or its text, and only without both it is made up', async () => {
    const bench = agentBench([look(blocks('first the data')), 'I read on.', look(), `It grew.${END}`])
    const task = await begin(bench, {}, ONE)
    const thoughts = [task.last_thought]
    for (let turn = 0; turn < 3; turn++) thoughts.push((await step(bench, task.id)).last_thought)
    expect(thoughts.map((thought) => [thought?.decision, thought?.text])).toEqual([
      ['continue', 'first the data'],
      ['continue', 'I read on.'],
      ['continue', '(no thought given) calls read_dataset'],
      ['done', 'It grew.'],
    ])
  })

  it('the turn that ended the run is done, also where its marker stands on its own', async () => {
    const bench = agentBench([`<thinking>it is clear</thinking># Report`, END])
    const task = await begin(bench, {}, rounds(9))
    expect(task).toMatchObject({ status: 'completed', result: { text: '# Report' } })
    expect(task.last_thought).toMatchObject({ decision: 'done', text: 'it is clear' })
  })

  it('S1-59 a reply without any tag is shown with a thought that is made up and says so (O1-03)', async () => {
    const task = await begin(agentBench([look(), `x${END}`]), {}, rounds(9))
    expect(payloads(task, 'llm_thinking')).toMatchObject([
      { is_real: false, thinking: '(no thought given) calls read_dataset' },
      { is_real: false, thinking: '(no thought given) writes a reply' },
    ])
    expect(payloads(task, 'tasks_updated')).toEqual([])
    expect(task.plan.items).toEqual([])
  })

  it('O1-10 a model that fails is an agent_error: paused and resumable, or failed for replies that break the contract', async () => {
    const down = await begin(agentBench([new Error('down')]), { failure_limit: 1 }, rounds(9))
    expect(down).toMatchObject({ status: 'paused', stop_reason: 'model_unavailable' })
    expect(payloads(down, 'agent_error')).toMatchObject([{ error: 'down', phase: 'turning' }])
    const empty = await begin(agentBench(['', ' ']), {}, rounds(9))
    expect(empty).toMatchObject({ status: 'failed', stop_reason: 'contract_failures' })
    expect(payloads(empty, 'agent_error')).toMatchObject([{ error: expect.stringContaining('empty') }])
    expect(empty.error?.detail).toContain('empty')
  })

  it('U24 a list of more than a hundred tasks, or a name of more than 500 characters, breaks the contract', async () => {
    const many = blocks('t', ...Array.from({ length: 101 }, (_, index): [string, string] => [' ', `t${index}`]))
    const bench = agentBench([many, blocks('t', [' ', 'x'.repeat(501)]), `x${END}`])
    const task = await begin(bench, { failure_limit: 5 }, rounds(9))
    expect(payloads(task, 'contract_failed').map(({ reason }) => reason)).toEqual([
      expect.stringContaining('101 tasks'),
      expect.stringContaining('500 characters'),
    ])
    // Neither is part of the conversation. The latest one stands before what was wrong with it.
    expect(roles(bench.requests[2])).toEqual(['system', 'user', 'assistant', 'user'])
    expect(task.status).toBe('completed')
  })
})
