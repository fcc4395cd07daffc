/** No orphans: what may end the service besides its own signals, and what must end with it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './node.mjs'

const CHECK_EVERY_MS = 500

/**
 * Calls `stop` when whoever runs us is gone, and only once. A script of ours holds a channel; npm stands two processes above us, with a shell
 * between that passes no signal on, so both are watched.
 */
export function onOrphaned(stop) {
  if (process.channel) {
    process.once('disconnect', stop)
    // The watch must not keep the process running.
    process.channel.unref()
    return
  }
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const shell = process.ppid
  const above = [shell, parentOf(shell)].filter((pid) => pid > 0)
  const timer = setInterval(() => {
    if (process.ppid === shell && shell !== 1 && above.every(isAlive)) return
    clearInterval(timer)
    stop()
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
 * Has Miniflare start workerd through a wrapper that ties it to this process, and closes what Miniflare opens for itself (Linux; elsewhere a
 * kill -9 of this process alone leaves workerd behind, and Miniflare's own port stays open to this machine). A left-over workerd would go on
 * serving the port from the same data. The wrapper keeps a socket file in `dataDir`, and gives workerd a session of its own: Ctrl-C in a terminal
 * goes to the whole process group, and workerd would die of it before it has finished what is under way. Answers null, or why it could not.
 */
export function tieWorkerdToUs(dataDir) {
  const reason = whyUntied({
    platform: process.platform,
    env: process.env,
    works: (command, args) => spawnSync(command, args, { input: '' }).status === 0,
  })
  if (reason !== null) return reason
  process.env.LOOP_AGENT_WORKERD = workerdBinary()
  process.env.LOOP_AGENT_PRIVATE = dataDir
  process.env.MINIFLARE_WORKERD_PATH = join(ROOT, 'scripts/lib/workerd.sh')
  return null
}

/**
 * How wrangler is started so that it and its workerd end with this process, also after kill -9 (Linux with setpriv; elsewhere that leaves them behind).
 * `before` stands before the command, `env` is laid over the environment.
 */
export function tiedCommand() {
  const [, setpriv, args] = NEEDED[0]
  const works = process.platform === 'linux' && spawnSync(setpriv, args).status === 0
  if (!works || process.env.MINIFLARE_WORKERD_PATH !== undefined) return { before: [], env: {} }
  const wrapper = join(ROOT, 'scripts/lib/workerd-tied.sh')
  const env = { LOOP_AGENT_WORKERD: workerdBinary(), MINIFLARE_WORKERD_PATH: wrapper }
  return { before: [setpriv, '--pdeathsig', 'TERM'], env }
}

/** The programs that the wrapper needs, and how each is tried. */
const NEEDED = [
  ['setpriv --pdeathsig', 'setpriv', ['--pdeathsig', 'KILL', 'true']],
  ['sed -z', 'sed', ['-z', 's/a/b/']],
  ['setsid', 'setsid', ['true']],
]

/** The reason in a few words, or null if the wrapper can be used. `works(command, args)` says whether a command succeeds here. */
export function whyUntied({ platform, env, works }) {
  if (platform !== 'linux') return `this system is ${platform}, not Linux`
  if (env.MINIFLARE_WORKERD_PATH !== undefined) return 'MINIFLARE_WORKERD_PATH is set'
  const missing = NEEDED.filter(([, command, args]) => !works(command, args)).map(([name]) => name)
  return missing.length === 0 ? null : `this machine lacks ${missing.join(', ')}`
}

/** The warning for operators when workerd is not tied to this process. */
export function portWarning(reason) {
  return (
    `warning: any local user of this machine can read stored files without a key, through a port that Miniflare leaves open on loopback (${reason}): ` +
    'run the service in a container of its own, or on Linux with setpriv --pdeathsig, sed -z and setsid installed and MINIFLARE_WORKERD_PATH unset'
  )
}

function workerdBinary() {
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  return fromMiniflare('workerd').default
}

/** How another workerd is started that ends with us too, where Miniflare's does; `env` is all that it needs of our environment. */
export function workerdCommand() {
  const { PATH, LOOP_AGENT_WORKERD: tied } = process.env
  const [command, ...args] = tied === undefined ? [workerdBinary()] : ['setpriv', '--pdeathsig', 'KILL', tied]
  return { command, args, env: { PATH } }
}
