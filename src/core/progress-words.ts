/** The wording of progress lines (D7): the Chinese of the first six is section 7 of seed 000, to the letter. */
import type { Locale } from './effect.ts'
import type { Counters, Status } from './view.ts'

export interface Words {
  heading(id: string, status: Status): string
  planned(steps: number): string
  replanned(steps: number): string
  item(number: number, of: number, title: string): string
  decision(kind: string): string
  action(tool: string, input: string): string
  result(ok: boolean): string
  /** `of`: null before there is a plan. */
  executed(steps: number, of: number | null): string
  counters(counters: Counters): string
  budget(used: number, max: number, left: number): string
  answered(text: string): string
  unusable(reason: string): string
  guard(name: string, count: number): string
  exhausted(axis: string, used: number, max: number): string
  granted(axis: string, max: number): string
  resumed: string
  truncated(id: string): string
  waits(seconds: number): string
  howToAnswer(id: string): string
  howToGoOn(id: string): string
  finished: { completed: string; canceled: string; failed(reason: string): string; paused(reason: string): string }
}

const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

const EN_DECISIONS: ReadonlyMap<string, string> = new Map([
  ['continue', 'act'],
  ['done', 'step done'],
  ['ask_user', 'ask'],
  ['completed', 'task done'],
])
const en: Words = {
  heading: (id, status) => `Task ${id}: ${status.replaceAll('_', ' ')}`,
  planned: (steps) => `Plan ready: ${counted(steps, 'step')}`,
  replanned: (steps) => `Replanned: ${counted(steps, 'step')}`,
  item: (number, of, title) => `Current item: ${number}/${of} - ${title}`,
  decision: (kind) => `Decision: ${EN_DECISIONS.get(kind) ?? kind}`,
  action: (tool, input) => `Action: ${tool} -> ${input}`,
  result: (ok) => `Result: ${ok ? 'success' : 'failure'}`,
  executed: (steps, of) => `Executed: ${steps} / ${of ?? 'undecided'}`,
  counters: ({ model_calls, actions, successful_actions, failed_actions, replans }) =>
    `Counted: ${counted(model_calls, 'model call')}, ${counted(actions, 'action')} (${successful_actions} succeeded, ${failed_actions} failed), ${counted(replans, 'replan')}`,
  budget: (used, max, left) => `Budget: ${used} of ${counted(max, 'step')} used, ${left} left`,
  answered: (text) => `Answered: ${text}`,
  unusable: (reason) => `Unusable reply of the model: ${reason}`,
  guard: (name, count) => `Guard: ${name.replaceAll('_', ' ')} (${count})`,
  exhausted: (axis, used, max) => `Budget exhausted: ${used} of ${max} ${axis}`,
  granted: (axis, max) => `Budget raised: ${max} ${axis}`,
  resumed: 'Resumed',
  truncated: (id) => `More happened: GET /tasks/${id}/events`,
  waits: (seconds) => `The model did not answer; go on in ${counted(seconds, 'second')}`,
  howToAnswer: (id) => `Answer with POST /tasks/${id}/input`,
  howToGoOn: (id) => `Go on with POST /tasks/${id}/step`,
  finished: {
    completed: 'Finished: completed',
    canceled: 'Finished: canceled',
    failed: (reason) => `Finished: failed (${reason})`,
    paused: (reason) => `Finished for now: paused (${reason})`,
  },
}

const ZH_DECISIONS: ReadonlyMap<string, string> = new Map([
  ['continue', '执行动作'],
  ['done', '步骤完成'],
  ['ask_user', '请求澄清'],
  ['completed', '任务完成'],
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
const zh: Words = {
  heading: (id, status) => `任务 ${id}：${ZH_STATUS[status]}`,
  planned: (steps) => `规划完成：共 ${steps} 步`,
  replanned: (steps) => `重规划完成：共 ${steps} 步`,
  item: (number, of, title) => `当前计划项：${number}/${of} - ${title}`,
  decision: (kind) => `思考决策：${ZH_DECISIONS.get(kind) ?? kind}`,
  action: (tool, input) => `步骤动作：${tool} -> ${input}`,
  result: (ok) => `步骤结果：${ok ? '成功' : '失败'}`,
  executed: (steps, of) => `执行进度：已执行 ${steps} / ${of ?? '未定'}`,
  counters: ({ model_calls, actions, successful_actions, failed_actions, replans }) =>
    `完成情况：模型调用 ${model_calls} 次，动作 ${actions} 次（成功 ${successful_actions}，失败 ${failed_actions}），重规划 ${replans} 次`,
  budget: (used, max, left) => `步数预算：已用 ${used} / ${max}，剩余 ${left}`,
  answered: (text) => `收到澄清：${text}`,
  unusable: (reason) => `模型回复无效：${reason}`,
  guard: (name, count) => `循环保护：${name}（${count}）`,
  exhausted: (axis, used, max) => `预算已用完：${axis} ${used} / ${max}`,
  granted: (axis, max) => `预算已增加：${axis} ${max}`,
  resumed: '任务继续执行',
  truncated: (id) => `更多事件：GET /tasks/${id}/events`,
  waits: (seconds) => `模型未响应，${seconds} 秒后可继续`,
  howToAnswer: (id) => `回答请使用 POST /tasks/${id}/input`,
  howToGoOn: (id) => `继续请使用 POST /tasks/${id}/step`,
  finished: {
    completed: '任务结束：已完成',
    canceled: '任务结束：已取消',
    failed: (reason) => `任务结束：失败（${reason}）`,
    paused: (reason) => `任务暂停：${reason}`,
  },
}

export const PROGRESS_WORDS: Record<Locale, Words> = { en, zh }
