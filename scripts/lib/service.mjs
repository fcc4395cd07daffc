/** Starts the service for a script or a test: own process group, own free port, own data, and never left running. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NODE, ROOT } from './node.mjs'

const READY_WITHIN_MS = 30_000
/** A signal that comes within a second of the first one counts as the same. */
const FINISH_WITHIN_MS = 1_200
const STOP_WITHIN_MS = 8_000

export function makeDataDir() {
  return mkdtempSync(join(tmpdir(), 'loop-agent-'))
}

export function removeDataDir(path) {
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/**
 * `env` is laid over our own environment; an undefined value takes a variable away. Rejects with what the service printed when it ends
 * before it is ready.
 */
export async function startService({ dataDir, env = {} }) {
  const child = spawn(NODE, [join(ROOT, 'scripts/start.mjs')], {
    cwd: ROOT,
    env: environment({ PORT: '0', DATA_DIR: dataDir, npm_lifecycle_event: undefined, ...env }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)))
  const ended = once(child, 'exit')
  const printed = () => output.join('')
  const kill = (signal) => killGroup(child.pid, signal)
  const stop = () => stopChild(child, ended, kill)
  try {
    const url = await ready(child, ended, printed)
    return { url, pid: child.pid, output: printed, stop, ended, kill: () => (kill('SIGKILL'), ended) }
  } catch (error) {
    await stop()
    throw error
  }
}

function environment(changes) {
  const merged = Object.entries({ ...process.env, ...changes })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

async function ready(child, ended, printed) {
  const limit = AbortSignal.timeout(READY_WITHIN_MS)
  const message = once(child, 'message', { signal: limit }).then(([{ url }]) => url)
  const url = await Promise.race([message.catch(() => null), ended.then(() => null)])
  if (url === null) throw new Error(`the service did not start:\n${printed()}`)
  return url
}

async function stopChild(child, ended, kill) {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    // It finishes the work in progress, unless it gets a second signal.
    const again = setTimeout(() => child.kill('SIGTERM'), FINISH_WITHIN_MS)
    const timer = setTimeout(() => kill('SIGKILL'), STOP_WITHIN_MS)
    await ended
    clearTimeout(again)
    clearTimeout(timer)
  }
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
