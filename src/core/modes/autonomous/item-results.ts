/** What came of the tasks: of a staged run what the model said at the end of each, of open tasks why the report leaves them. */
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { briefOf } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { titleOf } from '../plan/items.ts'
import { endOf, type ItemEnd } from '../plan/plan.ts'
import { SHOWN_CHARS } from '../conversation/replies.ts'
import { reportText } from './report.ts'
import { replyAt, TASKS } from './replies.ts'
import type { AutonomousState } from './state.ts'

const WORDS: Record<Locale, { left: string; turns: string }> = {
  en: { left: 'left open by the model', turns: 'its turns were used up' },
  zh: { left: '模型未完成该任务', turns: '该任务的轮次已用完' },
}

/** The result of an ended task. null: the model ticked it in its list, and its results stand in the report. */
export function resultOfEnd([how, row]: ItemEnd, recall: Recall): string | null {
  if (row === null) return null
  const { event } = recall(row)
  // A task whose turns were used up ends with the result of a call.
  if (event.kind !== 'model_replied') return how === 'failed' ? WORDS[briefOf(recall).locale].turns : null
  const { report } = replyAt(recall, row)
  return report === '' ? null : cut(report, SHOWN_CHARS)
}

/**
 * Tells what came of each task of the list. Once the run has ended, an open task has the reason that the report gives. The report is
 * put together once for all tasks.
 */
export function itemResults(state: AutonomousState, recall: Recall): (index: number) => string | null {
  const { plan } = state
  const report = reportText(state, recall)
  const lines = report === null ? null : linesOfFailure(report)
  return (index) => {
    const end = endOf(plan, index)
    if (end !== null) return resultOfEnd(end, recall)
    const item = plan.items[index]
    if (lines === null || item === undefined) return null
    return reasonIn(lines, titleOf(TASKS, item, recall)) ?? WORDS[briefOf(recall).locale].left
  }
}

/** The words with which a line of the report says that a task was not done. */
const NOT_DONE = ['not done', 'could not', 'cannot', 'failed', '未完成', '无法', '失败']
const REASON_CHARS = 500

interface ReportLine {
  text: string
  lower: string
}

/** The lines of the report that say that something was not done. */
const linesOfFailure = (report: string): ReportLine[] =>
  report
    .split('\n')
    .map((text) => ({ text, lower: text.toLowerCase() }))
    .filter(({ lower }) => NOT_DONE.some((words) => lower.includes(words)))

/** The first line that names the task. null: there is none. */
function reasonIn(lines: readonly ReportLine[], title: string): string | null {
  const named = title.toLowerCase()
  const line = lines.find(({ lower }) => lower.includes(named))
  return line === undefined ? null : cut(reasonOf(line.text, named), REASON_CHARS)
}

/** The text behind the name of the task, or the whole line if it has none. */
function reasonOf(line: string, named: string): string {
  const behind = line
    .slice(line.toLowerCase().indexOf(named) + named.length)
    .replace(/^[\s*_`"”」:：,，–—-]{1,20}/u, '')
  return behind.trim() === '' ? line.trim() : behind.trim()
}
