/** A table by its columns, as compact as one isolate can hold it: numbers as such, everything else as codes of words. */

/** What the cells of a column are, judged by all of them. */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'date' | 'text'

export interface NumberColumn {
  name: string
  type: 'integer' | 'number'
  /** NaN: missing. */
  values: Float64Array
}
/**
 * Words are distinct. Those of a date are ISO 8601 without a zone (`2024-03-01`, `2024-03-01T10:00:00`), so they sort as texts; those of a
 * boolean are `true` and `false`.
 */
export interface WordColumn {
  name: string
  type: 'text' | 'date' | 'boolean'
  /** 0: missing, else that of `words[code - 1]`. */
  codes: Uint32Array
  words: string[]
}
export type Column = NumberColumn | WordColumn

export interface Columns {
  /** Of the file. */
  name: string
  /** How many rows there are, and cells in each column. */
  length: number
  /** In the order of the file; their names are distinct and not empty. */
  columns: Column[]
}

/** No more is loaded: an isolate has 128 MB for everything, and whoever computes with them needs room too. */
export const COLUMNS_BYTES_MAX = 64 * 1_048_576
