/** How often the links of a task were ended, in a table that is made by the first time: few tasks have one. */
import type { Rows } from './rows.ts'

const TABLE = 'CREATE TABLE links (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), epoch INTEGER NOT NULL)'

export function sqlLinks(sql: SqlStorage): Pick<Rows, 'linkEpoch' | 'endLinks'> {
  const isMade = () => sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'links'").toArray().length > 0
  return {
    linkEpoch: () => (isMade() ? (sql.exec<{ epoch: number }>('SELECT epoch FROM links').toArray()[0]?.epoch ?? 0) : 0),
    endLinks() {
      if (!isMade()) sql.exec(TABLE)
      sql.exec(
        'INSERT INTO links (only_row, epoch) VALUES (1, 1) ON CONFLICT (only_row) DO UPDATE SET epoch = epoch + 1',
      )
    },
  }
}
