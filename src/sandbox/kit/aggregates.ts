/** Computes the aggregates of each group: `{ total: ['sum', 'amount'], n: 'count', top: (group) => … }`. */
import { quantileSorted } from 'd3-array'
import type { Grouping, GroupTotals } from './grouping.ts'
import { compareCells } from './keys.ts'
import { cellAt, pickRows, type Cell, type KitSource, type StoredColumn } from './source.ts'

type OfNumbers = (values: Float64Array) => number | null
type OfCells = (cells: Cell[]) => Cell

/** Missing values are left out; an empty group has no value except the sum 0. */
const OF_TOTALS: Record<string, (totals: GroupTotals, group: number) => number | null> = {
  sum: ({ sums }, group) => sums[group] ?? 0,
  mean: ({ sums, counts }, group) => (counts[group] === 0 ? null : (sums[group] ?? 0) / (counts[group] ?? 1)),
  count: ({ counts }, group) => counts[group] ?? 0,
  min: ({ least, counts }, group) => (counts[group] === 0 ? null : (least[group] ?? null)),
  max: ({ most, counts }, group) => (counts[group] === 0 ? null : (most[group] ?? null)),
}
const NEED_NUMBERS: readonly string[] = ['sum', 'mean']

/** The variance of a sample (n − 1), as in pandas and d3. */
function variance(values: Float64Array): number | null {
  const { length } = values
  if (length < 2) return null
  let mean = 0
  for (let place = 0; place < length; place++) mean += (values[place] ?? 0) / length
  let squares = 0
  for (let place = 0; place < length; place++) squares += ((values[place] ?? 0) - mean) ** 2
  return squares / (length - 1)
}
const quantile = (at: number) => (values: Float64Array) => quantileSorted(Array.from(values.sort()), at) ?? null

const OF_NUMBERS: Record<string, OfNumbers> = {
  median: quantile(0.5),
  std: (values) => Math.sqrt(variance(values) ?? Number.NaN),
  variance,
  q1: quantile(0.25),
  q3: quantile(0.75),
}
const smallest = (cells: Cell[], sign: number) =>
  cells.reduce((best, cell) => (best === null || compareCells(cell, best) * sign < 0 ? cell : best), null)
const OF_CELLS: Record<string, OfCells> = {
  count: (cells) => cells.length,
  distinct: (cells) => new Set(cells).size,
  min: (cells) => smallest(cells, 1),
  max: (cells) => smallest(cells, -1),
  first: (cells) => cells[0] ?? null,
  last: (cells) => cells.at(-1) ?? null,
  mode,
}
/** Names that other libraries use, because models write them. */
const ALIASES: Record<string, string> = {
  avg: 'mean',
  average: 'mean',
  total: 'sum',
  size: 'count',
  n: 'count',
  nunique: 'distinct',
  unique: 'distinct',
  count_distinct: 'distinct',
  stdev: 'std',
  stddev: 'std',
  deviation: 'std',
  var: 'variance',
}

function mode(cells: Cell[]): Cell {
  const counts = new Map<Cell, number>()
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  return [...counts].reduce<[Cell, number]>((best, one) => (one[1] > best[1] ? one : best), [null, 0])[0]
}

const own = <T>(table: Record<string, T>, name: string) => (Object.hasOwn(table, name) ? table[name] : undefined)
function functionName(spec: unknown): string | null {
  if (typeof spec !== 'string') return null
  const name = own(ALIASES, spec.toLowerCase()) ?? spec.toLowerCase()
  return FUNCTIONS.includes(name) ? name : null
}
const FUNCTIONS = [...new Set([OF_TOTALS, OF_NUMBERS, OF_CELLS].flatMap((table) => Object.keys(table)))]

/** Reads `['sum', 'amount']`, and the other order, which pandas has. */
function pairOf(member: string, spec: unknown, source: KitSource): [string, StoredColumn] {
  const [one, other] = Array.isArray(spec) ? spec : []
  const isSwapped = functionName(one) === null || !source.columns.includes(String(other))
  const [name, column] =
    isSwapped && functionName(other) !== null && source.columns.includes(String(one)) ? [other, one] : [one, other]
  const known = functionName(name)
  if (known === null) {
    throw new Error(
      `"${member}" is to be 'count' or [function, column], such as ['sum', 'amount']; functions: ${FUNCTIONS.join(', ')}`,
    )
  }
  return [known, source.column(column)]
}

/** Computes the value of one member for each group. */
export function aggregate(member: string, spec: unknown, grouping: Grouping): unknown[] {
  const { source, sizes } = grouping
  const [only] = Array.isArray(spec) && spec.length === 1 ? spec : [spec]
  if (functionName(only) === 'count') return Array.from(sizes)
  const [name, column] = pairOf(member, spec, source)
  const ofTotals = own(OF_TOTALS, name)
  if (column.kind === 'numbers' && ofTotals !== undefined) {
    const totals = grouping.totals(column.values)
    return Array.from(sizes, (_, group) => ofTotals(totals, group))
  }
  const ofNumbers = own(OF_NUMBERS, name)
  if (column.kind === 'codes' && (ofNumbers !== undefined || NEED_NUMBERS.includes(name))) {
    throw new Error(`${name} needs numbers, and column "${column.name}" has ${column.type}s`)
  }
  if (ofNumbers === undefined)
    return grouping.members().map((rows) => own(OF_CELLS, name)?.(cellsOf(column, rows)) ?? null)
  return grouping.members().map((rows) => {
    const values = numbersOf(column, rows, source)
    return values.length === 0 ? null : ofNumbers(values)
  })
}

/** The numbers without missing ones, always in a new array and not in that of the column. */
export function numbersOf(column: StoredColumn, rows: Uint32Array, source: KitSource): Float64Array {
  if (column.kind === 'codes') throw new Error(`column "${column.name}" has ${column.type}s, no numbers`)
  const values = pickRows(column.values, rows, source)
  const all = new Float64Array(values.length)
  let count = 0
  for (let place = 0; place < values.length; place++) {
    const value = values[place] ?? Number.NaN
    // NaN is the only value that differs from itself.
    if (value === value) all[count++] = value
  }
  return count === all.length ? all : all.slice(0, count)
}

function cellsOf(column: StoredColumn, rows: Uint32Array): Cell[] {
  const cells: Cell[] = []
  for (const row of rows) {
    const cell = cellAt(column, row)
    if (cell !== null) cells.push(cell)
  }
  return cells
}
