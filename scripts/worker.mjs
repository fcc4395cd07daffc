/**
 * `npm run worker -- --exec "<command>"`: runs a program on each command of orchestrating tasks, and reports what it says
 * (docs/workers.md). Exit 0 when it was stopped, 1 when it cannot go on, or with --once has reported nothing, 2 after a wrong command line.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { delegationClient } from './lib/delegations.mjs'
import { COMMON_HELP, readOptions, startedIn } from './lib/delegations/options.mjs'
import { wait } from './lib/delegations/patience.mjs'
import { teller } from './lib/delegations/told.mjs'
import { onOrphaned } from './lib/watch.mjs'
import { runWorker } from './lib/worker/worker.mjs'

const HELP = `usage: npm run worker -- --exec "<command>" [options]

Runs the command in a shell for each delegation, with the command file on stdin. What it prints, or writes to $REPORT_FILE, is the report.

  --exec      the command
  --once      ends after one delegation
  --overtime  seconds for which the program may go on beyond the first deadline (14400); its claim has the task wait
${COMMON_HELP}`

process.exit(await main())

/** The exit code. */
async function main() {
  const own = {
    exec: { type: 'string' },
    once: { type: 'boolean', default: false },
    overtime: { type: 'string', default: '14400' },
  }
  const read = readOptions(process.argv.slice(2), process.env, { own, required: ['exec'] })
  if (!read.ok) {
    console.error(`error: ${read.reason}\n\n${HELP}`)
    return 2
  }
  if (read.values === null) {
    console.log(HELP)
    return 0
  }
  try {
    return await serve(read.values)
  } catch (error) {
    console.error(`error: ${error.message}`)
    return 1
  }
}

async function serve({ exec, once, url, key, pool, worker: given, lease_s, steal_s, overtime_s, json }) {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => controller.abort())
  onOrphaned(() => controller.abort())
  const tell = teller({ json })
  // Several workers on one machine have different names.
  const worker = given ?? `${hostname().slice(0, 60)}-${process.pid}-${randomBytes(4).toString('hex')}`
  const stop = controller.signal
  const client = delegationClient({ url, key, pool, stop })
  tell({ event: 'ready', url, at: exec, worker })
  const program = { exec, cwd: startedIn(), env: process.env }
  const reported = await runWorker(
    { client, stop, tell, wait, worker, lease_s, steal_s, overtime_s, ...program },
    { once },
  )
  tell({ event: 'stopped' })
  return reported || !once || stop.aborted ? 0 : 1
}
