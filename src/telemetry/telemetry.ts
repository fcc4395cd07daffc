/** What the service tells of its work: every report becomes a line of the log, counts, and data points where a dataset is bound. */
import { dollars } from '../core/terms/money.ts'
import { writeSlice, type AnalyticsDataset } from './analytics.ts'
import { NO_LOG, type Log } from './log.ts'
import type { Recorder } from './metrics/recorder.ts'
import type { EffectReport, JobReport, RequestReport, SliceReport, SpanFate, SpanSubject } from './reports.ts'

export interface Telemetry {
  log: Log
  request(report: RequestReport): void
  slice(report: SliceReport): void
  effect(report: EffectReport): void
  job(report: JobReport): void
  delivery(outcome: 'sent' | 'failed' | 'given_up'): void
  spans(of: SpanSubject, fate: SpanFate): void
}

/** The methods of HTTP that have a name here. Any other text counts as `other`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const UNMATCHED = 'unmatched'

type Counts = Pick<Recorder, 'count' | 'observe'>

export function createTelemetry(log: Log, counts: Counts, dataset: AnalyticsDataset | null): Telemetry {
  return {
    log,
    request: (report) => tellRequest(log, counts, report),
    slice(report) {
      tellSlice(log, counts, report)
      if (dataset !== null) writeSlice(dataset, report)
    },
    effect({ kind, outcome, duration_ms }) {
      counts.count('effects', { kind, outcome })
      counts.observe('effect_duration_seconds', { kind }, duration_ms)
    },
    job: (report) => tellJob(log, counts, report),
    delivery: (outcome) => counts.count('deliveries', { outcome }),
    spans: (of, fate) => tellSpans(log, counts, of, fate),
  }
}

/** Of tests, and of calls of which nothing is to be told. */
export const NO_TELEMETRY: Telemetry = {
  log: NO_LOG,
  request: () => {},
  slice: () => {},
  effect: () => {},
  job: () => {},
  delivery: () => {},
  spans: () => {},
}

function tellRequest(log: Log, counts: Counts, { route, method, ...report }: RequestReport): void {
  const { request_id, status, duration_ms, tenant, key_name, task, code } = report
  const of = { route: route ?? UNMATCHED, method: METHODS.has(method) ? method : 'other' }
  counts.count('http_requests', { ...of, status: `${Math.floor(status / 100)}xx` })
  counts.observe('http_request_duration_seconds', of, duration_ms)
  if (tenant !== undefined) counts.count('tenant_requests', { tenant })
  log.write({
    event: 'request',
    request_id,
    ...of,
    status,
    duration_ms,
    ...(tenant !== undefined && { tenant }),
    ...(key_name !== undefined && { key_name }),
    ...(task !== undefined && { task }),
    ...(code !== undefined && { code }),
  })
}

function tellSlice(log: Log, counts: Counts, report: SliceReport): void {
  const { request_id, tenant, task, mode, by, outcome, status, duration_ms, rounds, charged, code, ended } = report
  const { steps, tokens, cost, orphaned } = charged
  counts.count('slices', { mode, by, outcome })
  counts.observe('slice_duration_seconds', { mode, by }, duration_ms)
  counts.count('steps', { mode }, steps)
  counts.count('tokens', { mode }, tokens)
  counts.count('cost_usd', { mode }, cost)
  counts.count('orphaned_calls', { mode }, orphaned)
  counts.count('tenant_steps', { tenant }, steps)
  counts.count('tenant_tokens', { tenant }, tokens)
  counts.count('tenant_cost_usd', { tenant }, cost)
  if (ended !== null) counts.count('tasks_ended', { mode, status: status ?? '', outcome: ended.outcome })
  log.write({
    event: 'slice',
    ...(request_id !== undefined && { request_id }),
    tenant,
    task,
    mode,
    by,
    outcome,
    ...(status !== null && { status }),
    duration_ms,
    rounds,
    steps,
    tokens,
    cost_usd: dollars(cost),
    ...(code !== undefined && { code }),
  })
}

function tellJob(log: Log, counts: Counts, { kind, tenant, task, duration_ms, delay_ms, failure }: JobReport): void {
  counts.count('jobs', { kind, outcome: failure === null ? 'done' : 'failed' })
  if (delay_ms !== null) counts.observe('job_delay_seconds', { kind }, delay_ms)
  const of = { kind, tenant, ...(task !== undefined && { task }) }
  if (failure !== null) log.write({ event: 'job_failed', ...of, ...failure })
  else log.write({ event: 'job', ...of, duration_ms, ...(delay_ms !== null && { delay_ms }) })
}

const SPAN_EVENTS = {
  failed: 'spans_delayed',
  refused: 'spans_refused',
  rejected: 'spans_rejected',
  dropped: 'spans_dropped',
} as const

function tellSpans(log: Log, counts: Counts, { receiver, tenant, task }: SpanSubject, fate: SpanFate): void {
  counts.count('spans', { receiver, outcome: fate.outcome }, fate.spans)
  // A receiver that stays away makes one line for each task, not one for each try.
  if (fate.outcome === 'taken' || (fate.outcome === 'failed' && !fate.is_first)) return
  const { outcome, spans, reason } = fate
  log.write({ event: SPAN_EVENTS[outcome], receiver, tenant, task, spans, reason })
}
