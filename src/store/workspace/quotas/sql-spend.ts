/** What a tenant has spent and reserved of its daily totals: one row for each UTC day (U16). */
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
import type { CommandHandlers, QueryHandlers, ReadContext } from '../handlers.ts'

/** The tasks that hold a chunk, and since when: at most as many as work at the same time. */
const CHUNKS = 'CREATE TABLE IF NOT EXISTS chunks (task TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID'

const areChunksMade = (sql: SqlStorage) => hasTable(sql, 'chunks')

export const SPEND_COMMANDS: CommandHandlers<'reserve' | 'give_back'> = {
  reserve({ sql, now_ms }, { want, daily }) {
    const day = dayOf(now_ms)
    const chunk = chunkFor(want, spentOn(sql, day), daily, day)
    if (chunk === null) return null
    add(sql, day, chunk.tokens, chunk.cost)
    if (want.task === undefined) return chunk
    noteChunk(sql, want.task, now_ms)
    return chunk
  },
  give_back({ sql }, { refund: { day, tokens, cost, task } }) {
    if (tokens !== 0 || cost !== 0) add(sql, day, -tokens, -cost)
    if (task !== undefined) forgetChunk(sql, task)
  },
}

export const SPEND_QUERIES: QueryHandlers<'may_come_back' | 'check_totals'> = {
  check_totals: (context, { daily }) => checkDay(context, daily),
  may_come_back({ sql, now_ms }, { task }) {
    if (!areChunksMade(sql)) return false
    const query = 'SELECT 1 FROM chunks WHERE task <> ? AND at > ? LIMIT 1'
    return sql.exec(query, task, now_ms - CHUNK_MS_MAX).toArray().length > 0
  },
}

/** Notes that a task holds a part of a total. A deleted task gives nothing back, so old rows are dropped here. */
export function noteChunk(sql: SqlStorage, task: string, now_ms: number): void {
  sql.exec(CHUNKS)
  sql.exec('DELETE FROM chunks WHERE at <= ?', now_ms - CHUNK_MS_MAX)
  sql.exec('INSERT OR REPLACE INTO chunks (task, at) VALUES (?, ?)', task, now_ms)
}

export function forgetChunk(sql: SqlStorage, task: string): void {
  if (areChunksMade(sql)) sql.exec('DELETE FROM chunks WHERE task = ?', task)
}

/** Refuses new work when the totals of the day are used up. */
export function checkDay({ sql, now_ms }: ReadContext, daily: DailyLimits): Result<null> {
  if (!isExhausted(spentOn(sql, dayOf(now_ms)), daily)) return ok(null)
  return refuse({ code: 'tenant_budget_exceeded', reset_s: secondsUntilTomorrow(now_ms) })
}

function spentOn(sql: SqlStorage, day: string): DailySpend {
  const query = 'SELECT tokens, cost FROM spend WHERE day = ?'
  return sql.exec<DailySpend & Record<string, number>>(query, day).toArray()[0] ?? NO_SPEND
}

function add(sql: SqlStorage, day: string, tokens: number, cost: number): void {
  const query = `INSERT INTO spend (day, tokens, cost) VALUES (?, ?, ?)
    ON CONFLICT (day) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`
  sql.exec(query, day, tokens, cost)
}
