/** Which process is meant by a number: numbers are used again, and are counted anew in each container and after each start of a machine. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The scope in which process ids are unique. */
export function placeOfProcesses() {
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  return [hostname(), boot, read(() => readlinkSync('/proc/self/ns/pid'))].join(' ').trim()
}

/** When the process began, in the words of the system; empty where that is not told, as everywhere but on Linux. */
export function beginOf(pid) {
  // The name of the program stands in brackets, and may hold anything.
  const fields = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim()).split(' ')
  return fields[19] ?? ''
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function read(act) {
  try {
    return act()
  } catch {
    return ''
  }
}
