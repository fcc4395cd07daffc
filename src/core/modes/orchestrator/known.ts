/** What is known from earlier steps: why each one ended and what its last report says. Later commands and every prompt contain it. */
import type { Report } from '../../terms/delegation.ts'
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { cut } from '../../terms/text.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { currentId, itemId, titleOf } from '../plan/items.ts'
import { endedItems, type ItemEnd } from '../plan/plan.ts'
import { endText, reportAt, STEPS } from './replies.ts'
import type { OrchestratorState } from './state.ts'
import { KNOWN_WORDS, REPORT_HEADINGS } from './words.ts'

/** The id of the step whose command a report answers. null: the command belongs to no step. */
export function reportedItemId(recall: Recall, row: number): string | null {
  const { effect } = recall(expectEvent(recall(row), 'report_arrived').delegation)
  return effect?.kind === 'run_tool' ? effect.item_id : null
}

/** The newest report of a step that names a session. null: none does. */
export const sessionOfStep = (reports: readonly number[], item_id: string, recall: Recall): number | null =>
  reports.findLast((row) => reportAt(recall, row).session_id !== null && reportedItemId(recall, row) === item_id) ??
  null

/** A report in at most `chars` characters: whole where it fits, else its parts. */
export function reportText({ results, pitfalls, next_steps, text }: Report, locale: Locale, chars: number): string {
  const headings = REPORT_HEADINGS[locale]
  const sections: [heading: string, part: string, share: number][] = []
  if (results !== null && results !== '') sections.push([headings.results, results, chars / 2])
  if (pitfalls !== null && pitfalls !== '') sections.push([headings.pitfalls, pitfalls, chars / 4])
  if (next_steps !== null && next_steps !== '') sections.push([headings.next_steps, next_steps, chars / 4])
  if (sections.length === 0) return cut(text.trim(), chars)
  const shown = (which: typeof sections, limited: boolean) =>
    which.map(([heading, part, share]) => `${heading}: ${limited ? cut(part, Math.floor(share)) : part}`)
  if (text.length <= chars) {
    // The text of a report file contains its parts already.
    const missing = sections.filter(([, part]) => !text.includes(part))
    const whole = [...shown(missing, false), text.trim()].filter((part) => part !== '').join('\n\n')
    if (whole.length <= chars) return whole
  }
  return cut(shown(sections, true).join('\n\n'), chars)
}

/** A step of the past: one that has ended, or one that a replan has replaced after it had reported. */
interface KnownStep {
  id: string
  title: string
  status: ItemEnd[0] | 'replaced'
  /** Why it ended. */
  result: string | null
  /** What its last report says. */
  report: string | null
}

interface KnownBounds {
  /** Characters of one reason. */
  result_chars: number
  /** Characters of one report. */
  report_chars: number
  /** Characters of all reports together. The newest ones come first. */
  chars: number
}
export const KNOWN: KnownBounds = { result_chars: 1_000, report_chars: 6_000, chars: 16_000 }

/** The known steps, oldest first. */
export function knownSteps(
  { plan, reports }: Pick<OrchestratorState, 'plan' | 'reports'>,
  recall: Recall,
  bounds: KnownBounds = KNOWN,
): KnownStep[] {
  const { locale } = briefOf(recall)
  const rowsById = new Map<string | null, number[]>()
  for (const row of reports) {
    const id = reportedItemId(recall, row)
    rowsById.set(id, [...(rowsById.get(id) ?? []), row])
  }
  rowsById.delete(null)
  rowsById.delete(currentId(STEPS, plan))
  const open_ids = new Set(plan.items.slice(plan.cursor).map(([number]) => itemId(STEPS, number)))
  const ended = endedItems(plan).map(([number, row, index, status, end]) => {
    const id = itemId(STEPS, number)
    const own_reports = rowsById.get(id) ?? []
    rowsById.delete(id)
    return { id, title: titleOf(STEPS, [number, row, index], recall), status, end, reports: own_reports }
  })
  const replaced = [...rowsById].flatMap(([id, own_reports]) =>
    id === null || open_ids.has(id)
      ? []
      : [{ id, title: KNOWN_WORDS[locale].replaced, status: 'replaced' as const, end: null, reports: own_reports }],
  )
  const steps = [...ended, ...replaced].sort((one, other) => rowOf(one) - rowOf(other))
  return withReports(steps, recall, bounds)
}

const rowOf = ({ end, reports }: Pick<DatedStep, 'end' | 'reports'>): number => end ?? reports.at(-1) ?? 0

/** A step with the row that ended it and the rows of its reports, oldest first. */
type DatedStep = Pick<KnownStep, 'id' | 'title' | 'status'> & { end: number | null; reports: readonly number[] }

/** Gives the newest steps their reports first, until there is no room left. */
function withReports(steps: readonly DatedStep[], recall: Recall, bounds: KnownBounds): KnownStep[] {
  let room = bounds.chars
  const newest_first = steps.toReversed().map(({ id, title, status, end, reports }): KnownStep => {
    const reason = status === 'replaced' ? null : endText([status, end], recall)
    const result = reason === null ? null : cut(reason, bounds.result_chars)
    const report = reportsText(reports, recall, Math.min(bounds.report_chars, room))
    room -= report?.length ?? 0
    return { id, title, status, result, report }
  })
  return newest_first.toReversed()
}

/**
 * The reports of one step, the latest one first. What earlier attempts have reported follows as far as there is room, because the
 * latest report may leave it out. null: there is none, or no room for one.
 */
function reportsText(rows: readonly number[], recall: Recall, chars: number): string | null {
  const { locale } = briefOf(recall)
  const texts: string[] = []
  let room = chars
  for (const row of rows.toReversed()) {
    if (room < REPORT_CHARS_MIN) break
    const heading = texts.length === 0 ? '' : `${KNOWN_WORDS[locale].earlier}\n`
    const text = `${heading}${reportText(reportAt(recall, row), locale, room - heading.length)}`
    texts.push(text)
    room -= text.length + SEPARATOR.length
  }
  return texts.length === 0 ? null : texts.join(SEPARATOR)
}
const SEPARATOR = '\n\n'

/** Characters of all reports on the current step that came before the latest one. */
export const EARLIER_REPORTS_CHARS = 8_000

/** What earlier attempts at the current step have reported, oldest first. The newest of them are shown as far as there is room. */
export function earlierReports(state: Pick<OrchestratorState, 'plan' | 'reports' | 'step'>, recall: Recall): string[] {
  const id = currentId(STEPS, state.plan)
  const rows = state.reports.filter((row) => row !== state.step.report && reportedItemId(recall, row) === id)
  let room = EARLIER_REPORTS_CHARS
  const newest_first: string[] = []
  for (const row of rows.toReversed()) {
    if (room < REPORT_CHARS_MIN) break
    const report = reportAt(recall, row)
    const text = `${report.status}: ${reportText(report, briefOf(recall).locale, Math.min(KNOWN.report_chars, room))}`
    room -= text.length
    newest_first.push(text)
  }
  return newest_first.toReversed()
}

/** A shorter piece of a report says nothing. */
const REPORT_CHARS_MIN = 300

const IN_COMMAND: KnownBounds = { result_chars: 500, report_chars: 4_000, chars: 8_000 }
/** Characters of the whole part of a command. */
const PART_CHARS = 12_000

/**
 * What later commands say of earlier steps, newest first. Each line is quoted, because a report of another worker must not look
 * like a part of the command.
 */
export function knownText(state: Pick<OrchestratorState, 'plan' | 'reports'>, recall: Recall): string {
  const { status: statuses, source } = KNOWN_WORDS[briefOf(recall).locale]
  const steps = knownSteps(state, recall, IN_COMMAND).toReversed()
  if (steps.length === 0) return ''
  const texts: string[] = []
  let room = PART_CHARS
  for (const { title, status, result, report } of steps) {
    const lines = [`**${title}** (${statuses[status]})`, result, report]
    const text = quote(lines.filter((part) => part !== null && part !== '').join('\n'))
    room -= text.length
    if (room < 0) break
    texts.push(text)
  }
  return [source, ...texts].join('\n\n')
}

/** The text as a quotation, so that none of its lines is a part of the document around it. */
export const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
