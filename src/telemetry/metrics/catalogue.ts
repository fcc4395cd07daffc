/**
 * Every metric that is counted. Values are whole numbers, so that sums are exact; `scale` divides them when they are shown. The values of a
 * label come from a closed list or fold into `other`, so the number of series is bounded: never an id, a path or a goal (MET-04).
 */

interface Counted {
  kind: 'counter'
  labels: readonly string[]
  scale?: number
}
interface Histogram {
  kind: 'histogram'
  labels: readonly string[]
  scale: number
  /** Upper bounds in ascending order, in the unit of the stored values. The last bucket, without a bound, is not listed. */
  buckets: readonly number[]
}
export type Metric = Counted | Histogram

/** Durations are stored in ms and shown in seconds. */
const MS = 1000
const REQUEST_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000]
const SLICE_MS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 180_000, 600_000]
const DELAY_MS = [100, 500, 1_000, 5_000, 15_000, 60_000, 300_000, 1_800_000, 7_200_000]

const METRICS = {
  http_requests: {
    kind: 'counter',
    labels: ['route', 'method', 'status'],
  },
  http_request_duration_seconds: {
    kind: 'histogram',
    labels: ['route', 'method'],
    scale: MS,
    buckets: REQUEST_MS,
  },
  slices: {
    kind: 'counter',
    labels: ['mode', 'by', 'outcome'],
  },
  slice_duration_seconds: {
    kind: 'histogram',
    labels: ['mode', 'by'],
    scale: MS,
    buckets: SLICE_MS,
  },
  steps: { kind: 'counter', labels: ['mode'] },
  tokens: { kind: 'counter', labels: ['mode'] },
  cost_usd: { kind: 'counter', labels: ['mode'], scale: 1_000_000 },
  effects: {
    kind: 'counter',
    labels: ['kind', 'outcome'],
  },
  effect_duration_seconds: {
    kind: 'histogram',
    labels: ['kind'],
    scale: MS,
    buckets: SLICE_MS,
  },
  orphaned_calls: {
    kind: 'counter',
    labels: ['mode'],
  },
  tasks_ended: {
    kind: 'counter',
    labels: ['mode', 'status', 'outcome'],
  },
  jobs: { kind: 'counter', labels: ['kind', 'outcome'] },
  job_delay_seconds: {
    kind: 'histogram',
    labels: ['kind'],
    scale: MS,
    buckets: DELAY_MS,
  },
  deliveries: {
    kind: 'counter',
    labels: ['outcome'],
  },
  spans: { kind: 'counter', labels: ['receiver', 'outcome'] },
  log_errors: {
    kind: 'counter',
    labels: ['event'],
  },
  tenant_requests: { kind: 'counter', labels: ['tenant'] },
  tenant_steps: { kind: 'counter', labels: ['tenant'] },
  tenant_tokens: { kind: 'counter', labels: ['tenant'] },
  tenant_cost_usd: {
    kind: 'counter',
    labels: ['tenant'],
    scale: 1_000_000,
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS
type NamesOf<K extends Metric['kind']> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[MetricName]
export type CounterName = NamesOf<'counter'>
export type HistogramName = NamesOf<'histogram'>
export type Labels<N extends MetricName> = Record<(typeof METRICS)[N]['labels'][number], string>

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[] // the keys of a constant
export const metricOf = (name: MetricName): Metric => METRICS[name]
export const isMetricName = (name: string): name is MetricName => Object.hasOwn(METRICS, name)

/** How many numbers one series has: one of a counter; of a histogram one for each bucket, the last without a bound, and the sum. */
export const widthOf = (metric: Metric): number => (metric.kind === 'counter' ? 1 : metric.buckets.length + 2)

/** What a value becomes that is beyond a bound. */
const OTHER = 'other'
/** The most series of one metric. The closed lists stay far below it; it bounds what a mistake could do. */
const SERIES_MAX = 2_000
export const seriesMax = (name: MetricName, tenants_max: number): number =>
  name.startsWith('tenant_') ? tenants_max : SERIES_MAX
export const otherKey = (name: MetricName): string => JSON.stringify(metricOf(name).labels.map(() => OTHER))

/** What a workspace tells of itself. */
export interface WorkspaceGauges {
  open_tasks: number
  slots_held: number
  slots_max: number
  slots_waiting: number
  deliveries_waiting: number
}
export const NO_GAUGES: WorkspaceGauges = {
  open_tasks: 0,
  slots_held: 0,
  slots_max: 0,
  slots_waiting: 0,
  deliveries_waiting: 0,
}
