/** Writes metrics as Prometheus reads them: the text format 0.0.4, or OpenMetrics 1.0 for a scraper that asks for it. */
import { METRIC_NAMES, metricOf, NO_GAUGES, type Metric, type WorkspaceGauges } from './catalogue.ts'
import { GAUGE_HELP, METRIC_HELP } from './help.ts'
import { labelsIn, type Snapshot } from './series.ts'

export const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
export const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
type MetricsForm = 'text' | 'openmetrics'

const PREFIX = 'loop_agent_'

interface Sample {
  suffix: string
  labels: readonly (readonly [name: string, value: string])[]
  value: number
}
interface Family {
  name: string
  type: 'counter' | 'gauge' | 'histogram' | 'info'
  help: string
  samples: Sample[]
}

/** `version` is that of the release. */
export function metricsText(snapshot: Snapshot, version: string, form: MetricsForm): string {
  const lines = familiesOf(snapshot, version, form).flatMap((family) => linesOf(family, form))
  return `${[...lines, ...(form === 'openmetrics' ? ['# EOF'] : [])].join('\n')}\n`
}

function familiesOf({ counts, gauges, workspaces, isolates }: Snapshot, version: string, form: MetricsForm): Family[] {
  const counted = METRIC_NAMES.map((name): Family => {
    const metric = metricOf(name)
    const samples = Object.entries(counts[name] ?? {}).flatMap(([key, numbers]) =>
      samplesOf(metric, labelsIn(key) ?? [], numbers, form),
    )
    return { name, type: metric.kind, help: METRIC_HELP[name], samples }
  })
  const names = Object.keys(NO_GAUGES) as (keyof WorkspaceGauges)[] // the keys of a constant
  return [
    info('build', 'The release that answers.', [['version', version]]),
    ...counted,
    ...names.map((name) => gauge(name, GAUGE_HELP[name], gauges[name])),
    gauge('workspaces', 'Workspaces that the gauges are the sums of.', workspaces),
    gauge('isolates', 'Isolates that have told of their counts within the last minute.', isolates),
  ]
}

const gauge = (name: string, help: string, value: number): Family => ({
  name,
  type: 'gauge',
  help,
  samples: [{ suffix: '', labels: [], value }],
})
const info = (name: string, help: string, labels: Sample['labels']): Family => ({
  name,
  type: 'info',
  help,
  samples: [{ suffix: '_info', labels, value: 1 }],
})

function samplesOf(metric: Metric, values: readonly string[], numbers: readonly number[], form: MetricsForm): Sample[] {
  const labels = metric.labels.map((label, index) => [label, values[index] ?? ''] as const)
  const shown = (value: number) => value / (metric.scale ?? 1)
  if (metric.kind === 'counter') return [{ suffix: '_total', labels, value: shown(numbers[0] ?? 0) }]
  let below = 0
  const bounds = [...metric.buckets.map((bound) => boundText(shown(bound), form)), '+Inf']
  const buckets = bounds.map((bound, index) => {
    below += numbers[index] ?? 0
    return { suffix: '_bucket', labels: [...labels, ['le', bound] as const], value: below }
  })
  const sum = { suffix: '_sum', labels, value: shown(numbers.at(-1) ?? 0) }
  return [...buckets, sum, { suffix: '_count', labels, value: below }]
}

/** OpenMetrics writes a whole bound with a decimal point, so that it is the same label everywhere. */
const boundText = (bound: number, form: MetricsForm) =>
  form === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound)

/** In the text format a counter is named with its suffix, and there are no infos. */
function linesOf({ name, type, help, samples }: Family, form: MetricsForm): string[] {
  const full = PREFIX + name
  const own = samples[0]?.suffix ?? (type === 'counter' ? '_total' : '')
  const title = form === 'text' && (type === 'counter' || type === 'info') ? full + own : full
  const shown = form === 'text' && type === 'info' ? 'gauge' : type
  return [
    `# HELP ${title} ${escapeHelp(help, form)}`,
    `# TYPE ${title} ${shown}`,
    ...samples.map(({ suffix, labels, value }) => `${full}${suffix}${labelText(labels)} ${String(value)}`),
  ]
}

function labelText(labels: Sample['labels']): string {
  if (labels.length === 0) return ''
  return `{${labels.map(([name, value]) => `${name}="${escapeValue(value)}"`).join(',')}}`
}

const escapeValue = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
const escapeHelp = (text: string, form: MetricsForm) =>
  form === 'openmetrics' ? escapeValue(text) : text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

/** The rest of a longer header is ignored. */
const ACCEPT_CHARS_MAX = 1_000

/** The form that a scraper prefers. Whoever asks for nothing in particular gets the text format. */
export function formFor(accept: string | null): MetricsForm {
  const ranges = (accept ?? '').slice(0, ACCEPT_CHARS_MAX).toLowerCase().split(',')
  const weightOf = (type: string) =>
    Math.max(0, ...ranges.filter((range) => range.split(';', 1)[0]?.trim() === type).map(weightIn))
  const wanted = weightOf('application/openmetrics-text')
  return wanted > 0 && wanted >= weightOf('text/plain') ? 'openmetrics' : 'text'
}

function weightIn(range: string): number {
  const given = range
    .split(';')
    .slice(1)
    .map((part) => part.trim())
    .find((part) => part.startsWith('q='))
  const weight = given === undefined ? 1 : Number(given.slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}
