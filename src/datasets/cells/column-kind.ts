/** Decides the kind of a column by the forms that all its cells share, and converts cells accordingly. */
import type { ColumnType, ColumnReading } from '../table.ts'
import { DATES, DAY_FIRST, isoDateOf, LOCAL_DATE, MONTH, MONTH_FIRST, ZONED_DATE, type DateOrder } from './dates.ts'
import {
  BARE,
  BOOLEAN,
  COMMA,
  COMMA_WHOLE,
  DOT,
  DOT_WHOLE,
  NO_COMMA,
  cellNumber,
  PERCENT,
  SIGNS,
  TRUE_WORDS,
} from './forms.ts'

export type DecimalMark = 'dot' | 'comma'
export type ColumnKind = { readings: ColumnReading[] } & (
  | { type: 'integer' | 'number'; style: DecimalMark }
  | { type: 'date'; order: DateOrder }
  | { type: 'boolean' }
  | { type: 'text' }
)

/** `some`: the column has a cell that is not missing. Without one its forms are all forms, and it is text. */
export function columnKindOf(forms: number, some: boolean, decimal_comma: boolean): ColumnKind {
  if (!some) return { type: 'text', readings: [] }
  const style = styleOf(forms, decimal_comma)
  if (style !== null) return numberKind(forms, style)
  if ((forms & BOOLEAN) !== 0) return { type: 'boolean', readings: [] }
  return dateKind(forms)
}

/** Where both marks fit, a comma separates thousands. In files whose cells are not separated by commas it is a decimal mark. */
function styleOf(forms: number, decimal_comma: boolean): DecimalMark | null {
  if ((forms & SIGNS) === 0 || (forms & (DOT | COMMA)) === 0) return null
  if ((forms & COMMA) === 0) return 'dot'
  if ((forms & DOT) === 0) return 'comma'
  return decimal_comma && (forms & NO_COMMA) === 0 ? 'comma' : 'dot'
}

function numberKind(forms: number, style: DecimalMark): ColumnKind {
  const whole = (forms & (style === 'dot' ? DOT_WHOLE : COMMA_WHOLE)) !== 0
  const readings: ColumnReading[] = []
  if (style === 'comma') readings.push('decimal_commas')
  else if ((forms & NO_COMMA) === 0) readings.push('thousands_commas')
  if ((forms & BARE) === 0) readings.push((forms & PERCENT) === 0 ? 'money' : 'percent')
  return { type: whole ? 'integer' : 'number', style, readings }
}

function dateKind(forms: number): ColumnKind {
  const date = (order: DateOrder, ...readings: ColumnReading[]): ColumnKind => ({ type: 'date', order, readings })
  if ((forms & LOCAL_DATE) !== 0) return date('year')
  if ((forms & ZONED_DATE) !== 0) return date('year', 'utc')
  if ((forms & MONTH) !== 0) return date('month_only', 'months')
  switch (forms & (DAY_FIRST | MONTH_FIRST)) {
    case DAY_FIRST:
      return date('day', 'day_first')
    case MONTH_FIRST:
      return date('month', 'month_first')
    default:
      return { type: 'text', readings: (forms & DATES) === 0 ? [] : ['ambiguous_dates'] }
  }
}

/** Converts a cell that is not missing into a value of that kind of column. */
export function cellValueOf(kind: ColumnKind, text: string): number | string {
  switch (kind.type) {
    case 'integer':
    case 'number':
      return cellNumber(text.trim(), kind.style)
    case 'date':
      return isoDateOf(text.trim(), kind.order)
    case 'boolean':
      return TRUE_WORDS.has(text.trim().toLowerCase()) ? 'true' : 'false'
    case 'text':
      return text
  }
}

export const isNumeric = (type: ColumnType): type is 'integer' | 'number' => type === 'integer' || type === 'number'
