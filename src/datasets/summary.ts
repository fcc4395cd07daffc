/** Summarizes a dataset in one pass and bounded memory: its columns with types, counts and figures, and its first rows. */
import type { OpenFile } from '../shell/ports.ts'
import { isNumeric, columnKindOf, cellValueOf, type ColumnKind } from './cells/column-kind.ts'
import {
  fail,
  type DatasetNote,
  type DatasetResult,
  type TableRow,
  type DatasetTable,
  type ColumnType,
} from './table.ts'
import { readRows } from './formats/read-rows.ts'
import type { WorkbookBounds } from './formats/workbook/bounds.ts'
import { newTallyRoom, newTally, type ColumnTally } from './tally.ts'
import { isMissingCell } from './cells/text.ts'

export interface ColumnSummary {
  name: string
  dtype: ColumnType
  non_null: number
  null: number
  /** The number of distinct values that are not missing; null: there are more than were kept. */
  unique: number | null
  unique_at_least: number
  /** A number, or a date as text; null: the column has none. */
  min: number | string | null
  max: number | string | null
  /** Only numbers have a mean. */
  mean: number | null
  /** The first distinct values of a column of texts. */
  samples: string[]
}
export interface DatasetSummary {
  sheet: string | null
  sheets: string[]
  rows: number
  columns: ColumnSummary[]
  missing_cells: number
  /** The first rows, each with its cells in the order of the columns. */
  preview: (string | number | boolean | null)[][]
  notes: DatasetNote[]
}

const SAMPLES = 3

export async function summarizeDataset(
  file: OpenFile,
  sheet: string | number | null,
  preview_rows: number,
  workbooks?: WorkbookBounds,
): Promise<DatasetResult<DatasetSummary>> {
  const room = newTallyRoom()
  const tallies: ColumnTally[] = []
  const first: TableRow[] = []
  let rows = 0
  const read = await readRows(
    file,
    sheet,
    (batch, header) => {
      while (tallies.length < header.length) tallies.push(newTally(room))
      for (const row of batch) {
        if (first.length < preview_rows) first.push(row)
        for (let place = 0; place < row.length; place++) tallies[place]?.add(row[place] ?? '')
      }
      rows += batch.length
      return true
    },
    workbooks,
  )
  if (!read.ok) return fail(read.error)
  while (tallies.length < read.value.header.length) tallies.push(newTally(room))
  return { ok: true, value: summaryFrom(read.value, tallies, first, rows) }
}

function summaryFrom(
  { header, decimal_comma, notes, ...table }: DatasetTable,
  tallies: ColumnTally[],
  first: TableRow[],
  rows: number,
): DatasetSummary {
  const kinds = tallies.map((tally) => columnKindOf(tally.forms(), tally.count() > 0, decimal_comma))
  const columns = tallies.map((tally, place) => summaryOfColumn(header[place] ?? '', kinds[place] ?? TEXT, tally, rows))
  const missing_cells = columns.reduce((sum, column) => sum + column.null, 0)
  const preview = first.map((row) => kinds.map((kind, place) => previewCell(kind, row[place] ?? '')))
  return {
    sheet: table.sheet,
    sheets: table.sheets,
    rows,
    columns,
    missing_cells,
    preview,
    notes: [...notes, ...columnNotes(kinds, header, rows)],
  }
}

const TEXT: ColumnKind = { type: 'text', readings: [] }

function previewCell(kind: ColumnKind, text: string): string | number | boolean | null {
  if (isMissingCell(text.trim())) return null
  const value = cellValueOf(kind, text)
  return kind.type === 'boolean' ? value === 'true' : value
}

function summaryOfColumn(name: string, kind: ColumnKind, tally: ColumnTally, rows: number): ColumnSummary {
  const words = tally.words()
  const values = kind.type === 'text' ? words : new Set(words.map((word) => cellValueOf(kind, word)))
  const kept = 'size' in values ? values.size : values.length
  const common = { name, dtype: kind.type, non_null: tally.count(), null: rows - tally.count() }
  const unique = { unique: tally.isWhole() ? kept : null, unique_at_least: kept }
  const numbers = 'style' in kind ? tally.numbers(kind.style) : null
  const [min, max] =
    numbers === null ? (kind.type === 'date' ? tally.dates(kind.order) : [null, null]) : [numbers.min, numbers.max]
  const samples = isNumeric(kind.type) || kind.type === 'date' ? [] : [...values].slice(0, SAMPLES).map(String)
  return { ...common, ...unique, min, max, mean: numbers?.mean ?? null, samples }
}

/** How the cells of which columns were interpreted. */
export function columnNotes(kinds: readonly ColumnKind[], header: readonly string[], rows: number): DatasetNote[] {
  const readings = new Set(kinds.flatMap((kind) => kind.readings))
  const notes: DatasetNote[] = [...readings].map((kind) => ({
    kind,
    columns: header.filter((_, place) => kinds[place]?.readings.includes(kind)),
  }))
  return rows === 0 ? [{ kind: 'no_rows' }, ...notes] : notes
}
