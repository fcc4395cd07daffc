/** Makes names of columns: distinct, never empty, and short enough to be shown. */
import { cut } from '../../core/terms/text.ts'

/** A spreadsheet has as many columns. */
export const COLUMNS_MAX = 16_384
const NAME_CHARS_MAX = 200

export interface ColumnHeader {
  names: string[]
  /** How many names differ from those of the file. */
  renamed: number
}

export function headerOf(cells: readonly string[]): ColumnHeader {
  const header: ColumnHeader = { names: [], renamed: 0 }
  const taken: NamesInUse = new Map()
  for (const cell of cells) addColumnName(header, taken, cell)
  return header
}

/** Each name, and the number that the next column of the same name gets. It keeps the time linear when a file repeats one name. */
export type NamesInUse = Map<string, number>

export function addColumnName(header: ColumnHeader, taken: NamesInUse, cell: string): void {
  const plain = cell
    .toWellFormed()
    .replace(/[\0-\x1f\x7f]+/g, ' ')
    .trim()
  const wanted = plain === '' ? `column_${header.names.length + 1}` : cut(plain, NAME_CHARS_MAX)
  let name = wanted
  for (let n = taken.get(wanted) ?? 2; taken.has(name); n++) {
    name = `${wanted}_${n}`
    taken.set(wanted, n + 1)
  }
  taken.set(name, 2)
  // The name is copied, because it is kept longer than the chunk it was read from.
  header.names.push(` ${name}`.slice(1))
  if (name !== cell.trim()) header.renamed += 1
}
