/** The file of a report (S2-13). It is read in any form that workers write (O2-07, O2-08), and every text is a report. */
import { EXTERNAL_ID, type Amounts, type Report } from '../core/terms/delegation.ts'
import { amountKeys, amountLines, readAmounts } from './amounts.ts'
import { fieldLine, splitFrontMatter, type FrontMatterFields } from './front-matter.ts'
import { readLabels, type ReportLabels } from './labels.ts'
import { unifyLineEnds } from './lines.ts'
import { reportStatusOf } from './report-status.ts'
import { readSections, writeSections } from './sections.ts'

export { reportStatusOf as statusOf } from './report-status.ts'

export interface ReportFile {
  /** The id of the command that the report names; null: it names none. */
  command_id: string | null
  report: Report
  /** The amounts that the worker says it has spent; null: it says nothing. */
  spent: Amounts | null
}

const SPENT = ['', 'spent_'] as const
/** The keys of the command come before the key that may be the report's own id. */
const ID_KEYS = ['command_id', 'task_id', 'id']
const KEYS: ReadonlySet<string> = new Set([
  ...ID_KEYS,
  'report_id',
  'status',
  'session_id',
  ...SPENT.flatMap(amountKeys),
])

export const reportFileName = (commandId: string): string => `report-${commandId}.md`

/** Reads any text. Line ends become `\n`; NUL and halves of surrogate pairs, which cannot be stored, become U+FFFD. */
export function readReportFile(text: string): ReportFile {
  const lines = unifyLineEnds(clean(text.replace(/^\ufeff/, ''))).split('\n')
  const { fields, body } = splitFrontMatter(lines, KEYS)
  const { command_id, status, session_id } = fields === null ? readLabels(body) : labelsFrom(fields)
  const whole = body.join('\n').trim()
  return {
    command_id: externalId(command_id),
    report: { status, session_id: sessionId(session_id), ...readSections(whole), text: whole },
    spent: fields === null ? null : readAmounts(fields, SPENT),
  }
}

const labelsFrom = (fields: FrontMatterFields): ReportLabels => ({
  command_id: commandIn(fields),
  status: reportStatusOf(fields.get('status') ?? null),
  session_id: fields.get('session_id') ?? null,
})

/** The own id of a report says nothing of the command, unless it has the form `report-task-…`. */
function commandIn(fields: FrontMatterFields): string | null {
  const id = ID_KEYS.map((key) => fields.get(key)).find((value) => value !== undefined && value !== '')
  const report = fields.get('report_id') ?? ''
  return id?.replace(/^report-(?=task-)/, '') ?? /^(?:report-)?(task-.*)$/s.exec(report)?.[1] ?? null
}

const clean = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()

/** Escapes may turn a value into something that is not an id; then it does not count. */
const externalId = (id: string | null) => (id !== null && EXTERNAL_ID.test(id) && id.isWellFormed() ? id : null)

/** The words for no session. */
const NO_SESSION: ReadonlySet<string> = new Set(['', 'auto', 'none', 'null', '~'])
const sessionId = (id: string | null) =>
  id === null || NO_SESSION.has(id.trim().toLowerCase()) ? null : externalId(id)

/**
 * A body that already holds the parts of its report is written unchanged. Otherwise the parts are appended under the standard headings, so that
 * they are read back as they were.
 */
export function writeReportFile({ command_id, report, spent }: ReportFile): string {
  const front = [
    ...(command_id === null ? [] : [fieldLine('command_id', command_id)]),
    fieldLine('status', report.status),
    ...(report.session_id === null ? [] : [fieldLine('session_id', report.session_id)]),
    ...amountLines('', spent),
  ]
  const text = unifyLineEnds(report.text).trim()
  const own = readSections(text)
  const has = own.results === report.results && own.pitfalls === report.pitfalls && own.next_steps === report.next_steps
  const body = has ? text : writeSections(text, report)
  return `---\n${front.join('\n')}\n---\n${body === '' ? '' : `\n${body}\n`}`
}
