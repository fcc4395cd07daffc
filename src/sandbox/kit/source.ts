/** The columns of the dataset inside the sandbox: bytes that become values when they are asked for. */
import type { KitColumnType, KitInput, Host } from './host.ts'

export type Cell = string | number | boolean | null

/** Numbers by row, or codes by row into words; both as they came. */
export type StoredColumn =
  | { kind: 'numbers'; name: string; type: KitColumnType; values: Float64Array }
  | { kind: 'codes'; name: string; type: KitColumnType; codes: Uint32Array; cells: Cell[] }

export interface KitSource {
  name: string
  length: number
  columns: string[]
  /** Those that are not loaded, as in a large file. */
  absent: string[]
  types: Record<string, KitColumnType>
  /** The places of all rows. */
  every: Uint32Array
  /** Throws for a name that is not there, with those that are, and for a column that is not loaded. */
  column(name: unknown): StoredColumn
}

export function sourceOf(given: KitInput, host: Host): KitSource {
  const columns = new Map(given.columns.map((known) => [known.name, known]))
  const loaded = new Map<number, StoredColumn>()
  const every = new Uint32Array(given.length)
  for (let row = 0; row < every.length; row++) every[row] = row
  return {
    name: given.name,
    length: given.length,
    every,
    columns: given.columns.map(({ name }) => name),
    absent: given.columns.flatMap(({ name, place }) => (place === null ? [name] : [])),
    types: Object.fromEntries(given.columns.map(({ name, type }) => [name, type])),
    column(name) {
      const known = columns.get(String(name))
      if (known === undefined) throw new Error(missing(String(name), given))
      const { place } = known
      if (place === null) throw new Error(notLoaded(known.name))
      const stored = loaded.get(place) ?? load({ ...known, place, length: given.length }, host)
      loaded.set(place, stored)
      return stored
    },
  }
}

function missing(name: string, { columns }: KitInput): string {
  if (columns.length === 0) return 'there is no dataset: data is empty'
  return `there is no column "${name}"; columns: ${columns.map((column) => column.name).join(', ')}`
}

export const notLoaded = (name: string) =>
  `column "${name}" is not loaded: the file is large; write its name literally in the code`

interface Wanted {
  name: string
  type: KitColumnType
  place: number
  length: number
}

function load({ name, type, place, length }: Wanted, host: Host): StoredColumn {
  if (type === 'integer' || type === 'number') {
    ensureRoom(length * Float64Array.BYTES_PER_ELEMENT)
    return { kind: 'numbers', name, type, values: new Float64Array(host.bytes(place)) }
  }
  ensureRoom(length * Uint32Array.BYTES_PER_ELEMENT)
  const codes = new Uint32Array(host.bytes(place))
  ensureRoom(host.wordsLength(place) * UTF8_BYTES_MAX)
  const words: string[] = JSON.parse(host.words(place))
  const cells: Cell[] = type === 'boolean' ? words.map((word) => word === 'true') : words
  // In the place of code 0, a missing value.
  return { kind: 'codes', name, type, codes, cells: [null, ...cells] }
}

const UTF8_BYTES_MAX = 3
const SLACK_BYTES = 65_536

/** Takes so much and lets it go again. What the host copies in is not refused when there is no room, so it is asked for here: this throws. */
function ensureRoom(bytes: number): void {
  void new ArrayBuffer(bytes + SLACK_BYTES)
}

/** Of one row; a missing number is null like any other missing value. */
export function cellAt(stored: StoredColumn, row: number): Cell {
  if (stored.kind === 'codes') return stored.cells[stored.codes[row] ?? 0] ?? null
  const value = stored.values[row] ?? Number.NaN
  return Number.isNaN(value) ? null : value
}

/** Those of some rows. Loops over rows are plain ones: a callback for each costs an interpreter twice as much. */
export function pickRows<T extends Uint32Array | Float64Array>(values: T, rows: Uint32Array, { every }: KitSource): T {
  if (rows === every) return values
  // A typed array is made by its own constructor.
  const some = new (values.constructor as new (length: number) => T)(rows.length)
  for (let place = 0; place < rows.length; place++) some[place] = values[rows[place] ?? 0] ?? 0
  return some
}
