/** Rows told apart by what they have in common: each gets the number of its group. */
import { dayOf, periodOf, type Unit } from './periods.ts'
import { cellAt, type Cell, type Source, type Stored } from './source.ts'

/** What a group is named by: the member of its row, and for each row a number and that number's value. */
export interface Key {
  name: string
  codes: ArrayLike<number>
  cells: Cell[]
}
export interface Grouped {
  /** By the place of a row in `rows`. */
  of: Uint32Array
  /** By group, a value for each key. */
  keys: Cell[][]
}

export function columnKey(source: Source, name: unknown, rows: Uint32Array): Key {
  const stored = source.column(name)
  if (stored.kind === 'codes')
    return { name: stored.name, codes: rows.map((row) => stored.codes[row] ?? 0), cells: stored.cells }
  return { name: stored.name, ...coded(rows, (row) => cellAt(stored, row)) }
}

/** Rows whose date is missing or none are left out by their code 0. */
export function periodKey(source: Source, name: unknown, unit: Unit, rows: Uint32Array): Key {
  const stored = source.column(name)
  const labels = stored.kind === 'codes' ? stored.cells.map((cell) => labelOf(cell, unit)) : null
  const label = (row: number) =>
    labels === null || stored.kind === 'numbers'
      ? labelOf(cellAt(stored, row), unit)
      : (labels[stored.codes[row] ?? 0] ?? null)
  const key = { name: 'period', ...coded(rows, label) }
  if (key.cells.length === 1 && rows.length > 0) throw new Error(noDates(stored))
  return key
}

const labelOf = (cell: Cell, unit: Unit) => {
  const day = cell === null ? null : dayOf(String(cell))
  return day === null ? null : periodOf(day, unit)
}

function noDates(stored: Stored): string {
  const example = stored.kind === 'codes' ? ` such as ${JSON.stringify(stored.cells[1] ?? null)}` : ''
  return `column "${stored.name}" (${stored.type}) has no dates in it${example}; a date begins with its year: 2024-03-01`
}

/** Code 0 is that of null. */
function coded(rows: Uint32Array, cell: (row: number) => Cell): Omit<Key, 'name'> {
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

/** One key after the other: the groups so far, told apart by the next. */
export function grouped(keys: Key[], rows: number): Grouped {
  let of = new Uint32Array(rows)
  let groups: Cell[][] = [[]]
  for (const { codes, cells } of keys) {
    const places = new Map<number, number>()
    const next: Cell[][] = []
    of = of.map((group, row) => {
      const code = codes[row] ?? 0
      const mark = group * cells.length + code
      const place = places.get(mark)
      if (place !== undefined) return place
      places.set(mark, next.length)
      return next.push([...(groups[group] ?? []), cells[code] ?? null]) - 1
    })
    groups = next
  }
  return { of, keys: groups }
}

/** Numbers before texts, null at the end. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  if (typeof b === 'number') return 1
  return String(a) < String(b) ? -1 : 1
}
