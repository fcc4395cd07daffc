/** One bridge to a directory: a file that names the process that has it, and is taken over when that process is gone. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { statOf } from './folders.mjs'
import { beginOf, isAlive, placeOfProcesses } from './process.mjs'

const NAME = 'lock'
const TOUCHED_EVERY_MS = 15_000
/** Nobody can ask for a process of another machine or container: its lock must have been touched within this time. */
const FRESH_MS = 60_000
const TRIES = 5

/** `{ ok: true, release }`, or `{ ok: false, holder }` in words. */
export async function takeLock(fs, state, self = { pid: process.pid, place: placeOfProcesses() }) {
  const path = join(state, NAME)
  const mine = `${JSON.stringify({ ...self, begin: beginOf(self.pid), nonce: randomUUID() })}\n`
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await create(fs, path, mine)) return { ok: true, release: keep(fs, path, mine) }
    const found = await readLock(fs, path)
    if (found === null) continue
    if (isLive(found, self)) return { ok: false, holder: wordsOf(found) }
    if (!(await discard(fs, path, found.text, self))) break
  }
  return { ok: false, holder: 'another one is starting right now' }
}

/** Returns whether there was no lock. */
async function create(fs, path, text) {
  try {
    await fs.writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** null if the lock is gone. A lock that is just being written has no `pid`. */
async function readLock(fs, path) {
  const stat = await statOf(fs, path)
  if (stat === null) return null
  if (!stat.isFile()) throw new Error(`${path} is no plain file`)
  const text = await fs.readFile(path, 'utf8').catch(() => null)
  return text === null ? null : { text, touched: Number(stat.mtimeMs), ...parse(text) }
}

function parse(text) {
  try {
    const { pid, place, begin } = JSON.parse(text)
    return { pid, place, begin }
  } catch {
    return {}
  }
}

function isLive({ pid, place, begin, touched }, self) {
  if (place !== self.place || !Number.isInteger(pid) || pid < 1) return Date.now() - touched < FRESH_MS
  // The lock has our process id but is not ours: an earlier process had the same id.
  return pid !== self.pid && isAlive(pid) && beginOf(pid) === begin
}

function wordsOf({ pid, place }) {
  return pid === undefined ? 'one that is just starting' : `process ${pid} on ${String(place).split(' ', 1)[0]}`
}

/**
 * Removes a dead lock; false: somebody else is at it. Two may have read the same dead lock, and the slower one would remove that of the
 * faster: so it is done by one at a time, who looks again.
 */
async function discard(fs, path, text, self) {
  const guard = `${path}.takeover`
  if (!(await create(fs, guard, ''))) {
    const stat = await statOf(fs, guard)
    // Its maker died during the takeover.
    if (stat === null || Date.now() - Number(stat.mtimeMs) < FRESH_MS) return false
    await fs.rm(guard, { force: true })
    return true
  }
  try {
    const found = await readLock(fs, path)
    // The time and the text of the first look may be those of two locks: the dead one, and the one that took its place in between.
    if (found?.text === text && !isLive(found, self)) await fs.rm(path, { force: true })
    return true
  } finally {
    await fs.rm(guard, { force: true })
  }
}

/** Keeps the lock fresh, and returns a function that releases it. */
function keep(fs, path, mine) {
  const touch = setInterval(() => {
    const now = new Date()
    fs.utimes(path, now, now).catch(() => undefined)
  }, TOUCHED_EVERY_MS).unref()
  return async () => {
    clearInterval(touch)
    const found = await readLock(fs, path)
    if (found?.text === mine) await fs.rm(path, { force: true })
  }
}
