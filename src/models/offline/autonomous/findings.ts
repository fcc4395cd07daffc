/** Writes a result in one line that holds only figures of the result. `shown` makes a text from the data harmless for the place of the line. */
import { callByKind, type ByKind } from '../../../core/terms/values/by-kind.ts'
import type { RunFigures } from './run-figures.ts'
import { change, figure, percent } from '../safe-text.ts'
import { sampleFinding } from './sample.ts'
import type { AutonomousWords } from './words.ts'

type Of<K extends RunFigures['kind']> = Extract<RunFigures, { kind: K }>
type TextFilter = (text: string) => string

const extremesOf = (
  words: AutonomousWords,
  high: number,
  low: number,
  told: Parameters<AutonomousWords['extremes']>[0],
) => (high === low ? words.equal(figure(high)) : words.extremes(told))

export const findingOf = (found: RunFigures, words: AutonomousWords, shown: TextFilter): string =>
  `${sampleFinding(found, words)}${callByKind(FINDINGS, found, words, shown)}`

function trend(
  { first, last, highest, lowest, change: share, cycle, total }: Of<'trend'>,
  words: AutonomousWords,
  shown: TextFilter,
) {
  const whole = words.trendFinding({
    first: shown(first.period),
    firstValue: figure(first.value),
    last: shown(last.period),
    lastValue: figure(last.value),
    change: share === null ? null : change(share),
  })
  const extremes = extremesOf(words, highest.value, lowest.value, {
    high: shown(highest.period),
    highValue: figure(highest.value),
    low: shown(lowest.period),
    lowValue: figure(lowest.value),
  })
  const seasons =
    cycle === null
      ? []
      : [
          words.cycle({
            size: figure(cycle.size),
            late: figure(cycle.late),
            early: figure(cycle.early),
            change: cycle.change === null ? null : change(cycle.change),
          }),
        ]
  return [whole, ...seasons, extremes, ...(total === null ? [] : [words.total(figure(total))])].join(words.semicolon)
}

const nameOf = (name: string | null, words: AutonomousWords, shown: TextFilter) =>
  name === null ? words.missingValues : shown(name)

function compare(
  { highest, lowest, groups, total, rows, once }: Of<'compare'>,
  words: AutonomousWords,
  shown: TextFilter,
) {
  const share = rows.find(([name]) => name === highest.name)?.[3] ?? null
  const extremes = extremesOf(words, highest.value, lowest.value, {
    high: `${nameOf(highest.name, words, shown)}${share === null ? '' : words.shareOf(percent(share))}`,
    highValue: figure(highest.value),
    low: nameOf(lowest.name, words, shown),
    lowValue: figure(lowest.value),
  })
  return [
    extremes,
    words.groups(figure(groups)),
    ...(total === null ? [] : [words.total(figure(total))]),
    ...(once > 0 && once < groups ? [words.once(figure(once))] : []),
  ].join(words.semicolon)
}

function distribution({ median, mean, q1, q3, outliers, count }: Of<'distribution'>, words: AutonomousWords) {
  const middle = words.middle({ median: figure(median), mean: figure(mean), q1: figure(q1), q3: figure(q3) })
  return [middle, words.outliers(figure(outliers), figure(count))].join(words.semicolon)
}

/** The sizes of r from which a relation is called weak, moderate, strong. */
const STRENGTHS = [0.1, 0.3, 0.6]

function relation({ r, pairs }: Of<'relation'>, words: AutonomousWords) {
  const grade = STRENGTHS.filter((least) => Math.abs(r) >= least).length
  const strength = words.strengths[grade] ?? ''
  const sign = words.colon === ': ' ? ` ${words.signs[r > 0 ? 'up' : 'down']}` : words.signs[r > 0 ? 'up' : 'down']
  return words.correlation(figure(r), grade === 0 ? strength : `${strength}${sign}`, figure(pairs))
}

function top({ highest, lowest }: Of<'top'>, words: AutonomousWords, shown: TextFilter) {
  const [high, low] = [highest[0], lowest[0]]
  if (high === undefined || low === undefined) return words.nothing
  const at = ({ row, name }: { row: number; name: string | null }) =>
    `${words.rowAt(figure(row))}${name === null ? '' : `, ${shown(name)}`}`
  return extremesOf(words, high.value, low.value, {
    high: at(high),
    highValue: figure(high.value),
    low: at(low),
    lowValue: figure(low.value),
  })
}

function weekdays({ highest, lowest }: Of<'weekdays'>, words: AutonomousWords) {
  const day = (index: number) => words.weekdays[index] ?? ''
  return extremesOf(words, highest.value, lowest.value, {
    high: day(highest.day),
    highValue: figure(highest.value),
    low: day(lowest.day),
    lowValue: figure(lowest.value),
  })
}

function missing({ gaps, missing, incomplete }: Of<'missing'>, words: AutonomousWords, shown: TextFilter) {
  const [most] = gaps
  return most === undefined
    ? words.noGaps
    : words.gaps(figure(missing), figure(incomplete), shown(most.name), figure(most.missing))
}

const FINDINGS: ByKind<RunFigures, [words: AutonomousWords, shown: TextFilter], string> = {
  trend,
  compare,
  distribution,
  relation,
  top,
  weekdays,
  missing,
}
