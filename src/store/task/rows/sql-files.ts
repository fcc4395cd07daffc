/**
 * The table of a task's files, made by the first file. Earlier releases had no blobs and no files of clients. The first look copies their
 * table in the transaction of its call, so an interrupted copy leaves it as it was.
 */
import type { Rows } from './rows.ts'
import { fileRow, storedFile } from './schema.ts'
import { hasTable } from '../../has-table.ts'

/** The content is the last column, so that a list does not read it. */
const TABLE = `CREATE TABLE files (
  name TEXT PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL, source TEXT NOT NULL, blob TEXT,
  content TEXT NOT NULL) WITHOUT ROWID`
const REFUSED = 'CREATE TABLE IF NOT EXISTS refused_blobs (blob TEXT PRIMARY KEY) WITHOUT ROWID'
const COLUMNS = 'name, seq, at, bytes, source, blob'

/** A rollback drops these functions together with the rows, so `made` never differs from what is there. */
export function sqlFiles(
  sql: SqlStorage,
): Pick<Rows, 'file' | 'files' | 'keepFile' | 'dropFile' | 'refuseBlob' | 'isBlobRefused'> {
  let made: boolean | null = null
  const isMade = () => (made ??= migrateTable(sql))
  return {
    file(name) {
      if (!isMade()) return null
      const query = `SELECT ${COLUMNS}, content FROM files WHERE name = ?`
      const [found] = sql.exec(query, name).toArray()
      return found === undefined ? null : storedFile(found)
    },
    files: () => (isMade() ? sql.exec(`SELECT ${COLUMNS} FROM files ORDER BY name`).toArray().map(fileRow) : []),
    keepFile({ name, seq, at, bytes, source, blob, content }) {
      if (!isMade()) sql.exec(TABLE)
      made = true
      const insert = `INSERT OR REPLACE INTO files (${COLUMNS}, content) VALUES (?, ?, ?, ?, ?, ?, ?)`
      sql.exec(insert, name, seq, at, bytes, source, blob, content)
    },
    dropFile(name) {
      if (isMade()) sql.exec('DELETE FROM files WHERE name = ?', name)
    },
    refuseBlob(blob) {
      sql.exec(REFUSED)
      sql.exec('INSERT OR IGNORE INTO refused_blobs (blob) VALUES (?)', blob)
    },
    isBlobRefused(blob) {
      if (!hasTable(sql, 'refused_blobs')) return false
      return sql.exec('SELECT 1 FROM refused_blobs WHERE blob = ?', blob).toArray().length > 0
    },
  }
}

/** Whether there is a table. After this call it has the columns of this release. */
function migrateTable(sql: SqlStorage): boolean {
  const [found] = sql.exec<{ made: string }>("SELECT sql AS made FROM sqlite_master WHERE name = 'files'").toArray()
  if (found === undefined) return false
  if (found.made.includes('blob')) return true
  sql.exec('ALTER TABLE files RENAME TO files_before')
  sql.exec(TABLE)
  sql.exec(`INSERT INTO files SELECT name, seq, at, bytes, 'tool', NULL, content FROM files_before`)
  sql.exec('DROP TABLE files_before')
  return true
}
