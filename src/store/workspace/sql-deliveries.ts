/** The newest deliveries of a tenant that failed, in a table that the first of them makes. */
import type { DeliveryRecord } from '../../core/protocol/workspace-records.ts'
import { hasTable } from '../has-table.ts'
import type { CommandHandlers, QueryHandlers } from './handlers.ts'

/** The most records of one tenant. */
export const DELIVERIES_MAX = 1_000

const TABLE = `CREATE TABLE IF NOT EXISTS deliveries (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task TEXT NOT NULL,
  seq INTEGER NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL, detail TEXT, created INTEGER NOT NULL,
  updated INTEGER NOT NULL)`
const COLUMNS = 'id, task, seq, type, status, attempts, detail, created, updated'

type Row = DeliveryRecord & Record<string, SqlStorageValue>

const isMade = (sql: SqlStorage) => hasTable(sql, 'deliveries')

export const DELIVERY_COMMANDS: CommandHandlers<'note_delivery'> = {
  note_delivery({ sql }, { record }) {
    noteRetry(sql, record)
    const lost = record.status === 'failed' || record.status === 'gone'
    if (lost) sql.exec(TABLE)
    if (isMade(sql) && !update(sql, record) && lost) insert(sql, record)
  },
}

export const DELIVERY_QUERIES: QueryHandlers<'delivery' | 'deliveries'> = {
  delivery({ sql }, { id }) {
    if (!isMade(sql)) return null
    return sql.exec<Row>(`SELECT ${COLUMNS} FROM deliveries WHERE id = ?`, id).toArray()[0] ?? null
  },
  deliveries({ sql }, { status, before, limit }) {
    if (!isMade(sql)) return { records: [], has_more: false }
    const query = `SELECT position, ${COLUMNS} FROM deliveries WHERE (? = 0 OR position < ?) AND (? IS NULL OR status = ?)
      ORDER BY position DESC LIMIT ?`
    const values = [before, before, status, status, limit + 1]
    const found = sql.exec<Row & { position: number }>(query, ...values).toArray()
    return { records: found.slice(0, limit), has_more: found.length > limit }
  },
}

export function dropDeliveries(sql: SqlStorage, task: string): void {
  if (isMade(sql)) sql.exec('DELETE FROM deliveries WHERE task = ?', task)
  if (hasTable(sql, 'retried_deliveries')) sql.exec('DELETE FROM retried_deliveries WHERE task = ?', task)
}

/** The deliveries that will be tried again, in a table that the first of them makes. Only the metrics count them. */
const RETRIED = 'CREATE TABLE IF NOT EXISTS retried_deliveries (id TEXT PRIMARY KEY, task TEXT NOT NULL) WITHOUT ROWID'

function noteRetry(sql: SqlStorage, { id, task, status }: DeliveryRecord): void {
  if (status === 'pending') {
    sql.exec(RETRIED)
    sql.exec('INSERT OR IGNORE INTO retried_deliveries (id, task) VALUES (?, ?)', id, task)
  } else if (hasTable(sql, 'retried_deliveries')) sql.exec('DELETE FROM retried_deliveries WHERE id = ?', id)
}

/** Up to a bound, so that a long list costs no more than a short one. */
export function countRetried(sql: SqlStorage): number {
  if (!hasTable(sql, 'retried_deliveries')) return 0
  const query = 'SELECT count(*) AS n FROM (SELECT 1 FROM retried_deliveries LIMIT 1000)'
  return sql.exec<{ n: number }>(query).one().n
}

function update(sql: SqlStorage, { id, status, attempts, detail, updated }: DeliveryRecord): boolean {
  const query = 'UPDATE deliveries SET status = ?, attempts = ?, detail = ?, updated = ? WHERE id = ? RETURNING 1'
  return sql.exec(query, status, attempts, detail, updated, id).toArray().length > 0
}

/** Positions are times, or one more than the highest position, like those of tasks. */
function insert(sql: SqlStorage, record: DeliveryRecord): void {
  const { id, task, seq, type, status, attempts, detail, created, updated } = record
  const position = 'max(?, coalesce((SELECT max(position) FROM deliveries), 0) + 1)'
  const query = `INSERT INTO deliveries (position, ${COLUMNS}) VALUES (${position}, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  sql.exec(query, updated, id, task, seq, type, status, attempts, detail, created, updated)
  const oldest = 'SELECT position FROM deliveries ORDER BY position DESC LIMIT 1 OFFSET ?'
  sql.exec(`DELETE FROM deliveries WHERE position <= (${oldest})`, DELIVERIES_MAX)
}
