/**
 * Writes the JavaScript of an analysis: about ten lines that print its key figures, draw one chart and save the result. Column names enter the
 * code only as literals.
 */
import { callByKind, type ByKind } from '../../../core/terms/values/by-kind.ts'
import type { Analysis } from './plan/analysis.ts'
import { resultKeyOf, SECOND_ATTEMPT } from './outcome.ts'
import type { PeriodLength } from './plan/periods.ts'
import { literal } from '../safe-text.ts'
import { GROUPS_SHOWN, ROWS_SHOWN, WORD_CHARS } from './run-figures.ts'

type Of<K extends Analysis['kind']> = Extract<Analysis, { kind: K }>

interface CodeOptions {
  analysis: Analysis
  title: string
  /** The title of the chart. */
  heading: string
  /** The number of rows that are analysed; null: all of them. */
  sample: number | null
  /** The columns that are checked for missing values where memory is short; null: all columns of the dataset. */
  columns: readonly string[] | null
  /** The names of the value and of the column in the chart. */
  value: string
  column: string
  /** The texts for rows without a value, for the days of the week from Monday on, and for a column whose outliers are not drawn. */
  none: string
  weekdays: readonly string[]
  inner: string
  /** A second attempt draws no chart. */
  chart: boolean
}

/** The lines that compute `found`, and the line that draws it. */
interface Parts {
  lines: string[]
  chart: string
}

export function codeOf(written: CodeOptions): string {
  const { analysis, title, chart, sample } = written
  const parts = callByKind(PARTS, analysis, written)
  return [
    ...(chart ? [] : [SECOND_ATTEMPT]),
    ...(sample === null ? [] : ['const file = data', `data = file.sample(${sample})`]),
    ...parts.lines,
    'console.log(JSON.stringify(found))',
    ...(chart ? [parts.chart] : []),
    `saveResult(${literal(resultKeyOf(title))}, found)`,
  ].join('\n')
}

const head = (kind: Analysis['kind'], { title, sample }: CodeOptions) =>
  `task: ${literal(resultKeyOf(title))}, kind: '${kind}'${sample === null ? '' : ', sample: { rows: data.length, of: file.length }'}`
const aggregate = ({ measure, how }: { measure: string | null; how: string }) =>
  measure === null || how === 'count' ? `'count'` : `['${how}', ${literal(measure)}]`
const labels = ({ heading, column, value }: CodeOptions) =>
  `title: ${literal(heading)}, x_label: ${literal(column)}, y_label: ${literal(value)}`
/** A second attempt asks for fewer items, in case the first asked for too many. */
const some = (most: number, { chart }: CodeOptions) => (chart ? most : Math.floor(most / 3))
/** Cuts names, which may be as long as a text. */
const CUT = `const cut = (cell) => (cell === null ? null : String(cell).replace(/^(.{${WORD_CHARS - 1}}).{2,}$/su, '$1…'))`

/** The number of periods after which the same season, or the same day of the week, returns. */
const CYCLES: Partial<Record<PeriodLength, number>> = { day: 7, week: 52, month: 12, quarter: 4 }

function trend(a: Of<'trend'>, written: CodeOptions): Parts {
  const date = literal(a.date)
  const of = `value: ${aggregate(a)}, from: ['min', ${date}], to: ['max', ${date}]`
  const rows =
    a.unit === null
      ? `data.groupBy(${date}, { period: ['first', ${date}], ${of} })`
      : `data.byPeriod(${date}, '${a.unit}', { ${of} })`
  const size = a.unit === null ? undefined : CYCLES[a.unit]
  const cycle =
    size === undefined
      ? ['const cycle = null']
      : [
          `const [late, early] = [values.slice(-${size}), values.slice(-${2 * size}, -${size})].map((part) => d3.mean(part))`,
          `const cycle = values.length < ${2 * size} ? null : { size: ${size}, late, early, change: early > 0 ? late / early - 1 : null }`,
        ]
  const [from, to] = [a.cut_off.first ? 1 : 0, a.cut_off.last ? -1 : undefined]
  return {
    lines: [
      `const rows = ${rows}.filter(({ period, value }) => period !== null && value !== null)`,
      'const known = rows.map(({ period, value }) => ({ period: String(period), value }))',
      ...(from === 0 && to === undefined
        ? ['const whole = known']
        : [
            '// The data begins or ends within a period: that one is shown, but not compared.',
            `const whole = known.length > 3 ? known.slice(${to === undefined ? from : `${from}, ${to}`}) : known`,
          ]),
      'const values = whole.map(({ value }) => value)',
      'const [first, last, highest, lowest] = [0, -1, d3.maxIndex(values), d3.minIndex(values)].map((at) => whole.at(at))',
      ...cycle,
      'const part = known.filter((one) => !whole.includes(one)).map(({ period }) => period)',
      `const found = { ${head('trend', written)}, unit: ${literal(a.unit ?? '')}, how: '${a.how}',`,
      '  from: String(rows[0].from), to: String(rows.at(-1).to), periods: known.length, part,',
      '  first, last, highest, lowest, change: first.value > 0 ? last.value / first.value - 1 : null, cycle,',
      `  mean: d3.mean(values), total: ${a.how === 'mean' ? 'null' : 'd3.fsum(known.map(({ value }) => value))'}, rows: known.slice(-${some(ROWS_SHOWN, written)}).map(({ period, value }) => [period, value]) }`,
    ],
    chart: `chart.line({ ${labels(written)}, x: known.map(({ period }) => period), y: known.map(({ value }) => value) })`,
  }
}

function compare(a: Of<'compare'>, written: CodeOptions): Parts {
  const category = literal(a.category)
  const adds = a.measure === null || a.how !== 'mean'
  return {
    lines: [
      CUT,
      `const groups = data.groupBy(${category}, { name: ['first', ${category}], value: ${aggregate(a)}, rows: 'count' })`,
      '  .filter(({ value }) => value !== null)',
      '  .map(({ name, value, rows }) => ({ name: cut(name), value, rows }))',
      '  .sort((a, b) => b.value - a.value)',
      'const named = groups.filter(({ name }) => name !== null)',
      `const total = ${adds ? 'd3.fsum(groups, ({ value }) => value)' : 'null'}`,
      `const shares = total > 0 && groups.at(-1).value >= 0`,
      `const shown = groups.slice(0, ${some(GROUPS_SHOWN, written)})`,
      `const found = { ${head('compare', written)}, how: '${a.measure === null ? 'count' : a.how}', groups: named.length, total,`,
      '  once: named.filter(({ rows }) => rows === 1).length, highest: named[0], lowest: named.at(-1), all: groups.length,',
      '  rows: shown.map(({ name, value, rows }) => [name, value, rows, shares ? value / total : null]) }',
    ],
    chart: `chart.bar({ ${labels(written)}, x: shown.map(({ name }) => name ?? ${literal(written.none)}), y: shown.map(({ value }) => value), horizontal: shown.length > 5 })`,
  }
}

function distribution({ column, of }: Of<'distribution'>, written: CodeOptions): Parts {
  const name = literal(column)
  const values =
    of === 'values'
      ? `data.numbers(${name})`
      : `Float64Array.from(data.values(${name}).filter((cell) => cell !== null), (cell) => String(cell).length)`
  return {
    lines: [
      `const values = ${values}.sort()`,
      'const [min, q1, median, q3, max] = [0, 0.25, 0.5, 0.75, 1].map((at) => d3.quantileSorted(values, at))',
      'const reach = 1.5 * (q3 - q1)',
      'const outliers = values.filter((value) => value < q1 - reach || value > q3 + reach).length',
      `const found = { ${head('distribution', written)}, count: values.length, missing: data.length - values.length,`,
      '  mean: d3.fsum(values) / values.length, std: d3.deviation(values) ?? null, min, q1, median, q3, max,',
      '  outliers, low: q1 - reach, high: q3 + reach }',
    ],
    // A few extreme values would put all others into one bar.
    chart: [
      'const inner = q3 > q1 ? values.filter((value) => value >= q1 - reach && value <= q3 + reach) : values',
      `const label = inner.length < values.length ? ${literal(written.inner)} : ${literal(written.column)}`,
      `chart.histogram({ title: ${literal(written.heading)}, x_label: label, values: inner })`,
    ].join('\n'),
  }
}

/** The most dots that a picture can show apart. */
const DOTS = 2_000

/** Uses one pass, because code that goes over many rows more than once runs out of fuel. */
function relation({ x, y }: Of<'relation'>, written: CodeOptions): Parts {
  return {
    lines: [
      `const [xs, ys] = [data.values(${literal(x)}), data.values(${literal(y)})]`,
      'let [n, mx, my, xx, yy, xy] = [0, 0, 0, 0, 0, 0]',
      `const [dots, every] = [[], Math.ceil(data.length / ${DOTS})]`,
      'xs.forEach((x, row) => {',
      '  const y = ys[row]',
      '  if (x === null || y === null) return',
      '  const [dx, dy] = [x - mx, y - my]',
      '  n += 1; mx += dx / n; my += dy / n',
      '  xx += dx * (x - mx); yy += dy * (y - my); xy += dx * (y - my)',
      '  if (row % every === 0) dots.push([x, y])',
      '})',
      `const found = { ${head('relation', written)}, pairs: n, r: xy / Math.sqrt(xx * yy), slope: xy / xx, start: my - (xy / xx) * mx }`,
    ],
    chart: `chart.scatter({ ${labels(written)}, x: dots.map(([x]) => x), y: dots.map(([, y]) => y) })`,
  }
}

const EXTREMES = 5

/** Sorts the numbers alone, and then the few rows that have the outermost ones. */
function top({ measure, by }: Of<'top'>, written: CodeOptions): Parts {
  return {
    lines: [
      CUT,
      `const sorted = data.numbers(${literal(measure)}).sort()`,
      `const [low, high] = [sorted.at(${EXTREMES - 1}) ?? Infinity, sorted.at(-${EXTREMES}) ?? -Infinity]`,
      `const values = data.values(${literal(measure)})`,
      `const names = ${by === null || !written.chart ? '[]' : `data.values(${literal(by)})`}`,
      'const outer = []',
      'values.forEach((value, row) => { if (value !== null && (value <= low || value >= high)) outer.push(row) })',
      `const shown = (row) => ({ row: ${written.sample === null ? 'row + 1' : 'data.rowNumber(row)'}, name: cut(names[row] ?? null), value: values[row] })`,
      `const highest = outer.sort((a, b) => values[b] - values[a] || a - b).slice(0, ${EXTREMES}).map(shown)`,
      `const lowest = outer.sort((a, b) => values[a] - values[b] || a - b).slice(0, ${EXTREMES}).map(shown)`,
      `const found = { ${head('top', written)}, count: sorted.length, highest, lowest }`,
    ],
    chart: `chart.bar({ ${labels(written)}, x: highest.map(({ row, name }) => '#' + row + ' ' + (name ?? '')), y: highest.map(({ value }) => value) })`,
  }
}

function weekdays(a: Of<'weekdays'>, written: CodeOptions): Parts {
  return {
    lines: [
      `const days = data.byPeriod(${literal(a.date)}, 'day', { value: ${aggregate(a)} }).filter(({ value }) => value !== null)`,
      '// 0 is Monday.',
      'const dayOf = ({ period }) => (new Date(period).getUTCDay() + 6) % 7',
      'const groups = d3.rollups(days, (all) => ({ days: all.length, value: d3.mean(all, ({ value }) => value) }), dayOf)',
      'const rows = groups.map(([day, { days, value }]) => ({ day, days, value })).sort((a, b) => a.day - b.day)',
      'const order = [...rows].sort((a, b) => b.value - a.value)',
      `const found = { ${head('weekdays', written)}, days: days.length, highest: order[0], lowest: order.at(-1), rows }`,
    ],
    chart: `chart.bar({ ${labels(written)}, x: rows.map(({ day }) => [${written.weekdays.map(literal).join(', ')}][day]), y: rows.map(({ value }) => value), horizontal: true })`,
  }
}

/** Checking the cells of more columns costs more fuel than it is worth. */
const CHECKED_MAX = 40

function missing(_: Of<'missing'>, written: CodeOptions): Parts {
  const columns = written.columns === null ? 'data.columns' : `[${written.columns.map(literal).join(', ')}]`
  return {
    lines: [
      CUT,
      `const isNumber = (name) => ['integer', 'number'].includes(data.types[name])`,
      'const known = (name) => (isNumber(name) ? data.numbers(name) : data.values(name).filter((cell) => cell !== null)).length',
      `const checked = ${columns}.slice(0, ${CHECKED_MAX}).map((name) => ({ name: cut(name), missing: data.length - known(name) }))`,
      'const gaps = checked.filter(({ missing }) => missing > 0).sort((a, b) => b.missing - a.missing)',
      `const found = { ${head('missing', written)}, rows: data.length, checked: checked.length,`,
      `  missing: d3.sum(checked, ({ missing }) => missing), incomplete: gaps.length, gaps: gaps.slice(0, ${some(GROUPS_SHOWN, written)}) }`,
    ],
    chart: `if (gaps.length > 0) chart.bar({ ${labels(written)}, x: found.gaps.map(({ name }) => name), y: found.gaps.map(({ missing }) => missing) })`,
  }
}

const PARTS: ByKind<Analysis, [written: CodeOptions], Parts> = {
  trend,
  compare,
  distribution,
  relation,
  top,
  weekdays,
  missing,
}
