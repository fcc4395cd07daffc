/**
 * The totals in SQLite, one row for each metric: a batch changes a few metrics and many of their series, and a row is what a write costs. A row
 * remembers the layout of its numbers. A release that lays a metric out anew begins it at 0, which Prometheus takes for a restart.
 */
import { METRIC_NAMES, metricOf, isMetricName, type MetricName } from '../../telemetry/metrics/catalogue.ts'
import type { Batch, Series, SeriesByMetric } from '../../telemetry/metrics/series.ts'

const TABLES = [
  'CREATE TABLE IF NOT EXISTS totals (metric TEXT PRIMARY KEY, layout TEXT NOT NULL, series TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS isolates (id TEXT PRIMARY KEY, number INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS workspaces (name TEXT PRIMARY KEY, at INTEGER NOT NULL, open_tasks INTEGER NOT NULL, slots_held INTEGER NOT NULL,
     slots_max INTEGER NOT NULL, slots_waiting INTEGER NOT NULL, deliveries_waiting INTEGER NOT NULL) WITHOUT ROWID`,
] as const

/** To be called in a transaction, as everything here. */
export function makeTotalTables(sql: SqlStorage): void {
  for (const table of TABLES) sql.exec(table)
}

/** What a series of the metric means: its labels, and what each number counts. */
function layoutOf(name: MetricName): string {
  const metric = metricOf(name)
  const buckets = metric.kind === 'histogram' ? metric.buckets : null
  return JSON.stringify({ kind: metric.kind, labels: metric.labels, scale: metric.scale ?? 1, buckets })
}

export function readTotals(sql: SqlStorage): SeriesByMetric {
  const rows = sql.exec<{ metric: string; layout: string; series: string }>('SELECT metric, layout, series FROM totals')
  const totals: SeriesByMetric = new Map()
  for (const { metric, layout, series } of rows)
    // Only `saveTotals` writes these rows, and the layout says what is in them.
    if (isMetricName(metric) && layout === layoutOf(metric)) totals.set(metric, new Map(JSON.parse(series)) as Series)
  return totals
}

export function saveTotals(sql: SqlStorage, totals: SeriesByMetric, changed: ReadonlySet<MetricName>): void {
  for (const name of METRIC_NAMES.filter((one) => changed.has(one))) {
    const series = JSON.stringify([...(totals.get(name) ?? [])])
    sql.exec('INSERT OR REPLACE INTO totals (metric, layout, series) VALUES (?, ?, ?)', name, layoutOf(name), series)
  }
}

/** An isolate repeats a batch within a minute, so that older ones need not be known. */
const KEPT_MS = 3_600_000
const RECENT_MS = 60_000

/** Whether the batch was not counted before, and remembers that it is now. To be called in the transaction that counts it. */
export function isNextBatch(sql: SqlStorage, { isolate, number }: Batch, now_ms: number): boolean {
  const query = `INSERT INTO isolates (id, number, at) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET number = excluded.number, at = excluded.at WHERE excluded.number > number RETURNING 1`
  return sql.exec(query, isolate, number, now_ms).toArray().length > 0
}

export const countIsolates = (sql: SqlStorage, now_ms: number): number =>
  sql.exec<{ n: number }>('SELECT count(*) AS n FROM isolates WHERE at > ?', now_ms - RECENT_MS).one().n

export function forgetOldIsolates(sql: SqlStorage, now_ms: number): void {
  sql.exec('DELETE FROM isolates WHERE at < ?', now_ms - KEPT_MS)
}
