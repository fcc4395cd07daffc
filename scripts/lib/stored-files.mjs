/**
 * The files of the objects, as the Worker asks for them when one cannot be opened: whether the disk is full, and to move the file of a deleted
 * task away, since no code of its object runs. What it held stays in the folder `damaged`, for whoever can read more of it, with what SQLite
 * keeps beside it: after a kill the newest rows are in the write-ahead log alone. The newest 20, for 30 days.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const OBJECT = /^[0-9a-f]{64}$/

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
const KEPT_TASKS = 20

/** What one object has, in the order in which it is moved: a file that has gone leaves no log to whoever comes next under its name. */
const PARTS = ['.sqlite-wal', '.sqlite-shm', '.sqlite']
const PART = /^([0-9a-f]{64})\.sqlite(?:-wal|-shm)?$/

/** About the space that a new object needs. */
const ROOM_BYTES = 65_536

/**
 * A service binding of the Worker. GET answers 204, or 507 on a full disk. The body of a POST is the id of an object: 204 when its file was
 * moved, else 404.
 */
export function storedFiles(dataDir, objects) {
  forgetDamaged(dataDir)
  return (request) => answer(dataDir, objects, request)
}

async function answer(dataDir, objects, request) {
  if (request.method === 'GET') return new Response(null, { status: isFull(dataDir) ? 507 : 204 })
  const id = await request.text()
  const folder = join(dataDir, 'do', objects)
  if (!OBJECT.test(id) || !existsSync(join(folder, `${id}.sqlite`))) return new Response(null, { status: 404 })
  setAside(id, folder, join(dataDir, 'damaged'))
  forgetDamaged(dataDir)
  return new Response(null, { status: 204 })
}

function setAside(id, from, to) {
  mkdirSync(to, { recursive: true })
  // Of an earlier task with this id: its log would be read with the file of this one. Without a file it is from a move of this one that broke off.
  if (existsSync(join(to, `${id}.sqlite`))) forget(to, id)
  for (const part of PARTS) {
    const aside = join(to, id + part)
    if (!existsSync(join(from, id + part))) continue
    renameSync(join(from, id + part), aside)
    // The age of the folder counts from now.
    utimesSync(aside, new Date(), new Date())
  }
}

const forget = (folder, id) => PARTS.forEach((part) => rmSync(join(folder, id + part), { force: true }))

/** Removes old folders, so that the data of deleted tasks is not kept for ever. */
export function forgetDamaged(dataDir, now_ms = Date.now()) {
  const folder = join(dataDir, 'damaged')
  if (!existsSync(folder)) return
  const ages = new Map()
  for (const name of readdirSync(folder)) {
    const [, id] = PART.exec(name) ?? []
    if (id !== undefined) ages.set(id, Math.max(ages.get(id) ?? 0, statSync(join(folder, name)).mtimeMs))
  }
  const aged = [...ages].sort(([, one], [, other]) => other - one)
  for (const [index, [id, at]] of aged.entries()) if (index >= KEPT_TASKS || now_ms - at > KEPT_MS) forget(folder, id)
}

function isFull(dataDir) {
  const probe = join(dataDir, `.room-${process.pid}`)
  try {
    writeFileSync(probe, Buffer.alloc(ROOM_BYTES))
    return false
  } catch (error) {
    return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(error.code)
  } finally {
    rmSync(probe, { force: true })
  }
}
