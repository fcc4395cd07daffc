/** Figures as a run reports them. What has another form, or figures that are no numbers, is no result; texts in it are data. */
import * as z from 'zod'

/** Rows of a result that a report has room for; half as many groups. */
export const ROWS_SHOWN = 24
/** Characters of one cell in it. */
export const WORD_CHARS = 60

const number = z.number()
const count = z.number().int().min(0)
const Value = z.object({ period: z.string(), value: number })
const rowsOf = <T extends z.ZodType>(row: T, max: number = ROWS_SHOWN) => z.array(row).max(max)
const name = z.string().nullable()
const How = z.enum(['sum', 'mean', 'count'])

export const Trend = z.object({
  kind: z.literal('trend'),
  unit: z.enum(['day', 'week', 'month', 'quarter', 'year', '']),
  how: How,
  from: z.string(),
  to: z.string(),
  periods: count,
  /** Periods at the edges of which days are missing: they are compared with none. */
  part: z.array(z.string()).max(2),
  first: Value,
  last: Value,
  highest: Value,
  lowest: Value,
  change: number.nullable(),
  mean: number,
  total: number.nullable(),
  rows: rowsOf(Value),
})
const Group = z.object({ name, value: number, rows: count })
export const Compare = z.object({
  kind: z.literal('compare'),
  how: How,
  groups: count,
  total: number.nullable(),
  /** Values that only one row has. */
  once: count,
  highest: Group,
  lowest: Group,
  rows: rowsOf(Group.extend({ share: number.nullable() })),
})
export const Distribution = z.object({
  kind: z.literal('distribution'),
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
export const Relation = z.object({
  kind: z.literal('relation'),
  pairs: count,
  r: z.number().min(-1.01).max(1.01),
  slope: number,
  start: number,
})
const Row = z.object({ row: count, name, value: number })
export const Top = z.object({ kind: z.literal('top'), count, highest: rowsOf(Row), lowest: rowsOf(Row) })
const Day = z.object({ day: z.number().int().min(0).max(6), days: count, value: number })
export const Weekdays = z.object({
  kind: z.literal('weekdays'),
  days: count,
  highest: Day,
  lowest: Day,
  rows: rowsOf(Day, 7),
})
export const Missing = z.object({
  kind: z.literal('missing'),
  rows: count,
  checked: count,
  missing: count,
  incomplete: count,
  gaps: rowsOf(z.object({ name: z.string(), missing: count })),
})

export const Found = z.discriminatedUnion('kind', [Trend, Compare, Distribution, Relation, Top, Weekdays, Missing])
export type Found = z.infer<typeof Found>
