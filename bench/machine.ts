/** What the machine gives: a place in memory, cores, and the process's own account of its time. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Clock ticks of /proc per second; a constant of the kernel's interface on every platform workerd runs on. */
const TICKS_PER_S = 100

/** User and system time of a process so far, in ms; null where there is no /proc. */
export function cpuOf_ms(pid: number): number | null {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  // The name of the program stands in brackets and may have blanks.
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S
}

/** A directory in memory: what a local disk takes to confirm a write would hide the rest. */
export function makePlace(note: (text: string) => void): string {
  const memory = existsSync('/dev/shm')
  if (!memory) note('no /dev/shm: storage is on disk, and its fsync is in every figure')
  return mkdtempSync(join(memory ? '/dev/shm' : tmpdir(), 'loop-agent-bench-'))
}

/** The core of the servers; we and the model go to the others. null: nothing is pinned. */
export function takeCores(note: (text: string) => void): number | null {
  if (spawnSync('taskset', ['-V']).status !== 0) {
    note('no taskset: servers, load and model share all cores')
    return null
  }
  const last = availableParallelism() - 1
  if (last < 1) {
    note('one core only: servers, load and model share it')
    return 0
  }
  const others = last === 1 ? '1' : `1-${last}`
  spawnSync('taskset', ['-a', '-cp', others, String(process.pid)])
  return 0
}

export const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  load_average: Number(loadavg()[0]?.toFixed(1)),
})
