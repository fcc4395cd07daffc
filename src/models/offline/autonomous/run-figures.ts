/** The schemas of the figures that a run reports. Data of another form, or figures that are no numbers, are no result; texts in it are data. */
import * as z from 'zod'

/** The number of rows of a result that fit into an observation and a report; of groups, whose names are longer, fewer fit. */
export const ROWS_SHOWN = 36
export const GROUPS_SHOWN = 10
/** The characters of one cell in it. */
export const WORD_CHARS = 40

const number = z.number()
const count = z.number().int().min(0)
const Value = z.object({ period: z.string(), value: number })
const rowsOf = <T extends z.ZodType>(row: T, max: number = ROWS_SHOWN) => z.array(row).max(max)
const name = z.string().nullable()
const How = z.enum(['sum', 'mean', 'count'])
/** The number of analysed rows, and of all rows; it is missing when all were analysed. */
const sample = z.object({ rows: count, of: count }).optional()

const Trend = z.object({
  kind: z.literal('trend'),
  sample,
  unit: z.enum(['day', 'week', 'month', 'quarter', 'year', '']),
  how: How,
  from: z.string(),
  to: z.string(),
  periods: count,
  /** The first or last periods that lack days; they are not compared. */
  part: z.array(z.string()).max(2),
  first: Value,
  last: Value,
  highest: Value,
  lowest: Value,
  change: number.nullable(),
  /** The mean of the latest periods, over a year or a week, and of as many periods before; both have the same seasons. */
  cycle: z.object({ size: count, late: number, early: number, change: number.nullable() }).nullable(),
  mean: number,
  total: number.nullable(),
  rows: rowsOf(z.tuple([z.string(), number])),
})
const Group = z.object({ name, value: number, rows: count })
const Compare = z.object({
  kind: z.literal('compare'),
  sample,
  how: How,
  /** The number of groups without the group of missing values, which is among the rows. */
  groups: count,
  all: count,
  total: number.nullable(),
  /** The number of values that only one row has. */
  once: count,
  highest: Group,
  lowest: Group,
  /** The name, value, number of rows, and share of the total. */
  rows: rowsOf(z.tuple([name, number, count, number.nullable()])),
})
const Distribution = z.object({
  kind: z.literal('distribution'),
  sample,
  count,
  missing: count,
  mean: number,
  std: number.nullable(),
  min: number,
  q1: number,
  median: number,
  q3: number,
  max: number,
  outliers: count,
  low: number,
  high: number,
})
const Relation = z.object({
  kind: z.literal('relation'),
  sample,
  pairs: count,
  r: z.number().min(-1.01).max(1.01),
  slope: number,
  start: number,
})
const Row = z.object({ row: count, name, value: number })
const Top = z.object({ kind: z.literal('top'), sample, count, highest: rowsOf(Row), lowest: rowsOf(Row) })
const Day = z.object({ day: z.number().int().min(0).max(6), days: count, value: number })
const Weekdays = z.object({
  kind: z.literal('weekdays'),
  sample,
  days: count,
  highest: Day,
  lowest: Day,
  rows: rowsOf(Day, 7),
})
const Missing = z.object({
  kind: z.literal('missing'),
  sample,
  rows: count,
  checked: count,
  missing: count,
  incomplete: count,
  gaps: rowsOf(z.object({ name: z.string(), missing: count })),
})

export const RunFigures = z.discriminatedUnion('kind', [Trend, Compare, Distribution, Relation, Top, Weekdays, Missing])
export type RunFigures = z.infer<typeof RunFigures>
