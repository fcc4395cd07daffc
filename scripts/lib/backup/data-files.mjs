/** What of a data directory is backed up, and in which order. */
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Of one process: its lock, its sockets, and what SQLite keeps beside a database. `cache` and `damaged` are no data of a running service. */
const LEFT_OUT = /^(?:service\.(?:lock|pid)|\.workerd-.*|\.room-.*|secrets\.json\.new|.*\.sqlite-(?:wal|shm|journal))$/
const FOLDERS_LEFT_OUT = new Set(['cache', 'damaged'])
const ALARMS = 'metadata.sqlite'
const TASKS = /(?:^|\/)do\/[^/]*-TaskObject$/
const BLOB = /(?:^|\/)r2\/[^/]+\/blobs\/([^/]+)$/

/** Whether a directory is as good as empty: nothing in it but what one process leaves behind. */
export const isUnused = (dataDir) => !existsSync(dataDir) || readdirSync(dataDir).every((name) => LEFT_OUT.test(name))

/**
 * Paths from `dataDir`, by kind. A task comes before the workspace in which its effects are noted: what a restored task does again is then found
 * there by its key. Blobs come last, so that every file that a task names was there.
 */
export function dataFiles(dataDir) {
  const files = { tasks: [], alarms: [], others: [], buckets: [], blobs: [], plain: [] }
  for (const path of filesBelow(dataDir)) files[kindOf(path)].push(path)
  return files
}

function kindOf(path) {
  if (BLOB.test(path)) return 'blobs'
  if (!path.endsWith('.sqlite')) return 'plain'
  const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
  if (/(?:^|\/)r2\//.test(path)) return 'buckets'
  if (name === ALARMS) return 'alarms'
  return TASKS.test(folder) ? 'tasks' : 'others'
}

/** The id in the path of a blob. */
export const blobIn = (path) => BLOB.exec(path)?.[1] ?? null

function filesBelow(dataDir) {
  const found = []
  const look = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !(folder === dataDir && FOLDERS_LEFT_OUT.has(entry.name))) look(path)
      if (entry.isFile() && !LEFT_OUT.test(entry.name)) found.push(relative(dataDir, path))
    }
  }
  look(dataDir)
  return found.toSorted()
}
