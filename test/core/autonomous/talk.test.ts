/** What is said on the way, lists edited by hand, approvals, long runs, the other language (S1-02, S1-30, U14, U15, U18, R13, R24). */
import { describe, expect, it } from 'vitest'
import { CALLER, calling, say, step, taken, types, type Bench } from '../../support/scripted.ts'
import {
  agentBench,
  begin,
  blocks,
  code,
  END,
  history,
  look,
  payloads,
  ran,
  roles,
  rounds,
  states,
  system,
  user,
} from './support.ts'

const PLAN = blocks('t', [' ', 'A'], [' ', 'B'])
const DONE = blocks('t', ['x', 'A'], ['x', 'B'])

const edit = async (bench: Bench, id: string, items: { title: string; description?: string }[]) =>
  taken(
    await bench.service.editPlan(
      CALLER,
      id,
      items.map(({ title, description = '' }) => ({ title, description, expected_output: null })),
      null,
    ),
  )

describe('what the user says', () => {
  it('S1-02 stands in the one user message, newest last, and the history stays assistant ↔ tool', async () => {
    const bench = agentBench([look(PLAN), code(PLAN), `x${END}`])
    const task = await begin(bench, { dataset: 'a.csv' }, rounds(1))
    await say(bench, task.id, 'only 2024')
    await say(bench, task.id, 'by region too')
    expect(roles(bench.requests[2])).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool'])
    expect(user(bench.requests[1])).toBe(
      'Please analyse the dataset: a.csv\n\nRequest: the trend\n\nThe user said since then:\n- only 2024',
    )
    expect(user(bench.requests[2]).endsWith('- only 2024\n- by region too')).toBe(true)
  })

  it('U14 at the limit "continue" grants the turns again; other words are kept and resume nothing', async () => {
    const bench = agentBench([look(PLAN), code(PLAN), `${DONE}\nx${END}`])
    const task = await begin(bench, { max_iterations: 1 }, rounds(9))
    const kept = await say(bench, task.id, 'what about returns?')
    expect(kept).toMatchObject({ status: 'paused', step_count: 1 })
    // It came to rest before.
    expect(payloads(kept, 'agent_completed')).toEqual([])
    const next = await say(bench, task.id, 'continue', rounds(9))
    expect(next).toMatchObject({ status: 'paused', budget: { used: 2, max: 2 } })
    expect(user(bench.requests[1])).toContain('what about returns?')
    const done = await say(bench, task.id, '继续', rounds(9))
    expect(done).toMatchObject({ status: 'completed', step_count: 3, budget: { max: 3 } })
  })
})

describe('the list', () => {
  it('U18 S1-30 a task of the same name keeps its id and what was written of it; new names have new ids', async () => {
    const bench = agentBench([
      look(PLAN),
      code(blocks('t', ['x', 'A'], [' ', 'C'], [' ', 'B'])),
      code(blocks('t', ['x', 'A'], [' ', 'B'])),
    ])
    const first = await begin(bench, {}, rounds(1))
    const second = await step(bench, first.id)
    const third = await step(bench, first.id)
    const ids = [first, second, third].map(({ plan }) => plan.items.map(({ id }) => id))
    expect(ids).toEqual([
      ['task_1', 'task_2'],
      ['task_1', 'task_3', 'task_2'],
      ['task_1', 'task_2'],
    ])
    expect([first, second, third].map(({ plan }) => plan.revision)).toEqual([1, 2, 3])
    expect(third.plan).toMatchObject({ cursor: 1, source: 'tasks' })
  })

  it('U18 a list with the same tasks keeps its revision, even if other tasks are ticked', async () => {
    const bench = agentBench([look(PLAN), code(blocks('t', ['x', 'A'], [' ', 'B']))])
    const task = await begin(bench, {}, rounds(2))
    expect(task.plan).toMatchObject({ revision: 1, cursor: 1 })
  })

  it('S1-15 a tick that is taken back is taken back', async () => {
    const bench = agentBench([look(blocks('t', ['x', 'A'], [' ', 'B'])), code(PLAN)])
    const task = await begin(bench, {}, rounds(2))
    expect(states(task)).toEqual(['running', 'pending'])
  })

  it('U18 what a person edits replaces the open tasks; the model is shown the list, and its own takes over again', async () => {
    const bench = agentBench([
      look(blocks('t', ['x', 'A'], [' ', 'B'])),
      code(),
      code(blocks('t', ['x', 'A'], [' ', 'Returns'], [' ', 'D'])),
    ])
    const task = await begin(bench, {}, rounds(1))
    const edited = await edit(bench, task.id, [{ title: 'Returns', description: 'by month' }, { title: 'B' }])
    expect(edited.plan).toMatchObject({
      source: 'edit',
      cursor: 1,
      items: [
        { title: 'A', status: 'completed' },
        { id: 'task_3', title: 'Returns', description: 'by month' },
        { id: 'task_2', title: 'B' },
      ],
    })
    expect(payloads(edited, 'plan_edited')).toHaveLength(1)
    await step(bench, task.id)
    expect(user(bench.requests[1])).toContain(
      'The user has changed the list of tasks. It is now:\n- [x] A\n- [ ] Returns\n  by month\n- [ ] B',
    )
    const next = await step(bench, task.id)
    // What was written of a task by hand stays with it (S1-30).
    expect(next.plan.items[1]).toMatchObject({ id: 'task_3', title: 'Returns', description: 'by month' })
    expect(next.plan.items[2]).toMatchObject({ id: 'task_4', title: 'D' })
  })
})

describe('approvals', () => {
  it('U15 with approve: actions each call waits; one that is rejected is answered as an error', async () => {
    const bench = agentBench([
      calling(PLAN, ['run_code', { code: '1' }], ['run_code', { code: '2' }]),
      `${DONE}\nx${END}`,
    ])
    const task = await begin(bench, { approve: 'actions' }, rounds(9))
    expect(task).toMatchObject({
      status: 'input_required',
      stop_reason: 'approval',
      pending: { action: { tool: 'run_code' } },
    })
    await say(bench, task.id, 'no')
    const done = await say(bench, task.id, 'approve', rounds(9))
    expect(done.status).toBe('completed')
    expect(bench.calls).toHaveLength(1)
    const answers = history(bench.requests[1]).filter(({ role }) => role === 'tool')
    expect(answers.map(({ content }) => JSON.parse(content).status)).toEqual(['error', 'success'])
  })

  it('U15 what is wanted instead is a word of the user', async () => {
    const bench = agentBench([look(PLAN), `x${END}`])
    const task = await begin(bench, { approve: 'actions' }, rounds(9))
    await say(bench, task.id, 'use the other file', rounds(9))
    expect(user(bench.requests[1])).toContain('- use the other file')
    expect(history(bench.requests[1])[1]?.content).toContain('rejected by the user: use the other file')
  })
})

describe('long runs', () => {
  it('beyond transcript_token_limit the oldest rounds give way to a summary in the one user message', async () => {
    const turns = Array.from({ length: 12 }, (_, index) =>
      code(blocks(`t${index}`, ['x', 'A'], [' ', 'B']), `${index}`.repeat(800)),
    )
    const bench = agentBench(
      [...turns, `${DONE}\nx${END}`],
      Array.from({ length: 12 }, () => ran('y'.repeat(800))),
    )
    const task = await begin(bench, { transcript_token_limit: 1_000 }, rounds(50))
    expect(task.status).toBe('completed')
    const final = bench.requests.at(-1)
    expect(roles(final).slice(0, 3)).toEqual(['system', 'user', 'assistant'])
    expect(roles(final).filter((role) => role === 'user')).toHaveLength(1)
    expect(user(final)).toContain('Earlier parts of this conversation are left out')
    expect(user(final)).toContain('Steps completed: A')
    expect(types(task)).toContain('loop_guard')
    expect(JSON.stringify(final?.messages).length).toBeLessThan(14_000)
  })
})

describe('in Chinese', () => {
  it('S1-07 S1-39 one merged prompt with the flow, both tags, the rules and the end, and a user message by the seed', async () => {
    const bench = agentBench([
      look('<thinking>先看数据</thinking>\n<tasks>\n- [ ] 数据探索（进行中）\n</tasks>'),
      code(),
    ])
    const task = await begin(bench, { dataset: 'sales.csv' }, rounds(2), { goal: '分析销售趋势', locale: 'zh' })
    expect(user(bench.requests[0])).toBe('请分析数据集: sales.csv\n\n用户需求: 分析销售趋势')
    for (const part of [
      'read_dataset',
      'run_code',
      '3 到 5 个',
      '<thinking>',
      '<tasks>',
      '- [x]',
      '- [ ]',
      '[ANALYSIS_COMPLETE]',
    ]) {
      expect(system(bench.requests[0])).toContain(part)
    }
    expect(task.plan.items.map(({ title }) => title)).toEqual(['数据探索'])
    expect(payloads(task, 'llm_thinking')[1]).toMatchObject({ thinking: '（未给出思考）调用 run_code' })
  })
})
