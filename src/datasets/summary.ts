/** What a dataset is, in one pass and bounded memory: its columns with types, counts and figures, and its first rows. */
import type { OpenFile } from '../shell/ports.ts'
import type { ColumnType } from './columns.ts'
import { isNumeric, kindOf, valueOf, type Kind } from './cells/column-kind.ts'
import { flawed, type Note, type Read, type Row, type Table } from './table.ts'
import { readRows } from './formats/read-rows.ts'
import type { WorkbookBounds } from './formats/workbook/bounds.ts'
import { newRoom, newTally, type Tally } from './tally.ts'
import { isMissing } from './cells/text.ts'

export interface ColumnSummary {
  name: string
  dtype: ColumnType
  non_null: number
  null: number
  /** Distinct values that are not missing; null: more than were kept. */
  unique: number | null
  unique_at_least: number
  /** Numbers, or dates as text; null: there are none. */
  min: number | string | null
  max: number | string | null
  /** Of numbers. */
  mean: number | null
  /** The first distinct values, where they are texts. */
  samples: string[]
}
export interface Summary {
  sheet: string | null
  sheets: string[]
  rows: number
  columns: ColumnSummary[]
  missing_cells: number
  /** Cells in the order of the columns. */
  preview: (string | number | boolean | null)[][]
  notes: Note[]
}

const SAMPLES = 3

export async function summaryOf(
  file: OpenFile,
  sheet: string | number | null,
  preview_rows: number,
  workbooks?: WorkbookBounds,
): Promise<Read<Summary>> {
  const room = newRoom()
  const tallies: Tally[] = []
  const first: Row[] = []
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
  if (!read.ok) return flawed(read.flaw)
  while (tallies.length < read.value.header.length) tallies.push(newTally(room))
  return { ok: true, value: summed(read.value, tallies, first, rows) }
}

function summed(
  { header, decimal_comma, notes, ...table }: Table,
  tallies: Tally[],
  first: Row[],
  rows: number,
): Summary {
  const kinds = tallies.map((tally) => kindOf(tally.forms(), tally.count() > 0, decimal_comma))
  const columns = tallies.map((tally, place) => summaryOfColumn(header[place] ?? '', kinds[place] ?? TEXT, tally, rows))
  const missing_cells = columns.reduce((sum, column) => sum + column.null, 0)
  const preview = first.map((row) => kinds.map((kind, place) => shown(kind, row[place] ?? '')))
  return {
    sheet: table.sheet,
    sheets: table.sheets,
    rows,
    columns,
    missing_cells,
    preview,
    notes: [...notes, ...notesOf(kinds, header, rows)],
  }
}

const TEXT: Kind = { type: 'text', readings: [] }

function shown(kind: Kind, text: string): string | number | boolean | null {
  if (isMissing(text.trim())) return null
  const value = valueOf(kind, text)
  return kind.type === 'boolean' ? value === 'true' : value
}

function summaryOfColumn(name: string, kind: Kind, tally: Tally, rows: number): ColumnSummary {
  const words = tally.words()
  const values = kind.type === 'text' ? words : new Set(words.map((word) => valueOf(kind, word)))
  const kept = 'size' in values ? values.size : values.length
  const common = { name, dtype: kind.type, non_null: tally.count(), null: rows - tally.count() }
  const unique = { unique: tally.isWhole() ? kept : null, unique_at_least: kept }
  const numbers = 'style' in kind ? tally.numbers(kind.style) : null
  const [min, max] =
    numbers === null ? (kind.type === 'date' ? tally.dates(kind.order) : [null, null]) : [numbers.min, numbers.max]
  const samples = isNumeric(kind.type) || kind.type === 'date' ? [] : [...values].slice(0, SAMPLES).map(String)
  return { ...common, ...unique, min, max, mean: numbers?.mean ?? null, samples }
}

/** What was made of the cells of which columns. */
export function notesOf(kinds: readonly Kind[], header: readonly string[], rows: number): Note[] {
  const readings = new Set(kinds.flatMap((kind) => kind.readings))
  const notes: Note[] = [...readings].map((kind) => ({
    kind,
    columns: header.filter((_, place) => kinds[place]?.readings.includes(kind)),
  }))
  return rows === 0 ? [{ kind: 'no_rows' }, ...notes] : notes
}
