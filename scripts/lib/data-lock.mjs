/**
 * One process at a time may serve a data directory: two would run the same task twice. The operating system keeps the lock, as it keeps
 * those of SQLite, on the file and not on its name. So it ends with its process, also after kill -9, and holds by whatever path the
 * directory is reached.
 */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSqlite } from './sqlite.mjs'

const SQLITE_BUSY = 5

/** Throws one sentence if another process has the directory, which must exist. The lock is held until this process ends. */
export async function lockData(dataDir) {
  const directory = realpathSync(dataDir)
  const holder = join(directory, 'service.pid')
  const lock = await openLock(join(directory, 'service.lock'))
  try {
    // The lock is taken without a write, so that a start works on a full disk.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
  } catch (error) {
    if (error.errcode !== SQLITE_BUSY) throw error
    throw new Error(
      `${directory} is in use by another loop-agent (process ${pidIn(holder)}): stop it, or choose another DATA_DIR`,
      {
        cause: error,
      },
    )
  }
  try {
    writeFileSync(holder, `${process.pid}\n`)
  } catch {
    // The number is only for the message.
  }
  held.push(lock)
}

/** A lock that is garbage-collected would end, so this keeps it reachable. */
const held = []

async function openLock(path) {
  const { DatabaseSync } = await loadSqlite()
  return new DatabaseSync(path, { timeout: 0 })
}

function pidIn(path) {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
