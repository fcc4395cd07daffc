/** Runs the user's program on one command, in its own process group, so that all its children end with it. */
import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { boundedText } from './output.mjs'

const GRACE_MS = 5_000
const LOOK_EVERY_MS = 50
/** Something that it leaves running in the background may hold its output open. */
const OUTPUT_WITHIN_MS = 1_000
const OWN_GROUP = process.platform !== 'win32'
/** Characters; with what is said about a cut, less than a report may have. */
const STDOUT = { head_chars: 120_000, tail_chars: 70_000 }
const STDERR = { head_chars: 0, tail_chars: 4_000 }

/**
 * `{ stdout, stderr, code, signal, killed, took_ms }`; killed: not before its end was it told to. `kill` ends it: SIGTERM to all of the group, SIGKILL to what is left of it after `grace_ms`. Rejects
 * when there is no shell to run it.
 */
export async function runProgram({ command, cwd, env, input, kill, grace_ms = GRACE_MS, now }) {
  const stdin = await open(input)
  try {
    const child = spawn(command, { shell: true, cwd, env, detached: OWN_GROUP, stdio: [stdin.fd, 'pipe', 'pipe'] })
    return await outcomeOf(child, kill, { grace_ms, now: now ?? (() => performance.now()) })
  } finally {
    await stdin.close()
  }
}

async function outcomeOf(child, kill, { grace_ms, now }) {
  const began = now()
  const [stdout, stderr] = [boundedText(STDOUT), boundedText(STDERR)]
  child.stdout.on('data', stdout.add)
  child.stderr.on('data', stderr.add)
  const closed = new Promise((resolve) => child.once('close', resolve))
  let ending = null
  const end = () => (ending = endGroup(child, grace_ms))
  kill.addEventListener('abort', end)
  try {
    const ended = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        kill.removeEventListener('abort', end)
        resolve({ code, signal, killed: ending !== null, took_ms: now() - began })
      })
      if (kill.aborted) end()
    })
    await ending
    const timer = setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), OUTPUT_WITHIN_MS)
    await closed
    clearTimeout(timer)
    return { stdout: stdout.text(), stderr: stderr.text(), ...ended }
  } finally {
    kill.removeEventListener('abort', end)
  }
}

/** The end of a process group has no event, so it is polled. */
async function endGroup(child, grace_ms) {
  const last = performance.now() + grace_ms
  signal(child, 'SIGTERM')
  while (signal(child, 0) && performance.now() < last) await sleep(LOOK_EVERY_MS)
  signal(child, 'SIGKILL')
}

/** Whether there is a process that can receive the signal. */
function signal(child, name) {
  if (!OWN_GROUP) return child.kill(name)
  // It never began.
  if (child.pid === undefined) return false
  try {
    return process.kill(-child.pid, name)
  } catch (error) {
    if (error.code === 'ESRCH' || error.code === 'EPERM') return false
    throw error
  }
}
