/** What a list shows of each task, as the task last reported it. To be called in a transaction. */
import type { ListedText } from '../../../core/protocol/view/list-entry.ts'

/** These wide rows are not part of `tasks`, because a search reads many rows of that table. */
export const ENTRIES_TABLE = `CREATE TABLE IF NOT EXISTS entries (position INTEGER PRIMARY KEY, version INTEGER NOT NULL,
  as_of INTEGER NOT NULL, text TEXT)`

/** The outcome of a task that has none, in `tasks`. NULL there: an earlier release told nothing. */
export const NO_OUTCOME = ''
/** The parent of a task that is no fork, in `tasks`. NULL there: an earlier release told nothing. */
export const NO_PARENT = ''
/** The agent of a task that was made by none, in `tasks`. */
export const NO_AGENT = ''
export const NO_KEY = ''

/** The newest version that a task has told, to be selected. A report that only changes the listed text writes no row of `tasks`. */
export const NEWEST_VERSION = `max(tasks.version, coalesce(entries.version, 0)) AS version FROM tasks
  LEFT JOIN entries ON entries.position = tasks.position`

/**
 * An older version changes nothing, and neither does an equal text. The status must equal that of the index, so that no list shows an entry
 * under another status.
 */
export function keepEntry(
  sql: SqlStorage,
  { id, status, version }: { id: string; status: string; version: number },
  { as_of, text }: ListedText,
): void {
  const newer =
    'excluded.version > version OR (excluded.version = version AND excluded.as_of >= as_of AND excluded.text IS NOT text)'
  const query = `INSERT INTO entries (position, version, as_of, text)
    SELECT position, ?, ?, ? FROM tasks WHERE id = ? AND status = ?
    ON CONFLICT (position) DO UPDATE SET version = excluded.version, as_of = excluded.as_of, text = excluded.text WHERE ${newer}`
  sql.exec(query, version, as_of, text, id, status)
}

/** Call this before the task leaves `tasks`, which knows its position. */
export function dropEntry(sql: SqlStorage, id: string): void {
  sql.exec('DELETE FROM entries WHERE position = (SELECT position FROM tasks WHERE id = ?)', id)
}
