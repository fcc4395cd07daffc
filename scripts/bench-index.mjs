/**
 * `npm run bench:index [-- --tasks 1000,16000,100000 --rounds 6]`: whether a create costs more where a tenant has more tasks, and what a page of
 * `GET /tasks` and a search cost. The indexes are filled through their objects, everything measured goes over HTTP; rounds are interleaved,
 * and cost is processor time of the server, with what it does in the seconds after. Prints JSON lines; exit 1 when it is not flat.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../bench/load.ts'
import { cpuOf_ms, makePlace } from '../bench/machine.ts'
import { readManifest, readModules } from './lib/bundle.mjs'
import { DIST } from './lib/dist.mjs'
import { startService } from './lib/service.mjs'

const FLAT = 1.2
const CREATES = 200
const LANES = 8
const LISTED = 100
/** Longer than an object needs to report its view to the index. */
const AFTER_MS = 2_500

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '1000,16000,100000' }, rounds: { type: 'string', default: '6' } },
})
const sizes = values.tasks.split(',').map(Number)
const rounds = Number(values.rounds)
const nameOf = (size) => `t${size}`
const keyOf = (tenant) => `${tenant}-key-of-twenty-chars`

const place = makePlace(console.error)
mkdirSync(place, { recursive: true })

/** Gives each tenant this many open tasks, which exist only in its index. */
async function fillIndexes() {
  const { Miniflare, convertV4MiniflareOptions } = await import('miniflare')
  const { worker, modules } = readManifest(DIST)
  const { assets: _assets, queueConsumers: _consumers, serviceBindings: _others, ...service } = worker
  const script = `export default { async fetch(request, env) {
    const { tenant, from, to } = await request.json()
    const workspace = env.WORKSPACES.getByName(JSON.stringify([tenant]))
    const entry = (n) => ({ id: 'task_fill' + n, mode: 'plan_execute', status: 'running', metadata: { n: String(n) },
      goal: 'Prepare the move of office ' + n, slice: 's' + n })
    const daily = { tokens: null, cost: null }
    await Promise.all(Array.from({ length: to - from }, (_, n) => 
      workspace.tell({ kind: 'admit', entry: entry(from + n), open_max: 1e9, daily })))
    return new Response()
  } }`
  const filler = {
    name: 'filler',
    compatibilityDate: worker.compatibilityDate,
    modules: true,
    script,
    durableObjects: { WORKSPACES: { className: 'WorkspaceObject', scriptName: worker.name, useSQLite: true } },
  }
  const filled = {
    ...service,
    bindings: { ...worker.bindings, ENVIRONMENT: 'development' },
    modules: readModules(DIST, modules),
  }
  const options = { cf: false, telemetry: { enabled: false }, resourcePersistencePath: place }
  const miniflare = new Miniflare(convertV4MiniflareOptions({ ...options, workers: [filler, filled] }))
  for (const size of sizes)
    for (let from = 0; from < size; from += 500) {
      const body = JSON.stringify({ tenant: nameOf(size), from, to: Math.min(size, from + 500) })
      await miniflare.dispatchFetch('http://filler/', { method: 'POST', body })
    }
  await miniflare.dispose()
}

async function measure() {
  const tenants = [...sizes.map(nameOf), 'listed', 'warm']
  const service = await startService({
    dataDir: place,
    env: {
      ENVIRONMENT: 'development',
      MODEL_PROVIDER: 'offline',
      API_KEYS: tenants.map((tenant) => `${tenant}:${keyOf(tenant)}`).join(','),
      MAX_OPEN_TASKS: '1000000',
      RATE_LIMIT_PER_MINUTE: '1000000',
    },
  })
  try {
    const servers = runtimesOf(service.pid)
    await create(service, 'warm', CREATES)
    const costs = new Map(sizes.map((size) => [size, []]))
    for (let round = 0; round < rounds; round++)
      for (let turn = 0; turn < sizes.length; turn++) {
        const size = sizes[(round + turn) % sizes.length]
        costs.get(size).push(await timed(servers, CREATES, () => create(service, nameOf(size), CREATES)))
      }
    const [least, ...more] = sizes.map((size) => creates(size, costs.get(size)))
    await create(service, 'listed', LISTED)
    await wait(AFTER_MS)
    await pages(service, servers, 'a page of 100 entries', 'listed', '/tasks?limit=100')
    const largest = nameOf(Math.max(...sizes))
    await pages(service, servers, 'a search that finds nothing in a page', largest, '/tasks?q=nowhere+to+be+found')
    return more.every(({ cpu_ms }) => cpu_ms <= least.cpu_ms * FLAT)
  } finally {
    await service.stop()
  }
}

function creates(size, samples) {
  const cpu_ms = median(samples.map((sample) => sample.cpu_ms))
  const per_s = Math.round(median(samples.map((sample) => 1_000 / sample.ms)))
  const shown = { cpu_ms: rounded(cpu_ms), least: rounded(Math.min(...samples.map((sample) => sample.cpu_ms))), per_s }
  console.log(JSON.stringify({ what: 'a create', tasks: size, ...shown }))
  return { cpu_ms }
}

async function pages(service, servers, what, tenant, path) {
  const samples = []
  for (let made = 0; made < 15; made++)
    samples.push(await timed(servers, 1, () => send(service, tenant, 'GET', path), 0))
  const cpu_ms = rounded(median(samples.map((sample) => sample.cpu_ms)))
  console.log(JSON.stringify({ what, cpu_ms, ms: rounded(median(samples.map((sample) => sample.ms))) }))
}

/** The time of one of `count` requests, and its cost with all work that followed. */
async function timed(servers, count, act, after_ms = AFTER_MS) {
  const [cpu, begun] = [cpuOf(servers), performance.now()]
  await act()
  const ms = (performance.now() - begun) / count
  await wait(after_ms)
  return { ms, cpu_ms: (cpuOf(servers) - cpu) / count }
}

async function create(service, tenant, count) {
  let left = count
  const lane = async () => {
    while (left-- > 0) await send(service, tenant, 'POST', '/tasks', { goal: 'Prepare the move', rounds: 0 })
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function send({ url }, tenant, method, path, body) {
  const headers = { authorization: `Bearer ${keyOf(tenant)}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

const cpuOf = (servers) => servers.reduce((sum, pid) => sum + cpuOf_ms(pid), 0)
const rounded = (value) => Number(value.toFixed(2))

/** The workerd processes below the service. */
function runtimesOf(pid) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(all.flatMap((name) => parentOf(name)))
  const isBelow = (child) =>
    parents.get(child)?.parent === pid || (parents.has(child) && isBelow(parents.get(child).parent))
  return [...parents].filter(([child, { name }]) => name.includes('workerd') && isBelow(child)).map(([child]) => child)
}

function parentOf(name) {
  try {
    const [, command, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
    return [[Number(name), { name: command ?? '', parent: Number(parent) }]]
  } catch {
    // The process has ended in the meantime.
    return []
  }
}

try {
  await fillIndexes()
  process.exitCode = (await measure()) ? 0 : 1
} finally {
  rmSync(place, { recursive: true, force: true })
}
