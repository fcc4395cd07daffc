/** What is worked out for each group: `{ total: ['sum', 'amount'], n: 'count', top: (group) => … }`. */
import { median, quantileSorted } from 'd3-array'
import { compareCells } from './keys.ts'
import { cellAt, type Cell, type Source, type Stored } from './source.ts'

/** The rows of each group, as places in the dataset. */
export type Groups = Uint32Array[]
type OfNumbers = (values: Float64Array) => number | null
type OfCells = (cells: Cell[]) => Cell

const sum = (values: Float64Array) => {
  // Neumaier's: what is lost of each addition is added at the end.
  let total = 0
  let lost = 0
  for (const value of values) {
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return total + lost
}
const mean = (values: Float64Array) => sum(values) / values.length
/** Of a sample (n − 1), as in pandas and d3. */
const variance = (values: Float64Array) => {
  if (values.length < 2) return null
  const middle = mean(values)
  return sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1)
}
const root = (value: number | null) => (value === null ? null : Math.sqrt(value))
const quantile = (at: number) => (values: Float64Array) => quantileSorted(Array.from(values.sort()), at) ?? null

/** Missing values are left out; of none there is no value but the sum 0. */
const OF_NUMBERS: Record<string, OfNumbers> = {
  sum,
  mean,
  median: (values) => median(values) ?? null,
  std: (values) => root(variance(values)),
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
/** As models name them elsewhere. */
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
function functionName(given: unknown): string | null {
  if (typeof given !== 'string') return null
  const name = own(ALIASES, given.toLowerCase()) ?? given.toLowerCase()
  return Object.hasOwn(OF_NUMBERS, name) || Object.hasOwn(OF_CELLS, name) ? name : null
}
const FUNCTIONS = [...Object.keys(OF_CELLS), ...Object.keys(OF_NUMBERS)].join(', ')

/** `['sum', 'amount']`, and the other way round as pandas has it. */
function pairOf(member: string, given: unknown, source: Source): [string, Stored] {
  const [one, other] = Array.isArray(given) ? given : []
  const swapped = functionName(one) === null || !source.columns.includes(String(other))
  const [name, column] =
    swapped && functionName(other) !== null && source.columns.includes(String(one)) ? [other, one] : [one, other]
  const known = functionName(name)
  if (known === null) {
    throw new Error(
      `"${member}" is to be 'count' or [function, column], such as ['sum', 'amount']; functions: ${FUNCTIONS}`,
    )
  }
  return [known, source.column(column)]
}

/** The value of one member for each group. */
export function aggregate(member: string, given: unknown, groups: Groups, source: Source): unknown[] {
  const [only] = Array.isArray(given) && given.length === 1 ? given : [given]
  if (functionName(only) === 'count') return groups.map((rows) => rows.length)
  const [name, stored] = pairOf(member, given, source)
  const ofNumbers = own(OF_NUMBERS, name)
  if (ofNumbers === undefined) return groups.map((rows) => own(OF_CELLS, name)?.(cellsOf(stored, rows)) ?? null)
  if (stored.kind === 'codes') {
    throw new Error(`${name} needs numbers, and column "${stored.name}" has ${stored.type}s`)
  }
  return groups.map((rows) => {
    const values = numbersOf(stored, rows)
    return values.length === 0 && name !== 'sum' ? null : ofNumbers(values)
  })
}

/** Without missing ones. */
export function numbersOf(stored: Stored, rows: Uint32Array): Float64Array {
  if (stored.kind === 'codes') throw new Error(`column "${stored.name}" has ${stored.type}s, no numbers`)
  const all = new Float64Array(rows.length)
  let count = 0
  for (const row of rows) {
    const value = stored.values[row] ?? Number.NaN
    if (!Number.isNaN(value)) all[count++] = value
  }
  return count === all.length ? all : all.slice(0, count)
}

function cellsOf(stored: Stored, rows: Uint32Array): Cell[] {
  const cells: Cell[] = []
  for (const row of rows) {
    const cell = cellAt(stored, row)
    if (cell !== null) cells.push(cell)
  }
  return cells
}
