/** The tables of a task beside its journal. Each is made by its first row, because few tasks have one. */
import { FIRST_ROOM, type TaskRoom } from '../../../core/workspace/stored-bytes.ts'
import { hasTable } from '../../has-table.ts'
import type { Rows } from './rows.ts'
import { NOTHING_EXPORTED } from '../../../core/replay/export/export-page.ts'
import { deliveryOf, exportStateOf, OUTBOX_TABLE } from './schema.ts'

/** The notices that the callback of the task gets. */
export function sqlOutbox(sql: SqlStorage): Pick<Rows, 'deliveries' | 'save'> {
  return {
    deliveries() {
      if (!hasTable(sql, 'outbox')) return []
      return sql.exec('SELECT * FROM outbox ORDER BY seq').toArray().map(deliveryOf)
    },
    save({ seq, status, at, due, attempts, state, detail }) {
      if (!hasTable(sql, 'outbox')) sql.exec(OUTBOX_TABLE)
      const columns = [seq, status, at, due, attempts, state, detail]
      sql.exec(
        'INSERT OR REPLACE INTO outbox (seq, status, at, due, attempts, state, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...columns,
      )
    },
  }
}

const LINKS_TABLE = 'CREATE TABLE links (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), epoch INTEGER NOT NULL)'

/** How often the links of the task were ended. */
export function sqlLinks(sql: SqlStorage): Pick<Rows, 'linkEpoch' | 'endLinks'> {
  const isMade = () => hasTable(sql, 'links')
  return {
    linkEpoch: () => (isMade() ? (sql.exec<{ epoch: number }>('SELECT epoch FROM links').toArray()[0]?.epoch ?? 0) : 0),
    endLinks() {
      if (!isMade()) sql.exec(LINKS_TABLE)
      sql.exec(
        'INSERT INTO links (only_row, epoch) VALUES (1, 1) ON CONFLICT (only_row) DO UPDATE SET epoch = epoch + 1',
      )
    },
  }
}

const EXPORTS_TABLE = `CREATE TABLE IF NOT EXISTS exports (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1), usage INTEGER NOT NULL, service TEXT NOT NULL, tenant TEXT NOT NULL)`

/** How far the consumers of the export have come: one row, which each export writes once. */
export function sqlExports(sql: SqlStorage): Pick<Rows, 'exported' | 'saveExported'> {
  return {
    exported() {
      const [row] = hasTable(sql, 'exports') ? sql.exec('SELECT usage, service, tenant FROM exports').toArray() : []
      return row === undefined ? NOTHING_EXPORTED : exportStateOf(row)
    },
    saveExported({ usage, service, tenant }) {
      sql.exec(EXPORTS_TABLE)
      sql.exec(
        'INSERT OR REPLACE INTO exports (only_row, usage, service, tenant) VALUES (1, ?, ?, ?)',
        usage,
        JSON.stringify(service),
        JSON.stringify(tenant),
      )
    },
  }
}

/** How many bytes the task may take before it asks for more: a row where that is more than the first room. */
export function sqlRoom(sql: SqlStorage): TaskRoom {
  let known: number | null = null
  const read = () => {
    const made = hasTable(sql, 'room')
    const [room] = made ? sql.exec('SELECT bytes FROM room').toArray() : []
    // A damaged row counts as none: the task then asks for room again.
    return typeof room?.bytes === 'number' && room.bytes > FIRST_ROOM ? room.bytes : FIRST_ROOM
  }
  return {
    size: () => ({ bytes: sql.databaseSize, room: (known ??= read()) }),
    giveRoom(bytes) {
      // The value is read again after the write, because the transaction may be rolled back.
      known = null
      sql.exec('CREATE TABLE IF NOT EXISTS room (id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)')
      // Two requests may enlarge the room at once, and may arrive in any order. The larger value is kept.
      sql.exec('INSERT OR REPLACE INTO room (id, bytes) VALUES (1, ?)', Math.max(read(), bytes))
    },
  }
}
