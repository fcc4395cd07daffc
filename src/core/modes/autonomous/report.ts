/** The report of a run (S1-36): the reply that holds it, also where it was not taken at first, and the tasks that it does. */
import type { Recall } from '../../terms/effect.ts'
import { replyAt, type TaggedReply } from './replies.ts'
import type { AutonomousState } from './state.ts'

/** How a line begins that says why a task was not done. */
const NOT_DONE = /^[-*\s]{0,8}(?:not done|未完成)\s?[:：]/i

/** Whether a text only says what was not done, so it is no report of its own. */
const isAddition = (text: string): boolean =>
  text.split('\n').every((line) => line.trim() === '' || NOT_DONE.test(line))

/**
 * The reply that holds the report, if `reply` ends the run: itself, or an earlier one if it has no report of its own. Of the report
 * that was not taken and the text just before, the longer one counts, because words such as "I tick it now" are no report.
 */
export function reportRow(
  { kept, idle }: Pick<AutonomousState, 'kept' | 'idle'>,
  { report }: Pick<TaggedReply, 'report'>,
  recall: Recall,
): number | null {
  if (!isAddition(report)) return null
  const chars = (row: number) => replyAt(recall, row).report.length
  const rows = [kept, idle].filter((row) => row !== null && chars(row) > 0)
  return rows.reduce((best, row) => (best === null || (row !== null && chars(row) > chars(best)) ? row : best), null)
}

/** The report of an ended run. Lines of the last reply that only say what was not done stand behind a report that was kept. */
export function reportText({ ending, kept }: Pick<AutonomousState, 'ending' | 'kept'>, recall: Recall): string | null {
  if (ending === null) return null
  const own = replyAt(recall, ending.row).report
  if (kept === null || kept === ending.row || !isAddition(own)) return own
  return [replyAt(recall, kept).report, own].filter((text) => text !== '').join('\n\n')
}

const REPORT_WORDS = new Set(
  'write prepare create generate compose draft produce deliver make a an the final analysis markdown report in'.split(
    ' ',
  ),
)
const REPORT_WORDS_ZH = /编写|撰写|生成|输出|提交|出具|制作|写出|写|最终|数据|分析|一份|的|markdown/g

/** Whether a task is nothing but the report. The reply with the report does it. */
export function isReportTask(name: string): boolean {
  const title = name.toLowerCase().trim()
  if (title.includes('报告')) return title.replace('报告', '').replaceAll(REPORT_WORDS_ZH, '').trim() === ''
  const words = title.split(/[^a-z]+/).filter((word) => word !== '')
  return words.includes('report') && words.every((word) => REPORT_WORDS.has(word)) && !/[^\x20-\x7e]/.test(title)
}
