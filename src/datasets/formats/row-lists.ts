/** Takes rows as lists of cells, of which the first is the header. No row that is passed on is longer than the header. */
import { COLUMNS_MAX, headerOf, type ColumnHeader } from './header.ts'
import type { DatasetError, DatasetNote, RowSink } from '../table.ts'

export type RowLists = ReturnType<typeof newRowLists>

/** Passes on the rows behind the first one, which is the header. */
export function newRowLists(take: RowSink) {
  let header: ColumnHeader | null = null
  const counts = { extra_cells: 0, short_rows: 0, blank_rows: 0, bad_quotes: 0 }
  let count = 0
  const begin = (first: string[] | undefined): DatasetError | null => {
    if (first !== undefined && first.length > COLUMNS_MAX) return { kind: 'too_many_columns', max: COLUMNS_MAX }
    if (first !== undefined) header = headerOf(first)
    return null
  }
  return {
    take(data: string[][], bad_quotes: number): boolean | DatasetError {
      counts.bad_quotes += bad_quotes
      const filled = data.filter((row) => row.length > 1 || row[0] !== '')
      counts.blank_rows += data.length - filled.length
      const error = header === null ? begin(filled.shift()) : null
      if (error !== null || header === null) return error ?? true
      count += filled.length
      const width = header.names.length
      for (const row of filled) if (row.length !== width) fit(row, width, counts)
      return filled.length === 0 || take(filled, header.names)
    },
    count: () => count,
    header: () => header?.names ?? null,
    notes: () => notesOf(header?.renamed ?? 0, counts),
  }
}

function fit(row: string[], width: number, counts: { extra_cells: number; short_rows: number }): void {
  if (row.length < width) counts.short_rows += 1
  // Some programs end each line with a delimiter, so an empty extra cell does not count.
  else if (row.slice(width).some((cell) => cell !== '')) counts.extra_cells += 1
  if (row.length > width) row.length = width
}

type Counts = Record<'extra_cells' | 'short_rows' | 'blank_rows' | 'bad_quotes', number>
function notesOf(renamed: number, counts: Counts): DatasetNote[] {
  const notes: DatasetNote[] = [
    { kind: 'renamed_columns', count: renamed },
    { kind: 'extra_cells', count: counts.extra_cells },
    { kind: 'short_rows', count: counts.short_rows },
    { kind: 'blank_rows', count: counts.blank_rows },
    { kind: 'bad_quotes', count: counts.bad_quotes },
  ]
  return notes.filter((note) => 'count' in note && note.count > 0)
}
