/** Sentences that a person reads, in English and Chinese (D7), and the format of texts and times. */
import type { Axis } from './axes.ts'
import type { Locale } from './locale.ts'
import type { Unit } from './status.ts'

/** Cuts a text to `limit` characters, of which the last three are dots (O0-14). It never splits a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = text.slice(0, Math.max(0, limit - 3))
  return `${/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start}...`
}

const NOT_ASCII = /[\x80-\uffff]/

/** The length of a well-formed text in UTF-8. */
export function utf8Bytes(text: string): number {
  // Most texts are long and plain, and an expression reads those several times faster than a loop.
  const plain = text.search(NOT_ASCII)
  if (plain === -1) return text.length
  let bytes = plain
  for (let i = plain; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    // The two halves of a surrogate pair take four bytes together.
    else bytes += unit >= 0xd800 && unit <= 0xdfff ? 2 : 3
  }
  return bytes
}

export const rfc3339 = (ms: number): string => new Date(ms).toISOString()

/** A question to a person with the words that come before it (S0-63). */
export const questionPrompt = (locale: Locale, question: string): string =>
  locale === 'zh' ? `请确认：${question}` : `Please confirm: ${question}`

/** The text shown to a person for a missing file. `endings` are those of the datasets, of which any will do without a name. */
export function filePrompt(locale: Locale, name: string | null, endings: readonly string[]): string {
  const all = endings.map((ending) => `.${ending}`)
  if (locale === 'en')
    return name === null ? `Please upload the dataset (${all.join(', ')}).` : `Please upload the file ${name}.`
  return name === null ? `请上传数据集（${all.join('、')}）。` : `请上传文件 ${name}。`
}

/** The question to the person who has to approve an action, or the current plan. */
export function approvalQuestion(locale: Locale, action: { tool: string; input: string } | null): string {
  if (action === null) return locale === 'zh' ? '是否批准该计划？' : 'Approve the plan?'
  const call = cut(`${action.tool} -> ${action.input}`, 2_000)
  return locale === 'zh' ? `是否批准该动作：${call}` : `Approve the action: ${call}`
}

export const lostCallText = (locale: Locale): string => (locale === 'en' ? 'the call was lost' : '调用丢失')

export const emptyReplyText = (locale: Locale): string => (locale === 'en' ? 'the reply was empty' : '回复为空')

/** Why a task stopped. */
interface StopInfo {
  reason: string
  /** The task cannot go on. */
  ended: boolean
  /** The axis of the budget that stopped the task, in its wire form. */
  spent: { axis: Exclude<Axis, 'steps'> | Unit; used: number | string; max: number | string | null } | null
  last_failure: string | null
  /** Why the last attempt failed, if this failure stopped the task. */
  detail: string | null
  /** The names of the endpoints that the failed call could go to. Empty: the default one has no other name. */
  endpoints: readonly string[]
}

/** The longest list of names in a reason. */
const NAMES_CHARS_MAX = 200

function unavailableText(locale: Locale, { endpoints }: StopInfo, detail: string): string {
  const names = cut(endpoints.join(', '), NAMES_CHARS_MAX)
  if (locale === 'zh') return names === '' ? `模型服务不可用：${detail}` : `模型服务不可用（${names}）：${detail}`
  return names === '' ? `The model is unavailable: ${detail}` : `The model is unavailable (${names}): ${detail}`
}

const NONE: Record<Locale, string> = { en: 'none', zh: '无' }

const AXES: Record<Exclude<Axis, 'steps'> | Unit, Record<Locale, string>> = {
  steps: { en: 'steps', zh: '步数' },
  iterations: { en: 'iterations', zh: '迭代次数' },
  actions: { en: 'actions', zh: '动作数' },
  commands: { en: 'commands', zh: '命令数' },
  tokens: { en: 'tokens', zh: 'token' },
  cost_usd: { en: 'USD', zh: '美元' },
  seconds: { en: 'seconds of working time', zh: '秒工作时间' },
}

/** On these axes the worst case of a call is reserved, so they stop a task before their maximum is reached. */
const RESERVED: ReadonlySet<string> = new Set(['tokens', 'cost_usd', 'seconds'])

export function unfinishedReason(locale: Locale, stop: StopInfo): string {
  const en = locale === 'en'
  const tail = stop.last_failure ?? stop.detail ?? NONE[locale]
  if (stop.spent !== null) {
    const { axis, used, max } = stop.spent
    if (RESERVED.has(axis))
      return en
        ? `The next call does not fit into what is left of ${max} ${AXES[axis].en} (${used} used). Last obstacle: ${cut(tail, 300)}`
        : `下一次调用超出${AXES[axis].zh}上限 ${max} 的余量（已用 ${used}）。最近的阻碍：${cut(tail, 300)}`
    return en
      ? `The limit of ${max} ${AXES[axis].en} is reached (${used} used). Last obstacle: ${cut(tail, 300)}`
      : `已达到${AXES[axis].zh}上限 ${max}（已用 ${used}）。最近的阻碍：${cut(tail, 300)}`
  }
  const detail = cut(stop.detail ?? tail, 300)
  switch (stop.reason) {
    case 'budget_exhausted:tenant':
      return en ? "The tenant's total of the day is used up." : '租户当日总额度已用尽。'
    case 'storage_full':
      return en ? 'What is stored for the tenant takes all the room there is.' : '租户的存储空间已用完。'
    case 'result_unmet':
      return en
        ? `The work is done, but its result was not given in the shape of output_schema: ${detail}`
        : `工作已完成，但结果未能按 output_schema 的结构给出：${detail}`
    case 'model_not_allowed':
      return en ? 'Its model is not one of those that are allowed any more.' : '其模型已不在允许使用之列。'
    case 'tools_unavailable':
      return en ? `A source of tools could not be listed: ${detail}` : `无法获取某个工具来源的工具列表：${detail}`
    case 'model_unavailable':
      return unavailableText(locale, stop, detail)
    case 'contract_failures':
      return en ? `The model's replies broke their contract repeatedly: ${detail}` : `模型回复多次不符合约定：${detail}`
    case 'step_failed':
    case 'loop_detected':
      return en ? `A step failed: ${cut(tail, 300)}` : `步骤失败：${cut(tail, 300)}`
    case 'paused_by_user':
      return en ? 'It was paused by request.' : '已按请求暂停。'
    case 'held':
      return en ? 'It was made to begin only when it is resumed.' : '创建时指定在恢复之后才开始执行。'
    case 'question_expired':
      return en ? 'A question was not answered in time.' : '提问未在期限内得到回答。'
    case 'aborted':
      if (stop.last_failure !== null) return en ? `It was aborted: ${cut(tail, 300)}` : `任务已中止：${cut(tail, 300)}`
      return en ? 'Its plan was rejected.' : '计划被拒绝。'
    default:
      return en ? `The task stopped: ${stop.reason}` : `任务已停止：${stop.reason}`
  }
}

/** What helps after a stop. "continue" grants the original amount again, and a top-up grants any amount. */
export function nextSteps(locale: Locale, stop: StopInfo): string[] {
  const en = locale === 'en'
  if (stop.spent !== null && !stop.ended) {
    return en
      ? [
          'Send "continue" to grant the original amount again and go on, or top up the budget.',
          'Or post a smaller goal with what is left.',
        ]
      : ['发送“继续”以再次获得原有额度并继续执行，或追加预算。', '或将剩余部分作为更小的目标重新提交。']
  }
  switch (stop.reason) {
    case 'budget_exhausted:tenant':
      return en
        ? ['Wait for the next day (UTC), or raise the total.', 'Then send "continue".']
        : ['等待次日（UTC），或提高总额度。', '然后发送“继续”。']
    case 'storage_full':
      return en
        ? ['Delete tasks or files that are needed no more.', 'Then send "continue".']
        : ['删除不再需要的任务或文件。', '然后发送“继续”。']
    case 'model_not_allowed':
      return en
        ? [
            'Fork the task with another model (settings.model).',
            'Or have the model allowed (ALLOWED_MODELS) and send "continue".',
          ]
        : ['使用其他模型（settings.model）分叉任务。', '或将该模型加入 ALLOWED_MODELS 后发送“继续”。']
    case 'held':
      return en
        ? ['Put the files that it needs.', 'Then resume it (POST /tasks/{id}/resume), or send "continue".']
        : ['上传所需的文件。', '然后恢复任务（POST /tasks/{id}/resume），或发送“继续”。']
    case 'result_unmet':
      return en
        ? [
            'Send what is missing, or "continue" to let the model try again; result.text has the answer as text.',
            'Or fork the task with another model for this call (settings.models.result).',
          ]
        : [
            '补充缺少的内容，或发送“继续”让模型重试；result.text 为文字形式的答复。',
            '或为该调用使用其他模型（settings.models.result）分叉任务。',
          ]
    case 'paused_by_user':
      return en ? ['Send "continue" to go on.'] : ['发送“继续”以继续执行。']
    case 'question_expired':
      if (!stop.ended)
        return en ? ['Send the answer, or "continue" to be asked again.'] : ['发送回答，或发送“继续”以重新提问。']
      return en ? ['Post the goal again, with the answer in it.'] : ['将回答写入目标后重新提交。']
    case 'contract_failures':
      return en
        ? [
            'Send "continue" to let the model try again, or top up its attempts (add.attempts).',
            'Or fork the task with another model (settings.model).',
          ]
        : ['发送“继续”让模型重试，或追加尝试次数（add.attempts）。', '或使用其他模型（settings.model）分叉任务。']
    case 'tools_unavailable':
      return en
        ? ['Check the address of the source, its operations and its secrets.', 'Then send "continue" to try again.']
        : ['请检查该来源的地址、所选操作与密钥。', '然后发送“继续”重试。']
    case 'model_unavailable':
      return en
        ? ['Check the model endpoint and its key.', 'Then send "continue" to try again.']
        : ['请检查模型服务与密钥。', '然后发送“继续”重试。']
    default:
      return en
        ? ['Post the goal again, in smaller parts or with more detail.', 'Try another model (settings.model).']
        : ['将目标拆小或补充细节后重新提交。', '尝试更换模型（settings.model）。']
  }
}

/** An estimate of what is needed to finish, from the task's average per finished item. */
export function estimateText(
  locale: Locale,
  done: { items: number; steps: number },
  items_left: number,
  unit: Unit,
): string | null {
  if (done.items === 0 || items_left === 0) return null
  const more = Math.ceil((done.steps / done.items) * items_left)
  const [en, zh] = [AXES[unit].en, COUNTED_ZH[unit]]
  return locale === 'en'
    ? `About ${more} more ${en} are needed: ${items_left} items left, ${done.steps} ${en} for ${done.items} so far.`
    : `预计还需约 ${more} ${zh}：剩余 ${items_left} 项，已完成 ${done.items} 项用了 ${done.steps} ${zh}。`
}
/** The unit with its Chinese measure word, which follows a number. */
const COUNTED_ZH: Record<Unit, string> = { steps: '步', iterations: '次迭代', actions: '个动作', commands: '条命令' }

export const resumeHint = (locale: Locale, spent: boolean, grants: boolean): string =>
  spent && !grants
    ? locale === 'en'
      ? 'The budget of this task is spent; top it up to go on.'
      : '本任务预算已用完，请追加预算后继续。'
    : spent
      ? locale === 'en'
        ? 'Send the input "continue" to grant the original amount again and go on.'
        : '发送“继续”以再次获得原有预算并继续执行。'
      : locale === 'en'
        ? 'Send the input "continue" to go on.'
        : '发送“继续”以继续执行。'

interface HandoverParts {
  completed: string[]
  unfinished_reason: string
  remaining: string[]
  next_steps: string[]
}

/** The parts of a handover as one text (S0-33). `summary` is what the mode says of its items, which are then not listed again. */
export function handoverText(
  locale: Locale,
  { completed, unfinished_reason, remaining, next_steps }: HandoverParts,
  summary: string | null,
): string {
  const en = locale === 'en'
  const list = (title: string, lines: string[]) => [
    title,
    ...(lines.length === 0 ? [en ? '- nothing' : '- 无'] : lines.map((line) => `- ${cut(line, 220)}`)),
  ]
  const items = (title: string, lines: string[]) => (summary === null ? list(title, lines) : [])
  const text = [
    ...items(en ? 'Completed:' : '已完成部分：', completed),
    en ? `Unfinished because: ${unfinished_reason}` : `未完成原因：${unfinished_reason}`,
    ...items(en ? 'Remaining:' : '剩余部分：', remaining),
    ...list(en ? 'Suggested next steps:' : '下一步建议：', next_steps),
  ].join('\n')
  return summary === null ? text : `${summary}\n\n${text}`
}
