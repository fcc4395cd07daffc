/** What a tenant and its keys have spent and reserved: one row for each UTC day. A month is the sum of its days (U16, LIM-04). */
import {
  boundedTotals,
  CHUNK_MS_MAX,
  chunkFor,
  dayOf,
  fullAxis,
  monthOf,
  refuseSpent,
  type DailySpend,
  type SpendLimits,
  type SpendTotal,
} from '../../../core/workspace/daily-totals.ts'
import { ok, type Result } from '../../../core/terms/refusal.ts'
import { hasTable } from '../../has-table.ts'
import type { CommandHandlers, QueryHandlers, ReadContext } from '../handlers.ts'

/** The tasks that hold a chunk, and since when: at most as many as work at the same time. */
const CHUNKS = 'CREATE TABLE IF NOT EXISTS chunks (task TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID'
/** The same rows as in `spend`, for each key that has made tasks. */
const KEY_SPEND = `CREATE TABLE IF NOT EXISTS key_spend (name TEXT NOT NULL, day TEXT NOT NULL, tokens INTEGER NOT NULL,
  cost INTEGER NOT NULL, PRIMARY KEY (name, day)) WITHOUT ROWID`

const areChunksMade = (sql: SqlStorage) => hasTable(sql, 'chunks')

export const SPEND_COMMANDS: CommandHandlers<'reserve' | 'give_back'> = {
  reserve({ sql, now_ms }, { want, ...limits }) {
    const day = dayOf(now_ms)
    const chunk = chunkFor(want, totalsOf(sql, limits, day), day)
    if (chunk === null) return null
    const is_first = add(sql, day, chunk.tokens, chunk.cost)
    if (is_first && hasTable(sql, 'key_spend')) sql.exec('DELETE FROM key_spend WHERE day < ?', firstDayKept(day))
    if (limits.key !== undefined) addOfKey(sql, limits.key.name, day, chunk.tokens, chunk.cost)
    if (want.task === undefined) return chunk
    noteChunk(sql, want.task, now_ms)
    return chunk
  },
  give_back({ sql }, { refund: { day, tokens, cost, task, key } }) {
    if (tokens !== 0 || cost !== 0) {
      add(sql, day, -tokens, -cost)
      if (key !== undefined) addOfKey(sql, key, day, -tokens, -cost)
    }
    if (task !== undefined) forgetChunk(sql, task)
  },
}

export const SPEND_QUERIES: QueryHandlers<'may_come_back' | 'check_totals'> = {
  check_totals: checkTotals,
  may_come_back({ sql, now_ms }, { task }) {
    if (!areChunksMade(sql)) return false
    const query = 'SELECT 1 FROM chunks WHERE task <> ? AND at > ? LIMIT 1'
    return sql.exec(query, task, now_ms - CHUNK_MS_MAX).toArray().length > 0
  },
}

/** How many chunks a new one looks at. Ids are random, so each old row is met after a while, however many rows there are. */
const CHUNKS_LOOKED_AT = 32
const DROP_OLD_CHUNKS = `DELETE FROM chunks WHERE at <= ?2
  AND task IN (SELECT task FROM chunks WHERE task > ?1 ORDER BY task LIMIT ${CHUNKS_LOOKED_AT})`

/** Notes that a task holds a part of a total. A deleted task gives nothing back, so old rows are dropped here. */
export function noteChunk(sql: SqlStorage, task: string, now_ms: number): void {
  sql.exec(CHUNKS)
  sql.exec(DROP_OLD_CHUNKS, task, now_ms - CHUNK_MS_MAX)
  sql.exec('INSERT OR REPLACE INTO chunks (task, at) VALUES (?, ?)', task, now_ms)
}

export function forgetChunk(sql: SqlStorage, task: string): void {
  if (areChunksMade(sql)) sql.exec('DELETE FROM chunks WHERE task = ?', task)
}

/** Refuses new work when a total is used up. */
export function checkTotals({ sql, now_ms }: ReadContext, limits: SpendLimits): Result<null> {
  const spent = fullAxis(totalsOf(sql, limits, dayOf(now_ms)))
  return spent === null ? ok(null) : refuseSpent(spent, now_ms)
}

export const totalsOf = (sql: SqlStorage, limits: SpendLimits, day: string): SpendTotal[] =>
  boundedTotals(limits, (holder, period) => {
    // `-` is in every day, and `.` is the character after it.
    const [from, until] = period === 'day' ? [day, day] : [`${monthOf(day)}-`, `${monthOf(day)}.`]
    const name = holder === 'key' ? (limits.key?.name ?? '') : null
    return name === null ? spentBetween(sql, from, until) : spentByKey(sql, name, from, until)
  })

type SpendRow = DailySpend & Record<string, number>
const SUM = 'SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost'

const spentBetween = (sql: SqlStorage, from: string, until: string): DailySpend =>
  sql.exec<SpendRow>(`${SUM} FROM spend WHERE day >= ? AND day <= ?`, from, until).one()

function spentByKey(sql: SqlStorage, name: string, from: string, until: string): DailySpend {
  if (!hasTable(sql, 'key_spend')) return { tokens: 0, cost: 0 }
  return sql.exec<SpendRow>(`${SUM} FROM key_spend WHERE name = ? AND day >= ? AND day <= ?`, name, from, until).one()
}

/** Answers whether nothing was spent on the day before. */
function add(sql: SqlStorage, day: string, tokens: number, cost: number): boolean {
  const query = `INSERT INTO spend (day, tokens, cost) VALUES (?, ?, ?)
    ON CONFLICT (day) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost
    RETURNING tokens, cost`
  const sum = sql.exec<SpendRow>(query, day, tokens, cost).one()
  return sum.tokens === tokens && sum.cost === cost
}

/** The first day of the month before: what a task gives back late belongs to this month or to that one. */
function firstDayKept(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return dayOf(Date.UTC(year, month - 2, 1))
}

function addOfKey(sql: SqlStorage, name: string, day: string, tokens: number, cost: number): void {
  sql.exec(KEY_SPEND)
  const query = `INSERT INTO key_spend (name, day, tokens, cost) VALUES (?, ?, ?, ?)
    ON CONFLICT (name, day) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`
  sql.exec(query, name, day, tokens, cost)
}
