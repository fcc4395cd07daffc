/** What the machine gives: a place in memory, cores, and the process's own account of its time. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Clock ticks of /proc per second; a constant of the kernel's interface on every platform workerd runs on. */
const TICKS_PER_S = 100

/**
 * User and system time of a process so far, in ms; null where there is no /proc. From the scheduler's account of its threads where the
 * kernel keeps one, in ns (theirs stay as long as the process), else from its `stat`, in ticks of 10 ms.
 */
export function cpuOf_ms(pid: number): number | null {
  const path = `/proc/${pid}`
  if (!existsSync(path)) return null
  if (!existsSync(`${path}/schedstat`)) return ticksOf(readFileSync(`${path}/stat`, 'utf8')) * (1000 / TICKS_PER_S)
  const threads = readdirSync(`${path}/task`).map((thread) => readFileSync(`${path}/task/${thread}/schedstat`, 'utf8'))
  return threads.reduce((sum, account) => sum + Number(account.split(' ')[0]), 0) / 1e6
}

function ticksOf(stat: string): number {
  // The name of the program stands in brackets and may have blanks.
  const fields = stat.replace(/^.*\) /s, '').split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** The memory of a process that is in use, in bytes; null where there is no /proc. */
export function memoryOf_bytes(pid: number): number | null {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return null
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
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
