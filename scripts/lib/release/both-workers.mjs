/** The Workers of two releases in one runtime, on the same objects: one hosts them, and the other one reaches them as a Worker of another version does. */
import { readManifest, readModules } from '../bundle.mjs'

const COMMON = {
  ENVIRONMENT: 'development',
  MODEL_PROVIDER: 'offline',
  SIGNING_SECRET: 'the secret of both releases',
  WEBHOOK_SECRET: `dev:whsec_${Buffer.alloc(32, 7).toString('base64')}`,
}
const HOST = 'loop-agent'

/** `host`: `old` or `new`. `bindings`: variables of both. Answers the address of each Worker. */
export async function bothWorkers({ host, dataDir, dists, bindings }) {
  const { Miniflare, convertV4MiniflareOptions } = await import('miniflare')
  const names = ['old', 'new']
  const hosted = new Set(
    Object.values(readManifest(dists[host]).worker.durableObjects).map(({ className }) => className),
  )
  const workers = names.map((name) => workerOf(dists[name], name === host ? null : hosted, bindings))
  const options = {
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    resourcePersistencePath: dataDir,
  }
  const miniflare = new Miniflare(convertV4MiniflareOptions({ ...options, workers }))
  await miniflare.ready
  const addresses = await Promise.all(
    names.map((name) => miniflare.unsafeGetDirectURL(name === host ? HOST : `${HOST}-other`)),
  )
  return {
    urls: Object.fromEntries(names.map((name, index) => [name, addresses[index].origin])),
    stop: () => miniflare.dispose(),
  }
}

/** `elsewhere`: the classes that the other Worker hosts; null: this one hosts its own. A class that only one of them has is its own. */
function workerOf(dist, elsewhere, bindings) {
  const { worker, modules } = readManifest(dist)
  const {
    assets: _assets,
    queueProducers: _producers,
    queueConsumers: _consumers,
    serviceBindings: _services,
    durableObjects,
    ...rest
  } = worker
  const objects = Object.entries(durableObjects).map(([binding, { className }]) => {
    const isElsewhere = elsewhere?.has(className) === true
    return [binding, { className, useSQLite: true, ...(isElsewhere ? { scriptName: HOST } : {}) }]
  })
  return {
    ...rest,
    name: elsewhere === null ? HOST : `${HOST}-other`,
    bindings: { ...worker.bindings, ...COMMON, ...bindings },
    durableObjects: Object.fromEntries(objects),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    modules: readModules(dist, modules),
  }
}
