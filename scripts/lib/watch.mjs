/** No orphans: what may end the service besides its own signals, and what must end with it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './node.mjs'

const CHECK_EVERY_MS = 500

/**
 * Calls `stop` once whoever runs us is gone. A script of ours holds a channel; npm stands two processes above us, with a shell
 * between that passes no signal on, so both are watched.
 */
export function onOrphaned(stop) {
  if (process.channel) {
    process.on('disconnect', stop)
    // Being watched is no reason to keep running.
    process.channel.unref()
    return
  }
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const shell = process.ppid
  const above = [shell, parentOf(shell)].filter((pid) => pid > 0)
  setInterval(() => {
    if (process.ppid !== shell || shell === 1 || !above.every(isAlive)) stop()
  }, CHECK_EVERY_MS).unref()
}

function parentOf(pid) {
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))
  } catch {
    // Without ps only the shell is watched.
    return 0
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Has Miniflare start workerd through a wrapper that ties it to this process (Linux; elsewhere a kill -9 of this process alone leaves
 * workerd behind). A left-over workerd would go on serving the port from the same data.
 */
export function tieWorkerdToUs() {
  if (process.platform !== 'linux' || process.env.MINIFLARE_WORKERD_PATH !== undefined) return
  if (spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status !== 0) return
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  process.env.LOOP_AGENT_WORKERD = fromMiniflare('workerd').default
  process.env.MINIFLARE_WORKERD_PATH = join(ROOT, 'scripts/lib/workerd.sh')
}
