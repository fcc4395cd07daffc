/** `data`: the dataset, or a part of its rows, with what is asked of it most. */
import { aggregate, numbersOf } from './aggregates.ts'
import { groupingOf } from './grouping.ts'
import { columnKey, compareCells, groupRows, periodKey, type Key } from './keys.ts'
import { PERIOD_UNITS, type PeriodUnit } from './periods.ts'
import { cellAt, notLoaded, type Cell, type KitSource } from './source.ts'

type KitRow = Record<string, unknown>
type Aggregates = Record<string, unknown>

interface KitTable {
  name: string
  columns: string[]
  types: Record<string, string>
  length: number
  /** A value for each row, null where it is missing. */
  values(column: string): Cell[]
  /** Those that are not missing. */
  numbers(column: string): Float64Array
  /** The first `count`, or all. */
  rows(count?: number): KitRow[]
  groupBy(keys: string | string[], aggregates?: Aggregates): KitRow[]
  byPeriod(date: string, unit: PeriodUnit, aggregates?: Aggregates, by?: string | string[]): KitRow[]
  filter(test: (row: KitRow, place: number) => unknown): KitTable
  where(wanted: KitRow): KitTable
  /** About so many rows from all over the table, in their order; the same each time. */
  sample(count: number): KitTable
  /** Where the row at this place stands in the file, from 1 on. */
  rowNumber(place: number): number
  [Symbol.iterator](): Iterator<KitRow>
}

/** Arrays know these, and models take `data` for one. */
const OF_ARRAYS = ['map', 'forEach', 'reduce', 'find', 'some', 'every', 'slice', 'flatMap'] as const

export function tableOf(source: KitSource, rows: Uint32Array = source.every): KitTable {
  const table: KitTable = {
    name: source.name,
    columns: [...source.columns],
    types: { ...source.types },
    length: rows.length,
    values: (column) => {
      const stored = source.column(column)
      return Array.from(rows, (row) => cellAt(stored, row))
    },
    numbers: (column) => numbersOf(source.column(column), rows, source),
    rows: (count = rows.length) => rowsOf(source, rows.subarray(0, Math.max(0, count))),
    groupBy: (keys, aggregates) =>
      rowsOfGroups(
        [keys].flat().map((key) => columnKey(source, key, rows)),
        { source, rows, aggregates },
      ),
    byPeriod(date, unit, aggregates, by = []) {
      if (!PERIOD_UNITS.includes(unit))
        throw new Error(`the unit of byPeriod is one of ${PERIOD_UNITS.join(', ')}, not ${String(unit)}`)
      const key = periodKey(source, date, unit, rows)
      const keys = [key, ...[by].flat().map((other) => columnKey(source, other, rows))]
      return rowsOfGroups(keys, { source, rows, aggregates }).filter(({ period }) => period !== null)
    },
    filter: (test) => tableOf(source, chosen(source, rows, test)),
    where: (wanted) => tableOf(source, matching(source, rows, wanted)),
    sample: (count) => tableOf(source, spread(rows, count)),
    rowNumber: (place) => (rows[place] ?? -1) + 1,
    [Symbol.iterator]: () => rowsOf(source, rows)[Symbol.iterator](),
  }
  for (const name of OF_ARRAYS) {
    const value = (...given: unknown[]) => {
      const all = table.rows()
      return Reflect.apply(Reflect.get(all, name), all, given)
    }
    Object.defineProperty(table, name, { value })
  }
  return table
}

function rowsOf(source: KitSource, rows: Uint32Array): KitRow[] {
  const absent = new Set(source.absent)
  const columns = source.columns.flatMap((name) => (absent.has(name) ? [] : [source.column(name)]))
  const [first] = source.absent
  if (first !== undefined && columns.length === 0) throw new Error(notLoaded(first))
  const proto = first === undefined ? null : refusing(source)
  return Array.from(rows, (row) => {
    // Nothing but the columns of the row will be written into it.
    const made = proto === null ? {} : (Object.create(proto) as KitRow)
    for (const stored of columns) made[stored.name] = cellAt(stored, row)
    return made
  })
}

/** What rows have no member for because it is not loaded is said to be that; to be undefined would be taken for a missing value. */
function refusing(source: KitSource): object {
  const proto = {}
  for (const name of source.absent) Object.defineProperty(proto, name, { get: () => source.column(name) })
  return proto
}

/** A row that reads its cells when it is asked for one: a filter looks at few. */
function lazyRow(source: KitSource): (row: number) => KitRow {
  const proto = Object.create(null) as object
  const at = Symbol('row')
  for (const name of source.columns) {
    const get = function (this: { [at]: number }) {
      return cellAt(source.column(name), this[at])
    }
    Object.defineProperty(proto, name, { get, enumerable: true })
  }
  // Its members are those of the columns, by the getters above.
  return (row) => Object.create(proto, { [at]: { value: row } }) as KitRow
}

function chosen(source: KitSource, rows: Uint32Array, test: (row: KitRow, place: number) => unknown): Uint32Array {
  if (typeof test !== 'function')
    throw new Error('filter needs a function of a row: data.filter((row) => row.amount > 100)')
  const rowAt = lazyRow(source)
  return rows.filter((row, place) => Boolean(test(rowAt(row), place)))
}

/** Its multiples fall evenly, and with no period, between whole numbers. */
const GOLDEN = 0.618_033_988_749_895

/**
 * One row of each of `count` equal stretches, now nearer to its begin and now to its end: always the same place would meet files in a
 * regular order. Of more than half of the rows those that are left out are chosen in this way, so that each row is as likely as any other.
 */
function spread(rows: Uint32Array, count: number): Uint32Array {
  const most = Math.floor(Number(count))
  if (!(most >= 1)) throw new Error('sample needs how many rows to take: data.sample(200000)')
  if (most >= rows.length) return rows
  if (most <= rows.length / 2) return placesIn(rows.length, most).map((place) => rows[place] ?? 0)
  const left_out = placesIn(rows.length, rows.length - most)
  let next = 0
  return rows.filter((_, place) => {
    const stays = place !== left_out[next]
    if (!stays) next += 1
    return stays
  })
}

/** `count` places below `length`, in their order, at least two to a place. */
function placesIn(length: number, count: number): Uint32Array {
  const places = new Uint32Array(count)
  let next = 0
  for (let at = 0; at < count; at++) {
    // The bounds of a stretch are no whole numbers: two that meet within a row may both fall on it.
    const place = Math.max(next, Math.floor(((at + ((at * GOLDEN) % 1)) * length) / count))
    places[at] = place
    next = place + 1
  }
  return places
}

/** A value, or an array of those that are wanted. */
function matching(source: KitSource, rows: Uint32Array, wanted: KitRow): Uint32Array {
  const tests = Object.entries(wanted).map(([name, value]) => ({
    stored: source.column(name),
    values: new Set([value].flat()),
  }))
  return rows.filter((row) => tests.every(({ stored, values }) => values.has(cellAt(stored, row))))
}

interface Asked {
  source: KitSource
  rows: Uint32Array
  aggregates: Aggregates | undefined
}

/** A row for each group, in the order of its keys. */
function rowsOfGroups(keys: Key[], { source, rows, aggregates = { count: 'count' } }: Asked): KitRow[] {
  const { of, keys: cells } = groupRows(keys, rows.length)
  const grouping = groupingOf(of, cells.length, rows, source)
  const made = cells.map((values) => {
    const row: KitRow = {}
    keys.forEach(({ name }, place) => (row[name] = values[place]))
    return row
  })
  for (const [member, given] of Object.entries(aggregates)) {
    const values =
      typeof given === 'function'
        ? grouping.members().map((group) => given(tableOf(source, group)))
        : aggregate(member, given, grouping)
    made.forEach((row, place) => (row[member] = values[place]))
  }
  const order = cells.map((_, place) => place)
  order.sort((a, b) => firstDifference(cells[a] ?? [], cells[b] ?? []))
  return order.map((place) => made[place] ?? {})
}

function firstDifference(a: Cell[], b: Cell[]): number {
  for (const [place, cell] of a.entries()) {
    const difference = compareCells(cell, b[place] ?? null)
    if (difference !== 0) return difference
  }
  return 0
}
