/**
 * `chart.line({title, x, y})` and the like. The forms that models write become one plain form, which the host checks and draws. Points beyond
 * what a picture shows are thinned here, and a note says so.
 */
import { bin, quantileSorted } from 'd3-array'
import { valueText, toJson } from './plain.ts'

type ChartInput = Record<string, unknown>
type Numbers = (number | null)[]

/** A line with more points than this has more than its picture has pixel columns. */
const LINE_POINTS_MAX = 1_500
/** The bound of all lines together. */
const LINE_VALUES_MAX = 4_000
const DOTS_MAX = 2_000
/** The outliers of one box, and of all boxes of a chart: more of them overlap. */
const OUTLIERS_MAX = 40
const OUTLIERS_OF_ALL_MAX = 600
const BINS = 30

const KINDS = ['line', 'bar', 'scatter', 'histogram', 'pie', 'box'] as const
type Kind = (typeof KINDS)[number]

/** Reports how many of all items are drawn. */
type Note = (drawn_count: number, total: number, what?: string) => void

export function charts(
  draw: (spec: string) => void,
  note: (line: string) => void,
): Record<Kind, (input: ChartInput) => void> {
  const functions = KINDS.map((kind) => {
    const drawChart = (input: ChartInput) => {
      if (typeof input !== 'object' || input === null)
        throw new Error(`chart.${kind} needs one object: chart.${kind}({title, x, y})`)
      const noteThinned: Note = (drawn_count, total, what = 'points') =>
        note(`chart.${kind}: drew ${drawn_count} of ${total} ${what}`)
      draw(toJson({ ...labels(input), kind, ...SHAPES[kind](normalize(input), noteThinned) }))
    }
    return [kind, drawChart] as const
  })
  // The list has one entry for each kind.
  return Object.fromEntries(functions) as Record<Kind, (input: ChartInput) => void>
}

const text = (value: unknown) => (value === undefined || value === null ? '' : valueText(value))

const labels = (input: ChartInput) => ({
  title: text(input.title),
  x_label: text(input.x_label ?? input.xLabel ?? input.xlabel ?? (typeof input.x === 'string' ? input.x : '')),
  y_label: text(input.y_label ?? input.yLabel ?? input.ylabel ?? (typeof input.y === 'string' ? input.y : '')),
})

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))
const listOf = (value: unknown, what: string): unknown[] => {
  if (isList(value)) return Array.from(value)
  if (typeof value === 'object' && value !== null && Symbol.iterator in value) return [...(value as Iterable<unknown>)]
  throw new Error(`${what} is to be an array`)
}

/** Converts any value to a number, or to null where it is none. */
function numberOf(value: unknown): number | null {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return null
  const number = value instanceof Date ? value.getTime() : Number(value)
  return Number.isFinite(number) ? number : null
}
const numbersOf = (value: unknown, what: string): Numbers => listOf(value, what).map(numberOf)
const present = (numbers: Numbers): number[] => numbers.filter((number) => number !== null)
const labelOf = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : text(value))

/** Turns `{data: rows, x: 'month', y: 'total' | ['a', 'b'], by?: 'region'}` into x and series. */
function normalize(input: ChartInput): ChartInput {
  const rows = input.data ?? input.rows
  if (rows === undefined || rows === null) return input
  const all = listOf(rows, 'data') as ChartInput[]
  const cells = (name: unknown) => (typeof name === 'string' ? all.map((row) => row[name]) : name)
  const by = input.by ?? input.group
  if (typeof by === 'string') return { ...input, ...pivot(all, String(input.x), String(input.y), by) }
  const names = Array.isArray(input.y) && typeof input.y[0] === 'string' ? (input.y as string[]) : null
  const values = cells(input.values ?? input.y)
  const x = cells(input.x ?? input.labels)
  if (names !== null) return { ...input, x, y: undefined, series: names.map((name) => ({ name, values: cells(name) })) }
  return { ...input, x, labels: x, y: values, values: values ?? x }
}

function pivot(rows: ChartInput[], x: string, y: string, by: string): ChartInput {
  const labels = [...new Set(rows.map((row) => labelOf(row[x])))]
  const places = new Map(labels.map((label, place) => [label, place]))
  const series = new Map<string, unknown[]>()
  for (const row of rows) {
    const name = labelOf(row[by])
    const values = series.get(name) ?? labels.map(() => null)
    values[places.get(labelOf(row[x])) ?? 0] = row[y]
    series.set(name, values)
  }
  return { x: labels, y: undefined, series: [...series].map(([name, values]) => ({ name, values })) }
}

interface Series {
  name: string
  values: unknown
  x?: unknown
}

/** Reads `series: [{name, values}]`, `series: {name: values}`, or `y` alone. */
function seriesOf(input: ChartInput, what: string): Series[] {
  const { series } = input
  if (Array.isArray(series)) {
    return series.map((one: ChartInput, place) => ({
      name: text(one.name ?? `series ${place + 1}`),
      values: one.values ?? one.data ?? one.y,
      x: one.x,
    }))
  }
  if (typeof series === 'object' && series !== null) {
    return Object.entries(series).map(([name, values]) => ({ name, values }))
  }
  if (input.y === undefined && input.values === undefined)
    throw new Error(`${what} needs y, or series: [{name, values}]`)
  return [{ name: text(input.name), values: input.y ?? input.values }]
}

const flag = (value: unknown) => value === true

function lines(input: ChartInput, kind: 'line' | 'bar'): { x: string[]; series: { name: string; values: Numbers }[] } {
  const series = seriesOf(input, `chart.${kind}`).map(({ name, values }) => ({
    name,
    values: numbersOf(values, `y of "${name}"`),
  }))
  const longest = Math.max(0, ...series.map(({ values }) => values.length))
  const labels = input.x ?? input.labels ?? input.categories
  const x = isList(labels)
    ? listOf(labels, 'x').map(labelOf)
    : Array.from({ length: longest }, (_, place) => String(place + 1))
  for (const { name, values } of series) {
    if (values.length !== x.length)
      throw new Error(`chart.${kind}: x has ${x.length} values and "${name || 'y'}" ${values.length}`)
  }
  return { x, series }
}

const SHAPES: Record<Kind, (input: ChartInput, note: Note) => ChartInput> = {
  line(input, note) {
    const { x, series } = lines(input, 'line')
    const most = Math.min(LINE_POINTS_MAX, Math.floor(LINE_VALUES_MAX / series.length))
    if (x.length <= most) return { x, series, stacked: flag(input.stacked) }
    const indexes = extremes(
      series.map(({ values }) => values),
      most,
    )
    note(indexes.length, x.length)
    const thin = <T>(all: T[]): T[] => indexes.flatMap((place) => all.slice(place, place + 1))
    return {
      x: thin(x),
      series: series.map(({ name, values }) => ({ name, values: thin(values) })),
      stacked: flag(input.stacked),
    }
  },
  bar: (input) => ({ ...lines(input, 'bar'), stacked: flag(input.stacked), horizontal: flag(input.horizontal) }),
  scatter(input, note) {
    const series = seriesOf(input, 'chart.scatter').map(({ name, values, x }) => ({
      name,
      points: pointsOf(x ?? input.x, values),
    }))
    const all = series.reduce((sum, { points }) => sum + points.length, 0)
    if (all <= DOTS_MAX) return { series }
    const step = all / DOTS_MAX
    const thin = series.map(({ name, points }) => ({ name, points: every(points, step) }))
    note(
      thin.reduce((sum, { points }) => sum + points.length, 0),
      all,
    )
    return { series: thin }
  },
  histogram(input) {
    const values = present(numbersOf(input.values ?? input.x ?? input.y, 'values'))
    const count = numberOf(input.bins) ?? Math.min(BINS, Math.ceil(Math.log2(values.length + 1)) + 4)
    const bins = bin().thresholds(Math.min(200, Math.max(1, Math.floor(count))))(values)
    return { bins: bins.map((one) => ({ from: one.x0 ?? 0, to: one.x1 ?? 0, count: one.length })) }
  },
  pie(input) {
    const values = numbersOf(input.values ?? input.y, 'values')
    const names = listOf(input.labels ?? input.x ?? input.names, 'labels').map(labelOf)
    if (names.length !== values.length) throw new Error(`chart.pie: ${names.length} labels and ${values.length} values`)
    return { slices: names.map((name, place) => ({ name, value: values[place] ?? null })) }
  },
  box(input, note) {
    const series = seriesOf(input, 'chart.box')
    const most = Math.min(OUTLIERS_MAX, Math.floor(OUTLIERS_OF_ALL_MAX / series.length))
    const allSeries = series.map(({ name, values }) => ({
      name,
      ...boxOf(present(numbersOf(values, `values of "${name}"`))),
    }))
    const boxes = allSeries.map((box) => ({
      ...box,
      outliers: every(box.outliers, Math.max(1, box.outliers.length / most)),
    }))
    const [drawn_count, total] = [boxes, allSeries].map((all) =>
      all.reduce((sum, { outliers }) => sum + outliers.length, 0),
    )
    if (drawn_count !== total) note(drawn_count ?? 0, total ?? 0, 'outliers')
    return { boxes }
  },
}

function pointsOf(x: unknown, values: unknown): [number, number][] {
  const ys = listOf(values, 'y')
  const pairs = isList(x)
    ? listOf(x, 'x').map((one, place) => [one, ys[place]])
    : ys.map((pair) => listOf(pair, 'a point [x, y]'))
  return pairs.flatMap(([one, other]) => {
    const [px, py] = [numberOf(one), numberOf(other)]
    return px === null || py === null ? [] : [[px, py] as [number, number]]
  })
}

const every = <T>(all: T[], step: number): T[] =>
  Array.from({ length: Math.floor(all.length / step) }, (_, place) => all[Math.floor(place * step)]).filter(
    (one) => one !== undefined,
  )

/** The places of the lowest and the highest value of each stretch, so that no peak is lost. */
function extremes(series: Numbers[], most: number): number[] {
  const length = series[0]?.length ?? 0
  const stretch = Math.ceil(length / Math.floor(most / 2))
  const indexes: number[] = []
  for (let from = 0; from < length; from += stretch) {
    let [low, high, least, largest] = [from, from, Infinity, -Infinity]
    for (const values of series) {
      for (let place = from; place < Math.min(from + stretch, length); place++) {
        const value = values[place] ?? null
        if (value !== null && value < least) [low, least] = [place, value]
        if (value !== null && value > largest) [high, largest] = [place, value]
      }
    }
    indexes.push(...(low === high ? [low] : [Math.min(low, high), Math.max(low, high)]))
  }
  return indexes
}

/** Tukey's box plot: whiskers end at the last value within 1.5 times the interquartile range. */
function boxOf(values: number[]) {
  if (values.length === 0) throw new Error('chart.box: there are no numbers to draw')
  const sorted = Array.from(Float64Array.from(values).sort())
  const [q1 = 0, middle = 0, q3 = 0] = [0.25, 0.5, 0.75].map((at) => quantileSorted(sorted, at))
  const reach = 1.5 * (q3 - q1)
  const within = sorted.filter((value) => value >= q1 - reach && value <= q3 + reach)
  const outliers = sorted.filter((value) => value < q1 - reach || value > q3 + reach)
  return { low: within[0] ?? q1, q1, median: middle, q3, high: within.at(-1) ?? q3, outliers }
}
