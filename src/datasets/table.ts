/** What reading a dataset comes to: a table, with what was made of it on the way, or why it cannot be read. Words for both: words.ts. */
import type { Attempt } from '../core/terms/attempt.ts'

/** What the cells of a column are, judged by all of them. */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'date' | 'text'

interface NumberColumn {
  name: string
  type: 'integer' | 'number'
  /** NaN: missing. */
  values: Float64Array
}
/**
 * Words are distinct. Those of a date are ISO 8601 without a zone (`2024-03-01`, `2024-03-01T10:00:00`), so they sort as texts; those of a
 * boolean are `true` and `false`.
 */
interface WordColumn {
  name: string
  type: 'text' | 'date' | 'boolean'
  /** 0: missing, else that of `words[code - 1]`. */
  codes: Uint32Array
  words: string[]
}
export type Column = NumberColumn | WordColumn

export interface ColumnTable {
  /** Of the file. */
  name: string
  /** How many rows there are, and cells in each column. */
  length: number
  /** Those that were loaded, in the order of the file; their names are distinct and not empty. */
  columns: Column[]
  /** All that the file has, where not all of them were loaded. */
  all?: readonly { name: string; type: ColumnType }[]
}

/** What is said of a column whose cells were not taken as they stand. */
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

/** Worth telling whoever works with the table; counts are of rows unless they say otherwise. */
export type DatasetNote =
  | { kind: 'encoding'; encoding: string }
  /** Of characters. */
  | { kind: 'not_utf8'; count: number }
  | { kind: 'delimiter'; delimiter: string }
  /** Of columns. */
  | { kind: 'renamed_columns'; count: number }
  | { kind: 'extra_cells' | 'short_rows' | 'blank_rows' | 'bad_quotes' | 'not_rows'; count: number }
  /** Of cells. */
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
  /** `with_compute_worker`: how much it may be where the service has one. */
  | { kind: 'unfolds_too_far'; bytes_max: number; with_compute_worker: number }
  | { kind: 'too_many_cells'; max: number; with_compute_worker: number }
  /** `rows`: after which so much was reached. */
  | { kind: 'columns_too_large'; rows: number; columns: number; bytes_max: number }

export interface DatasetTable {
  /** null: the file has no sheets. */
  sheet: string | null
  sheets: string[]
  header: readonly string[]
  /** Its commas stand before fractions unless a column says otherwise. */
  decimal_comma: boolean
  notes: DatasetNote[]
}
export type DatasetResult<T> = Attempt<T, DatasetError>
export const fail = (error: DatasetError): { ok: false; error: DatasetError } => ({ ok: false, error })

/** The cells of one row in the order of the header; '' and what lies beyond the last one is missing. */
export type TableRow = readonly string[]
/** Takes some rows as they come. The header may have grown since the last ones, never changed. false: it wants no more. */
export type RowSink = (rows: readonly TableRow[], header: readonly string[]) => boolean
