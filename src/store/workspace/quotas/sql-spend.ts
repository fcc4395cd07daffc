/** What a tenant has spent and reserved of its daily totals: one row for each UTC day (U16). To be called in a transaction. */
import type { AllowanceChunk, AllowanceRefund, AllowanceRequest } from '../../../core/terms/axes.ts'
import {
  CHUNK_MS_MAX,
  chunkFor,
  dayOf,
  isExhausted,
  NO_SPEND,
  secondsUntilTomorrow,
  type DailySpend,
  type DailyLimits,
} from '../../../core/workspace/daily-totals.ts'
import { ok, refuse, type Result } from '../../../core/terms/refusal.ts'
import { hasTable } from '../../has-table.ts'

/** The tasks that hold a chunk, and since when: at most as many as work at the same time. */
const CHUNKS = 'CREATE TABLE IF NOT EXISTS chunks (task TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID'

export function sqlSpend(sql: SqlStorage) {
  const spentOn = (day: string): DailySpend => {
    const query = 'SELECT tokens, cost FROM spend WHERE day = ?'
    return sql.exec<DailySpend & Record<string, number>>(query, day).toArray()[0] ?? NO_SPEND
  }
  const isMade = () => hasTable(sql, 'chunks')
  const forget = (task: string) => {
    if (isMade()) sql.exec('DELETE FROM chunks WHERE task = ?', task)
  }
  const add = (day: string, tokens: number, cost: number) => {
    const query = `INSERT INTO spend (day, tokens, cost) VALUES (?, ?, ?)
      ON CONFLICT (day) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`
    sql.exec(query, day, tokens, cost)
  }
  return {
    reserve(want: AllowanceRequest, daily: DailyLimits, now_ms: number): AllowanceChunk | null {
      const day = dayOf(now_ms)
      const chunk = chunkFor(want, spentOn(day), daily, day)
      if (chunk === null) return null
      add(day, chunk.tokens, chunk.cost)
      if (want.task === undefined) return chunk
      sql.exec(CHUNKS)
      // A deleted task gives nothing back, so old rows are dropped here.
      sql.exec('DELETE FROM chunks WHERE at <= ?', now_ms - CHUNK_MS_MAX)
      sql.exec('INSERT OR REPLACE INTO chunks (task, at) VALUES (?, ?)', want.task, now_ms)
      return chunk
    },
    giveBack({ day, tokens, cost, task }: AllowanceRefund): void {
      if (tokens !== 0 || cost !== 0) add(day, -tokens, -cost)
      if (task !== undefined) forget(task)
    },
    mayComeBack(task: string, now_ms: number): boolean {
      if (!isMade()) return false
      const query = 'SELECT 1 FROM chunks WHERE task <> ? AND at > ? LIMIT 1'
      return sql.exec(query, task, now_ms - CHUNK_MS_MAX).toArray().length > 0
    },
    forget,
    /** Refuses new work when the totals of the day are used up. */
    roomOfDay(daily: DailyLimits, now_ms: number): Result<null> {
      if (!isExhausted(spentOn(dayOf(now_ms)), daily)) return ok(null)
      return refuse({ code: 'tenant_budget_exceeded', reset_s: secondsUntilTomorrow(now_ms) })
    },
  }
}
