/**
 * `npm start`: serves the built bundle with Miniflare on HOST:PORT, its storage in DATA_DIR. Prints one line when ready, before it a
 * warning in production where Miniflare's own port stays open, and sends `{ url }` to a script that started it with a channel. On SIGTERM,
 * SIGINT and SIGHUP it finishes what is under way, at most 25 s, and ends with its children; a second signal, a second or more later, ends it at
 * once.
 */
import module from 'node:module'
import { join } from 'node:path'
import { readManifest, readModules } from './lib/bundle.mjs'
import { takeDataDir } from './lib/data-dir.mjs'
import { DIST } from './lib/dist.mjs'
import { drain, newDrainSecret, withRuntime } from './lib/drain.mjs'
import { startMiniflare } from './lib/miniflare.mjs'
import { NODE, ROOT, become, readsTypeScript } from './lib/node.mjs'
import { networksFor } from './lib/network.mjs'
import { stopRequests } from './lib/stopping.mjs'
import { storedFiles } from './lib/stored-files.mjs'
import { withSecrets } from './lib/secrets.mjs'
import { onOrphaned, portWarning } from './lib/watch.mjs'

/** The file of the index database is found by this name. */
const INDEX_NAME = 'loop-agent-index'

if (readsTypeScript) await main()
else if (NODE !== process.execPath) become(NODE, [import.meta.filename, ...process.argv.slice(2)], { channel: true })
else fail(['Node 22.18 or newer is needed, or the one that npm ci installs here'])

async function main() {
  // This comes before all slow work, because the starting process may be gone before we are ready.
  let orphaned = () => process.exit(1)
  onOrphaned(() => orphaned())
  // What each start loads is compiled once, where the folder of the packages can be written.
  module.enableCompileCache(join(ROOT, 'node_modules/.cache/node'))
  const { readEnvironment } = await import('./lib/environment.mjs')
  const settings = readEnvironment(process.env)
  if (settings.errors.length > 0) fail(settings.errors)
  try {
    const service = await serve(settings)
    const { url, untied } = service
    // Miniflare kills the rest of its runtime on exit.
    const stop = stopRequests({ drain: service.drain, abort: () => process.exit(1) })
    orphaned = stop.orphaned
    // The signal listeners of Miniflare would end everything at once.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal).on(signal, stop.signaled)
    const { environment, reason, model, keys, dataDir, host } = settings
    const others = ['0.0.0.0', '::'].includes(host) ? ' and every other address of this machine' : ''
    if (untied !== null && environment === 'production') console.error(portWarning(untied))
    process.send?.({ url })
    console.log(
      `loop-agent is listening on ${url}${others} (${environment}, ${reason}; model: ${model}, ${keys}, data: ${dataDir})`,
    )
  } catch (error) {
    fail([
      error.code === 'ERR_ADDRESS_IN_USE' ? `port ${settings.port} is taken; choose another with PORT` : error.message,
    ])
  }
}

/** Resolves when `GET /health` answers; without keys in production the answer is a refusal. */
async function serve({ environment, host, port, dataDir, bindings, keyless, hasIndexDatabase }) {
  // This module reads TypeScript, which a Node that is too old could not load.
  const { startCompute } = await import('./lib/compute-process.mjs')
  const { storage, untied } = await takeDataDir(dataDir)
  const compute = await startCompute()
  const secret = newDrainSecret()
  const bound = { ...withSecrets(bindings, storage), DRAIN_SECRET: secret }
  const place = { environment, host, port, compute: compute.binding, storage, hasIndexDatabase }
  const workers = readWorkers({ bindings: bound, ...place })
  const { started, runtime } = await withRuntime(() => startMiniflare(storage, workers))
  const url = started.origin
  const health = await fetch(`${url}/health`)
  if (!health.ok && !(keyless && health.status === 503))
    throw new Error(`GET /health answers ${health.status}: ${await health.text()}`)
  const end = () => (compute.stop(), process.exit(0))
  return { url, untied, drain: () => void drain({ url, secret, runtime }, end) }
}

/**
 * What scripts/build.mjs left in dist/, on a socket of its own: Miniflare's entry in front of it would answer a bad Host header with a 500
 * and a stack. For that the static files are a Worker beside it.
 */
function readWorkers({ bindings, environment, host, port, compute, storage, hasIndexDatabase }) {
  const { worker, modules } = readManifest(DIST)
  // The local queue delivers one batch after the other; without a queue each object does its own jobs.
  const { assets, queueProducers: _producers, queueConsumers: _consumers, ...service } = worker
  const files = `${worker.name}-assets`
  const networks = networksFor(environment, worker.compatibilityDate)
  return [
    {
      ...service,
      ...networks.service,
      bindings: { ...worker.bindings, ...bindings },
      ...(hasIndexDatabase ? { d1Databases: { INDEX: INDEX_NAME } } : {}),
      serviceBindings: {
        ...worker.serviceBindings,
        ...networks.serviceBindings,
        [assets.binding]: files,
        COMPUTE: compute,
        STORED_FILES: storedFiles(storage, `${worker.name}-TaskObject`),
      },
      unsafeDirectSockets: [{ host, port }],
      modules: readModules(DIST, modules),
    },
    {
      name: files,
      compatibilityDate: worker.compatibilityDate,
      modules: true,
      script: 'export default {}',
      assets: {
        ...assets,
        directory: join(ROOT, 'public'),
        run_worker_first: false,
        routerConfig: { has_user_worker: false },
      },
    },
    ...networks.workers,
  ]
}

function fail(reasons) {
  for (const reason of reasons) console.error(`error: ${reason}`)
  process.exit(1)
}
