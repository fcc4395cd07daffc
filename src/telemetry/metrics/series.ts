/** Series of numbers by metric and by the values of their labels, and how differences are added to totals. It has no clock and no I/O. */
import {
  isMetricName,
  metricOf,
  otherKey,
  seriesMax,
  widthOf,
  type MetricName,
  type WorkspaceGauges,
} from './catalogue.ts'

/** Numbers by the JSON list of the label values, in the order of the metric's labels. */
export type Series = Map<string, number[]>
export type SeriesByMetric = Map<MetricName, Series>

/** What one isolate has counted since its last batch. `number` grows by one, so that a batch that comes twice is counted once. */
export interface Batch {
  isolate: string
  number: number
  counts: Record<string, Record<string, number[]>>
  /** The newest of each workspace that has told of itself meanwhile. */
  gauges: Record<string, WorkspaceGauges>
}

/** What is shown of all isolates. */
export interface Snapshot {
  counts: Record<string, Record<string, number[]>>
  gauges: WorkspaceGauges
  /** How many workspaces these are the sums of. */
  workspaces: number
  /** How many isolates have told something within the last minute. */
  isolates: number
}

/** Adds numbers to a series. A new series beyond the bound of its metric is counted as `other`. */
export function addTo(
  all: SeriesByMetric,
  name: MetricName,
  key: string,
  numbers: readonly number[],
  tenants_max: number,
): void {
  const series: Series = all.get(name) ?? new Map()
  all.set(name, series)
  // One place is kept for `other`.
  const fits = series.has(key) || series.size + 1 < seriesMax(name, tenants_max)
  const own = fits ? key : otherKey(name)
  const before = series.get(own)
  if (before === undefined) series.set(own, [...numbers])
  else numbers.forEach((number, index) => (before[index] = (before[index] ?? 0) + number))
}

/** Adds what another isolate counted, and names the metrics that changed. What this release does not know is left out. */
export function addCounts(all: SeriesByMetric, counts: Batch['counts'], tenants_max: number): Set<MetricName> {
  const changed = new Set<MetricName>()
  for (const [name, series] of Object.entries(counts)) {
    if (!isMetricName(name) || seriesMax(name, tenants_max) === 0) continue
    const { labels } = metricOf(name)
    for (const [key, numbers] of Object.entries(series)) {
      if (!isCount(numbers, widthOf(metricOf(name))) || labelsIn(key)?.length !== labels.length) continue
      addTo(all, name, key, numbers, tenants_max)
      changed.add(name)
    }
  }
  return changed
}

/** Only what grows may be added. */
const isCount = (numbers: unknown, width: number): numbers is number[] =>
  Array.isArray(numbers) && numbers.length === width && numbers.every((one) => Number.isFinite(one) && one >= 0)

/** The label values of a key; null for another text. */
export function labelsIn(key: string): string[] | null {
  try {
    const values: unknown = JSON.parse(key)
    return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : null
  } catch {
    return null
  }
}

export const plainCounts = (all: SeriesByMetric): Batch['counts'] =>
  Object.fromEntries([...all].map(([name, series]) => [name, Object.fromEntries(series)]))
