/** Puts the log and the metrics of an isolate together. */
import { waitUntil } from 'cloudflare:workers'
import type { Config } from './config.ts'
import { draining } from './lifecycle/process.ts'
import { randomId } from './shell/task-ids.ts'
import type { MetricsObject } from './store/metrics/metrics-object.ts'
import type { AnalyticsDataset } from './telemetry/analytics.ts'
import { errorFacts } from './telemetry/error-facts.ts'
import { isolateLog, onErrorLine } from './telemetry/isolate.ts'
import { createFlusher } from './telemetry/metrics/flusher.ts'
import { newRecorder } from './telemetry/metrics/recorder.ts'
import { createTelemetry } from './telemetry/telemetry.ts'

export interface TelemetryBindings {
  /** Adds up the metrics; without it GET /metrics is not there. */
  METRICS?: DurableObjectNamespace<MetricsObject>
  /** Workers Analytics Engine: gets a data point for each slice and each task that has ended. */
  ANALYTICS?: AnalyticsDataset
}

export type Metrics = ReturnType<typeof metricsOf>

/** The Worker and each class of objects have an environment of their own, and an isolate has one set of counts. */
let counted: Metrics | null = null

export function composeTelemetry(env: TelemetryBindings, config: Config) {
  if (env.METRICS !== undefined) counted ??= metricsOf(env.METRICS, config)
  const metrics = env.METRICS === undefined ? null : counted
  return { metrics, telemetry: createTelemetry(isolateLog, metrics?.recorder ?? NO_COUNTS, env.ANALYTICS ?? null) }
}

const NO_COUNTS = { count: () => {}, observe: () => {} }

/** The counts of this isolate and how they are handed on. */
function metricsOf(namespace: NonNullable<TelemetryBindings['METRICS']>, { metrics_tenants }: Config) {
  // A stub belongs to the request that took it, so each call takes one.
  const object = () => namespace.getByName('metrics')
  const recorder = newRecorder(randomId, metrics_tenants, () => flusher.touch())
  const flusher = createFlusher(recorder, {
    now_ms: () => Date.now(),
    wait: waitOrDrain,
    outlive: (work) => waitUntil(work),
    send: async (batch) => void (await object().add(batch)),
    onFailure: (error) => isolateLog.write({ event: 'metrics_delayed', ...errorFacts(error) }),
  })
  onErrorLine((event) => recorder.count('log_errors', { event }))
  const read = async () => {
    // So that the numbers of one machine are those of this moment.
    await flusher.flush()
    return object().read()
  }
  return { recorder, flusher, read }
}

/** A process that drains is not kept waiting. */
async function waitOrDrain(ms: number): Promise<void> {
  if (draining.hasBegun()) return
  await new Promise<void>((resolve) => {
    const forget = draining.onBegin(resolve)
    void scheduler.wait(ms).then(() => (forget(), resolve()))
  })
}
