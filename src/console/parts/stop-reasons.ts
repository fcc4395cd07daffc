/** The words for the reasons why a task does not go on. */

import type { Locale } from '../api/wire.ts'

type Word = Record<Locale, string>
const AXES = ['steps', 'iterations', 'tokens', 'cost_usd', 'seconds'] as const
export type BudgetAxis = (typeof AXES)[number]

const REASONS: Record<string, Word> = {
  question: { en: 'it has asked a question', zh: '它提出了一个问题' },
  approval: { en: 'it needs an approval', zh: '需要批准' },
  tool: { en: 'it waits for a tool that works on outside', zh: '正在等待外部工具' },
  report: { en: 'it waits for the report of a worker', zh: '正在等待外部执行者的报告' },
  iteration_limit: { en: 'its iterations are used up', zh: '迭代次数已用尽' },
  loop_detected: { en: 'it went round in circles', zh: '陷入了循环' },
  done: { en: 'it ended by itself', zh: '自行结束' },
  contract_failures: { en: 'replies of the model broke their contract', zh: '模型回复多次不符合约定' },
  result_unmet: { en: 'the result was not given in the shape of its schema', zh: '结果未能按要求的结构给出' },
  model_unavailable: { en: 'the model did not answer', zh: '模型服务没有应答' },
  tools_unavailable: { en: 'a source of tools could not be listed', zh: '无法获取工具列表' },
  storage_full: { en: 'the room for what is stored is used up', zh: '存储空间已用完' },
  model_not_allowed: { en: 'its model is not allowed any more', zh: '其模型已不允许使用' },
  step_failed: { en: 'a step failed', zh: '某个步骤失败' },
  aborted: { en: 'it was aborted', zh: '已中止' },
  canceled: { en: 'it was canceled', zh: '已取消' },
  held: { en: 'it begins when it is resumed', zh: '恢复后才开始执行' },
  paused_by_user: { en: 'somebody paused it', zh: '被人为暂停' },
  question_expired: { en: 'a question was not answered in time', zh: '提问未在期限内得到回答' },
  'budget_exhausted:steps': { en: 'its steps are used up', zh: '步数已用尽' },
  'budget_exhausted:iterations': { en: 'its iterations are used up', zh: '迭代次数已用尽' },
  'budget_exhausted:tokens': { en: 'its tokens are used up', zh: 'token 已用尽' },
  'budget_exhausted:cost_usd': { en: 'its money is used up', zh: '费用额度已用尽' },
  'budget_exhausted:seconds': { en: 'its working time is used up', zh: '工作时间已用尽' },
  'budget_exhausted:tenant': { en: "the tenant's total of the day is used up", zh: '租户当日总额度已用尽' },
}

/** Returns an unknown reason as the service names it. */
export function stopReasonText(reason: string, locale: Locale): string {
  return Object.hasOwn(REASONS, reason) ? (REASONS[reason]?.[locale] ?? reason) : reason
}

/** Returns the budget axis that ran out; null if none did. A task cannot be given more of `tenant`. */
export function exhaustedAxis(reason: string | null): BudgetAxis | 'tenant' | null {
  if (reason === 'iteration_limit') return 'iterations'
  const [stop, named] = (reason ?? '').split(':')
  if (stop !== 'budget_exhausted') return null
  return named === 'tenant' ? named : (AXES.find((axis) => axis === named) ?? null)
}
