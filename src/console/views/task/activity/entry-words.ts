/** The words of the entries of the activity. */

import { wordTable } from '../../../state/preferences.tsx'
import type { EntryName } from './event-entry.ts'

const AXES = wordTable({
  steps: ['steps', '步数'],
  iterations: ['iterations', '迭代次数'],
  actions: ['actions', '操作数'],
  tokens: ['tokens', 'token'],
  cost_usd: ['US dollars', '费用（美元）'],
  seconds: ['seconds of work', '工作时间（秒）'],
  tenant: ['total of the tenant for the day', '租户当日总额度'],
})
const BUDGET = wordTable({
  budget_exhausted: [
    (axis: string, used: string, max: string) => `No budget is left: ${axis} ${used} of ${max}`,
    (axis, used, max) => `预算已用完：${axis} ${used} / ${max}`,
  ],
  budget_added: [
    (axis: string, amount: string, max: string) => `${amount} ${axis} added, now ${max}`,
    (axis, amount, max) => `${axis} 增加 ${amount}，现为 ${max}`,
  ],
})
const NAMES = wordTable<Record<EntryName, string>>({
  thought: ['Thought', '思考'],
  action: ['Action', '操作'],
  question: ['Question', '提问'],
  answer: ['Answer', '回答'],
  guard: ['Loop guard', '循环防护'],
  contract: ['Reply not usable', '回复不可用'],
  budget: ['Budget', '预算'],
  command: ['Delegation', '委派'],
  report: ['Delegation', '委派'],
  written: ['Report written', '报告已写成'],
  plan_created: ['Plan made', '计划已制定'],
  plan_replanned: ['Planned again', '重新计划'],
  plan_adjusted: ['Plan adjusted', '计划已调整'],
  plan_edited: ['Plan edited by hand', '计划被手工编辑'],
  tasks_updated: ['Tasks changed', '任务有变'],
  item_started: ['Item begun', '条目开始'],
  item_completed: ['Item completed', '条目完成'],
  item_failed: ['Item failed', '条目失败'],
  action_waiting: ['Works on outside', '外部执行中'],
  tools_listed: ['Tools listed', '工具列表'],
  tools_unavailable: ['Tools not listed', '无法获取工具'],
  task_created: ['Task created', '任务已创建'],
  task_paused: ['Paused', '已暂停'],
  task_changed: ['Changed', '已更改'],
  task_resumed: ['Resumed', '已继续'],
  task_completed: ['Completed', '已完成'],
  task_failed: ['Failed', '失败'],
  task_canceled: ['Canceled', '已取消'],
  agent_started: ['Agent started', '智能体已启动'],
  agent_completed: ['Agent came to rest', '智能体已停止'],
  agent_error: ['Agent failed', '智能体出错'],
})
export const WORDS = wordTable({
  real: ['real', '真实'],
  synthetic: ['synthetic', '合成'],
  realHelp: ['The model has written this thought itself.', '这段思考由模型亲自写出。'],
  syntheticHelp: [
    'The model gave no thought; the service says in its place what it does.',
    '模型没有给出思考，由服务代为说明它在做什么。',
  ],
  journal: [(row: number) => `Row ${row} of the journal`, (row) => `日志第 ${row} 行`],
  input: ['Input', '输入'],
  result: ['Result', '结果'],
  unresolved: ['no result was told', '没有得到结果'],
  states: [
    { running: 'running', success: 'success', error: 'failed', unknown: 'not finished' },
    { running: '执行中', success: '成功', error: '失败', unknown: '未完成' },
  ],
  more: ['Text', '正文'],
  by: [(author: string) => `by ${author}`, (author) => `修改者：${author}`],
  items: [(count: number) => (count === 1 ? '1 item' : `${count} items`), (count) => `${count} 项`],
  count: [(count: number) => `${count}×`, (count) => `${count} 次`],
  command: [(type: string) => `Command “${type}” is handed out`, (type) => `命令“${type}”已发出`],
  report: [(status: string) => `Report has come: ${status}`, (status) => `收到报告：${status}`],
  axes: [AXES.en, AXES.zh],
  budget: [BUDGET.en, BUDGET.zh],
  names: [NAMES.en, NAMES.zh],
})

/** Returns the label of a name, or the name itself if it is unknown. */
export const labelIn = (names: Record<string, string>, name: string) =>
  Object.hasOwn(names, name) ? (names[name] ?? name) : name
