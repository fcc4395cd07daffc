/**
 * The alarms of the objects. An object keeps its own time in its own file, in the transaction that sets it; the runtime keeps those of a class in
 * one file beside them (`metadata.sqlite`), by which it wakes them. A backup copies them at different moments, and the object is right.
 */
import { hasTable, reading } from '../sqlite.mjs'

const OWN_ALARM = 1

/** In ns since the epoch; null: it has none. */
export function ownAlarm(sqlite, path) {
  return reading(sqlite, path, (database) => {
    if (!hasTable(database, '_cf_METADATA')) return null
    const query = database.prepare('SELECT value FROM _cf_METADATA WHERE key = ?')
    query.setReadBigInts(true)
    const value = query.get(OWN_ALARM)?.value
    return typeof value === 'bigint' && value > 0n ? value : null
  })
}

/** Replaces the alarms of a class. `alarms`: time and, where it is known, name of each object that has one. */
export function writeAlarms(sqlite, path, alarms) {
  const database = new sqlite.DatabaseSync(path)
  try {
    if (!hasTable(database, '_cf_ALARM')) return
    const columns = database.prepare("SELECT name FROM pragma_table_info('_cf_ALARM')").all()
    const isNamed = columns.some(({ name }) => name === 'actor_name')
    const known = isNamed ? database.prepare('SELECT actor_id, actor_name FROM _cf_ALARM').all() : []
    const names = new Map(known.map(({ actor_id, actor_name }) => [actor_id, actor_name]))
    const fields = isNamed ? 'actor_id, scheduled_time, actor_name' : 'actor_id, scheduled_time'
    const insert = database.prepare(`INSERT INTO _cf_ALARM (${fields}) VALUES (?, ?${isNamed ? ', ?' : ''})`)
    database.exec('BEGIN; DELETE FROM _cf_ALARM')
    for (const { id, time, name } of alarms) insert.run(id, time, ...(isNamed ? [name ?? names.get(id) ?? null] : []))
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}
