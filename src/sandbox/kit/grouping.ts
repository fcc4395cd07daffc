/** The rows of groups. Totals come from one pass over all rows; the rows of a group are collected only when an aggregate needs them together. */
import { pickRows, type KitSource } from './source.ts'

export interface Grouping {
  source: KitSource
  sizes: Uint32Array
  /** The places of the rows of each group; they are collected once, when they are first asked for. */
  members(): Uint32Array[]
  /** The totals of a column of numbers by group, without missing values. */
  totals(values: Float64Array): GroupTotals
}
export interface GroupTotals {
  counts: Uint32Array
  sums: Float64Array
  /** Infinite where a group has no value. */
  least: Float64Array
  most: Float64Array
}

/** `of`: the group of each row in `rows`. */
export function groupingOf(group_of_row: Uint32Array, count: number, rows: Uint32Array, source: KitSource): Grouping {
  const sizes = new Uint32Array(count)
  for (let place = 0; place < group_of_row.length; place++)
    sizes[group_of_row[place] ?? 0] = (sizes[group_of_row[place] ?? 0] ?? 0) + 1
  const totals_by_column = new Map<Float64Array, GroupTotals>()
  let members: Uint32Array[] | null = null
  return {
    source,
    sizes,
    members: () => (members ??= membersOf(group_of_row, sizes, rows)),
    totals(values) {
      const totals = totals_by_column.get(values) ?? totalsOf(pickRows(values, rows, source), group_of_row, count)
      totals_by_column.set(values, totals)
      return totals
    },
  }
}

function totalsOf(values: Float64Array, group_of_row: Uint32Array, count: number): GroupTotals {
  const counts = new Uint32Array(count)
  const sums = new Float64Array(count)
  const corrections = new Float64Array(count)
  const least = new Float64Array(count).fill(Infinity)
  const most = new Float64Array(count).fill(-Infinity)
  for (let place = 0; place < group_of_row.length; place++) {
    const value = values[place] ?? Number.NaN
    // NaN is the only value that differs from itself.
    if (value !== value) continue
    const group = group_of_row[place] ?? 0
    const total = sums[group] ?? 0
    const next = total + value
    // Neumaier's summation: what each addition loses is added at the end.
    corrections[group] =
      (corrections[group] ?? 0) + (Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total)
    sums[group] = next
    counts[group] = (counts[group] ?? 0) + 1
    if (value < (least[group] ?? 0)) least[group] = value
    if (value > (most[group] ?? 0)) most[group] = value
  }
  return { counts, sums: sums.map((total, group) => total + (corrections[group] ?? 0)), least, most }
}

function membersOf(group_of_row: Uint32Array, sizes: Uint32Array, rows: Uint32Array): Uint32Array[] {
  const groups = Array.from(sizes, (size) => new Uint32Array(size))
  const fill_counts = new Uint32Array(sizes.length)
  for (let place = 0; place < group_of_row.length; place++) {
    const group = group_of_row[place] ?? 0
    const at = fill_counts[group] ?? 0
    const members = groups[group]
    if (members !== undefined) members[at] = rows[place] ?? 0
    fill_counts[group] = at + 1
  }
  return groups
}
