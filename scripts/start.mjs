/**
 * `npm start`: serves the built bundle with Miniflare on 127.0.0.1:PORT, its storage in DATA_DIR. Prints one line when ready, and sends
 * `{ url }` to a script that started it with a channel. Ends with its children on SIGTERM, SIGINT and SIGHUP.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DIST } from './lib/dist.mjs'
import { NODE, ROOT, become, readsTypeScript } from './lib/node.mjs'
import { withSecrets } from './lib/secrets.mjs'
import { onOrphaned, tieWorkerdToUs } from './lib/watch.mjs'

/** Miniflare ends in well under a second; when it hangs, workerd still goes with us. */
const STOP_WITHIN_MS = 5_000

if (readsTypeScript) await main()
else if (NODE !== process.execPath) become(NODE, [import.meta.filename, ...process.argv.slice(2)], { channel: true })
else fail(['Node 22.18 or newer is needed, or the one that npm ci installs here'])

async function main() {
  // Before anything that takes time: whoever started us may be gone before we are ready.
  let stop = () => process.exit(1)
  onOrphaned(() => stop())
  const { readEnvironment } = await import('./lib/environment.mjs')
  const settings = readEnvironment(process.env)
  if (settings.errors.length > 0) fail(settings.errors)
  tieWorkerdToUs()
  try {
    const service = await serve(settings)
    stop = service.stop
    const { url } = service
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
    process.send?.({ url })
    const { model, keys, dataDir } = settings
    console.log(`loop-agent is listening on ${url} (model: ${model}, ${keys}, data: ${dataDir})`)
  } catch (error) {
    fail([
      error.code === 'ERR_ADDRESS_IN_USE' ? `port ${settings.port} is taken; choose another with PORT` : error.message,
    ])
  }
}

/** Answers once `GET /health` does; without keys in production that is its refusal. */
async function serve({ port, dataDir, bindings, keyless }) {
  const { Miniflare, convertV4MiniflareOptions } = await import('miniflare')
  const storage = resolve(dataDir)
  mkdirSync(storage, { recursive: true })
  const options = {
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: storage,
  }
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ ...options, workers: readWorkers(withSecrets(bindings, storage), port) }),
  )
  const url = (await miniflare.unsafeGetDirectURL()).origin
  const health = await fetch(`${url}/health`)
  if (!health.ok && !(keyless && health.status === 503))
    throw new Error(`GET /health answers ${health.status}: ${await health.text()}`)
  return { url, stop: once(() => end(miniflare)) }
}

/**
 * What scripts/build.mjs left in dist/, on a socket of its own: Miniflare's entry in front of it would answer a bad Host header with a 500
 * and a stack. For that the static files are a Worker beside it.
 */
function readWorkers(bindings, port) {
  const { worker, modules } = readManifest(DIST)
  // The local queue hands out one batch after the other: without it each object does its own jobs.
  const { assets, queueProducers: _producers, queueConsumers: _consumers, ...service } = worker
  const files = `${worker.name}-assets`
  return [
    {
      ...service,
      bindings: { ...worker.bindings, ...bindings },
      serviceBindings: { ...worker.serviceBindings, [assets.binding]: files },
      unsafeDirectSockets: [{ host: '127.0.0.1', port }],
      modules: modules.map((path) => readModule(DIST, path)),
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
  ]
}

function readManifest(dist) {
  try {
    return JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
  } catch (error) {
    throw new Error('there is no bundle in dist/: run npm run build first', { cause: error })
  }
}

function readModule(dist, path) {
  const content = readFileSync(join(dist, path))
  if (path.endsWith('.wasm')) return { type: 'CompiledWasm', path, contents: content }
  if (path.endsWith('.bin')) return { type: 'Data', path, contents: content }
  return { type: path.endsWith('.txt') ? 'Text' : 'ESModule', path, contents: content.toString('utf8') }
}

async function end(miniflare) {
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  await miniflare.dispose()
  process.exit(0)
}

function once(act) {
  let done = false
  return () => {
    if (!done) void act()
    done = true
  }
}

function fail(reasons) {
  for (const reason of reasons) console.error(`error: ${reason}`)
  process.exit(1)
}
