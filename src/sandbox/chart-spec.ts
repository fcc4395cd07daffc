/** The schema of a chart that the kit sends: plain data, bounded by what a picture can show. Labels are cleaned here once. */
import * as z from 'zod'
import type { Attempt } from '../core/terms/attempt.ts'
import { jsonOrNull } from '../core/terms/values/parse-json.ts'
import { CHART_CATEGORIES_MAX, CHART_OUTLIERS_MAX, CHART_POINTS_MAX, CHART_SERIES_MAX } from './limits.ts'

const BARS_MAX = 200
const BOXES_MAX = 60
const TITLE_CHARS_MAX = 120
const LABEL_CHARS_MAX = 80

/** Characters that XML does not allow, and line breaks, which a label cannot have. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]+/g

/**
 * The names of the members of Object.prototype. A library that uses labels as keys of a plain object would find that prototype under such a name
 * and write to it. A zero-width sign inside the name prevents that and stays invisible.
 */
const INHERITED = new RegExp(Object.getOwnPropertyNames(Object.prototype).join('|'), 'g')
const UNSEEN_SIGN = '\u2060'
const harmless = (text: string) =>
  text.replaceAll(INHERITED, (name) => `${name.slice(0, 1)}${UNSEEN_SIGN}${name.slice(1)}`)

const label = (chars_max: number) =>
  z.string().transform((text) => {
    const seen = [...text.toWellFormed().replace(UNSEEN, ' ').trim()]
    return harmless(seen.length <= chars_max ? seen.join('') : `${seen.slice(0, chars_max - 1).join('')}…`)
  })
const Label = label(LABEL_CHARS_MAX)
// Beyond this bound an axis cannot be divided into ticks.
const Value = z.number().min(-1e300).max(1e300)
const Gap = Value.nullable()

const axes = { title: label(TITLE_CHARS_MAX), x_label: Label, y_label: Label }
const series = <T extends z.ZodType>(member: T) =>
  z
    .array(member)
    .min(1, 'there is no series')
    .max(CHART_SERIES_MAX, `at most ${CHART_SERIES_MAX} series; leave some out, or draw several charts`)
const Series = series(z.object({ name: Label, values: z.array(Gap).max(CHART_CATEGORIES_MAX) }))

const Line = z.object({
  kind: z.literal('line'),
  ...axes,
  x: z.array(Label).min(1, 'x is empty').max(CHART_CATEGORIES_MAX),
  series: Series,
  stacked: z.boolean(),
})
const Bar = z.object({
  kind: z.literal('bar'),
  ...axes,
  x: z.array(Label).min(1, 'x is empty').max(BARS_MAX, `at most ${BARS_MAX} bars; draw the largest`),
  series: Series,
  stacked: z.boolean(),
  horizontal: z.boolean(),
})
const Scatter = z.object({
  kind: z.literal('scatter'),
  ...axes,
  series: series(z.object({ name: Label, points: z.array(z.tuple([Value, Value])).max(CHART_POINTS_MAX) })),
})
const Histogram = z.object({
  kind: z.literal('histogram'),
  ...axes,
  bins: z
    .array(z.object({ from: Value, to: Value, count: z.int().min(0) }))
    .min(1, 'there are no numbers to count')
    .max(500),
})
const Pie = z.object({
  kind: z.literal('pie'),
  ...axes,
  slices: z
    .array(z.object({ name: Label, value: Value.min(0, 'a pie has no negative values') }))
    .min(1, 'there are no slices')
    .max(CHART_CATEGORIES_MAX),
})
const Box = z.object({
  kind: z.literal('box'),
  ...axes,
  boxes: z
    .array(
      z.object({
        name: Label,
        low: Value,
        q1: Value,
        median: Value,
        q3: Value,
        high: Value,
        outliers: z.array(Value).max(CHART_OUTLIERS_MAX),
      }),
    )
    .min(1, 'there are no boxes')
    .max(BOXES_MAX, `at most ${BOXES_MAX} boxes`),
})

const Chart = z.discriminatedUnion('kind', [Line, Bar, Scatter, Histogram, Pie, Box])
export type Chart = z.infer<typeof Chart>
export type ChartOf<K extends Chart['kind']> = Extract<Chart, { kind: K }>

export function parseChart(json: string): Attempt<Chart, string> {
  const read = Chart.safeParse(jsonOrNull(json))
  if (!read.success) return { ok: false, error: messageOf(read.error) }
  const error = errorIn(read.data)
  return error === null ? { ok: true, value: read.data } : { ok: false, error }
}

function messageOf({ issues: [first] }: z.ZodError): string {
  if (first === undefined) return 'not understood'
  return first.path.length === 0 ? first.message : `${first.path.join('.')}: ${first.message}`
}

function errorIn(chart: Chart): string | null {
  if (chart.kind === 'scatter') {
    const points = chart.series.reduce((sum, { points }) => sum + points.length, 0)
    if (points === 0) return 'there are no points with two numbers'
    return points > CHART_POINTS_MAX ? `at most ${CHART_POINTS_MAX} points` : null
  }
  if (chart.kind !== 'line' && chart.kind !== 'bar') return null
  const other = chart.series.find(({ values }) => values.length !== chart.x.length)
  if (other !== undefined) return `x has ${chart.x.length} values, "${other.name}" ${other.values.length}`
  const cells = chart.x.length * chart.series.length
  if (cells > CELLS_MAX[chart.kind]) return `at most ${CELLS_MAX[chart.kind]} values; draw fewer series or categories`
  return chart.series.every(({ values }) => values.every((value) => value === null)) ? 'y has no numbers' : null
}
/** The bounds count the values of all series together, so that a picture fits its size bound. */
const CELLS_MAX = { line: 4_800, bar: 1_200 }
