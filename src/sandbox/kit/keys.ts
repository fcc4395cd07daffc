/** Groups rows by their keys: each row gets the number of its group. */
import { readDay, periodOf, type PeriodUnit } from './periods.ts'
import { cellAt, pickRows, type Cell, type KitSource, type StoredColumn } from './source.ts'

/** One key of the groups: its member in the result, and for each row a code with its value. */
export interface Key {
  name: string
  codes: Uint32Array
  cells: Cell[]
}
interface RowGroups {
  /** The group of each row, by its place in `rows`. */
  of: Uint32Array
  /** The values of the keys, by group. */
  keys: Cell[][]
}

export function columnKey(source: KitSource, name: unknown, rows: Uint32Array): Key {
  const stored = source.column(name)
  if (stored.kind === 'numbers') return { name: stored.name, ...codesOf(rows, (row) => cellAt(stored, row)) }
  return { name: stored.name, codes: pickRows(stored.codes, rows, source), cells: stored.cells }
}

/** Rows with a missing or invalid date get code 0 and are left out. */
export function periodKey(source: KitSource, name: unknown, unit: PeriodUnit, rows: Uint32Array): Key {
  const stored = source.column(name)
  const key =
    stored.kind === 'codes'
      ? ofWords(stored, unit, pickRows(stored.codes, rows, source))
      : codesOf(rows, (row) => labelOf(cellAt(stored, row), unit))
  if (key.cells.length === 1 && rows.length > 0) throw new Error(noDates(stored))
  return { name: 'period', ...key }
}

/** Each word is read once, however many rows have it. */
function ofWords({ cells }: { cells: Cell[] }, unit: PeriodUnit, codes: Uint32Array): Omit<Key, 'name'> {
  const places = Uint32Array.from(cells, (_, place) => place)
  const words = codesOf(places, (place) => labelOf(cells[place] ?? null, unit))
  const told = new Uint32Array(codes.length)
  for (let row = 0; row < codes.length; row++) told[row] = words.codes[codes[row] ?? 0] ?? 0
  return { codes: told, cells: words.cells }
}

const labelOf = (cell: Cell, unit: PeriodUnit) => {
  const day = cell === null ? null : readDay(String(cell))
  return day === null ? null : periodOf(day, unit)
}

function noDates(stored: StoredColumn): string {
  const example = stored.kind === 'codes' ? ` such as ${JSON.stringify(stored.cells[1] ?? null)}` : ''
  return `column "${stored.name}" (${stored.type}) has no dates in it${example}; a date begins with its year: 2024-03-01`
}

/** Code 0 stands for null. */
function codesOf(rows: Uint32Array, cell: (row: number) => Cell): Omit<Key, 'name'> {
  const cells: Cell[] = [null]
  const places = new Map<Cell, number>([[null, 0]])
  const codes = rows.map((row) => {
    const value = cell(row)
    const place = places.get(value)
    if (place !== undefined) return place
    places.set(value, cells.length)
    return cells.push(value) - 1
  })
  return { codes, cells }
}

/** Applies one key after the other: each key divides the groups so far. */
export function groupRows(keys: Key[], rows: number): RowGroups {
  let of = new Uint32Array(rows)
  let groups: Cell[][] = [[]]
  for (const { codes, cells } of keys) {
    const places = placesOf(groups.length * cells.length)
    const next: Cell[][] = []
    const told = new Uint32Array(rows)
    for (let row = 0; row < rows; row++) {
      const group = of[row] ?? 0
      const code = codes[row] ?? 0
      const mark = group * cells.length + code
      let place = places.get(mark)
      if (place === undefined) {
        place = next.push([...(groups[group] ?? []), cells[code] ?? null]) - 1
        places.set(mark, place)
      }
      told[row] = place
    }
    of = told
    groups = next
  }
  return { of, keys: groups }
}

interface Places {
  get(mark: number): number | undefined
  set(mark: number, place: number): void
}
/** Above this bound a map takes less memory than a list. */
const LISTED_MAX = 100_000

function placesOf(marks: number): Places {
  if (marks > LISTED_MAX) return new Map<number, number>()
  const list: (number | undefined)[] = []
  list.length = marks
  return { get: (mark) => list[mark], set: (mark, place) => (list[mark] = place) }
}

/** Sorts numbers before texts, and null to the end. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  if (typeof b === 'number') return 1
  return String(a) < String(b) ? -1 : 1
}
