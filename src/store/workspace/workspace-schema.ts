import { ENTRIES_TABLE } from './task-index/index-entries.ts'
import { makeOpenCounter } from './task-index/open-tasks.ts'

/**
 * Tables of a workspace, made on first use; those of an earlier release are copied then. What is billed is rows written, of the
 * table and of each index, so no table has an index that no query needs, and none counts its ids in a table beside it (AUTOINCREMENT).
 */
import { makeRunSlotTables } from './run-slots/sql-run-slots.ts'
import { makeUnfinished } from './blobs/sql-unfinished.ts'
import { makeBytes } from './quotas/sql-bytes.ts'

/** Who was admitted for an entry; of one of an earlier release nobody knows. */
const ADMITTED = "admitted TEXT NOT NULL DEFAULT ''"
/** What an entry is found by, folded (core/workspace/search-match.ts). Last: the other columns are read without it. */
const GOAL = "goal TEXT NOT NULL DEFAULT ''"
/** What `tasks` has got since its first release, in this order. */
const ADDED: readonly (readonly [column: string, declaration: string])[] = [
  ['admitted', ADMITTED],
  ['goal', GOAL],
]

const WORKSPACE_TABLES = [
  `CREATE TABLE IF NOT EXISTS todos (id INTEGER PRIMARY KEY, fields TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, fields TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS applied (key TEXT PRIMARY KEY, at INTEGER NOT NULL, result TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, at INTEGER NOT NULL, digest TEXT NOT NULL, result TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS tasks (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
     mode TEXT NOT NULL, status TEXT NOT NULL, version INTEGER NOT NULL, metadata TEXT NOT NULL, at INTEGER NOT NULL, ${ADMITTED}, ${GOAL})`,
  `CREATE TABLE IF NOT EXISTS finished (position INTEGER PRIMARY KEY, id TEXT NOT NULL, spend TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS spend (day TEXT PRIMARY KEY, tokens INTEGER NOT NULL, cost INTEGER NOT NULL) WITHOUT ROWID`,
  ENTRIES_TABLE,
  // Answers are forgotten in the order they were kept in, without a look at the others.
  `CREATE INDEX IF NOT EXISTS replies_by_age ON replies (at)`,
] as const

/** Tables that counted their ids in an earlier release, and whether the last one given is kept, so that it is not given again. */
const COUNTED: ReadonlyMap<string, boolean> = new Map([
  ['todos', true],
  ['events', true],
  ['tasks', false],
  ['finished', false],
])

/** As the book keeps it (sql-book.ts): in a row without fields, unless its own is there. */
const keepLast = (table: string) =>
  `INSERT OR IGNORE INTO ${table} (id, fields) SELECT seq, '' FROM sqlite_sequence WHERE name = '${table}_before'`

/** None where there is no table yet: it is made whole. */
function missingIn(sql: SqlStorage): string[] {
  const columns = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('tasks')").toArray()
  if (columns.length === 0) return []
  return ADDED.flatMap(([column, declaration]) => (columns.some(({ name }) => name === column) ? [] : declaration))
}

/** To be called in a transaction: rolled back, it leaves the earlier tables as they were. */
export function makeTables(sql: SqlStorage): void {
  const query = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
  const found = sql.exec<{ name: string }>(query).toArray()
  const earlier = found.map(({ name }) => name).filter((name) => COUNTED.has(name))
  for (const declaration of missingIn(sql)) sql.exec(`ALTER TABLE tasks ADD COLUMN ${declaration}`)
  for (const table of earlier) sql.exec(`ALTER TABLE ${table} RENAME TO ${table}_before`)
  for (const table of WORKSPACE_TABLES) sql.exec(table)
  for (const table of earlier) {
    sql.exec(`INSERT INTO ${table} SELECT * FROM ${table}_before`)
    if (COUNTED.get(table) === true) sql.exec(keepLast(table))
    sql.exec(`DROP TABLE ${table}_before`)
  }
  makeOpenCounter(sql)
  makeRunSlotTables(sql)
  makeBytes(sql)
  makeUnfinished(sql, Date.now())
}
