/** Writes the report: the data, each result, and what was not done. Every figure in it comes from a result. */
import { cut } from '../../../core/terms/text.ts'
import { findingOf } from './findings.ts'
import { figure, md, percent, table } from '../safe-text.ts'
import { datesOf, type ProfileColumn, type Profile } from './plan/profile.ts'
import { sampleData, sampleOf } from './sample.ts'
import { reportSection, type TaskReport } from './sections.ts'
import type { ToolAnswer, AutonomousTalk } from './talk.ts'
import type { AnalysisItem, AutonomousWork } from './work.ts'

const GOAL_CHARS = 300
const COLUMNS_SHOWN = 20
export const END = '---\n[ANALYSIS_COMPLETE]'

export function reportOf(talk: AutonomousTalk, work: AutonomousWork): string {
  const { words, items, profile } = work
  const reports = items.flatMap((item) => toldOf(item, words) ?? [])
  const name = talk.dataset ?? profile?.name ?? ''
  return [
    `# ${words.title(name === '' ? words.noName : md(name))}`,
    '',
    `**${words.requested}**${words.colon}${md(talk.goal, GOAL_CHARS)}`,
    '',
    ...(reports.length === 0
      ? []
      : [
          `## ${words.findings}`,
          '',
          ...reports.map(({ title, finding }) => `- **${md(title)}**${words.colon}${finding}`),
          '',
        ]),
    ...(profile === null ? [] : dataOf(profile, work)),
    ...reports.flatMap((one, at) => reportSection(at + 1, one.title, one, words)),
    ...undone(work, reports.length === 0),
    `## ${words.limits}`,
    '',
    ...[...limitsOf(work), ...(work.led || reports.length === 0 ? [] : [words.general])].map((line) => `- ${line}`),
  ].join('\n')
}

const limitsOf = ({ words, profile }: AutonomousWork): string[] =>
  sampleOf(profile) === null ? words.limitsText : [...words.limitsText.slice(0, 1), words.sample.limit]

const NOTE_CHARS = 1_000

/** null: its result is not known. */
function toldOf(
  { title, outcome: { done }, noted }: AnalysisItem,
  words: AutonomousWork['words'],
): (TaskReport & { title: string }) | null {
  if (done !== null) return { title, finding: findingOf(done.found, words, md), ...done }
  return noted === null ? null : { title, finding: md(noted.finding, NOTE_CHARS), charts: noted.charts, found: null }
}

function dataOf(profile: Profile, { words }: AutonomousWork): string[] {
  const { rows, columns, missing, known, sheet, sheets, notes } = profile
  const [date] = datesOf(profile)
  const share = missing === null || rows * columns === 0 ? '' : ` (${percent(missing / (rows * columns))})`
  const facts: [string, string][] = [
    [words.rows, figure(rows)],
    [words.columns, figure(columns)],
    ...(date === undefined ? [] : [[words.period, periodOf(date, words)] as [string, string]]),
    ...(missing === null ? [] : [[words.missing, `${figure(missing)}${share}`] as [string, string]]),
    ...(sheet === null || sheets.length < 2
      ? []
      : [[words.sheet, words.sheetOf(md(sheet), sheets.length)] as [string, string]]),
    ...sampleData(profile, words),
    ...notes.map((note): [string, string] => [words.note, md(note)]),
  ]
  return [
    `## ${words.data}`,
    '',
    ...facts.map(([name, value]) => `- ${name}${words.colon}${value}`),
    ...(columns > known.length ? [`- ${words.omitted(columns - known.length)}`] : []),
    '',
    ...columnsTable(known, words),
    '',
  ]
}

const periodOf = ({ min, max, name }: ProfileColumn, words: AutonomousWork['words']) =>
  words.periodOf(md(String(min ?? '')), md(String(max ?? '')), md(name))

function columnsTable(known: readonly ProfileColumn[], words: AutonomousWork['words']): string[] {
  const shown = known
    .slice(0, COLUMNS_SHOWN)
    .map(({ name, dtype, missing, unique, exact }) => [
      md(name),
      words.types[dtype],
      figure(missing),
      `${exact ? '' : '≥ '}${figure(unique)}`,
    ])
  return [
    ...table([words.column, words.type, words.missing, words.distinct], shown, 2),
    ...(shown.length === known.length ? [] : ['', words.more(shown.length, known.length)]),
  ]
}

function undone({ items, words, profile, unfollowed }: AutonomousWork, nothing: boolean): string[] {
  const lines = [
    ...items.flatMap((item) => {
      const reason = reasonFor(item, words)
      return reason === null ? [] : [words.notDoneLine(md(item.title), md(reason))]
    }),
    ...unfollowed.map(words.notFollowed),
    ...(nothing ? [profile?.rows === 0 ? words.empty : words.nothing] : []),
  ]
  return lines.length === 0 ? [] : [`## ${words.notDoneHeading}`, '', ...lines.map((line) => `- ${line}`), '']
}

/** null: the report has a section on it, or it is no analysis. */
function reasonFor({ role, is, noted, reason }: AnalysisItem, words: AutonomousWork['words']): string | null {
  if (role !== 'analysis' || noted !== null) return null
  if (is === 'done') return words.noFigures
  return is === 'given_up' ? reason : words.notRun
}

/** An answer that was cut in the conversation is not an error of the tool. */
export const unreadText = ({ ok, error }: ToolAnswer, words: AutonomousWork['words']): string =>
  ok ? words.cutShort : error

const ERROR_CHARS = 600

/** The report for data that could not be read: what is missing, and how to provide it. */
export function failureReport(talk: AutonomousTalk, { words }: AutonomousWork, error: string): string {
  const [what, ...how] = words.needs
  return [
    `# ${words.failedTitle}`,
    '',
    `**${words.requested}**${words.colon}${md(talk.goal, GOAL_CHARS)}`,
    '',
    words.failedText,
    '',
    words.readFailed(md(cut(error, ERROR_CHARS), ERROR_CHARS)),
    '',
    what,
    '',
    ...how.map((line) => `- ${line}`),
  ].join('\n')
}
