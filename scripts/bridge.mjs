/**
 * `npm run bridge -- --dir volumes`: hands the commands of orchestrating tasks to an agent that works by files, and its reports back
 * (docs/workers.md). Exit 0 when it was stopped, 1 when it cannot go on, 2 after a wrong command line.
 */
import fs from 'node:fs/promises'
import { resolve } from 'node:path'
import { createBridge, runBridge } from './lib/bridge/bridge.mjs'
import { openFolders } from './lib/bridge/folders.mjs'
import { takeLock } from './lib/bridge/lock.mjs'
import { workerName } from './lib/bridge/worker-name.mjs'
import { delegationClient } from './lib/delegations.mjs'
import { COMMON_HELP, isCount, readOptions, startedIn } from './lib/delegations/options.mjs'
import { wait } from './lib/delegations/patience.mjs'
import { teller } from './lib/delegations/told.mjs'
import { onOrphaned } from './lib/watch.mjs'

const QUIET_MS_MAX = 600_000
const MAX_MAX = 1_000
const HELP = `usage: npm run bridge -- --dir <directory> [options]

Keeps commands/ and reports/ below the directory in step with the delegations of the service.

  --dir     where the agent looks for commands/pending and writes reports/pending
  --max     commands that the agent is handed at a time (1)
  --quiet   milliseconds that a report must have been left alone to be taken as whole (500)
${COMMON_HELP}`

process.exit(await main())

/** The exit code. */
async function main() {
  const text = (usual) => ({ type: 'string', ...(usual === undefined ? {} : { default: usual }) })
  const own = { dir: text(), quiet: text('500'), max: text('1') }
  const read = readOptions(process.argv.slice(2), process.env, { own, required: ['dir'] })
  if (!read.ok) return misused(read.reason)
  if (read.values === null) return say(HELP)
  if (!isCount(read.values.quiet, QUIET_MS_MAX)) return misused(`--quiet is a number from 1 to ${QUIET_MS_MAX}`)
  if (!isCount(read.values.max, MAX_MAX)) return misused(`--max is a number from 1 to ${MAX_MAX}`)
  try {
    return await serve(read.values)
  } catch (error) {
    console.error(`error: ${error.message}`)
    return 1
  }
}

async function serve({ dir, quiet, url, key, pool, worker: given, lease_s, steal_s, max, json }) {
  const folders = await openFolders(fs, resolve(startedIn(), dir))
  const lock = await takeLock(fs, folders.state)
  if (!lock.ok) throw new Error(`${folders.root} has a bridge already: ${lock.holder}`)
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => controller.abort())
  onOrphaned(() => controller.abort())
  const tell = teller({ json })
  try {
    const worker = given ?? (await workerName(fs, folders.state))
    const client = delegationClient({ url, key, pool, stop: controller.signal })
    tell({ event: 'ready', url, at: folders.root, worker })
    await runBridge(
      createBridge({
        fs,
        folders,
        client,
        controller,
        tell,
        wait,
        worker,
        lease_s,
        steal_s,
        quiet_ms: Number(quiet),
        max: Number(max),
      }),
    )
    tell({ event: 'stopped' })
    return 0
  } finally {
    await lock.release()
  }
}

function say(text) {
  console.log(text)
  return 0
}

function misused(reason) {
  console.error(`error: ${reason}\n\n${HELP}`)
  return 2
}
