/**
 * Copies a data directory while a service may be using it. Every database is copied as it is at one moment (SQLite's own copy, which a writer does
 * not disturb), one after the other: so each task is a point in its own time, and they are not all of the same moment.
 */
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { blobIn, dataFiles } from './data-files.mjs'
import { writeManifest } from './manifest.mjs'
import { loadSqlite } from '../sqlite.mjs'
import { bucketIn, taskIn } from './stored-tasks.mjs'

/** Files that are replaced while they are copied make a further round; whatever is replaced in each of them is named as missing. */
const ROUNDS = 12
/** All pages in one step, so that a writer in between does not make it begin anew. */
const ALL_PAGES = 2 ** 30

/** Throws one sentence where there is nothing to copy, or a place that cannot be used. Answers the manifest. */
export async function makeBackup({ dataDir, to, facts }) {
  const [source, target] = [resolve(dataDir), resolve(to)]
  if (!existsSync(join(source, 'do')))
    throw new Error(`there is no data in ${source}: DATA_DIR names the directory that npm start uses`)
  if (existsSync(target)) throw new Error(`${target} exists: name a folder that is not there yet`)
  if (`${target}${sep}`.startsWith(`${source}${sep}`))
    throw new Error(`${target} is inside of the data: name a folder outside of ${source}`)
  const partial = `${target}.partial-${process.pid}`
  mkdirSync(join(partial, 'data'), { recursive: true, mode: 0o700 })
  try {
    const copied = await copyAll(await loadSqlite(), source, join(partial, 'data'))
    const manifest = await writeManifest(partial, { ...facts, made_at: new Date().toISOString(), ...copied })
    renameSync(partial, target)
    return manifest
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

async function copyAll(sqlite, from, to) {
  const copied = new Set()
  const tasks = new Map()
  const copy = async (path) => {
    if (await copyDatabase(sqlite, join(from, path), join(to, path))) copied.add(path)
    else forget(path)
  }
  const forget = (path) => {
    rmSync(join(to, path), { force: true })
    copied.delete(path)
    tasks.delete(path)
  }
  const readTask = (path) => {
    const task = copied.has(path) ? readableTask(sqlite, join(to, path)) : null
    if (task === null) tasks.delete(path)
    else tasks.set(path, task)
  }
  let again = dataFiles(from).tasks
  let missing = []
  for (let round = 0; round < ROUNDS && again.length > 0; round++) {
    for (const path of again) {
      await copy(path)
      readTask(path)
    }
    const { alarms, others, buckets, plain } = dataFiles(from)
    for (const path of [...alarms, ...others, ...buckets]) await copy(path)
    for (const path of plain) if (copyPlain(join(from, path), join(to, path))) copied.add(path)
    const held = copyBlobs(sqlite, { from, to, buckets: buckets.filter((path) => copied.has(path)), copied })
    missing = [...tasks].flatMap(([path, { name, keys }]) =>
      keys.filter((key) => !held.has(key)).map((key) => ({ path, name, key })),
    )
    again = [...new Set(missing.map(({ path }) => path))]
  }
  const classes = [...copied].filter((path) => basename(path) === 'metadata.sqlite').length
  return {
    tasks: tasks.size,
    classes,
    missing: missing.map(({ name, key }) => ({ task: name, file: key })),
    files: [...copied],
  }
}

/** Copies what the copies of the buckets name and is not there yet, and drops what they name no more. Answers the keys that are whole. */
function copyBlobs(sqlite, { from, to, buckets, copied }) {
  const there = new Map(dataFiles(from).blobs.map((path) => [blobIn(path), path]))
  const held = new Set()
  const named = new Set()
  for (const bucket of buckets) {
    const { keys, blobs } = bucketIn(sqlite, join(to, bucket))
    const broken = new Set()
    for (const [id, key] of blobs) {
      const path = there.get(id)
      if (path !== undefined && (copied.has(path) || copyPlain(join(from, path), join(to, path)))) {
        copied.add(path)
        named.add(path)
      } else broken.add(key)
    }
    for (const key of keys) if (!broken.has(key)) held.add(key)
  }
  for (const path of copied) {
    if (blobIn(path) === null || named.has(path)) continue
    rmSync(join(to, path), { force: true })
    copied.delete(path)
  }
  return held
}

/** Whether it was there to be copied: an object that is deleted takes its file with it. A file that is no database is copied as it is. */
async function copyDatabase(sqlite, from, to) {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  rmSync(to, { force: true })
  if (!existsSync(from)) return false
  let database
  try {
    database = new sqlite.DatabaseSync(from, { readOnly: true, timeout: 5_000 })
    await sqlite.backup(database, to, { rate: ALL_PAGES })
    closeLog(sqlite, to)
    return true
  } catch (error) {
    if (!existsSync(from)) return false
    if (!isDamaged(error)) throw new Error(`${from} cannot be copied: ${error.message}`, { cause: error })
    rmSync(to, { force: true })
    return copyPlain(from, to)
  } finally {
    database?.close()
  }
}

/** A copy is one file: without the log that the original has beside it, which whoever reads the copy would make anew. */
function closeLog({ DatabaseSync }, path) {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = DELETE')
  database.close()
}

const [SQLITE_CORRUPT, SQLITE_NOTADB] = [11, 26]
const isDamaged = ({ errcode }) => errcode === SQLITE_CORRUPT || errcode === SQLITE_NOTADB

function copyPlain(from, to) {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return false
  }
}

/** A task that cannot be read is copied as it is, and named when the backup is restored. */
function readableTask(sqlite, path) {
  try {
    return taskIn(sqlite, path)
  } catch {
    return null
  }
}
