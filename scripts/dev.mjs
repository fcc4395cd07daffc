/**
 * `npm run dev`: wrangler dev on the sources as one Worker, rebuilt on every change. Further arguments are passed on (`npm run dev -- --port 9000`). It
 * develops unless `.dev.vars` sets ENVIRONMENT, or API_KEYS, which means production here as everywhere. However it is ended, nothing is left behind.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { NODE } from './lib/node.mjs'
import { onOrphaned, tiedCommand } from './lib/watch.mjs'
import { WRANGLER_CLI, WRANGLER_ENV } from './lib/wrangler.mjs'

/** The time that wrangler has to end by itself. */
const END_WITHIN_MS = 5_000

// This comes before all slow work, because the starting process may be gone before we are ready.
let end = () => process.exit(1)
onOrphaned(() => end('SIGTERM'))
const own = ['--config', 'wrangler.single.toml', '--ip', '127.0.0.1', '--var', 'DEFAULT_ENVIRONMENT:development']
const { before, env } = tiedCommand()
const [command, ...args] = [...before, NODE, '--no-warnings', WRANGLER_CLI, 'dev', ...own, ...process.argv.slice(2)]
const child = spawn(command, args, { env: { ...WRANGLER_ENV, ...process.env, ...env }, stdio: 'inherit' })
end = (signal) => {
  child.kill(signal)
  setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS).unref()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))
child.on('error', (error) => {
  console.error(`error: ${error.message}`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
