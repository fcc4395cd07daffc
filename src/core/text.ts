/** Sentences a person reads, in English and Chinese (D7), and how texts and times are shown. */
import type { Locale } from './effect.ts'

/** Cuts a text to `limit` characters, the last three being dots (O0-14). Never splits a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const kept = text.slice(0, Math.max(0, limit - 3))
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}...`
}

export const rfc3339 = (ms: number): string => new Date(ms).toISOString()

/** What goes before a question to a person (S0-63). */
export const askingPrompt = (locale: Locale, question: string): string =>
  locale === 'zh' ? `请确认：${question}` : `Please confirm: ${question}`

export const lostCall = (locale: Locale): string => (locale === 'en' ? 'the call was lost' : '调用丢失')

export interface Stop {
  reason: string
  used: number
  max: number
  last_failure: string | null
  /** Why the last attempt failed, when that is what stopped the task. */
  detail: string | null
}

const MORE_NEEDED: Record<Locale, string> = { en: 'more information needed', zh: '需要更多信息' }

export function unfinishedReason(locale: Locale, stop: Stop): string {
  const en = locale === 'en'
  const tail = stop.last_failure ?? stop.detail ?? MORE_NEEDED[locale]
  if (stop.reason === 'budget_exhausted:steps') {
    return en
      ? `The limit of ${stop.max} steps is reached (${stop.used} used). Last obstacle: ${cut(tail, 300)}`
      : `已达到步数上限 ${stop.max}（已用 ${stop.used}）。最近的阻碍：${cut(tail, 300)}`
  }
  const detail = cut(stop.detail ?? tail, 300)
  switch (stop.reason) {
    case 'model_unavailable':
      return en ? `The model is unavailable: ${detail}` : `模型服务不可用：${detail}`
    case 'contract_failures':
      return en ? `The model's replies broke their contract repeatedly: ${detail}` : `模型回复多次不符合约定：${detail}`
    default:
      return en ? `The task stopped: ${stop.reason}` : `任务已停止：${stop.reason}`
  }
}

export function nextSteps(locale: Locale, reason: string): string[] {
  const en = locale === 'en'
  if (reason === 'budget_exhausted:steps') {
    return en
      ? [
          'Send "continue" to grant the original number of steps again and go on.',
          'Or post a smaller goal with what is left.',
        ]
      : ['发送“继续”以再次获得原有步数并继续执行。', '或将剩余部分作为更小的目标重新提交。']
  }
  if (reason === 'model_unavailable') {
    return en
      ? ['Check the model endpoint and its key.', 'Then send "continue" to try again.']
      : ['请检查模型服务与密钥。', '然后发送“继续”重试。']
  }
  return en
    ? ['Post the goal again, in smaller parts or with more detail.', 'Try another model (settings.model).']
    : ['将目标拆小或补充细节后重新提交。', '尝试更换模型（settings.model）。']
}

export const resumeHint = (locale: Locale, reason: string, grants: boolean): string =>
  reason === 'budget_exhausted:steps' && !grants
    ? locale === 'en'
      ? 'The budget of this task is spent, and its settings let no text grant more.'
      : '本任务预算已用完，其设置不允许通过文字追加。'
    : reason === 'budget_exhausted:steps'
      ? locale === 'en'
        ? 'Send the input "continue" to grant the original amount again and go on.'
        : '发送“继续”以再次获得原有预算并继续执行。'
      : locale === 'en'
        ? 'Send the input "continue" to go on.'
        : '发送“继续”以继续执行。'

/** The three parts of the limit fallback as one text (S0-33). */
export function handoverText(
  locale: Locale,
  parts: { completed: string[]; unfinished_reason: string; remaining: string[]; next_steps: string[] },
): string {
  const en = locale === 'en'
  const list = (lines: string[]) =>
    lines.length === 0 ? (en ? '- nothing' : '- 无') : lines.map((line) => `- ${cut(line, 220)}`).join('\n')
  return [
    en ? 'Completed:' : '已完成部分：',
    list(parts.completed),
    en ? `Unfinished because: ${parts.unfinished_reason}` : `未完成原因：${parts.unfinished_reason}`,
    en ? 'Remaining:' : '剩余部分：',
    list(parts.remaining),
    en ? 'Suggested next steps:' : '下一步建议：',
    list(parts.next_steps),
  ].join('\n')
}
