/** Progress lines: the wording of S0-66 to S0-71 to the letter, each fact once, and no word of a thought. */
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES, type EventType } from '../../src/core/terms/plain/wire-names.ts'
import { oneLine, stripControls } from '../../src/core/shown/line-text.ts'
import { eventLine, taskLines } from '../../src/core/shown/progress.ts'
import type { Envelope, TaskView } from '../../src/core/terms/view.ts'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'

const ITEMS = [
  { id: 'step_1', title: '买牛奶' },
  { id: 'step_2', title: '约牙医' },
]
type Told = [EventType, Envelope['payload']]
/** `step_count`: as every event says it, the one after its row. */
const thought = (item_id: string | null, decision: string, step_count = 1): Told => [
  'thought_decided',
  { phase: 'thought', item_id, decision, text: 'SECRET REASONING', step_count },
]
const started = (index: number): Told => [
  'item_started',
  { item_id: ITEMS[index]?.id, title: ITEMS[index]?.title, index },
]
const PLANNED: Told = ['plan_created', { items: ITEMS, cursor: 0 }]
const ACTION: Told[] = [
  ['action_started', { item_id: 'step_1', tool: 'todo', input: '/todo add 牛奶' }],
  ['action_finished', { item_id: 'step_1', tool: 'todo', ok: true, status: 'success', text: '已添加 #1' }],
]

const envelope = ([type, payload]: Told, index: number): Envelope => ({
  seq: index + 1,
  type,
  at: '2026-03-02T09:00:00Z',
  task_id: 'task_x',
  payload,
})
const item = (index: number, status: 'pending' | 'running' | 'completed') => ({
  id: ITEMS[index]?.id ?? '',
  title: ITEMS[index]?.title ?? '',
  description: '',
  expected_output: null,
  status,
  result: null,
  progress: null,
})
function lines(told: Told[], changes: Partial<TaskView> = {}): string[] {
  const plan = {
    ...TASK_EXAMPLE.plan,
    revision: 1,
    cursor: 0,
    source: 'plan',
    items: [item(0, 'running'), item(1, 'pending')],
  }
  const slice = { advanced: true, rounds: 1, events: told.map(envelope) }
  return taskLines({ ...TASK_EXAMPLE, id: 'task_x', locale: 'zh', plan, slice, step_count: 2, ...changes })
}

describe('S0-66 to S0-71', () => {
  it('S0-66…S0-70 a first slice: plan, item, decision, action, result', () => {
    expect(lines([PLANNED, started(0), thought('step_1', 'continue'), ...ACTION])).toEqual([
      '任务 task_x：进行中',
      '规划完成：共 2 步',
      '  [ ] 1. 买牛奶',
      '  [ ] 2. 约牙医',
      '当前计划项：1/2 - 买牛奶',
      '执行进度：已执行 0 / 2',
      '思考决策：执行动作',
      '步骤动作：todo -> /todo add 牛奶',
      '步骤结果：成功',
      '  已添加 #1',
      '执行进度：已执行 2 / 2',
      '完成情况：模型调用 2 次，动作 1 次（成功 1，失败 0），重规划 0 次',
      '步数预算：已用 2 / 20，剩余 18',
      '继续请使用 POST /tasks/task_x/step',
    ])
  })

  it('S0-71 after a sub-task the new plan is counted and shown', () => {
    const told: Told[] = [
      thought('step_1', 'done'),
      ['item_completed', { item_id: 'step_1', title: '买牛奶', index: 0 }],
      ['plan_replanned', { items: ITEMS, cursor: 1 }],
      started(1),
    ]
    const plan = {
      ...TASK_EXAMPLE.plan,
      revision: 2,
      cursor: 1,
      source: 'replan',
      items: [item(0, 'completed'), item(1, 'running')],
    }
    expect(lines(told, { plan }).slice(1, 7)).toEqual([
      '执行进度：已执行 0 / 2',
      '思考决策：步骤完成',
      '重规划完成：共 2 步',
      '  [x] 1. 买牛奶',
      '  [ ] 2. 约牙医',
      '当前计划项：2/2 - 约牙医',
    ])
  })

  it.each([
    ['continue', '思考决策：执行动作', 'Decision: act'],
    ['done', '思考决策：步骤完成', 'Decision: step done'],
    ['ask_user', '思考决策：请求澄清', 'Decision: ask'],
  ])('S0-68 the decision %s', (decision, zh, en) => {
    expect(lines([thought('step_1', decision)])).toContain(zh)
    expect(lines([thought('step_1', decision)], { locale: 'en' })).toContain(en)
  })

  it('S0-68 the decision that closes the task', () => {
    expect(lines([['task_completed', { stop_reason: 'done' }]], { status: 'completed' })).toContain(
      '思考决策：任务完成',
    )
  })

  it.each([
    [true, '步骤结果：成功', 'Result: success'],
    [false, '步骤结果：失败', 'Result: failure'],
  ])('S0-70 ok: %s', (ok, zh, en) => {
    expect(lines([['action_finished', { ok, text: '' }]])).toContain(zh)
    expect(lines([['action_finished', { ok, text: '' }]], { locale: 'en' })).toContain(en)
  })

  it('S0-72 the wording of a thought is never shown', () => {
    for (const locale of ['en', 'zh'] as const) {
      expect(lines([PLANNED, thought('step_1', 'continue'), thought(null, 'done')], { locale }).join()).not.toContain(
        'SECRET',
      )
    }
  })

  it('D7 the same slice in English', () => {
    expect(lines([PLANNED, started(0), thought('step_1', 'continue'), ...ACTION], { locale: 'en' })).toEqual([
      'Task task_x: running',
      'Plan ready: 2 steps',
      '  [ ] 1. 买牛奶',
      '  [ ] 2. 约牙医',
      'Current item: 1/2 - 买牛奶',
      'Executed: 0 / 2',
      'Decision: act',
      'Action: todo -> /todo add 牛奶',
      'Result: success',
      '  已添加 #1',
      'Executed: 2 / 2',
      'Counted: 2 model calls, 1 action (1 succeeded, 0 failed), 0 replans',
      'Budget: 2 of 20 steps used, 18 left',
      'Go on with POST /tasks/task_x/step',
    ])
  })
})

describe('O0-16', () => {
  it('before each decision: executed x / total, with the larger of steps and plan as total', () => {
    const told = [PLANNED, thought('step_1', 'continue', 1), ...ACTION, thought('step_1', 'continue', 3), ...ACTION]
    const shown = lines(told, { step_count: 4 }).filter((line) => line.startsWith('执行进度'))
    expect(shown).toEqual(['执行进度：已执行 0 / 2', '执行进度：已执行 2 / 2', '执行进度：已执行 4 / 4'])
  })

  it('before a plan the total is undecided', () => {
    const plan = { ...TASK_EXAMPLE.plan, revision: 0, cursor: 0, source: 'plan', items: [] }
    const told: Told[] = [['contract_failed', { phase: 'planning', reason: 'no JSON', step_count: 0 }]]
    expect(lines(told, { plan, step_count: 0 })).toEqual(
      expect.arrayContaining(['执行进度：已执行 0 / 未定', '模型回复无效：no JSON']),
    )
  })

  it.each([
    [0, '执行进度：已执行 0 / 2'],
    [1, '执行进度：已执行 0 / 2'],
    [3, '执行进度：已执行 2 / 2'],
    [7, '执行进度：已执行 6 / 6'],
  ])('the number before a broken reply comes from its event alone: %i', (step_count, expected) => {
    const broken: Told = ['contract_failed', { phase: 'thought', reason: 'no JSON', step_count }]
    expect(lines([broken], { step_count: 9, retry_after_ms: 1_000 })[1]).toBe(expected)
  })

  it('the plan is not repeated while it is unchanged', () => {
    const told = [PLANNED, thought('step_1', 'continue'), ...ACTION, thought('step_1', 'continue'), ...ACTION]
    expect(lines(told).filter((line) => line.includes('1. 买牛奶'))).toHaveLength(1)
  })

  it('a plan that no event of this slice shows is shown as it stands', () => {
    const plan = {
      ...TASK_EXAMPLE.plan,
      revision: 1,
      cursor: 1,
      source: 'plan',
      items: [item(0, 'completed'), item(1, 'running')],
    }
    expect(lines([], { plan })).toEqual(expect.arrayContaining(['  [x] 1. 买牛奶', '  [ ] 2. 约牙医']))
  })

  it('finished items and open items are counted, also where the plan has lost the finished ones', () => {
    const plan = { ...TASK_EXAMPLE.plan, items: [item(0, 'running'), item(1, 'pending')], finished_count: 7 }
    expect(lines([], { plan })).toContain('计划项：已结束 7，待处理 2')
    expect(lines([], { plan, locale: 'en' })).toContain('Items: 7 finished, 2 open')
    expect(lines([], { plan, status: 'completed' })).toContain('计划项：已结束 7')
    expect(lines([], { plan: { ...plan, finished_count: 0 } }).filter((line) => line.startsWith('计划项'))).toEqual([])
  })

  it('a result is its first 220 characters on one line', () => {
    const shown = lines([['action_finished', { ok: true, text: `a\n b\r\n${'漢🥛'.repeat(300)}` }]])
    const text = shown.find((line) => line.startsWith('  a b')) ?? ''
    expect([...text.trim()]).toHaveLength(220)
    expect(text.isWellFormed()).toBe(true)
  })

  it('S0-33 a handover follows the last line', () => {
    const handover = {
      completed: [],
      unfinished_reason: 'r',
      remaining: [],
      next_steps: [],
      text: '已完成：无\n未完成原因：r',
    }
    expect(lines([], { status: 'paused', stop_reason: 'budget_exhausted:steps', handover }).slice(-2)).toEqual([
      '任务暂停：步数预算已用完',
      handover.text,
    ])
  })
})

describe('questions', () => {
  const pending = (prompt: string): TaskView['pending'] => ({
    kind: 'question',
    request_id: 'question_3',
    question: '几点？',
    prompt,
    response_schema: null,
    choices: null,
    other_answers: false,
    expires_at: null,
    answer_url: null,
  })
  it('S0-63 a question is shown with its prefix, and how to answer it', () => {
    const shown = lines([thought('step_1', 'ask_user')], {
      status: 'input_required',
      pending: pending('请确认：几点？'),
    })
    expect(shown.slice(-2)).toEqual(['请确认：几点？', '回答请使用 POST /tasks/task_x/input'])
  })

  it('S0-63 in the answer of a task the question stands at the end and nowhere else', () => {
    expect(lines([['clarification_requested', { request_id: 'question_3', question: '几点？' }]]).join()).not.toContain(
      '几点？',
    )
  })
})

describe('hostile text', () => {
  it.each(['\u001b[2Jgone', 'a\u0007b', 'x\u009b31m', 'a\u0000b', 'a\rb'])(
    'no control character reaches a terminal: %j',
    (text) => {
      expect(stripControls(text)).not.toMatch(/\p{Cc}/u)
      expect(
        lines([
          ['action_finished', { ok: true, text }],
          ['action_started', { tool: text, input: text }],
        ]).join(''),
      ).not.toMatch(/\p{Cc}/u)
    },
  )
  it('a newline in a title cannot forge a line', () => {
    expect(lines([['item_started', { item_id: 'step_1', index: 0, title: 'a\n步骤结果：成功' }]])).not.toContain(
      '步骤结果：成功',
    )
  })
  it.each(EVENT_TYPES)('%s with an empty payload throws nothing', (type) => {
    expect(() => lines([[type, {}]])).not.toThrow()
    expect(eventLine(envelope([type, {}], 0), 'en')).not.toBe('')
  })
  it('odd payloads are read as nothing', () => {
    expect(lines([['plan_created', { items: [null, 7, 'x', { id: 1, title: [] }], cursor: 'x' }]])).toContain(
      '规划完成：共 4 步',
    )
  })
  it('oneLine of a megabyte is quick and short', () =>
    expect(oneLine('x\n'.repeat(500_000)).length).toBeLessThanOrEqual(220))
})
