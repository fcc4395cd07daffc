/** Builds the `run_code` call for a task. */
import { callByKind, type ByKind } from '../../../core/terms/values/by-kind.ts'
import { measureText, type Analysis } from './plan/analysis.ts'
import { codeOf } from './code.ts'
import { figure, label } from '../safe-text.ts'
import { columnsWithin, sampleOf } from './sample.ts'
import type { Run, AutonomousTalk } from './talk.ts'
import type { AnalysisItem, AutonomousWork } from './work.ts'

export interface RunReply {
  text: string
  tool_calls?: { id: string; name: string; arguments: string }[]
}

export type RunCall = Pick<Run, 'tool' | 'args'>

export const callsOf = ({ tool, args }: RunCall): NonNullable<RunReply['tool_calls']> => [
  { id: 'call_1', name: tool, arguments: JSON.stringify(args) },
]

/** A second attempt draws no chart. null: the rules do not know what to run. */
export function runOf(
  talk: AutonomousTalk,
  { profile, locale, words }: AutonomousWork,
  { title, analysis, outcome }: AnalysisItem,
): RunCall | null {
  if (analysis === null) return null
  const measured = 'how' in analysis ? measureText(locale, analysis) : ''
  const [column, value] = callByKind(AXES, analysis, measured)
  const again = outcome.failure !== null
  const sample = sampleOf(profile, again)
  const rows = profile?.rows ?? 0
  const code = codeOf({
    analysis,
    title,
    heading: sample === null ? title : `${title}${words.sample.title(figure(sample), figure(rows))}`,
    sample,
    columns: sample === null ? null : (profile?.known ?? []).slice(0, columnsWithin(rows)).map(({ name }) => name),
    value,
    column,
    none: words.missingValues,
    weekdays: words.weekdays,
    inner: words.withoutOutliers(column),
    chart: !again,
  })
  const dataset = talk.dataset === null && profile !== null && profile.name !== '' ? { dataset: profile.name } : {}
  return { tool: 'run_code', args: { code, description: title, language: 'javascript', ...dataset } }
}

const AXES: ByKind<Analysis, [measured: string], [string, string]> = {
  trend: ({ date }, measured) => [label(date), measured],
  compare: ({ category }, measured) => [label(category), measured],
  distribution: ({ column }) => [label(column), ''],
  relation: ({ x, y }) => [label(x), label(y)],
  top: ({ by, measure }) => [by === null ? '' : label(by), label(measure)],
  weekdays: (_, measured) => ['', measured],
  missing: () => ['', ''],
}
