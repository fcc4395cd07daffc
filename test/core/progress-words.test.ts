/** The words of progress lines in both languages: budget, guard and stop reasons, ends, and one line for each event of a list. */
import { describe, expect, it } from 'vitest'
import type { EventType } from '../../src/core/terms/plain/wire-names.ts'
import { eventLine, taskLines } from '../../src/core/shown/progress.ts'
import type { Envelope, TaskView } from '../../src/core/terms/view.ts'
import { TASK_EXAMPLE } from '../../src/http/document/examples.ts'

type Told = [EventType, Envelope['payload']]
const said = ([type, payload]: Told) => {
  const event: Envelope = { seq: 1, type, at: '2026-03-02T09:00:00Z', task_id: 'task_x', payload }
  return [eventLine(event, 'zh'), eventLine(event, 'en')]
}
const standing = (changes: Partial<TaskView>) => taskLines({ ...TASK_EXAMPLE, slice: null, ...changes })

describe('what a task is told is said in its language and no other', () => {
  it.each<[Told, string, string]>([
    [
      ['budget_exhausted', { axis: 'steps', used: 2, max: 2 }],
      '预算已用完：步数 2 / 2',
      'Budget exhausted: 2 of 2 steps used',
    ],
    [
      ['budget_exhausted', { axis: 'steps', used: 2, max: 1 }],
      '预算已用完：步数 2 / 1',
      'Budget exhausted: 2 of 1 step used',
    ],
    [
      ['budget_exhausted', { axis: 'tokens', used: 900, max: 800 }],
      '预算已用完：token 900 / 800',
      'Budget exhausted: 900 of 800 tokens used',
    ],
    [
      ['budget_added', { axis: 'steps', amount: 2, max: 4 }],
      '预算已增加：步数 +2，上限 4',
      'Budget raised: 2 steps more, at most 4 in all',
    ],
    [
      ['budget_added', { axis: 'steps', amount: 1, max: 2 }],
      '预算已增加：步数 +1，上限 2',
      'Budget raised: 1 step more, at most 2 in all',
    ],
    [
      ['budget_added', { axis: 'cost_usd', amount: '0.250000', max: '0.750000' }],
      '预算已增加：美元 +0.250000，上限 0.750000',
      'Budget raised: 0.250000 USD more, at most 0.750000 in all',
    ],
    [
      ['budget_exhausted', { axis: 'cost_usd', used: '0.499800', max: '0.500000' }],
      '预算已用完：美元 0.499800 / 0.500000',
      'Budget exhausted: 0.499800 of 0.500000 USD used',
    ],
    [
      ['budget_exhausted', { axis: 'seconds', used: 60, max: 60 }],
      '预算已用完：秒 60 / 60',
      'Budget exhausted: 60 of 60 seconds used',
    ],
    [
      ['budget_exhausted', { axis: 'tenant', used: null, max: null }],
      '预算已用完：租户当日总额度',
      "Budget exhausted: the tenant's total of the day",
    ],
    [
      ['budget_added', { axis: 'seconds', amount: 60, max: 90 }],
      '预算已增加：秒 +60，上限 90',
      'Budget raised: 60 seconds more, at most 90 in all',
    ],
    [
      ['loop_guard', { guard: 'repeated_question', count: 2 }],
      '循环保护：重复提问（2）',
      'Guard: repeated question (2)',
    ],
    [
      ['budget_exhausted', { axis: 'iterations', used: 3, max: 3 }],
      '预算已用完：迭代 3 / 3',
      'Budget exhausted: 3 of 3 iterations used',
    ],
    [
      ['budget_added', { axis: 'iterations', amount: 1, max: 4 }],
      '预算已增加：迭代 +1，上限 4',
      'Budget raised: 1 iteration more, at most 4 in all',
    ],
    [
      ['loop_guard', { guard: 'transcript_compacted', count: 4 }],
      '循环保护：较早的对话已省略（4）',
      'Guard: transcript compacted (4)',
    ],
    [
      ['loop_guard', { guard: 'fallback_advance', count: 5 }],
      '循环保护：步骤轮次已满（5）',
      'Guard: fallback advance (5)',
    ],
    [['loop_guard', { guard: 'plan_bounds', count: 1 }], '循环保护：计划超出上限（1）', 'Guard: plan bounds (1)'],
    [
      ['loop_guard', { guard: 'aside_refused', count: 1 }],
      '循环保护：预算不足，未作答复（1）',
      'Guard: aside refused (1)',
    ],
    [
      ['loop_guard', { guard: 'model_not_allowed', count: 1 }],
      '循环保护：该模型已不允许使用，未作答复（1）',
      'Guard: model not allowed (1)',
    ],
    [
      ['loop_guard', { guard: 'max_clarifications', count: 1 }],
      '循环保护：澄清次数已达上限（1）',
      'Guard: max clarifications (1)',
    ],
  ])('D7 %o', (told, zh, en) => expect(said(told)).toEqual([zh, en]))

  it('D7 a plan or a budget of one is singular', () => {
    expect(said(['plan_created', { items: [{ id: 'step_1', title: 'x' }], cursor: 0 }])[1]).toBe('Plan ready: 1 step')
    const budget = { ...TASK_EXAMPLE.budget, used: 1, max: 1, remaining: 0 }
    expect(standing({ budget })).toContain('Budget: 1 of 1 step used, 0 left')
  })
})

describe('an event of a list says what it was about', () => {
  it.each<[Told, string, string]>([
    [
      ['item_started', { item_id: 'step_1', title: '买牛奶', index: 0, total: 2 }],
      '当前计划项：1/2 - 买牛奶',
      'Current item: 1/2 - 买牛奶',
    ],
    [
      ['item_started', { item_id: 'step_1', title: '买牛奶', index: 0 }],
      '当前计划项：1 - 买牛奶',
      'Current item: 1 - 买牛奶',
    ],
    [['item_completed', { item_id: 'step_1', title: '买牛奶', index: 0 }], '计划项完成：买牛奶', 'Item done: 买牛奶'],
    [['item_failed', { item_id: 'step_1', title: '买牛奶', index: 0 }], '计划项失败：买牛奶', 'Item failed: 买牛奶'],
    [
      ['plan_adjusted', { items: [{ id: 'step_1', title: 'x' }], cursor: 0 }],
      '计划已调整：共 1 步',
      'Plan changed: 1 step',
    ],
    [['thought_decided', { phase: 'turn', decision: 'continue' }], '思考决策：执行动作', 'Decision: act'],
    [['thought_decided', { phase: 'turn', decision: 'done' }], '思考决策：给出答复', 'Decision: answer'],
    [['thought_decided', { phase: 'turn', decision: 'answer' }], '思考决策：给出答复', 'Decision: answer'],
    [
      ['clarification_requested', { request_id: 'question_3', question: '几点？' }],
      '请求澄清：几点？',
      'Question: 几点？',
    ],
  ])('%o', (told, zh, en) => expect(said(told)).toEqual([zh, en]))
})

const result = (text: string) => ({ text, artifacts: [], outcome: 'done' as const, unmet: [] })

describe('how a task stands or ended', () => {
  it.each<[Partial<TaskView>, string]>([
    [{ status: 'completed', result: result('都办好了') }, '任务结束：已完成\n都办好了'],
    [
      {
        status: 'completed',
        result: { ...result('只办了一半'), outcome: 'partial', unmet: [{ item: '约牙医', reason: '未执行' }] },
      },
      '任务结束：已完成\n只办了一半\n目标仅部分达成\n  - 约牙医：未执行',
    ],
    [
      {
        locale: 'en',
        status: 'completed',
        result: { ...result('No poem'), outcome: 'not_done', unmet: [{ item: 'a poem', reason: 'no model' }] },
      },
      'Finished: completed\nNo poem\nThe goal is not reached\n  - a poem: no model',
    ],
    [{ status: 'canceled', stop_reason: 'canceled' }, '任务结束：已取消'],
    [
      {
        status: 'failed',
        stop_reason: 'contract_failures',
        error: { code: 'contract_failures', detail: '服务不可用' },
      },
      '任务结束：失败（模型回复多次无效）\n服务不可用',
    ],
    [
      {
        status: 'paused',
        stop_reason: 'budget_exhausted:steps',
        pending: { kind: 'resume', hint: '继续请回复“继续”' },
      },
      '任务暂停：步数预算已用完\n继续请回复“继续”',
    ],
    [{ status: 'paused', stop_reason: 'budget_exhausted:tenant' }, '任务暂停：租户当日总额度已用尽'],
    [{ status: 'paused', stop_reason: 'iteration_limit' }, '任务暂停：迭代预算已用完'],
    [
      { locale: 'en', status: 'paused', stop_reason: 'iteration_limit' },
      'Finished for now: paused (the budget of iterations is used up)',
    ],
    // A question beside the work is answered while it rests.
    [{ status: 'paused', stop_reason: 'paused_by_user', result: result('正在下载') }, '任务暂停：用户暂停\n正在下载'],
    [
      { locale: 'en', status: 'paused', stop_reason: 'budget_exhausted:tenant' },
      "Finished for now: paused (the tenant's total of the day is used up)",
    ],
    [{ status: 'paused', stop_reason: 'model_unavailable' }, '任务暂停：模型服务不可用'],
    [{ locale: 'en', status: 'completed', result: result('All done') }, 'Finished: completed\nAll done'],
    [{ locale: 'en', status: 'canceled' }, 'Finished: canceled'],
    [{ locale: 'en', status: 'failed', stop_reason: 'step_failed' }, 'Finished: failed (step failed)'],
    [
      { locale: 'en', status: 'failed', stop_reason: 'contract_failures' },
      'Finished: failed (the replies of the model were unusable)',
    ],
    [
      { locale: 'en', status: 'paused', stop_reason: 'model_unavailable' },
      'Finished for now: paused (the model is unavailable)',
    ],
    [
      { locale: 'en', status: 'paused', stop_reason: 'budget_exhausted:steps' },
      'Finished for now: paused (the budget of steps is used up)',
    ],
    [{ locale: 'zh', retry_after_ms: 1_200 }, '模型调用失败，2 秒后可重试'],
    [{ locale: 'en', retry_after_ms: 1_200 }, 'The model call failed; try again in 2 s'],
  ])('every kind of end has its last line: %o', (changes, expected) => {
    expect(
      standing({ locale: 'zh', ...changes })
        .join('\n')
        .endsWith(expected),
    ).toBe(true)
  })
})
