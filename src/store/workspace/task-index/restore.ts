/** Restores an entry of the index from its task, and the counters from the entries. */
import { foldCase } from '../../../core/workspace/search-match.ts'
import type { RestoredEntry } from '../../../core/protocol/workspace-records.ts'
import type { CommandHandlers } from '../handlers.ts'
import { recountBytes, restoreRoom } from '../quotas/sql-bytes.ts'
import { NO_AGENT, NO_KEY, NO_OUTCOME, NO_PARENT } from './index-entries.ts'
import { countOpenTasks, makeKeyIndex } from './open-tasks.ts'
import { restartFeed } from './sql-feed.ts'

export const RESTORE_COMMANDS: CommandHandlers<'restore' | 'recount'> = {
  restore: ({ sql }, { entry }) => restoreEntry(sql, entry),
  /** Drops entries without a task too. */
  recount({ sql, now_ms, feeding, after }) {
    sql.exec('DELETE FROM entries WHERE position NOT IN (SELECT position FROM tasks)')
    recountBytes(sql)
    // What was restored may be older than what the index database has.
    if (feeding !== null) restartFeed(sql, now_ms)
    if (feeding !== null) after.feedHasMoved('lost')
    return countOpenTasks(sql)
  },
}

/** The task is right and the index may be wrong, so earlier reports do not count. */
function restoreEntry(sql: SqlStorage, entry: RestoredEntry): void {
  const {
    id,
    mode,
    status,
    version,
    metadata,
    goal,
    outcome,
    forked_from = NO_PARENT,
    agent = NO_AGENT,
    key_name = NO_KEY,
    listed,
  } = entry
  if (key_name !== NO_KEY) makeKeyIndex(sql)
  const told = [mode, status, version, JSON.stringify(metadata), foldCase(goal)]
  const columns = [...told, outcome ?? NO_OUTCOME, forked_from, agent, key_name]
  const update =
    'UPDATE tasks SET mode = ?, status = ?, version = ?, metadata = ?, goal = ?, outcome = ?, forked_from = ?, agent = ?, key_name = ? WHERE id = ? RETURNING position'
  const [known] = sql.exec<{ position: number }>(update, ...columns, id).toArray()
  const position = known?.position ?? freePosition(sql, entry.created_at)
  if (known === undefined) {
    const insert = `INSERT INTO tasks (mode, status, version, metadata, goal, outcome, forked_from, agent, key_name, id, position, at,
      admitted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    sql.exec(insert, ...columns, id, position, entry.created_at, entry.incarnation)
  }
  restoreRoom(sql, id, entry.room)
  const insert_entry = 'INSERT OR REPLACE INTO entries (position, version, as_of, text) VALUES (?, ?, ?, ?)'
  sql.exec(insert_entry, position, version, listed.as_of, listed.text)
}

/** Positions are times. Tasks that were made in one millisecond each take the next free position. */
function freePosition(sql: SqlStorage, created_at: number): number {
  const taken = (position: number) => sql.exec('SELECT 1 FROM tasks WHERE position = ?', position).toArray().length > 0
  if (!taken(created_at)) return created_at
  const query = `SELECT position + 1 AS free FROM tasks WHERE position >= ?
    AND NOT EXISTS (SELECT 1 FROM tasks AS next WHERE next.position = tasks.position + 1) ORDER BY position LIMIT 1`
  return sql.exec<{ free: number }>(query, created_at).one().free
}
