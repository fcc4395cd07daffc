/** Counts what happens in one isolate until it is taken as a batch. Counting is a few operations in memory and never fails. */
import {
  metricOf,
  widthOf,
  type CounterName,
  type HistogramName,
  type Labels,
  type MetricName,
  type WorkspaceGauges,
} from './catalogue.ts'
import { addTo, plainCounts, type Batch, type SeriesByMetric } from './series.ts'

export interface Recorder {
  count<N extends CounterName>(name: N, labels: Labels<N>, by?: number): void
  /** `value` in the unit of the stored values: ms. */
  observe<N extends HistogramName>(name: N, labels: Labels<N>, value: number): void
  /** The newest gauges of a workspace replace its earlier ones. */
  gauge(workspace: string, gauges: WorkspaceGauges): void
  /** What was counted since the last call; null: nothing. */
  take(): Batch | null
}

/** The most workspaces of one batch. More of them wait for the next one. */
const GAUGES_MAX = 1_000
/** The most workspaces that wait. Beyond it the oldest are dropped; each tells of itself again when it changes. */
const GAUGES_HELD_MAX = 10_000

/** `id` names the isolate, and is asked for when it is first needed. `onRecord` is called after each change. */
export function newRecorder(id: () => string, tenants_max: number, onRecord: () => void): Recorder {
  let counts: SeriesByMetric = new Map()
  const gauges = new Map<string, WorkspaceGauges>()
  let number = 0
  let isolate: string | null = null
  const add = (name: MetricName, labels: Record<string, string>, numbers: number[]) => {
    const key = JSON.stringify(metricOf(name).labels.map((label) => labels[label] ?? ''))
    addTo(counts, name, key, numbers, tenants_max)
    onRecord()
  }
  return {
    count(name, labels, by = 1) {
      if (by > 0) add(name, labels, [by])
    },
    observe: (name, labels, value) => add(name, labels, observation(name, value)),
    gauge(workspace, now) {
      gauges.delete(workspace)
      gauges.set(workspace, now)
      const [oldest] = gauges.keys()
      if (gauges.size > GAUGES_HELD_MAX && oldest !== undefined) gauges.delete(oldest)
      onRecord()
    },
    take() {
      if (counts.size === 0 && gauges.size === 0) return null
      const told = [...gauges].slice(0, GAUGES_MAX)
      for (const [workspace] of told) gauges.delete(workspace)
      const batch = {
        isolate: (isolate ??= id()),
        number: (number += 1),
        counts: plainCounts(counts),
        gauges: Object.fromEntries(told),
      }
      counts = new Map()
      return batch
    },
  }
}

function observation(name: HistogramName, value: number): number[] {
  const metric = metricOf(name)
  const numbers = Array.from({ length: widthOf(metric) }, () => 0)
  const whole = Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0
  const bounds = metric.kind === 'histogram' ? metric.buckets : []
  const bucket = bounds.findIndex((bound) => whole <= bound)
  numbers[bucket === -1 ? bounds.length : bucket] = 1
  numbers[numbers.length - 1] = whole
  return numbers
}
