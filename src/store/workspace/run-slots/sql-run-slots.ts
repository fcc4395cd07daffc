/**
 * Run slots and their queue in SQLite. The slots in use are numbered from 0 without a gap, so that the highest number gives their count.
 * Only the look of the alarm reads more than one row.
 */
import type { RunSlotRows, SlotClaim } from '../../../core/workspace/run-slots.ts'
import { hasTable } from '../../has-table.ts'

const TABLES = [
  `CREATE TABLE IF NOT EXISTS run_slots (number INTEGER PRIMARY KEY, task TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, look_at INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS run_queue (position INTEGER PRIMARY KEY, task TEXT NOT NULL UNIQUE, version INTEGER NOT NULL)`,
] as const

/** Takes over the queue of an earlier release in its order. Tasks that have ended are found when they are woken. */
const FROM_TURNS = `INSERT OR IGNORE INTO run_queue (task, version) SELECT id, 0 FROM turns ORDER BY held DESC, asked, id`

/** To be called in a transaction. */
export function makeRunSlotTables(sql: SqlStorage): void {
  for (const table of TABLES) sql.exec(table)
  if (!hasTable(sql, 'turns')) return
  sql.exec(FROM_TURNS)
  sql.exec('DROP TABLE turns')
}

/** The tasks that wait for a slot, up to a bound, so that a long queue costs no more than a short one. */
export function countWaiting(sql: SqlStorage): number {
  const query = 'SELECT count(*) AS n FROM (SELECT 1 FROM run_queue LIMIT 1000)'
  return sql.exec<{ n: number }>(query).one().n
}

export function sqlRunSlots(sql: SqlStorage): RunSlotRows {
  const first = (query: string, ...values: SqlStorageValue[]): SlotClaim | null =>
    sql.exec<SlotClaim & Record<string, SqlStorageValue>>(query, ...values).toArray()[0] ?? null
  const numberOf = (query: string, ...values: SqlStorageValue[]): number | null =>
    sql.exec<{ n: number | null }>(query, ...values).one().n
  return {
    countHeld: () => (numberOf('SELECT max(number) AS n FROM run_slots') ?? -1) + 1,
    findHolder: (task) => first('SELECT task, version FROM run_slots WHERE task = ?', task),
    saveHolder({ task, version }, look_at) {
      const query = `INSERT INTO run_slots (number, task, version, look_at)
        VALUES ((SELECT coalesce(max(number), -1) + 1 FROM run_slots), ?, ?, ?)
        ON CONFLICT (task) DO UPDATE SET version = excluded.version, look_at = excluded.look_at`
      sql.exec(query, task, version, look_at)
    },
    removeHolder(task) {
      const gap = sql
        .exec<{ number: number }>('DELETE FROM run_slots WHERE task = ? RETURNING number', task)
        .toArray()[0]
      if (gap === undefined) return
      const query = `UPDATE run_slots SET number = ? WHERE number = (SELECT max(number) FROM run_slots) AND number > ?`
      sql.exec(query, gap.number, gap.number)
    },
    findWaiting: (task) => first('SELECT task, version FROM run_queue WHERE task = ?', task),
    saveWaiting({ task, version }) {
      const query = `INSERT INTO run_queue (task, version) VALUES (?, ?)
        ON CONFLICT (task) DO UPDATE SET version = excluded.version`
      sql.exec(query, task, version)
    },
    removeWaiting: (task) => void sql.exec('DELETE FROM run_queue WHERE task = ?', task),
    firstWaiting: () => first('SELECT task, version FROM run_queue ORDER BY position LIMIT 1'),
    holdersDue: (now_ms, limit) =>
      sql
        .exec<SlotClaim & Record<string, SqlStorageValue>>(
          'SELECT task, version FROM run_slots WHERE look_at <= ? ORDER BY look_at, number LIMIT ?',
          now_ms,
          limit,
        )
        .toArray(),
    nextLook: () => numberOf('SELECT min(look_at) AS n FROM run_slots'),
  }
}
