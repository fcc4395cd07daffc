/** What a shard stores beside its workspace, in tables that the first row makes. To be called in a transaction. */
import type { TaskStanding } from '../../../core/protocol/shard-requests.ts'
import type { Pocket, PocketRows } from '../../../core/workspace/shards/pockets.ts'
import {
  NO_SHARE,
  type Share,
  type Amounts,
  type Ledger,
  type LedgerEntry,
  type ShareAxis,
} from '../../../core/workspace/shards/shares.ts'
import { hasTable } from '../../has-table.ts'
import { sqlBytes } from '../quotas/sql-bytes.ts'
import { forgetChunk, noteChunk } from '../quotas/sql-spend.ts'
import { sqlRunSlots } from '../run-slots/sql-run-slots.ts'
import { admittedEntry, dropDouble, standingOf } from '../task-index/admissions.ts'
import { openTasks, openTasksOfKey } from '../task-index/open-tasks.ts'
import type { ShardRows } from './shards.ts'

/** The share of this shard, in one row. */
const SHARE =
  'CREATE TABLE IF NOT EXISTS share (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, amounts TEXT NOT NULL, scarce INTEGER NOT NULL)'
/** The ledger, in the first shard: what is known of the shares of the others. */
const LEDGER =
  'CREATE TABLE IF NOT EXISTS shares (shard INTEGER PRIMARY KEY, number INTEGER NOT NULL, amounts TEXT NOT NULL, waits_since INTEGER)'
const TIES = 'CREATE TABLE IF NOT EXISTS ties (task TEXT PRIMARY KEY) WITHOUT ROWID'
const POCKETS = `CREATE TABLE IF NOT EXISTS pockets (day TEXT NOT NULL, key TEXT NOT NULL, tokens INTEGER NOT NULL, cost INTEGER NOT NULL,
  scarce INTEGER NOT NULL, PRIMARY KEY (day, key)) WITHOUT ROWID`

/** Only this file writes these columns, and every create reads one. */
const amountsIn = (text: string): Amounts => JSON.parse(text) as Amounts

/** Whether the tenant was divided into shards once. Its first shard then has a ledger, and its others have shares. */
export const wasSharded = (sql: SqlStorage): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE name IN ('shares', 'share')").toArray().length > 0

/** What each create in a shard looks at. An object of a divided tenant makes these tables when it starts. */
export function makeShardTables(sql: SqlStorage): void {
  for (const table of [SHARE, LEDGER]) sql.exec(table)
}

/** `are_made` says that the tables of `makeShardTables` are there, and saves a look for them. */
export function sqlShardRows(sql: SqlStorage, are_made: boolean): ShardRows {
  const used = (axis: ShareAxis): number => usedIn(sql, axis)
  // Read once in a transaction: a create looks at it more than once.
  let share: Share | null = null
  let ledger: Ledger | null = null
  return {
    used,
    isUsed: (axis) => openTasksOfKey(sql, axis.slice(KEY_AXIS.length), 1) > 0,
    loadShare: () => (share ??= are_made || hasTable(sql, 'share') ? shareIn(sql) : NO_SHARE),
    saveShare(saved) {
      share = saved
      const { number, amounts, is_scarce } = saved
      if (!are_made) sql.exec(SHARE)
      const query = `INSERT INTO share (id, number, amounts, scarce) VALUES (1, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        number = excluded.number, amounts = excluded.amounts, scarce = excluded.scarce
        WHERE number <> excluded.number OR scarce <> excluded.scarce`
      sql.exec(query, number, JSON.stringify(amounts), is_scarce ? 1 : 0)
    },
    // Made when they are needed: a create in most shards needs none of them.
    get ledger() {
      return (ledger ??= sqlLedger(sql, used, are_made))
    },
    get slots() {
      return sqlRunSlots(sql)
    },
    get pockets() {
      return sqlPockets(sql)
    },
    admittedFor: (task) => admittedEntry(sql, task)?.admitted ?? null,
    standingOf: (task): TaskStanding | null => standingOf(sql, task),
    isTied: (task) => hasTable(sql, 'ties') && sql.exec('SELECT 1 FROM ties WHERE task = ?', task).toArray().length > 0,
    tie(task) {
      sql.exec(TIES)
      sql.exec('INSERT OR IGNORE INTO ties (task) VALUES (?)', task)
    },
    untie(task) {
      if (hasTable(sql, 'ties')) sql.exec('DELETE FROM ties WHERE task = ?', task)
    },
    noteChunk: (task, now_ms) => noteChunk(sql, task, now_ms),
    forgetChunk: (task) => forgetChunk(sql, task),
    dropDouble: (task) => dropDouble(sql, task),
  }
}

/** `open key_1` is what the key `key_1` has open. */
const KEY_AXIS = 'open '

function shareIn(sql: SqlStorage): Share {
  const query = 'SELECT number, amounts, scarce FROM share'
  const [row] = sql.exec<{ number: number; amounts: string; scarce: number }>(query).toArray()
  return row === undefined
    ? NO_SHARE
    : { number: row.number, amounts: amountsIn(row.amounts), is_scarce: row.scarce === 1 }
}

function usedIn(sql: SqlStorage, axis: ShareAxis): number {
  switch (axis) {
    case 'open':
      return openTasks(sql)
    case 'bytes':
      return sqlBytes(sql).used()
    case 'slots':
      return sqlRunSlots(sql).countHeld()
    default:
      return openTasksOfKey(sql, axis.slice(KEY_AXIS.length), Number.MAX_SAFE_INTEGER)
  }
}

type LedgerRow = { shard: number; number: number; amounts: string; waits_since: number | null }

function sqlLedger(sql: SqlStorage, used: Ledger['used'], is_made: boolean): Ledger {
  let known: { shard: number; entry: LedgerEntry }[] | null = null
  const all = () => (known ??= read())
  const read = (): { shard: number; entry: LedgerEntry }[] => {
    if (!is_made && !hasTable(sql, 'shares')) return []
    const query = 'SELECT shard, number, amounts, waits_since FROM shares ORDER BY shard'
    const found = sql.exec<LedgerRow>(query).toArray()
    return found.map(({ shard, number, amounts, waits_since }) => ({
      shard,
      entry: { number, amounts: amountsIn(amounts), waits_since },
    }))
  }
  return {
    used,
    find: (shard) => all().find((one) => one.shard === shard)?.entry ?? null,
    all,
    save(shard, { number, amounts, waits_since }) {
      known = null
      if (!is_made) sql.exec(LEDGER)
      const query = `INSERT INTO shares (shard, number, amounts, waits_since) VALUES (?, ?, ?, ?) ON CONFLICT (shard) DO UPDATE SET
        number = excluded.number, amounts = excluded.amounts, waits_since = excluded.waits_since
        WHERE number <> excluded.number OR amounts <> excluded.amounts OR waits_since IS NOT excluded.waits_since`
      sql.exec(query, shard, number, JSON.stringify(amounts), waits_since)
    },
  }
}

type PocketRow = { day: string; key: string; tokens: number; cost: number; scarce: number }

function sqlPockets(sql: SqlStorage): PocketRows {
  const isMade = () => hasTable(sql, 'pockets')
  const rows = (where: string, ...values: string[]): Pocket[] =>
    isMade()
      ? sql
          .exec<PocketRow>(`SELECT day, key, tokens, cost, scarce FROM pockets ${where}`, ...values)
          .toArray()
          .map(({ scarce, ...pocket }) => ({ ...pocket, is_scarce: scarce === 1 }))
      : []
  return {
    find: (day, key) => rows('WHERE day = ? AND key = ?', day, key)[0] ?? null,
    all: () => rows(''),
    save({ day, key, tokens, cost, is_scarce }) {
      sql.exec(POCKETS)
      const query = 'INSERT OR REPLACE INTO pockets (day, key, tokens, cost, scarce) VALUES (?, ?, ?, ?, ?)'
      sql.exec(query, day, key, tokens, cost, is_scarce ? 1 : 0)
    },
    remove: ({ day, key }) => void sql.exec('DELETE FROM pockets WHERE day = ? AND key = ?', day, key),
  }
}
