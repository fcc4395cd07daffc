/**
 * The Durable Object that adds up what all isolates have counted. There is one of it. A batch is stored before it is acknowledged, and a
 * batch that comes twice is counted once, so the totals never fall and outlive restarts (MET-02).
 */
import { DurableObject } from 'cloudflare:workers'
import { configOf } from '../../config.ts'
import {
  addCounts,
  plainCounts,
  type Batch,
  type SeriesByMetric,
  type Snapshot,
} from '../../telemetry/metrics/series.ts'
import { countIsolates, forgetOldIsolates, isNextBatch, makeTotalTables, readTotals, saveTotals } from './sql-totals.ts'
import { forgetIdleWorkspaces, saveGauges, sumOfGauges, type GaugeSums } from './sql-workspaces.ts'

/** What a Worker calls. */
interface StoredMetrics {
  add(batch: Batch): void
  read(): Snapshot
}

/** How often rows are looked for that nobody needs any more. */
const TIDY_MS = 3_600_000

export class MetricsObject<E extends object = object> extends DurableObject<E> implements StoredMetrics {
  /** As they are stored; null: not read yet, or a transaction was rolled back. */
  #known: { totals: SeriesByMetric; sums: GaugeSums } | null = null
  #tidied_at = 0

  add(batch: Batch): void {
    const now_ms = Date.now()
    this.#transact((sql, known) => {
      if (!isNextBatch(sql, batch, now_ms)) return
      saveTotals(sql, known.totals, addCounts(known.totals, batch.counts, configOf(this.env).metrics_tenants))
      for (const [workspace, gauges] of Object.entries(batch.gauges))
        known.sums = saveGauges(sql, known.sums, workspace, gauges, now_ms)
      if (now_ms - this.#tidied_at < TIDY_MS) return
      this.#tidied_at = now_ms
      forgetOldIsolates(sql, now_ms)
      if (forgetIdleWorkspaces(sql, now_ms)) known.sums = sumOfGauges(sql)
    })
  }

  read(): Snapshot {
    return this.#transact((sql, { totals, sums }) => ({
      counts: plainCounts(totals),
      gauges: sums.gauges,
      workspaces: sums.workspaces,
      isolates: countIsolates(sql, Date.now()),
    }))
  }

  #transact<T>(body: (sql: SqlStorage, known: { totals: SeriesByMetric; sums: GaugeSums }) => T): T {
    const { storage } = this.ctx
    const { sql } = storage
    const known = this.#known
    this.#known = null
    return storage.transactionSync(() => {
      if (known === null) makeTotalTables(sql)
      const now = known ?? { totals: readTotals(sql), sums: sumOfGauges(sql) }
      const answer = body(sql, now)
      this.#known = now
      return answer
    })
  }
}
