/** Writes the section of a report for one result: its finding, its table, its chart. */
import { callByKind, type ByKind } from '../../../core/terms/values/by-kind.ts'
import type { RunFigures } from './run-figures.ts'
import { figure, md, percent, table } from '../safe-text.ts'
import { sampleSection } from './sample.ts'
import type { AutonomousWords } from './words.ts'

/** What a report knows of a task; `finding` is Markdown. */
export interface TaskReport {
  finding: string
  charts: string[]
  found: RunFigures | null
}

type Of<K extends RunFigures['kind']> = Extract<RunFigures, { kind: K }>

/** A result that is no longer in the conversation has only its note. */
export function reportSection(number: number, title: string, report: TaskReport, words: AutonomousWords): string[] {
  const { finding, charts, found } = report
  return [
    `## ${number}. ${md(title)}`,
    '',
    `${finding.charAt(0).toUpperCase()}${finding.slice(1)}${words.colon === ': ' ? '.' : '。'}`,
    '',
    ...(found === null ? [] : [...figuresOf(found, words), '']),
    ...(charts.length === 0 ? [words.noChart] : charts.map((name) => `![${md(title)}](${name})`)),
    '',
  ]
}

function figuresOf(found: RunFigures, words: AutonomousWords): string[] {
  const sampled = sampleSection(found, words)
  return [...sampled.lines, ...callByKind(TABLES, found, sampled.words)]
}

function trend({ unit, how, rows, periods, part, highest, lowest }: Of<'trend'>, words: AutonomousWords): string[] {
  const mark = (period: string) =>
    part.includes(period) ? ' \\*' : period === highest.period ? ' ▲' : period === lowest.period ? ' ▼' : ''
  const cells = rows.map(([period, value]) => [`${md(period)}${mark(period)}`, figure(value)])
  return [
    ...table([words.units[unit], words.hows[how]], cells),
    ...(part.length === 0 ? [] : ['', `\\* ${words.part(part.map((period) => md(period)).join(', '))}`]),
    ...(rows.length === periods ? [] : ['', words.lastPeriods(rows.length, periods)]),
  ]
}

function compare({ rows, all, how }: Of<'compare'>, words: AutonomousWords): string[] {
  const shares = rows.some(([, , , share]) => share !== null)
  const cells = rows.map(([name, value, of, share]) => [
    name === null ? words.none : md(name),
    figure(value),
    ...(how === 'count' ? [] : [figure(of)]),
    ...(shares ? [share === null ? '–' : percent(share)] : []),
  ])
  const heads = [
    words.group,
    words.hows[how],
    ...(how === 'count' ? [] : [words.rows]),
    ...(shares ? [words.share] : []),
  ]
  return [...table(heads, cells), ...(rows.length === all ? [] : ['', words.firstGroups(rows.length, all)])]
}

function distribution(found: Of<'distribution'>, words: AutonomousWords): string[] {
  const { figures } = words
  const names = ['count', 'missing', 'mean', 'std', 'min', 'q1', 'median', 'q3', 'max', 'outliers'] as const
  const cells = names.map((name) => {
    const value = found[name]
    return [figures[name], value === null ? '–' : figure(value)]
  })
  return [...table([words.figure, words.value], cells), '', outliersText(found, words)]
}

/** A bound that no value exceeds is not mentioned. */
function outliersText({ low, high, min, max }: Of<'distribution'>, words: AutonomousWords): string {
  const below = low > min ? figure(low) : null
  const above = high < max ? figure(high) : null
  return below === null && above === null ? words.noOutliers : words.outliersAre(below, above)
}

function top({ highest, lowest }: Of<'top'>, words: AutonomousWords): string[] {
  const named = [...highest, ...lowest].some(({ name }) => name !== null)
  const lines = (of: string, rows: Of<'top'>['highest']) =>
    rows.map(({ row, name, value }) => [
      of,
      ...(named ? [name === null ? '–' : md(name)] : []),
      figure(row),
      figure(value),
    ])
  return table(
    ['', ...(named ? [words.group] : []), words.row, words.value],
    [...lines(words.highest, highest), ...lines(words.lowest, lowest)],
  )
}

const weekdays = ({ rows }: Of<'weekdays'>, words: AutonomousWords): string[] =>
  table(
    [words.weekday, words.perDay, words.days],
    rows.map(({ day, value, days }) => [words.weekdays[day] ?? '', figure(value), figure(days)]),
  )

function missing({ gaps, checked, rows }: Of<'missing'>, words: AutonomousWords): string[] {
  const cells = gaps.map((gap) => [md(gap.name), figure(gap.missing), rows === 0 ? '–' : percent(gap.missing / rows)])
  return [
    ...(cells.length === 0 ? [] : [...table([words.column, words.missing, words.share], cells), '']),
    words.checkedColumns(checked),
  ]
}

const TABLES: ByKind<RunFigures, [words: AutonomousWords], string[]> = {
  trend,
  compare,
  distribution,
  relation: ({ slope, start }, words) => [words.line(figure(slope), figure(start)), '', words.cause],
  top,
  weekdays,
  missing,
}
