/** Where a tenant wants its spans: one row, in a table that the first PUT makes, with the latest failure beside it. */
import * as z from 'zod'
import type { StoredReceiver } from '../../core/workspace/telemetry.ts'
import { hasTable } from '../has-table.ts'
import type { CommandHandlers, QueryHandlers } from './handlers.ts'

const TABLE = `CREATE TABLE IF NOT EXISTS receiver (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), fields TEXT NOT NULL,
  failed_at INTEGER, failure TEXT)`
const Fields = z.object({
  endpoint: z.string(),
  protocol: z.enum(['http/protobuf', 'http/json']),
  headers: z.record(z.string(), z.string()),
  capture_content: z.boolean(),
  updated: z.number(),
})

const isMade = (sql: SqlStorage) => hasTable(sql, 'receiver')

export const RECEIVER_COMMANDS: CommandHandlers<'put_receiver' | 'note_receiver_failure'> = {
  put_receiver({ sql, now_ms }, { receiver }) {
    if (receiver === null) {
      if (isMade(sql)) sql.exec('DELETE FROM receiver')
      return null
    }
    const stored: StoredReceiver = { ...receiver, updated: now_ms }
    sql.exec(TABLE)
    sql.exec('INSERT OR REPLACE INTO receiver (only_row, fields) VALUES (1, ?)', JSON.stringify(stored))
    return stored
  },
  note_receiver_failure({ sql, now_ms }, { detail }) {
    if (isMade(sql)) sql.exec('UPDATE receiver SET failed_at = ?, failure = ?', now_ms, detail)
  },
}

export const RECEIVER_QUERIES: QueryHandlers<'receiver' | 'receiver_failure'> = {
  receiver({ sql }) {
    const [row] = isMade(sql) ? sql.exec<{ fields: string }>('SELECT fields FROM receiver').toArray() : []
    return row === undefined ? null : Fields.parse(JSON.parse(row.fields))
  },
  receiver_failure({ sql }) {
    if (!isMade(sql)) return null
    const query = 'SELECT failed_at, failure FROM receiver'
    const [row] = sql.exec<{ failed_at: number | null; failure: string | null }>(query).toArray()
    if (row === undefined || row.failed_at === null || row.failure === null) return null
    return { at: row.failed_at, detail: row.failure }
  },
}
