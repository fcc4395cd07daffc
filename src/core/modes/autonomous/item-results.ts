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

/** What came of each task of the list. Once the run has ended, an open task has the reason that the report gives. */
export function itemResult(state: AutonomousState, index: number, recall: Recall): string | null {
  const { plan } = state
  const end = endOf(plan, index)
  if (end !== null) return resultOfEnd(end, recall)
  const item = plan.items[index]
  const report = reportText(state, recall)
  if (report === null || item === undefined) return null
  const reason = reasonIn(report, titleOf(TASKS, item, recall))
  return reason ?? WORDS[briefOf(recall).locale].left
}

/** The words with which a line of the report says that a task was not done. */
const NOT_DONE = ['not done', 'could not', 'cannot', 'failed', '未完成', '无法', '失败']
const REASON_CHARS = 500

/** The line of the report that names the task and says that it was not done. null: there is none. */
function reasonIn(report: string, title: string): string | null {
  const named = title.toLowerCase()
  const line = report.split('\n').find((text) => {
    const lower = text.toLowerCase()
    return lower.includes(named) && NOT_DONE.some((words) => lower.includes(words))
  })
  return line === undefined ? null : cut(reasonOf(line, named), REASON_CHARS)
}

/** The text behind the name of the task, or the whole line if it has none. */
function reasonOf(line: string, named: string): string {
  const behind = line
    .slice(line.toLowerCase().indexOf(named) + named.length)
    .replace(/^[\s*_`"”」:：,，–—-]{1,20}/u, '')
  return behind.trim() === '' ? line.trim() : behind.trim()
}
