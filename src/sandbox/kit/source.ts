/** The columns of the dataset inside the sandbox: their bytes are loaded when they are first used. */
import type { KitColumnType, KitInput, Host } from './host.ts'

export type Cell = string | number | boolean | null

/** A column as numbers by row, or as codes by row into words. */
export type StoredColumn =
  | { kind: 'numbers'; name: string; type: KitColumnType; values: Float64Array }
  | { kind: 'codes'; name: string; type: KitColumnType; codes: Uint32Array; cells: Cell[] }

export interface KitSource {
  name: string
  length: number
  columns: string[]
  /** The columns that are not loaded, as in a large file. */
  absent: string[]
  types: Record<string, KitColumnType>
  /** The places of all rows. */
  every: Uint32Array
  /** Throws for an unknown name, with the known ones, and for a column that is not loaded. */
  column(name: unknown): StoredColumn
}

export function sourceOf(input: KitInput, host: Host): KitSource {
  const columns = new Map(input.columns.map((column) => [column.name, column]))
  const loaded = new Map<number, StoredColumn>()
  const every = new Uint32Array(input.length)
  for (let row = 0; row < every.length; row++) every[row] = row
  return {
    name: input.name,
    length: input.length,
    every,
    columns: input.columns.map(({ name }) => name),
    absent: input.columns.flatMap(({ name, place }) => (place === null ? [name] : [])),
    types: Object.fromEntries(input.columns.map(({ name, type }) => [name, type])),
    column(name) {
      const column = columns.get(String(name))
      if (column === undefined) throw new Error(missingColumnMessage(String(name), input))
      const { place } = column
      if (place === null) throw new Error(notLoaded(column.name))
      const loadedColumn = loaded.get(place) ?? load({ ...column, place, length: input.length }, host)
      loaded.set(place, loadedColumn)
      return loadedColumn
    },
  }
}

function missingColumnMessage(name: string, { columns }: KitInput): string {
  if (columns.length === 0) return 'there is no dataset: data is empty'
  return `there is no column "${name}"; columns: ${columns.map((column) => column.name).join(', ')}`
}

export const notLoaded = (name: string) =>
  `column "${name}" is not loaded: the file is large; write its name literally in the code`

interface ColumnRequest {
  name: string
  type: KitColumnType
  place: number
  length: number
}

function load({ name, type, place, length }: ColumnRequest, host: Host): StoredColumn {
  if (type === 'integer' || type === 'number') {
    ensureRoom(length * Float64Array.BYTES_PER_ELEMENT)
    return { kind: 'numbers', name, type, values: new Float64Array(host.bytes(place)) }
  }
  ensureRoom(length * Uint32Array.BYTES_PER_ELEMENT)
  const codes = new Uint32Array(host.bytes(place))
  ensureRoom(host.wordsLength(place) * UTF8_BYTES_MAX)
  const words: string[] = JSON.parse(host.words(place))
  const cells: Cell[] = type === 'boolean' ? words.map((word) => word === 'true') : words
  // Code 0 stands for a missing value.
  return { kind: 'codes', name, type, codes, cells: [null, ...cells] }
}

const UTF8_BYTES_MAX = 3
const SLACK_BYTES = 65_536

/** Allocates the bytes and frees them, which throws when there is no memory. The host's own copy would not be refused. */
function ensureRoom(bytes: number): void {
  void new ArrayBuffer(bytes + SLACK_BYTES)
}

/** The cell of one row; a missing number is null like any other missing value. */
export function cellAt(column: StoredColumn, row: number): Cell {
  if (column.kind === 'codes') return column.cells[column.codes[row] ?? 0] ?? null
  const value = column.values[row] ?? Number.NaN
  return Number.isNaN(value) ? null : value
}

/** The values of some rows. Loops over rows are plain loops, because a callback for each row costs an interpreter twice as much. */
export function pickRows<T extends Uint32Array | Float64Array>(values: T, rows: Uint32Array, { every }: KitSource): T {
  if (rows === every) return values
  // The constructor of a typed array creates one of the same type.
  const some = new (values.constructor as new (length: number) => T)(rows.length)
  for (let place = 0; place < rows.length; place++) some[place] = values[rows[place] ?? 0] ?? 0
  return some
}
