/** The terms of a dataset: its columns, what was noticed while it was read, and why it cannot be read. texts.ts puts them into words. */
import type { Attempt } from '../core/terms/attempt.ts'

/** The type of a column; all of its cells decide it. */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'date' | 'text'

interface NumberColumn {
  name: string
  type: 'integer' | 'number'
  /** NaN: missing. */
  values: Float64Array
}
/**
 * A column as codes of distinct words. Dates are ISO 8601 without a zone (`2024-03-01`, `2024-03-01T10:00:00`), so they sort as texts; booleans
 * are `true` and `false`.
 */
interface WordColumn {
  name: string
  type: 'text' | 'date' | 'boolean'
  /** 0 means missing; any other code stands for `words[code - 1]`. */
  codes: Uint32Array
  words: string[]
}
export type Column = NumberColumn | WordColumn

export interface ColumnTable {
  name: string
  /** The number of rows, which is the number of cells in each column. */
  length: number
  /** The loaded columns in the order of the file; their names are distinct and not empty. */
  columns: Column[]
  /** All columns of the file; it is there only when some of them were not loaded. */
  all?: readonly { name: string; type: ColumnType }[]
}

/** How the cells of a column were interpreted, where they were not taken as they are written. */
export type ColumnReading =
  | 'thousands_commas'
  | 'decimal_commas'
  | 'money'
  | 'percent'
  | 'day_first'
  | 'month_first'
  | 'months'
  | 'utc'
  | 'ambiguous_dates'

/** Something that a user of the table should know. Counts are of rows unless a comment says otherwise. */
export type DatasetNote =
  | { kind: 'encoding'; encoding: string }
  /** Counts characters. */
  | { kind: 'not_utf8'; count: number }
  | { kind: 'delimiter'; delimiter: string }
  /** Counts columns. */
  | { kind: 'renamed_columns'; count: number }
  | { kind: 'extra_cells' | 'short_rows' | 'blank_rows' | 'bad_quotes' | 'not_rows'; count: number }
  /** Counts cells. */
  | { kind: 'error_cells'; count: number }
  | { kind: 'array'; key: string }
  | { kind: 'no_rows' }
  | { kind: ColumnReading; columns: string[] }

export type DatasetError =
  | { kind: 'not_a_dataset' }
  | { kind: 'empty' }
  | { kind: 'binary' }
  | { kind: 'unclosed_quote'; row: number }
  | { kind: 'row_too_long'; row: number; chars_max: number }
  | { kind: 'too_many_columns' | 'too_many_entries' | 'too_many_sheets'; max: number }
  | { kind: 'bad_json'; row: number }
  | { kind: 'json_too_deep'; max: number }
  | { kind: 'json_no_rows' }
  | { kind: 'json_two_arrays'; keys: string[] }
  | { kind: 'unknown_sheet'; sheet: string; sheets: string[] }
  | { kind: 'empty_sheet'; sheet: string; sheets: string[] }
  | { kind: 'no_workbook' }
  | { kind: 'workbook_too_large' | 'xls_too_large'; bytes_max: number }
  /** `with_compute_worker`: the bound that holds where the service has a compute Worker. */
  | { kind: 'unfolds_too_far'; bytes_max: number; with_compute_worker: number }
  | { kind: 'too_many_cells'; max: number; with_compute_worker: number }
  /** `rows`: the number of rows after which the bound was reached. */
  | { kind: 'columns_too_large'; rows: number; columns: number; bytes_max: number }

export interface DatasetTable {
  /** null: the file has no sheets. */
  sheet: string | null
  sheets: string[]
  header: readonly string[]
  /** Commas are decimal marks unless a column says otherwise. */
  decimal_comma: boolean
  notes: DatasetNote[]
}
export type DatasetResult<T> = Attempt<T, DatasetError>
export const fail = (error: DatasetError): { ok: false; error: DatasetError } => ({ ok: false, error })

/** The cells of one row in the order of the header. '' is a missing cell, and so is every cell beyond the last one. */
export type TableRow = readonly string[]
/** Takes rows as they are read. Between two calls the header may grow but never change. false: it wants no more rows. */
export type RowSink = (rows: readonly TableRow[], header: readonly string[]) => boolean
