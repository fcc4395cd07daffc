/** Turns elements of a JSON file into rows: objects by their keys, or lists under the first of them. The first element decides which. */
import { addColumnName, COLUMNS_MAX, type ColumnHeader, type NamesInUse } from './header.ts'
import { newRowLists } from './row-lists.ts'
import type { DatasetError, DatasetNote, RowSink } from '../table.ts'

/** A bound of cells and not of rows, because short rows of a wide table take as much memory as whole ones. */
const BATCH_CELLS = 100_000

export const isRow = (value: unknown): value is object => typeof value === 'object' && value !== null

export type Elements = ReturnType<typeof newElements>

export function newElements(take: RowSink) {
  const objects = newObjects()
  const lists = newRowLists(take)
  let form: 'objects' | 'lists' | null = null
  let rows: string[][] = []
  let [cells, count, others] = [0, 0, 0]
  let more = true
  const flush = (): DatasetError | null => {
    const batch = rows
    rows = []
    cells = 0
    const result = batch.length === 0 || (form === 'lists' ? lists.take(batch, 0) : take(batch, objects.header.names))
    if (result === false) more = false
    return typeof result === 'object' ? result : null
  }
  return {
    add(value: unknown): DatasetError | null {
      count += 1
      if (isRow(value)) form ??= Array.isArray(value) ? 'lists' : 'objects'
      if (!isRow(value) || Array.isArray(value) !== (form === 'lists')) {
        others += 1
        return null
      }
      const row = Array.isArray(value) ? value.map(cellOf) : objects.row(value)
      if (objects.header.names.length > COLUMNS_MAX) return { kind: 'too_many_columns', max: COLUMNS_MAX }
      rows.push(row)
      cells += row.length
      return cells < BATCH_CELLS ? null : flush()
    },
    flush,
    count: () => count,
    enough: () => !more,
    header: () => (form === 'lists' ? lists.header() : form === null ? null : objects.header.names),
    notes(): DatasetNote[] {
      const notes: DatasetNote[] = [
        { kind: 'not_rows', count: others },
        { kind: 'renamed_columns', count: objects.header.renamed },
      ]
      return [...notes.filter((note) => 'count' in note && note.count > 0), ...lists.notes()]
    },
  }
}

/** The header has the keys of all objects so far, so a later object may make it longer. */
function newObjects() {
  const header: ColumnHeader = { names: [], renamed: 0 }
  const taken: NamesInUse = new Map()
  const places = new Map<string, number>()
  const placeOf = (key: string): number => {
    const known = places.get(key)
    if (known !== undefined) return known
    addColumnName(header, taken, key)
    places.set(key, header.names.length - 1)
    return header.names.length - 1
  }
  return {
    header,
    row(value: object): string[] {
      const row: string[] = []
      for (const [key, cell] of Object.entries(value)) {
        const place = placeOf(key)
        while (row.length < place) row.push('')
        row[place] = cellOf(cell)
      }
      return row
    },
  }
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
