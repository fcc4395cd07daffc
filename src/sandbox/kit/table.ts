/** `data`: the dataset, or a part of its rows, with the most common operations. */
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
  /** The values that are not missing. */
  numbers(column: string): Float64Array
  /** The first `count` rows, or all. */
  rows(count?: number): KitRow[]
  groupBy(keys: string | string[], aggregates?: Aggregates): KitRow[]
  byPeriod(date: string, unit: PeriodUnit, aggregates?: Aggregates, group_by?: string | string[]): KitRow[]
  filter(test: (row: KitRow, place: number) => unknown): KitTable
  where(cells: KitRow): KitTable
  /** Takes about `count` rows from all over the table, in their order, and the same ones each time. */
  sample(count: number): KitTable
  /** The number of the row in the file, from 1 on. */
  rowNumber(place: number): number
  [Symbol.iterator](): Iterator<KitRow>
}

/** Methods of arrays, because models use `data` like an array. */
const OF_ARRAYS = ['map', 'forEach', 'reduce', 'find', 'some', 'every', 'slice', 'flatMap'] as const

/**
 * Numbers whose `map` gives a list if it makes anything else than numbers. Models map numbers to pairs or objects, of which an array of
 * numbers would silently make NaN. What `filter` or `slice` gives is of this kind too.
 */
class NumberList extends Float64Array {
  override map(change: (value: number, place: number, all: this) => number): this {
    const results: unknown[] = Array.from(this, (value, place) => change(value, place, this))
    const isNumeric = results.every((result) => typeof result === 'number')
    // A list is what models expect there, although the type of this method does not know it.
    return (isNumeric ? NumberList.from(results as number[]) : results) as this
  }

  flatMap(change: (value: number, place: number) => unknown): unknown[] {
    return Array.from(this, change).flat()
  }
}

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
    numbers: (column) => NumberList.from(numbersOf(source.column(column), rows, source)),
    rows: (count = rows.length) => rowsOf(source, rows.subarray(0, Math.max(0, count))),
    groupBy: (keys, aggregates) =>
      rowsOfGroups(
        [keys].flat().map((key) => columnKey(source, key, rows)),
        { source, rows, aggregates },
      ),
    byPeriod(date, unit, aggregates, group_by = []) {
      if (!PERIOD_UNITS.includes(unit))
        throw new Error(`the unit of byPeriod is one of ${PERIOD_UNITS.join(', ')}, not ${String(unit)}`)
      const key = periodKey(source, date, unit, rows)
      const keys = [key, ...[group_by].flat().map((other) => columnKey(source, other, rows))]
      return rowsOfGroups(keys, { source, rows, aggregates }).filter(({ period }) => period !== null)
    },
    filter: (test) => tableOf(source, filterRows(source, rows, test)),
    where: (cells) => tableOf(source, rowsWhere(source, rows, cells)),
    sample: (count) => tableOf(source, sampleRows(rows, count)),
    rowNumber: (place) => (rows[place] ?? -1) + 1,
    [Symbol.iterator]: () => rowsOf(source, rows)[Symbol.iterator](),
  }
  for (const name of OF_ARRAYS) {
    const value = (...args: unknown[]) => {
      const all = table.rows()
      return Reflect.apply(Reflect.get(all, name), all, args)
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
  const proto = first === undefined ? null : absentColumns(source)
  return Array.from(rows, (row) => {
    // The code will write nothing but the columns into the row.
    const row_object = proto === null ? {} : (Object.create(proto) as KitRow)
    for (const stored of columns) row_object[stored.name] = cellAt(stored, row)
    return row_object
  })
}

/** Reading a column that is not loaded throws, because undefined would pass for a missing value. */
function absentColumns(source: KitSource): object {
  const proto = {}
  for (const name of source.absent) Object.defineProperty(proto, name, { get: () => source.column(name) })
  return proto
}

/** A row that reads its cells on demand, because a filter looks at few of them. */
function lazyRow(source: KitSource): (row: number) => KitRow {
  const proto = Object.create(null) as object
  const at = Symbol('row')
  for (const name of source.columns) {
    const get = function (this: { [at]: number }) {
      return cellAt(source.column(name), this[at])
    }
    Object.defineProperty(proto, name, { get, enumerable: true })
  }
  // Its members are the columns, by the getters above.
  return (row) => Object.create(proto, { [at]: { value: row } }) as KitRow
}

function filterRows(source: KitSource, rows: Uint32Array, test: (row: KitRow, place: number) => unknown): Uint32Array {
  if (typeof test !== 'function')
    throw new Error('filter needs a function of a row: data.filter((row) => row.amount > 100)')
  const rowAt = lazyRow(source)
  return rows.filter((row, place) => Boolean(test(rowAt(row), place)))
}

/** The multiples of this number are spread evenly between whole numbers and never repeat. */
const GOLDEN = 0.618_033_988_749_895

/**
 * Takes one row of each of `count` equal stretches, each time at another place of the stretch, because a fixed place would follow any regular
 * order of a file. For more than half of the rows it chooses the ones to leave out, so that each row is as likely as any other.
 */
function sampleRows(rows: Uint32Array, count: number): Uint32Array {
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

/** Chooses `count` places below `length` in ascending order; there are at least two rows for each. */
function placesIn(length: number, count: number): Uint32Array {
  const places = new Uint32Array(count)
  let next = 0
  for (let at = 0; at < count; at++) {
    // The bounds of stretches are fractions, so two of them may fall on the same row.
    const place = Math.max(next, Math.floor(((at + ((at * GOLDEN) % 1)) * length) / count))
    places[at] = place
    next = place + 1
  }
  return places
}

/** Each member of `wanted` is a value, or an array of allowed values. */
function rowsWhere(source: KitSource, rows: Uint32Array, cells: KitRow): Uint32Array {
  const tests = Object.entries(cells).map(([name, value]) => ({
    stored: source.column(name),
    values: new Set([value].flat()),
  }))
  return rows.filter((row) => tests.every(({ stored, values }) => values.has(cellAt(stored, row))))
}

interface GroupRequest {
  source: KitSource
  rows: Uint32Array
  aggregates: Aggregates | undefined
}

/** Returns a row for each group, in the order of the keys. */
function rowsOfGroups(keys: Key[], { source, rows, aggregates = { count: 'count' } }: GroupRequest): KitRow[] {
  const { of, keys: cells } = groupRows(keys, rows.length)
  const grouping = groupingOf(of, cells.length, rows, source)
  const rows_of_groups = cells.map((values) => {
    const row: KitRow = {}
    keys.forEach(({ name }, place) => (row[name] = values[place]))
    return row
  })
  for (const [member, given] of Object.entries(aggregates)) {
    const values =
      typeof given === 'function'
        ? grouping.members().map((group) => given(tableOf(source, group)))
        : aggregate(member, given, grouping)
    rows_of_groups.forEach((row, place) => (row[member] = values[place]))
  }
  const order = cells.map((_, place) => place)
  order.sort((a, b) => firstDifference(cells[a] ?? [], cells[b] ?? []))
  return order.map((place) => rows_of_groups[place] ?? {})
}

function firstDifference(a: Cell[], b: Cell[]): number {
  for (const [place, cell] of a.entries()) {
    const difference = compareCells(cell, b[place] ?? null)
    if (difference !== 0) return difference
  }
  return 0
}
