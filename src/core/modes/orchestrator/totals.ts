/** What came of a task in numbers, and step by step (O2-09): known without a model. */
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { instructionAt } from './command.ts'
import { reasonAt } from './failed-attempt.ts'
import { titlesOf } from '../plan/items.ts'
import { endOf, type ItemEnd } from '../plan/plan.ts'
import { STEPS, summaryText } from './replies.ts'
import type { OrchestratorState } from './state.ts'

const RESULT_CHARS = 2_000
const LINE_CHARS = 220

interface Totals {
  steps: number
  completed: number
  failed: number
  skipped: number
  commands: number
  failed_attempts: number
  replans: number
}

export function totalsOf({ plan, commands, failures }: OrchestratorState): Totals {
  const count = (how: ItemEnd[0]) => plan.ends.filter((end) => end?.[0] === how).length
  const counts = { completed: count('completed'), failed: count('failed'), skipped: count('skipped') }
  return { steps: plan.items.length + plan.left, ...counts, commands, failed_attempts: failures, replans: plan.replans }
}

const MARKS: Record<ItemEnd[0], string> = { completed: '✓', failed: '✗', skipped: '–' }
const HOW: Record<Locale, Record<ItemEnd[0], string>> = {
  en: { completed: 'completed', failed: 'failed', skipped: 'skipped' },
  zh: { completed: '已完成', failed: '失败', skipped: '已跳过' },
}
const COUNTED: Record<Locale, (totals: Totals) => string> = {
  en: ({ steps, completed, failed, skipped, commands, failed_attempts, replans }) =>
    `Steps: ${steps} (${completed} completed, ${failed} failed, ${skipped} skipped) · commands: ${commands} · failed attempts: ${failed_attempts} · replans: ${replans}`,
  zh: ({ steps, completed, failed, skipped, commands, failed_attempts, replans }) =>
    `步骤：${steps}（完成 ${completed}，失败 ${failed}，跳过 ${skipped}）· 命令：${commands} · 失败尝试：${failed_attempts} · 重规划：${replans}`,
}

/** Why a step ended, in the words of whoever ended it; null while it has not. */
export function resultOf({ plan }: OrchestratorState, index: number, recall: Recall): string | null {
  const row = endOf(plan, index)?.[1] ?? null
  if (row === null) return null
  const said = recall(row).event.kind === 'user_answered' ? instructionAt(recall, row) : reasonAt(recall, row)
  return cut(said, RESULT_CHARS)
}

/** A text as one line, or as one point of a list. */
export const oneLine = (text: string, chars: number): string => cut(text.replaceAll(/\s+/g, ' ').trim(), chars)

/** Totals, and a line for each step with its mark. */
function totalsText(state: OrchestratorState, recall: Recall): string {
  const { locale } = briefOf(recall)
  const lines = titlesOf(STEPS, state.plan, recall).map((title, index) => {
    const how = endOf(state.plan, index)?.[0]
    const mark = how === undefined ? '·' : MARKS[how]
    const told =
      how === undefined || how === 'completed' ? '' : locale === 'en' ? ` (${HOW.en[how]})` : `（${HOW.zh[how]}）`
    const result = resultOf(state, index, recall)
    const why = result === null || result === '' ? '' : `${locale === 'en' ? ': ' : '：'}${oneLine(result, LINE_CHARS)}`
    return `${mark} ${index + 1}. ${oneLine(title, LINE_CHARS)}${told}${why}`
  })
  return [COUNTED[locale](totalsOf(state)), ...lines].join('\n')
}

/** What the model has summed up, where it has, above the totals. */
export function finalText(state: OrchestratorState, recall: Recall): string {
  const totals = totalsText(state, recall)
  if (state.summary === null) return totals
  return `${summaryText(expectEvent(recall(state.summary), 'model_replied'))}\n\n${totals}`
}
