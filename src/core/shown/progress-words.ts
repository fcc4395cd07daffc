/** The wording of progress lines (D7). The first six Chinese lines have exactly the wording of S0-66 to S0-71. */
import type { Locale } from '../terms/locale.ts'
import type { Counters, Status, Unit } from '../terms/status.ts'

/** An amount of a budget. Steps, tokens and seconds are numbers, money is a decimal string. */
type Amount = number | string

const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

/** A stop reason in words. `texts` has the known reasons, and `axisText` words the reason of a spent axis. */
function reasonText(reason: string, axisText: (axis: string) => string, texts: ReadonlyMap<string, string>): string {
  const [kind, axis] = reason.split(':', 2)
  const text = texts.get(reason)
  if (text !== undefined) return text
  return kind === 'budget_exhausted' && axis !== undefined ? axisText(axis) : withSpaces(reason)
}
/** The axis of the tenant's total, which no single task has. */
const TENANT = 'tenant'
const withSpaces = (name: string) => name.replaceAll('_', ' ')
const numberOfTotal = (number: number, total: number | null) => (total === null ? String(number) : `${number}/${total}`)

/** The unit of an axis in the plural. */
const EN_AXES: ReadonlyMap<string, string> = new Map([['cost_usd', 'USD']])
const enAxis = (axis: string) => EN_AXES.get(axis) ?? axis
const enAmount = (n: Amount, axis: string) => `${n} ${n === 1 ? enAxis(axis).replace(/s$/, '') : enAxis(axis)}`
const EN_REASONS: ReadonlyMap<string, string> = new Map([
  ['budget_exhausted:tenant', "the tenant's total of the day is used up"],
  ['model_unavailable', 'the model is unavailable'],
  ['tools_unavailable', 'a source of tools could not be listed'],
  ['held', 'it is held until it is resumed'],
  ['storage_full', 'the room for what is stored is used up'],
  ['model_not_allowed', 'the model is not allowed any more'],
  ['contract_failures', 'the replies of the model were unusable'],
  ['result_unmet', 'the result was not given in the shape of the output schema'],
  ['iteration_limit', 'the budget of iterations is used up'],
  ['loop_detected', 'the same actions came again and again'],
])
const enReason = (reason: string) =>
  reasonText(reason, (axis) => `the budget of ${enAxis(axis)} is used up`, EN_REASONS)

const EN_DECISIONS: ReadonlyMap<string, string> = new Map([
  ['continue', 'act'],
  ['done', 'step done'],
  ['ask_user', 'ask'],
  ['completed', 'task done'],
  ['answer', 'answer'],
  ['think', 'think'],
  ['next', 'step done'],
  ['retry', 'try again'],
  ['replan', 'replan'],
  ['abort', 'abort'],
])
const EN = {
  heading: (id: string, status: Status) => `Task ${id}: ${withSpaces(status)}`,
  planned: (steps: number) => `Plan ready: ${plural(steps, 'step')}`,
  edited: (steps: number) => `Plan edited by hand: ${plural(steps, 'step')}`,
  replanned: (steps: number) => `Replanned: ${plural(steps, 'step')}`,
  adjusted: (steps: number) => `Plan changed: ${plural(steps, 'step')}`,
  /** `total` is the length of the plan. null: it is not known. */
  item: (number: number, total: number | null, title: string) =>
    `Current item: ${numberOfTotal(number, total)} - ${title}`,
  /** null: the task has ended, so no item is open any more. */
  items: (finished: number, open: number | null) =>
    `Items: ${finished} finished${open === null ? '' : `, ${open} open`}`,
  itemDone: (title: string) => `Item done: ${title}`,
  itemFailed: (title: string) => `Item failed: ${title}`,
  /** `real`: the text is what the model wrote (S1-29). */
  thinking: (text: string, real: boolean) => (real ? `Thinking: ${text}` : text),
  decision: (kind: string) => `Decision: ${EN_DECISIONS.get(kind) ?? kind}`,
  action: (tool: string, input: string) => `Action: ${tool} -> ${input}`,
  dispatched: (type: string) => `Command handed out: ${type}`,
  toolWorks: (tool: string, message: string) => `Waiting for ${tool}${message === '' ? '' : `: ${message}`}`,
  listed: (source: string, tools: number) => `Tools of ${source}: ${tools}`,
  unlisted: (source: string, reason: string) => `Tools of ${source} could not be listed: ${reason}`,
  reported: (status: string) => `Report: ${status}`,
  result: (ok: boolean) => `Result: ${ok ? 'success' : 'failure'}`,
  /** `total` is the length of the plan. null: there is no plan yet. */
  executed: (steps: number, total: number | null) => `Executed: ${steps} / ${total ?? 'undecided'}`,
  /** The progress of a task that counts another unit than steps. */
  used: (count: number, unit: Unit) => `Used: ${enAmount(count, unit)}`,
  counters: ({ model_calls, actions, successful_actions, failed_actions, replans }: Counters) =>
    `Counted: ${plural(model_calls, 'model call')}, ${plural(actions, 'action')} (${successful_actions} succeeded, ${failed_actions} failed), ${plural(replans, 'replan')}`,
  budget: ({ unit, used, max, remaining }: { unit: Unit; used: number; max: number; remaining: number }) =>
    `Budget: ${used} of ${enAmount(max, unit)} used, ${remaining} left`,
  asked: (question: string) => `Question: ${question}`,
  answered: (text: string) => `Answered: ${text}`,
  arrived: (name: string) => `File arrived: ${name}`,
  unusable: (reason: string) => `Unusable reply of the model: ${reason}`,
  guard: (name: string, count: number) => `Guard: ${withSpaces(name)} (${count})`,
  /** The amounts of the tenant's total are not shown. */
  exhausted: (axis: string, used: Amount, max: Amount) =>
    axis === TENANT
      ? "Budget exhausted: the tenant's total of the day"
      : `Budget exhausted: ${used} of ${enAmount(max, axis)} used`,
  /** `max` is the new maximum. */
  granted: (axis: string, amount: Amount, max: Amount) =>
    `Budget raised: ${enAmount(amount, axis)} more, at most ${max} in all`,
  resumed: 'Resumed',
  changed: (members: string) => `Changed: ${members}`,
  truncated: (id: string) => `More happened: GET /tasks/${id}/events`,
  /** After a failed model call. */
  waits: (seconds: number) => `The model call failed; try again in ${seconds} s`,
  howToAnswer: (id: string) => `Answer with POST /tasks/${id}/input`,
  howToPut: (url: string) => `Put it with PUT ${url}`,
  howToGoWithout: (id: string) => `Or go on without it: say so with POST /tasks/${id}/input`,
  /** The action that waits for approval. null: the plan above waits. */
  approves: (action: { tool: string; input: string } | null) =>
    action === null ? 'Please approve: the plan above' : `Please approve: ${action.tool} -> ${action.input}`,
  howToApprove: (id: string) => `Send "yes", "no" or what to change with POST /tasks/${id}/input`,
  howToGoOn: (id: string) => `Go on with POST /tasks/${id}/step`,
  /** The task waits for the report of a delegation. */
  awaits: (delegation: string, deadline: string) =>
    `Waiting for the report of GET /delegations/${delegation} until ${deadline}`,
  outcome: { partial: 'The goal is reached in part only', not_done: 'The goal is not reached' },
  unmet: (item: string, reason: string) => `${item}: ${reason}`,
  /** `reason` is a stop reason of the wire. */
  finished: {
    completed: 'Finished: completed',
    canceled: 'Finished: canceled',
    failed: (reason: string) => `Finished: failed (${enReason(reason)})`,
    paused: (reason: string) => `Finished for now: paused (${enReason(reason)})`,
  },
}
export type ProgressWords = typeof EN

const ZH_DECISIONS: ReadonlyMap<string, string> = new Map([
  ['continue', '执行动作'],
  ['done', '步骤完成'],
  ['ask_user', '请求澄清'],
  ['completed', '任务完成'],
  ['answer', '给出答复'],
  ['think', '思考进展'],
  ['next', '步骤完成'],
  ['retry', '重试'],
  ['replan', '调整计划'],
  ['abort', '终止'],
])
const ZH_STATUS: Record<Status, string> = {
  queued: '排队中',
  running: '进行中',
  input_required: '等待澄清',
  waiting_external: '等待外部结果',
  paused: '已暂停',
  completed: '已完成',
  failed: '已失败',
  canceled: '已取消',
}
const ZH_AXES: ReadonlyMap<string, string> = new Map([
  ['steps', '步数'],
  ['iterations', '迭代'],
  ['actions', '动作'],
  ['commands', '命令'],
  ['tokens', 'token'],
  ['cost_usd', '美元'],
  ['seconds', '秒'],
])
const zhAxis = (axis: string) => ZH_AXES.get(axis) ?? axis
const ZH_REASONS: ReadonlyMap<string, string> = new Map([
  ['budget_exhausted:tenant', '租户当日总额度已用尽'],
  ['model_unavailable', '模型服务不可用'],
  ['tools_unavailable', '无法获取工具列表'],
  ['storage_full', '存储空间已用完'],
  ['model_not_allowed', '该模型已不允许使用'],
  ['contract_failures', '模型回复多次无效'],
  ['result_unmet', '结果未能按要求的结构给出'],
  ['iteration_limit', '迭代预算已用完'],
  ['paused_by_user', '用户暂停'],
  ['held', '等待恢复后开始'],
  ['question_expired', '澄清已过期'],
  ['step_failed', '步骤失败'],
  ['loop_detected', '反复执行相同动作'],
  ['aborted', '已中止'],
])
const zhReason = (reason: string) => reasonText(reason, (axis) => `${zhAxis(axis)}预算已用完`, ZH_REASONS)
const ZH_GUARDS: ReadonlyMap<string, string> = new Map([
  ['repeated_question', '重复提问'],
  ['max_clarifications', '澄清次数已达上限'],
  ['fallback_advance', '步骤轮次已满'],
  ['plan_bounds', '计划超出上限'],
  ['transcript_compacted', '较早的对话已省略'],
  ['aside_refused', '预算不足，未作答复'],
  ['model_fallback', '模型不可用，改用备用模型'],
  ['model_not_allowed', '该模型已不允许使用，未作答复'],
  ['repeated_action', '重复动作'],
  ['same_result', '重复动作且结果相同'],
  ['max_adjustments', '计划调整次数已达上限'],
  ['max_actions_per_step', '单步动作数已达上限'],
  ['step_timeout', '步骤超时'],
  ['plan_full', '计划项数已达上限'],
  ['max_retries_per_step', '步骤重试次数已达上限'],
  ['max_replans', '重规划次数已达上限'],
])
const ZH: ProgressWords = {
  heading: (id, status) => `任务 ${id}：${ZH_STATUS[status]}`,
  planned: (steps) => `规划完成：共 ${steps} 步`,
  edited: (steps) => `计划已手动修改：共 ${steps} 步`,
  replanned: (steps) => `重规划完成：共 ${steps} 步`,
  adjusted: (steps) => `计划已调整：共 ${steps} 步`,
  item: (number, total, title) => `当前计划项：${numberOfTotal(number, total)} - ${title}`,
  items: (finished, open) => `计划项：已结束 ${finished}${open === null ? '' : `，待处理 ${open}`}`,
  itemDone: (title) => `计划项完成：${title}`,
  itemFailed: (title) => `计划项失败：${title}`,
  thinking: (text, real) => (real ? `思考：${text}` : text),
  decision: (kind) => `思考决策：${ZH_DECISIONS.get(kind) ?? kind}`,
  action: (tool, input) => `步骤动作：${tool} -> ${input}`,
  dispatched: (type) => `已下发命令：${type}`,
  toolWorks: (tool, message) => `等待 ${tool}${message === '' ? '' : `：${message}`}`,
  listed: (source, tools) => `${source} 的工具：${tools}`,
  unlisted: (source, reason) => `无法获取 ${source} 的工具：${reason}`,
  reported: (status) => `收到报告：${status}`,
  result: (ok) => `步骤结果：${ok ? '成功' : '失败'}`,
  executed: (steps, total) => `执行进度：已执行 ${steps} / ${total ?? '未定'}`,
  used: (count, unit) => `执行进度：已用${zhAxis(unit)} ${count}`,
  counters: ({ model_calls, actions, successful_actions, failed_actions, replans }) =>
    `完成情况：模型调用 ${model_calls} 次，动作 ${actions} 次（成功 ${successful_actions}，失败 ${failed_actions}），重规划 ${replans} 次`,
  budget: ({ unit, used, max, remaining }) => `${zhAxis(unit)}预算：已用 ${used} / ${max}，剩余 ${remaining}`,
  asked: (question) => `请求澄清：${question}`,
  answered: (text) => `收到澄清：${text}`,
  arrived: (name) => `收到文件：${name}`,
  unusable: (reason) => `模型回复无效：${reason}`,
  guard: (name, count) => `循环保护：${ZH_GUARDS.get(name) ?? name}（${count}）`,
  exhausted: (axis, used, max) =>
    axis === TENANT ? '预算已用完：租户当日总额度' : `预算已用完：${zhAxis(axis)} ${used} / ${max}`,
  granted: (axis, amount, max) => `预算已增加：${zhAxis(axis)} +${amount}，上限 ${max}`,
  resumed: '任务继续执行',
  changed: (members: string) => `已更改：${members}`,
  truncated: (id) => `更多事件：GET /tasks/${id}/events`,
  waits: (seconds) => `模型调用失败，${seconds} 秒后可重试`,
  howToAnswer: (id) => `回答请使用 POST /tasks/${id}/input`,
  howToPut: (url) => `上传请使用 PUT ${url}`,
  howToGoWithout: (id) => `若不需要该文件即可继续，请用 POST /tasks/${id}/input 说明`,
  approves: (action) => (action === null ? '请批准：以上计划' : `请批准：${action.tool} -> ${action.input}`),
  howToApprove: (id) => `请用 POST /tasks/${id}/input 发送“同意”、“拒绝”或修改要求`,
  howToGoOn: (id) => `继续请使用 POST /tasks/${id}/step`,
  awaits: (delegation, deadline) => `等待 GET /delegations/${delegation} 的报告，截止 ${deadline}`,
  outcome: { partial: '目标仅部分达成', not_done: '目标未达成' },
  unmet: (item, reason) => `${item}：${reason}`,
  finished: {
    completed: '任务结束：已完成',
    canceled: '任务结束：已取消',
    failed: (reason) => `任务结束：失败（${zhReason(reason)}）`,
    paused: (reason) => `任务暂停：${zhReason(reason)}`,
  },
}

export const PROGRESS_WORDS: Record<Locale, ProgressWords> = { en: EN, zh: ZH }
