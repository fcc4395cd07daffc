/** Loads a table as columns, as compact as one isolate can hold it: numbers as numbers, all other cells as codes of words. */
import type { OpenFile } from '../shell/ports.ts'
import { newColumnBuilder, newKindBuilder, type ColumnBuilder } from './column-builder.ts'
import { columnKindOf } from './cells/column-kind.ts'
import { fail, type ColumnTable, type DatasetNote, type DatasetResult } from './table.ts'
import { readRows } from './formats/read-rows.ts'
import type { WorkbookBounds } from './formats/workbook/bounds.ts'
import { columnNotes } from './summary.ts'

/** The most that is loaded. An isolate has 128 MB in all, and an interpreter with a copy of the columns takes 48 MB of it. */
export const COLUMNS_BYTES_MAX = 32 * 1_048_576

interface LoadedColumns {
  columns: ColumnTable
  /** What was noticed on the way; `noteText` in texts.ts puts it into words. */
  notes: DatasetNote[]
}

/**
 * Loads the wanted columns in one pass over the file. Types, which all columns get, and values are the same as those of `summarizeDataset`. A
 * table that is too large is an error (`datasetErrorText` in texts.ts), as is a file that is no table.
 */
export async function loadColumns(
  file: OpenFile,
  sheet: string | number | null,
  wanted: (name: string) => boolean = () => true,
  workbooks?: WorkbookBounds,
): Promise<DatasetResult<LoadedColumns>> {
  const builders: ColumnBuilder[] = []
  const builderOf = (name: string) => (wanted(name) ? newColumnBuilder() : newKindBuilder())
  let length = 0
  let fits = true
  const read = await readRows(
    file,
    sheet,
    (rows, header) => {
      while (builders.length < header.length) builders.push(builderOf(header[builders.length] ?? ''))
      for (const row of rows) {
        for (let place = 0; place < row.length; place++) builders[place]?.set(length, row[place] ?? '')
        length += 1
      }
      fits = builders.reduce((bytes, builder) => bytes + builder.bytes(), 0) <= COLUMNS_BYTES_MAX
      return fits
    },
    workbooks,
  )
  if (!read.ok) return fail(read.error)
  const { header, decimal_comma, notes } = read.value
  if (!fits) {
    return fail({ kind: 'columns_too_large', rows: length, columns: header.length, bytes_max: COLUMNS_BYTES_MAX })
  }
  while (builders.length < header.length) builders.push(builderOf(header[builders.length] ?? ''))
  const kinds = builders.map((builder) => builder.kind(decimal_comma))
  // Columns are built one after the other, so that the memory of one builder is free before the next column is built.
  const columns = header.flatMap((name, place) => {
    const [builder, kind] = [builders[place] ?? newColumnBuilder(), kinds[place] ?? columnKindOf(0, false, false)]
    builders[place] = newColumnBuilder()
    return builder.build?.(name, length, kind) ?? []
  })
  const all = header.map((name, place) => ({ name, type: kinds[place]?.type ?? 'text' }))
  return {
    ok: true,
    value: {
      columns: { name: file.entry.name, length, columns, ...(columns.length < all.length ? { all } : {}) },
      notes: [...notes, ...columnNotes(kinds, header, length)],
    },
  }
}
