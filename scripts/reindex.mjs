/**
 * `npm run reindex`: rebuilds the indexes of all tenants in DATA_DIR from their tasks, while the service is stopped. It sends nothing, calls no
 * model and continues no task. Prints one line for each tenant; exit 1 when something could not be read or written.
 */
import { resolve } from 'node:path'
import { takeDataDir } from './lib/data-dir.mjs'
import { NODE, become, readsTypeScript } from './lib/node.mjs'

if (readsTypeScript) await main()
else if (NODE !== process.execPath) become(NODE, [import.meta.filename, ...process.argv.slice(2)])
else fail('Node 22.18 or newer is needed, or the one that npm ci installs here')

async function main() {
  const { readEnvironment } = await import('./lib/environment.mjs')
  const { rebuildIndexes, taskIds } = await import('./lib/rebuild-indexes.mjs')
  const { dataDir, bindings } = readEnvironment(process.env)
  const storage = resolve(dataDir)
  if (taskIds(storage).length === 0)
    fail(`there are no tasks in ${storage}: DATA_DIR names the directory that npm start used`)
  // The service and this script would run the same objects twice.
  await takeDataDir(storage).catch((error) => fail(error.message))
  process.exit((await rebuildIndexes({ storage, bindings })) === 0 ? 0 : 1)
}

function fail(reason) {
  console.error(`error: ${reason}`)
  process.exit(1)
}
