/** What is read of the databases of tasks and buckets: whose they are, which blobs they name, and whether the journal folds to its heads. */
import { hasTable, reading } from '../sqlite.mjs'

/** `name` of the object and the keys of its files in the bucket; null: there is no task in it. */
export function taskIn(sqlite, path) {
  return reading(sqlite, path, (database) => {
    if (!hasTable(database, 'journal')) return null
    const row = database.prepare('SELECT head FROM journal WHERE head IS NOT NULL ORDER BY seq DESC LIMIT 1').get()
    if (row === undefined) return null
    const { tenant, id } = JSON.parse(String(row.head))
    const rows = hasTable(database, 'files') ? blobsOf(database) : []
    const prefix = `${encodeURIComponent(tenant)}/${encodeURIComponent(id)}/`
    return { name: JSON.stringify([tenant, id]), keys: rows.map(({ blob }) => prefix + encodeURIComponent(blob)) }
  })
}

/** A table of an earlier release has no such column. */
function blobsOf(database) {
  const columns = database.prepare("SELECT name FROM pragma_table_info('files')").all()
  const has = columns.some(({ name }) => name === 'blob')
  return has ? database.prepare("SELECT blob FROM files WHERE blob IS NOT NULL AND blob <> ''").all() : []
}

/** The keys of a bucket and its blobs, each with the key that it belongs to. Nothing for another kind of database. */
export function bucketIn(sqlite, path) {
  return reading(sqlite, path, (database) => {
    if (!hasTable(database, '_mf_objects')) return { keys: [], blobs: new Map() }
    const objects = database.prepare('SELECT key, blob_id FROM _mf_objects').all()
    const parts = database
      .prepare('SELECT object_key AS key, blob_id FROM _mf_multipart_parts WHERE object_key IS NOT NULL')
      .all()
    const blobs = [...objects, ...parts].filter(({ blob_id }) => blob_id !== null)
    return { keys: objects.map(({ key }) => key), blobs: new Map(blobs.map(({ key, blob_id }) => [blob_id, key])) }
  })
}

/** The rows of the journal as `GET /tasks/:id/export` gives them; null: there is none. */
export function journalIn(sqlite, path) {
  return reading(sqlite, path, (database) => {
    if (!hasTable(database, 'journal')) return null
    const rows = database.prepare('SELECT * FROM journal ORDER BY seq').all()
    return rows.length === 0 ? null : rows.map((row) => ({ ...row }))
  })
}
