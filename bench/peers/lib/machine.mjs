/** What the machine gives: a place in memory, a core for the servers, and the account of what a process used. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Clock ticks of /proc per second, a constant of the kernel's interface. */
const TICKS_PER_S = 100

/** In memory, so that no figure has a disk in it; on disk where there is no such place, and said so by the path. */
export const makePlace = () => mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'loop-agent-peers-'))

/** The last core is the servers', the others are for us and the model; null where nothing can be pinned. */
export function takeCore() {
  const last = availableParallelism() - 1
  if (last < 1 || spawnSync('taskset', ['-V']).status !== 0) return null
  const pinned = spawnSync('taskset', ['-apc', last === 1 ? '0' : `0-${last - 1}`, String(process.pid)])
  return pinned.status === 0 ? last : null
}

/** User and system time of a process and all below it so far, in ms. */
export function cpuOf_ms(pid) {
  const own = statOf(pid)
  // Fields 14 to 17: its own time, then that of children it has waited for.
  const ticks = own.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return (ticks * 1000) / TICKS_PER_S + childrenOf(pid).reduce((sum, child) => sum + cpuOf_ms(child), 0)
}

/** From the third field on: the name before has brackets around it and may have blanks in it. */
const statOf = (pid) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

function childrenOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

/** Bytes of all databases below, each with its log written back first. Only behind the end of their server. */
export function bytesStored(directory) {
  const files = readdirSync(directory, { recursive: true }).map((name) => join(directory, name))
  for (const file of files.filter((name) => name.endsWith('.sqlite'))) {
    const database = new DatabaseSync(file)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  }
  return files
    .filter((name) => existsSync(name) && statSync(name).isFile())
    .reduce((sum, name) => sum + statSync(name).size, 0)
}
