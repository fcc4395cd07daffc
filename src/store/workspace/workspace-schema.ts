import { ENTRIES_TABLE } from './task-index/index-entries.ts'
import { makeOpenCounter } from './task-index/open-tasks.ts'

/**
 * The tables of a workspace, made on first use; those of an earlier release are copied then. Rows written are billed, per table and per
 * index. So no table has an index without a query, and none counts its ids in a second table (AUTOINCREMENT).
 */
import { makeRunSlotTables } from './run-slots/sql-run-slots.ts'
import { makeUnfinished } from './blobs/sql-unfinished.ts'
import { makeBytes } from './quotas/sql-bytes.ts'

/** The incarnation that was admitted for an entry; entries of an earlier release have none. */
const ADMITTED = "admitted TEXT NOT NULL DEFAULT ''"
/** The searchable text of an entry, in folded case (core/workspace/search-match.ts). Most columns stand before it and are read without it. */
const GOAL = "goal TEXT NOT NULL DEFAULT ''"
/** The outcome of the task. Empty: it has none. NULL: the index does not know, because an earlier release told it nothing. */
const OUTCOME = 'outcome TEXT'
/** The task of which the task is a fork. Empty: of none. NULL: the index does not know, because an earlier release told it nothing. */
const FORKED_FROM = 'forked_from TEXT'
/** The agent that the task was made by. Empty: none. */
const AGENT = "agent TEXT NOT NULL DEFAULT ''"
/** The key of the registry that the task was made with. Empty: none, or an earlier release did not say. */
const KEY_NAME = "key_name TEXT NOT NULL DEFAULT ''"
/** The columns that `tasks` has gained since its first release, in this order. */
const ADDED: readonly (readonly [column: string, declaration: string])[] = [
  ['admitted', ADMITTED],
  ['goal', GOAL],
  ['outcome', OUTCOME],
  ['forked_from', FORKED_FROM],
  ['agent', AGENT],
  ['key_name', KEY_NAME],
]

const WORKSPACE_TABLES = [
  `CREATE TABLE IF NOT EXISTS todos (id INTEGER PRIMARY KEY, fields TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, fields TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS applied (key TEXT PRIMARY KEY, at INTEGER NOT NULL, result TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, at INTEGER NOT NULL, digest TEXT NOT NULL, result TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS tasks (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
     mode TEXT NOT NULL, status TEXT NOT NULL, version INTEGER NOT NULL, metadata TEXT NOT NULL, at INTEGER NOT NULL, ${ADMITTED}, ${GOAL}, ${OUTCOME}, ${FORKED_FROM}, ${AGENT}, ${KEY_NAME})`,
  `CREATE TABLE IF NOT EXISTS finished (position INTEGER PRIMARY KEY, id TEXT NOT NULL, spend TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS spend (day TEXT PRIMARY KEY, tokens INTEGER NOT NULL, cost INTEGER NOT NULL) WITHOUT ROWID`,
  ENTRIES_TABLE,
  // Answers are deleted in the order in which they were kept, without reading the others.
  `CREATE INDEX IF NOT EXISTS replies_by_age ON replies (at)`,
] as const

/** The tables that counted their ids in an earlier release, and whether the last id is kept so that it is not given again. */
const COUNTED: ReadonlyMap<string, boolean> = new Map([
  ['todos', true],
  ['events', true],
  ['tasks', false],
  ['finished', false],
])

/** Like the book (book/sql-book.ts): a row without fields keeps the last id. */
const keepLast = (table: string) =>
  `INSERT OR IGNORE INTO ${table} (id, fields) SELECT seq, '' FROM sqlite_sequence WHERE name = '${table}_before'`

/** The missing columns; none where there is no table yet, because it is made whole. */
function missingIn(sql: SqlStorage): string[] {
  const columns = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('tasks')").toArray()
  if (columns.length === 0) return []
  return ADDED.flatMap(([column, declaration]) => (columns.some(({ name }) => name === column) ? [] : declaration))
}

/** To be called in a transaction: a rollback leaves the earlier tables as they were. */
export function makeTables(sql: SqlStorage): void {
  const query = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
  const found = sql.exec<{ name: string }>(query).toArray()
  const old_tables = found.map(({ name }) => name).filter((name) => COUNTED.has(name))
  for (const declaration of missingIn(sql)) sql.exec(`ALTER TABLE tasks ADD COLUMN ${declaration}`)
  for (const table of old_tables) sql.exec(`ALTER TABLE ${table} RENAME TO ${table}_before`)
  for (const table of WORKSPACE_TABLES) sql.exec(table)
  for (const table of old_tables) {
    sql.exec(`INSERT INTO ${table} SELECT * FROM ${table}_before`)
    if (COUNTED.get(table) === true) sql.exec(keepLast(table))
    sql.exec(`DROP TABLE ${table}_before`)
  }
  makeOpenCounter(sql)
  makeRunSlotTables(sql)
  makeBytes(sql)
  makeUnfinished(sql, Date.now())
}
