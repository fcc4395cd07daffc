/** One workerd process that is started when it is needed, and again after its end; failed starts are repeated with growing pauses. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { DOOR_VARIABLE } from './compute-config.mjs'
import { workerdCommand } from './watch.mjs'

const READY_WITHIN_MS = 10_000
const BACKOFF_MS = 100
const BACKOFF_MS_MAX = 5_000
const SHOWN_CHARS = 2_000

/** The process is started with the first request for it. */
export function workerdProcess(config) {
  /** The running or starting process, or null if there is none. */
  let current = null
  let failures = 0
  let stopped = false

  const begin = () => {
    const made = { kill: () => {}, at: null }
    const forget = () => {
      if (current === made) current = null
    }
    made.kill = forget
    made.at = comeUp(made, forget)
      .catch((error) => {
        console.error(`compute: no process can be started: ${error instanceof Error ? error.message : String(error)}`)
        return null
      })
      .then((at) => {
        failures = at === null ? failures + 1 : 0
        // The next job tries again.
        if (at === null) forget()
        return at
      })
    return made
  }
  async function comeUp(made, forget) {
    if (failures > 0) await sleep(Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** (failures - 1)), null, { ref: false })
    if (stopped) return null
    const child = spawnWorkerd(config)
    made.kill = () => {
      // This happens at once, because the next caller must not get a process that is about to end.
      forget()
      child.kill()
    }
    void child.ended.then(forget)
    const port = await child.port
    if (port !== null) return { port, secret: child.secret, kill: made.kill }
    made.kill()
    console.error(`compute: the process did not start\n${child.printed()}`)
    return null
  }
  return {
    /** The address on which it listens, or null if it did not start. */
    running: () => {
      current ??= begin()
      return current.at
    },
    stop() {
      stopped = true
      current?.kill()
    },
  }
}

/** It gets nothing of our environment, which it does not need and which contains keys. */
function spawnWorkerd(config) {
  const secret = randomBytes(32).toString('base64url')
  const { command, args, env } = workerdCommand()
  const child = spawn(command, [...args, 'serve', '--control-fd=3', config], {
    env: { ...env, [DOOR_VARIABLE]: secret },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to our whole process group; the job that runs is finished first.
    detached: process.platform !== 'win32',
  })
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined)
  // Without a free descriptor Node creates none of these streams, and reports the error later.
  if (child.stderr === undefined) throw new Error('this process has too many files open')
  let printed = ''
  child.stderr.on('data', (chunk) => (printed = `${printed}${chunk}`.slice(-SHOWN_CHARS)))
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  const late = sleep(READY_WITHIN_MS, null, { ref: false })
  return {
    secret,
    kill,
    ended,
    printed: () => printed,
    port: Promise.race([listening(child), ended.then(() => null), late]),
  }
}

/** The control descriptor carries one JSON object per line. */
function listening(child) {
  return new Promise((resolve) => {
    let told = ''
    child.stdio[3].on('data', (chunk) => {
      told += chunk
      for (const line of told.split('\n').filter((part) => part.endsWith('}'))) {
        const { event, port } = JSON.parse(line)
        if (event === 'listen') resolve(port)
      }
    })
  })
}
