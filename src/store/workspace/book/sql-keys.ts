/** The keys of a workspace in SQLite: changes by the key of their effect, answers by Idempotency-Key. */
import { KEY_MEMORY_MS } from '../../../core/protocol/idempotency.ts'
import type { CommandHandlers, QueryHandlers } from '../handlers.ts'
import { refuseWithoutRoom } from '../quotas/sql-bytes.ts'
import { findReply, requestName, type AppliedKeys } from './run-in-book.ts'

export const KEY_COMMANDS: CommandHandlers<'keep'> = {
  keep({ sql }, { request, answer }) {
    requestKeys(sql).keep(requestName(request), request.digest, answer)
  },
}

export const KEY_QUERIES: QueryHandlers<'recall'> = {
  recall: ({ sql, bytes_max }, { request }) => refuseWithoutRoom(sql, findReply(requestKeys(sql), request), bytes_max),
}

/** To be called in a transaction, as `requestKeys`. */
export function effectKeys(sql: SqlStorage): AppliedKeys {
  return {
    find(key) {
      const [row] = sql.exec<{ result: string }>('SELECT result FROM applied WHERE key = ?', key).toArray()
      return row === undefined ? null : { digest: '', result: row.result }
    },
    keep: (key, _digest, result) =>
      void sql.exec('INSERT INTO applied (key, at, result) VALUES (?, ?, ?)', key, Date.now(), result),
  }
}

/** Effect keys are `task:seq`, and `;` is the character after `:`. */
export const forgetEffectKeys = (sql: SqlStorage, task: string): void =>
  void sql.exec('DELETE FROM applied WHERE key >= ? AND key < ?', `${task}:`, `${task};`)

/** How many old answers each new one deletes: more than one, so that the answers of a busy day are deleted too. */
const FORGOTTEN_AT_ONCE = 20

/** Answers by Idempotency-Key. New answers delete those that are older than the memory of a key. */
export function requestKeys(sql: SqlStorage): AppliedKeys {
  return {
    find(key) {
      const query = 'SELECT digest, result FROM replies WHERE key = ? AND at >= ?'
      return sql.exec<{ digest: string; result: string }>(query, key, Date.now() - KEY_MEMORY_MS).toArray()[0] ?? null
    },
    keep(key, digest, result) {
      const now = Date.now()
      const since = now - KEY_MEMORY_MS
      const oldest = 'SELECT key FROM replies WHERE at < ? ORDER BY at LIMIT ?'
      sql.exec(`DELETE FROM replies WHERE key IN (${oldest})`, since, FORGOTTEN_AT_ONCE)
      sql.exec('DELETE FROM replies WHERE key = ? AND at < ?', key, since)
      sql.exec('INSERT OR IGNORE INTO replies (key, at, digest, result) VALUES (?, ?, ?, ?)', key, now, digest, result)
    },
  }
}
