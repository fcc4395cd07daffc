/** What reading a dataset comes to: a table, with what was made of it on the way, or why it cannot be read. Words for both: words.ts. */
import type { Reading } from './cells/column-kind.ts'

/** Worth telling whoever works with the table; counts are of rows unless they say otherwise. */
export type Note =
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
  | { kind: Reading; columns: string[] }

export type Flaw =
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

export interface Table {
  /** null: the file has no sheets. */
  sheet: string | null
  sheets: string[]
  header: readonly string[]
  /** Its commas stand before fractions unless a column says otherwise. */
  decimal_comma: boolean
  notes: Note[]
}
export type Read<T> = { ok: true; value: T } | { ok: false; flaw: Flaw }
export const flawed = (flaw: Flaw): { ok: false; flaw: Flaw } => ({ ok: false, flaw })

/** The cells of one row in the order of the header; '' and what lies beyond the last one is missing. */
export type Row = readonly string[]
/** Takes some rows as they come. The header may have grown since the last ones, never changed. false: it wants no more. */
export type Take = (rows: readonly Row[], header: readonly string[]) => boolean
