/**
 * Data points for Workers Analytics Engine, where a dataset is bound: one for each slice, and one for each task that has ended. The columns
 * are documented in docs/telemetry.md, and their order never changes: new ones are added behind.
 */
import type { SliceReport } from './reports.ts'

/** The part of `AnalyticsEngineDataset` that is used. It does not wait and does not reject. */
export interface AnalyticsDataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void
}

/** An index may have 96 bytes. Names of tenants are ASCII. */
const INDEX_CHARS_MAX = 96
const BLOB_CHARS_MAX = 256

export function writeSlice(dataset: AnalyticsDataset, report: SliceReport): void {
  const { tenant, mode, by, outcome, model, status, duration_ms, rounds, charged, ended } = report
  const index = [tenant.slice(0, INDEX_CHARS_MAX)]
  const blobs = (kind: string, result: string, more: string[] = []) =>
    [kind, tenant, mode, model ?? '', result, status ?? '', by, ...more].map((text) => text.slice(0, BLOB_CHARS_MAX))
  const { steps, tokens, cost } = charged
  const doubles = [duration_ms, rounds, steps, tokens, cost / 1_000_000]
  dataset.writeDataPoint({ indexes: index, blobs: blobs('slice', outcome), doubles })
  if (ended === null) return
  // Of the whole task, so that a sum over tasks is not a sum over slices.
  const whole = [ended.seconds * 1000, 0, ended.steps, ended.tokens, ended.cost_usd]
  dataset.writeDataPoint({ indexes: index, blobs: blobs('task', ended.outcome), doubles: whole })
}
