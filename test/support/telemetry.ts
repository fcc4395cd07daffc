/** Telemetry of tests: what is wrong goes to the console, where a test can hear it; or everything is kept. */
import type { AnalyticsDataset } from '../../src/telemetry/analytics.ts'
import { jsonLog, type LogLevel } from '../../src/telemetry/log.ts'
import { newRecorder } from '../../src/telemetry/metrics/recorder.ts'
import { createTelemetry, type Telemetry } from '../../src/telemetry/telemetry.ts'

const log = jsonLog({
  level: () => 'error',
  now_ms: () => 0,
  print: (level, text) => console[level](text),
  onError: () => {},
})

export const ERRORS_ONLY: Telemetry = createTelemetry(log, { count: () => {}, observe: () => {} }, null)

/** Keeps the lines, the counts and the data points of what is reported to it. */
export function keptTelemetry(level: LogLevel = 'debug') {
  const texts: string[] = []
  const points: Parameters<AnalyticsDataset['writeDataPoint']>[0][] = []
  const recorder = newRecorder(
    () => 'test',
    10,
    () => {},
  )
  const kept = jsonLog({
    level: () => level,
    now_ms: () => Date.UTC(2026, 10, 28),
    print: (_level, text) => texts.push(text),
    onError: (event) => recorder.count('log_errors', { event }),
  })
  const dataset = { writeDataPoint: (point: (typeof points)[number]) => void points.push(point) }
  return {
    telemetry: createTelemetry(kept, recorder, dataset),
    texts,
    points,
    lines: (event?: string) =>
      texts
        .map((text): Record<string, unknown> => JSON.parse(text))
        .filter((line) => event === undefined || line['event'] === event),
    /** What was counted since the last call. */
    counts: () => recorder.take()?.counts ?? {},
  }
}
