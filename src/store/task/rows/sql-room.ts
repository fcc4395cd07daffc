/** How many bytes a task may take before it asks for more, in its own storage: a row for those that have more than the first room. */
import { FIRST_ROOM, type TaskRoom } from '../../../core/workspace/stored-bytes.ts'

export function sqlRoom(sql: SqlStorage): TaskRoom {
  let known: number | null = null
  const read = () => {
    const made = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'room'").toArray().length > 0
    const [room] = made ? sql.exec('SELECT bytes FROM room').toArray() : []
    // One that is damaged is asked for again.
    return typeof room?.bytes === 'number' && room.bytes > FIRST_ROOM ? room.bytes : FIRST_ROOM
  }
  return {
    size: () => ({ bytes: sql.databaseSize, room: (known ??= read()) }),
    giveRoom(bytes) {
      // Not known before it is stored: a transaction may be rolled back.
      known = null
      sql.exec('CREATE TABLE IF NOT EXISTS room (id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)')
      // Two answers may ask for room at once: the larger one is counted, in whatever order they come.
      sql.exec('INSERT OR REPLACE INTO room (id, bytes) VALUES (1, ?)', Math.max(read(), bytes))
    },
  }
}
