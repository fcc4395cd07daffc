/** The SQLite of Node. Releases before 24 warn at each start that it is new, which says nothing to who runs our scripts. */
export async function loadSqlite() {
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes('SQLite')) emitWarning.call(process, warning, ...rest)
  }
  try {
    return await import('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** `read(database)` of a database that is only read; a writer beside us goes on. */
export function reading({ DatabaseSync }, path, read) {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

export const hasTable = (database, name) =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined

/** A writer holds its lock for a transaction. */
const BUSY_MS = 5_000
