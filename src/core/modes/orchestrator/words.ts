/** What orchestrator says to people and to workers, in English and Chinese. */
import type { Locale } from '../../terms/locale.ts'

type Says<A extends unknown[]> = Record<Locale, (...args: A) => string>

/** What the fourth failure of a step puts to a person (S2-17, R17). */
export const QUESTION: Says<[title: string, failures: number, reason: string]> = {
  en: (title, failures, reason) =>
    `The step "${title}" has failed ${failures} time${failures === 1 ? '' : 's'}. Last: ${reason} Reply "skip" to leave it out, "abort" to end the task, or with a new instruction for it.`,
  zh: (title, failures, reason) =>
    `步骤“${title}”已失败 ${failures} 次。最近一次：${reason} 回复“跳过”以略过该步骤，回复“终止”以结束任务，或给出新的指令。`,
}

/** What is put to a person when the plan may not be replaced any more. */
export const TOO_MANY_REPLANS: Says<[title: string, replans: number, reason: string]> = {
  en: (title, replans, reason) =>
    `The plan was replaced ${replans} time${replans === 1 ? '' : 's'} and may not be replaced again; the step "${title}" is not done. ${reason} Reply "skip" to leave it out, "abort" to end the task, or with a new instruction for it.`,
  zh: (title, replans, reason) =>
    `计划已调整 ${replans} 次，不能再调整；步骤“${title}”尚未完成。${reason} 回复“跳过”以略过该步骤，回复“终止”以结束任务，或给出新的指令。`,
}

export const NO_REPORT: Record<Locale, string> = {
  en: 'No report came before the deadline.',
  zh: '在截止时间前没有收到报告。',
}
export const NOT_SENT: Record<Locale, string> = {
  en: 'The command could not be handed out.',
  zh: '命令未能下发。',
}
export const NOT_APPROVED: Record<Locale, string> = {
  en: 'The command was not approved.',
  zh: '命令未获批准。',
}
export const NO_REASON: Record<Locale, string> = { en: 'No reason was given.', zh: '未给出原因。' }

/** Headings within the task of a command. */
export const COMMAND_PARTS: Record<
  Locale,
  { goal: string; instruction: string; failure: string; remarks: string; nothing: string; farewell: string }
> = {
  en: {
    goal: 'Goal of the whole task',
    instruction: 'New instruction',
    failure: 'What was wrong with the attempt before',
    remarks: 'What the user has added',
    nothing: 'None.',
    farewell: 'The task has ended. End this session; nothing more is to be done.',
  },
  zh: {
    goal: '整个任务的目标',
    instruction: '新的指令',
    failure: '上一次尝试的问题',
    remarks: '用户补充',
    nothing: '无。',
    farewell: '任务已结束。请结束本会话，无需再做任何事。',
  },
}

const SKIPS = new Set(['skip', 'skip it', 'skip this step', '跳过', '略过', '跳过该步骤', '跳过此步骤'])
const ABORTS = new Set(['abort', 'abort it', 'abort the task', '终止', '中止', '终止任务', '中止任务'])

/** What the answer of a person means: one of the words that were offered, whatever its case and the dot behind it, or an instruction. */
export function meaningOf(answer: string): 'skip' | 'abort' | 'instruction' {
  const word = answer
    .trim()
    .replace(/(?<![.。!！])[.。!！]+$/, '')
    .trimEnd()
    .replace(/^["'“‘「『](.*)["'”’」』]$/u, '$1')
    .toLowerCase()
  if (SKIPS.has(word)) return 'skip'
  return ABORTS.has(word) ? 'abort' : 'instruction'
}
