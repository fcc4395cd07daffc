/** The secrets of a tenant, in a table that the first of them makes. Their values come sealed, and nothing here could open them. */
import { ok, refuse } from '../../core/terms/refusal.ts'
import { isUseDue, type SealedValue, type SecretRecord } from '../../core/workspace/secrets.ts'
import { hasTable } from '../has-table.ts'
import type { CommandHandlers, QueryHandlers } from './handlers.ts'
import { writeWithin } from './quotas/sql-bytes.ts'

const TABLE = `CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, hosts TEXT NOT NULL, key_id TEXT NOT NULL, sealed TEXT NOT NULL,
  created INTEGER NOT NULL, updated INTEGER NOT NULL, last_used INTEGER) WITHOUT ROWID`
const RECORD = 'name, hosts, created, updated, last_used'

type RecordRow = Omit<SecretRecord, 'hosts'> & { hosts: string } & Record<string, SqlStorageValue>
type Row = RecordRow & SealedValue

const isMade = (sql: SqlStorage) => hasTable(sql, 'secrets')

export const SECRET_COMMANDS: CommandHandlers<'put_secret' | 'drop_secret' | 'note_secret_use'> = {
  put_secret({ sql, now_ms, bytes_max }, { secret, secrets_max }) {
    const { name, hosts, key_id, sealed } = secret
    const known = recordOf(sql, name)
    if (known === null && countIn(sql) >= secrets_max) return refuse({ code: 'too_many_secrets', max: secrets_max })
    const { created, last_used } = known ?? { created: now_ms, last_used: null }
    writeWithin(sql, bytes_max, () => {
      sql.exec(TABLE)
      const query = `INSERT OR REPLACE INTO secrets (key_id, sealed, ${RECORD}) VALUES (?, ?, ?, ?, ?, ?, ?)`
      sql.exec(query, key_id, sealed, name, JSON.stringify(hosts), created, now_ms, last_used)
    })
    return ok({ record: { name, hosts, created, updated: now_ms, last_used }, created: known === null })
  },
  drop_secret({ sql }, { name }) {
    return isMade(sql) && sql.exec('DELETE FROM secrets WHERE name = ? RETURNING 1', name).toArray().length > 0
  },
  note_secret_use({ sql, now_ms }, { name, used, resealed }) {
    const known = recordOf(sql, name)
    if (known === null) return
    if (isUseDue(known.last_used, now_ms)) sql.exec('UPDATE secrets SET last_used = ? WHERE name = ?', now_ms, name)
    if (resealed === null) return
    // A value that was put meanwhile is another one, and stays.
    const query = 'UPDATE secrets SET key_id = ?, sealed = ? WHERE name = ? AND key_id = ? AND sealed = ?'
    sql.exec(query, resealed.key_id, resealed.sealed, name, used.key_id, used.sealed)
  },
}

export const SECRET_QUERIES: QueryHandlers<'secret' | 'secrets' | 'secret_names'> = {
  secret({ sql }, { name }) {
    if (!isMade(sql)) return null
    const row = sql.exec<Row>(`SELECT key_id, sealed, ${RECORD} FROM secrets WHERE name = ?`, name).toArray()[0]
    return row === undefined ? null : { ...recordIn(row), key_id: row.key_id, sealed: row.sealed }
  },
  secrets({ sql }, { after, limit }) {
    if (!isMade(sql)) return []
    const query = `SELECT ${RECORD} FROM secrets WHERE name > ? ORDER BY name LIMIT ?`
    return sql.exec<RecordRow>(query, after, limit).toArray().map(recordIn)
  },
  secret_names({ sql }) {
    if (!isMade(sql)) return []
    return sql
      .exec<{ name: string }>('SELECT name FROM secrets ORDER BY name')
      .toArray()
      .map(({ name }) => name)
  },
}

const countIn = (sql: SqlStorage): number =>
  isMade(sql) ? sql.exec<{ n: number }>('SELECT count(*) AS n FROM secrets').one().n : 0

function recordOf(sql: SqlStorage, name: string): SecretRecord | null {
  if (!isMade(sql)) return null
  const row = sql.exec<RecordRow>(`SELECT ${RECORD} FROM secrets WHERE name = ?`, name).toArray()[0]
  return row === undefined ? null : recordIn(row)
}

/** Only `put_secret` writes hosts, as a list of texts. */
const recordIn = ({ name, hosts, created, updated, last_used }: RecordRow): SecretRecord => ({
  name,
  hosts: JSON.parse(hosts) as string[],
  created,
  updated,
  last_used,
})
