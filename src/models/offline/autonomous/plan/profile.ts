/** Reads the answer of read_dataset, and decides what each column can be used for. */
import * as z from 'zod'

const count = z.number().int().min(0)
/** Members of a hostile or future answer that do not fit are treated as missing. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

const SchemaColumn = z.object({
  name: z.string(),
  dtype: z.enum(['integer', 'number', 'boolean', 'date', 'text']).catch('text'),
  non_null: count,
  null: count.catch(0),
  unique: maybe(count),
  unique_at_least: maybe(count),
  min: maybe(z.union([z.number(), z.string()])),
  max: maybe(z.union([z.number(), z.string()])),
})

/** Further columns are ignored. */
const COLUMNS_MAX = 300
const NOTES_MAX = 10

const Answer = z.object({
  name: z.string().catch(''),
  sheet: maybe(z.string()),
  sheets: z.array(z.string()).catch([]),
  rows: count,
  columns: count,
  missing_cells: maybe(count),
  schema: z.array(z.unknown()),
  notes: z.array(z.string()).catch([]),
})

export interface ProfileColumn {
  name: string
  dtype: z.infer<typeof SchemaColumn>['dtype']
  present: number
  missing: number
  /** A lower bound where `exact` is false. */
  unique: number
  exact: boolean
  min: number | string | null
  max: number | string | null
}
export interface Profile {
  name: string
  sheet: string | null
  sheets: string[]
  rows: number
  /** The number of columns of the dataset; `known` may have fewer. */
  columns: number
  missing: number | null
  known: ProfileColumn[]
  notes: string[]
}

/** null: it is not an answer of read_dataset. */
export function profileOf(answer: unknown): Profile | null {
  const read = Answer.safeParse(answer)
  if (!read.success) return null
  const { schema, missing_cells, sheet = null, ...rest } = read.data
  const known = schema.slice(0, COLUMNS_MAX).flatMap((one) => {
    const column = SchemaColumn.safeParse(one)
    return column.success ? [columnOf(column.data)] : []
  })
  return { ...rest, sheet, missing: missing_cells ?? null, known, notes: rest.notes.slice(0, NOTES_MAX) }
}

const columnOf = (column: z.infer<typeof SchemaColumn>): ProfileColumn => {
  const { name, dtype, non_null: present, unique, unique_at_least, min = null, max = null } = column
  const exact = typeof unique === 'number'
  return { name, dtype, present, missing: column.null, unique: unique ?? unique_at_least ?? 0, exact, min, max }
}

/** How a number is aggregated over rows. */
export type How = 'sum' | 'mean' | 'count'

const words = (en: string, zh: string) => new RegExp(`(?<![a-z])(?:${en})(?:e?s)?(?![a-z])|${zh}`, 'iu')
const ID = words(
  'id|uuid|guid|code|zip|zipcode|postcode|postal|phone|telephone|mobile|fax|sku|isbn|barcode|serial|index|row|no|nr|number|key',
  '编号|序号|代码|编码|邮编|电话|手机|单号|账号|工号|学号|证号|条码|流水',
)
const YEAR = words('year|fiscal', '年份|年度|^年$')
/** Names with parts of a date. `delivery_days` is a number of days. */
const PART_OF_DATE =
  /(?<![a-z])(?:year|quarter|month|week|weekday|day|hour)(?![a-z])|年份|年度|季度|月份|星期|^[年月周日]$/iu
const ADDS_UP = words(
  'amount|sale|revenue|turnover|income|total|subtotal|profit|cost|expense|spend|spending|quantity|qty|unit|volume|count|sold|order|visit|click|view|tax|discount amount|payment|loss',
  '金额|销售额|销售|营收|收入|营业额|总额|总价|合计|利润|毛利|成本|费用|支出|数量|销量|件数|次数|人数|订单数|产量|税',
)
const PLACED = words('latitude|longitude|lat|lon|lng', '经度|纬度')
/** The names of the most important measures. */
const MAIN = words('amount|sale|revenue|turnover|total', '金额|销售额|营收|收入|营业额|总额')
const AVERAGED = words(
  'price|rate|ratio|percent|percentage|pct|score|rating|grade|age|temperature|temp|average|avg|mean|median|margin|weight|height|speed|share|discount|humidity|duration',
  '单价|价格|售价|率|比例|占比|百分比|评分|得分|分数|成绩|年龄|温度|平均|均价|体重|身高|速度|折扣|湿度|时长',
)

/** `orderId`, `order_id` and `Order ID` become the same words. */
const spellOut = (name: string) => name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll(/[_\-./]+/g, ' ')

const isNumber = ({ dtype }: ProfileColumn) => dtype === 'integer' || dtype === 'number'
const varies = ({ present, unique }: ProfileColumn) => present > 1 && unique > 1

/** A whole number whose name says that it is a code, a place or a year, so adding it up makes no sense. */
function isCalledCode({ dtype, name }: ProfileColumn): boolean {
  const text = spellOut(name)
  return dtype === 'integer' && (ID.test(text) || PART_OF_DATE.test(text)) && !ADDS_UP.test(text)
}

/** The same by its values; a request that names the column may still use it. */
function isCode(column: ProfileColumn): boolean {
  const text = spellOut(column.name)
  const named = ADDS_UP.test(text) || AVERAGED.test(text)
  return isCalledCode(column) || (column.dtype === 'integer' && namesRows(column) && !named)
}

/** With fewer rows whole numbers differ by chance. */
const ROWS_TO_TELL = 30

function namesRows({ exact, unique, present, min, max }: ProfileColumn): boolean {
  if (!exact || unique !== present || typeof min !== 'number' || typeof max !== 'number') return false
  return max - min === present - 1 || present >= ROWS_TO_TELL
}

/** Numbers that can be added up or averaged, if a request wants it. */
export const isMeasurable = (column: ProfileColumn): boolean =>
  isNumber(column) && varies(column) && !isCalledCode(column)

/** The columns that measure an amount, the most suitable first. */
export function measuresOf({ known }: Profile): ProfileColumn[] {
  const rank = ({ name }: ProfileColumn) => {
    const text = spellOut(name)
    if (PLACED.test(text)) return 4
    if (AVERAGED.test(text)) return 2
    return MAIN.test(text) ? 0 : ADDS_UP.test(text) ? 1 : 3
  }
  return known
    .filter((column) => isNumber(column) && varies(column) && !isCode(column))
    .toSorted((a, b) => rank(a) - rank(b))
}

/** The sensible aggregate over many rows: a mean always, a sum only of amounts. */
export const howOf = ({ name }: ProfileColumn): How => {
  const text = spellOut(name)
  return ADDS_UP.test(text) && !AVERAGED.test(text) ? 'sum' : 'mean'
}

export const CATEGORY_VALUES_MAX = 50
const isWord = ({ dtype }: ProfileColumn) => dtype === 'text' || dtype === 'boolean'

/** The columns that divide rows into few groups; those with a handful of groups come first. */
export function categoriesOf({ known, rows }: Profile): ProfileColumn[] {
  const rank = ({ unique, dtype }: ProfileColumn) => (dtype === 'boolean' ? 2 : unique >= 3 && unique <= 15 ? 0 : 1)
  return known
    .filter(
      (column) => isWord(column) && varies(column) && column.unique <= CATEGORY_VALUES_MAX && column.unique < rows,
    )
    .toSorted((a, b) => rank(a) - rank(b))
}

/** The columns of texts; those with repeated values come first. */
export const textColumns = ({ known }: Profile): ProfileColumn[] =>
  known
    .filter((column) => isWord(column) && column.present > 0)
    .toSorted((a, b) => a.unique / a.present - b.unique / b.present)

export const datesOf = ({ known }: Profile): ProfileColumn[] =>
  known.filter((column) => column.dtype === 'date' && varies(column)).toSorted((a, b) => b.present - a.present)

/** The columns of years as numbers, which also order rows by time. */
export const yearsOf = ({ known }: Profile): ProfileColumn[] =>
  known.filter(
    (column) =>
      column.dtype === 'integer' &&
      varies(column) &&
      YEAR.test(spellOut(column.name)) &&
      Number(column.min) >= 1_000 &&
      Number(column.max) <= 3_000,
  )

/** Numbers with few values, which can form groups when a request wants it. */
export const isGrouping = (column: ProfileColumn): boolean =>
  varies(column) && column.unique <= CATEGORY_VALUES_MAX && (isWord(column) || isNumber(column))
