/** The result of a task in numbers and step by step (O2-09). It needs no model. */
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { briefOf, expectEvent, type Verdict } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { itemId, titlesOf } from '../plan/items.ts'
import { endedItems, endOf, type ItemEnd } from '../plan/plan.ts'
import { reportedItemId } from './known.ts'
import { endText, reportAt, STEPS, summaryIn } from './replies.ts'
import type { OrchestratorState } from './state.ts'

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
const TOTALS_LINE: Record<Locale, (totals: Totals) => string> = {
  en: ({ steps, completed, failed, skipped, commands, failed_attempts, replans }) =>
    `Steps: ${steps} (${completed} completed, ${failed} failed, ${skipped} skipped) · commands: ${commands} · failed attempts: ${failed_attempts} · replans: ${replans}`,
  zh: ({ steps, completed, failed, skipped, commands, failed_attempts, replans }) =>
    `步骤：${steps}（完成 ${completed}，失败 ${failed}，跳过 ${skipped}）· 命令：${commands} · 失败尝试：${failed_attempts} · 重规划：${replans}`,
}

/** Why a step ended, in the words of the evaluation or of the person who ended it. null: it has not ended. */
export const resultOf = ({ plan }: OrchestratorState, index: number, recall: Recall): string | null =>
  endText(endOf(plan, index) ?? ['completed', null], recall)

/** Removes the line breaks of a text and cuts it, so that it fits into one line of a list or a table. */
export const oneLine = (text: string, chars: number): string => cut(text.replaceAll(/\s+/g, ' ').trim(), chars)

/** The totals, and a line for each step with its mark. */
function totalsText(state: OrchestratorState, recall: Recall): string {
  const { locale } = briefOf(recall)
  const lines = titlesOf(STEPS, state.plan, recall).map((title, index) => {
    const how = endOf(state.plan, index)?.[0]
    const mark = how === undefined ? '·' : MARKS[how]
    const ending =
      how === undefined || how === 'completed' ? '' : locale === 'en' ? ` (${HOW.en[how]})` : `（${HOW.zh[how]}）`
    const result = resultOf(state, index, recall)
    const reason =
      result === null || result === '' ? '' : `${locale === 'en' ? ': ' : '：'}${oneLine(result, LINE_CHARS)}`
    return `${mark} ${index + 1}. ${oneLine(title, LINE_CHARS)}${ending}${reason}`
  })
  return [TOTALS_LINE[locale](totalsOf(state)), ...lines].join('\n')
}

/** Characters of what the last step has delivered. The report as a file of the task has more. */
const DELIVERABLE_CHARS = 20_000
/** A longer one is not looked for in the summary. */
const REPEATED_CHARS = 2_000

/** What the last completed step has delivered: the results of its report, or the report itself. null: there is none. */
function deliverableOf({ plan, reports }: OrchestratorState, recall: Recall): string | null {
  const last = endedItems(plan).findLast(([, , , how]) => how === 'completed')
  if (last === undefined) return null
  const id = itemId(STEPS, last[0])
  const row = reports.findLast((one) => reportedItemId(recall, one) === id)
  if (row === undefined) return null
  const { results, text } = reportAt(recall, row)
  return cut((results ?? text).trim(), DELIVERABLE_CHARS)
}

/** The answer of the model, then what the last step has delivered, then the totals. */
export function finalText(state: OrchestratorState, recall: Recall): string {
  const summary = summaryAt(state, recall)?.text ?? ''
  const deliverable = deliverableOf(state, recall) ?? ''
  const isRepeated = deliverable.length <= REPEATED_CHARS && summary.includes(deliverable)
  const parts = [summary, isRepeated ? '' : deliverable, totalsText(state, recall)]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** What the summary itself says of the goal. null: it says nothing. */
export function verdictOf(state: OrchestratorState, recall: Recall): Verdict | null {
  const summary = summaryAt(state, recall)
  if (summary === null || summary.achieved === null) return null
  return { outcome: summary.achieved ? 'done' : 'not_done', reason: summary.text }
}

const summaryAt = ({ summary }: OrchestratorState, recall: Recall) =>
  summary === null ? null : summaryIn(expectEvent(recall(summary), 'model_replied'))
