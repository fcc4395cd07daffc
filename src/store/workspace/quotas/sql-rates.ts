/**
 * Permits that the isolates of a tenant have taken, by minute and bucket. The first row of a minute deletes the rows of minutes long past.
 */
import { chunkPermits } from '../../../core/workspace/rate.ts'
import type { CommandHandlers } from '../handlers.ts'

/** The key begins with the minute, so that past minutes are one range. */
const TABLE = `CREATE TABLE IF NOT EXISTS rates (minute INTEGER NOT NULL, name TEXT NOT NULL, taken INTEGER NOT NULL,
  PRIMARY KEY (minute, name)) WITHOUT ROWID`

export const RATE_COMMANDS: CommandHandlers<'take_permits'> = {
  take_permits({ sql }, { name, minute, per_minute, used }) {
    sql.exec(TABLE)
    const query = 'SELECT taken FROM rates WHERE minute = ? AND name = ?'
    const found = sql.exec<{ taken: number }>(query, minute, name).toArray()[0]
    // An isolate whose clock is slow still asks for the minute before.
    if (found === undefined) sql.exec('DELETE FROM rates WHERE minute < ? - 1', minute)
    const before = (found?.taken ?? 0) + used
    const permits = chunkPermits(per_minute, before)
    const taken = before + permits
    if (taken !== found?.taken)
      sql.exec('INSERT OR REPLACE INTO rates (minute, name, taken) VALUES (?, ?, ?)', minute, name, taken)
    return permits
  },
}
