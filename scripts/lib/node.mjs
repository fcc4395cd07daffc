/** The folder of the project and the Node that runs it: the one that npm installed there, if the caller's is too old to read TypeScript. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const installed = join(ROOT, 'node_modules/.bin/node')
/** The Node to start our own scripts with. */
export const NODE = process.platform !== 'win32' && existsSync(installed) ? installed : process.execPath

/** Node strips types by itself from 22.18 on; `process.features.typescript` says so. */
export const readsTypeScript = Boolean(process.features.typescript)

/**
 * Runs a command as if it were this process: same streams, signals passed on, its exit code becomes ours. The channel
 * tells the child when this process dies without a word.
 */
export function become(command, args, { env = process.env, channel = false } = {}) {
  const child = spawn(command, args, { env, stdio: ['inherit', 'inherit', 'inherit', ...(channel ? ['ipc'] : [])] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`error: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}
