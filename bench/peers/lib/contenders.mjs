/** Who is measured, and how each is started: a process on its own core that tells its port on descriptor 3, and storage of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { join } from 'node:path'
import { storageOf, writeConfig } from '../../../test/support/workerd.ts'
import { ROOT } from '../../../scripts/lib/node.mjs'
import { BUNDLING } from '../../../scripts/lib/build.mjs'
import { bindingsOf } from '../../../scripts/lib/environment.mjs'

const PEERS = join(ROOT, 'bench/peers')
const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const { default: workerd } = fromMiniflare('workerd')
const KEY = 'bench-key'

/** Each peer has a folder under its name; ours has none. */
export const CONTENDERS = [
  { name: 'ours', title: 'loop-agent', opsPerItem: 4, packages: [], prepare: ours },
  { name: 'agents', title: 'Cloudflare Agents SDK', opsPerItem: 3, packages: ['agents', 'openai'], prepare: agents },
  {
    name: 'ai-sdk',
    title: 'AI SDK + node:sqlite',
    opsPerItem: 3,
    packages: ['ai', '@ai-sdk/openai-compatible'],
    prepare: node('ai-sdk'),
  },
  {
    name: 'langgraph',
    title: 'LangGraph.js + SQLite',
    opsPerItem: 3,
    packages: ['@langchain/langgraph', '@langchain/langgraph-checkpoint-sqlite', '@langchain/openai', 'better-sqlite3'],
    prepare: node('langgraph'),
  },
]

export function versionOf({ name, packages }) {
  if (name === 'ours') return `workerd ${versionIn(fromMiniflare.resolve('workerd/package.json'))}`
  return packages.map((one) => `${one} ${versionIn(join(PEERS, name, 'node_modules', one, 'package.json'))}`).join(', ')
}
const versionIn = (path) => JSON.parse(readFileSync(path, 'utf8')).version

/** Answers with `{pid, origin, storage, stop}`. */
export async function start(contender, { place, model, core }) {
  const directory = join(place, contender.name)
  mkdirSync(directory, { recursive: true })
  const { command, env = {}, storage } = await contender.prepare(directory, model)
  const pinned = core === null ? command : ['taskset', '-c', String(core), ...command]
  const child = spawn(pinned[0], pinned.slice(1), {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const ended = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const port = await Promise.race([listening(child), ended.then(() => null)])
  if (port === null) throw new Error(`${contender.name} did not start`)
  const stop = async () => {
    kill()
    await ended
    process.off('exit', kill)
  }
  return { contender, pid: child.pid, origin: `http://127.0.0.1:${port}`, storage, stop }
}

function listening(child) {
  return new Promise((resolve) => {
    let told = ''
    child.stdio[3].on('data', (chunk) => {
      told += String(chunk)
      const port = /"port":\s*(\d+)/.exec(told)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
  })
}

function node(name) {
  return (directory, model) => ({
    command: [process.execPath, join(PEERS, name, 'server.mjs')],
    env: { MODEL_ORIGIN: model.origin, STORAGE: directory, LANGSMITH_TRACING: 'false' },
    storage: [directory],
  })
}

const serving = (config) => [workerd, 'serve', '--control-fd=3', config]

function ours(place, model) {
  const bindings = bindingsOf({
    ENVIRONMENT: 'production',
    API_KEYS: `bench:${KEY}`,
    SIGNING_SECRET: 'of the bench and of nothing else',
    MODEL_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${model.origin}/v1`,
    OPENAI_MODEL: 'bench',
    RATE_LIMIT_PER_MINUTE: '999999999',
    MAX_OPEN_TASKS: '999999999',
  })
  const config = writeConfig(place, { directory: join(ROOT, 'dist'), bindings })
  return { command: serving(config), storage: ['TaskObject', 'WorkspaceObject'].map((one) => storageOf(place, one)) }
}

/** What is built into Node is built into workerd too; a `require` of it becomes an import, as wrangler does it. */
const builtins = {
  name: 'builtins',
  setup(bundling) {
    const names = new RegExp(`^(?:node:)?(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`)
    bundling.onResolve({ filter: names }, ({ path, kind }) => {
      const named = `node:${path.replace(/^node:/, '')}`
      return kind === 'require-call' ? { path: named, namespace: 'required' } : { path: named, external: true }
    })
    // The agent sends no mail, and a plain workerd has nothing to send it with.
    bundling.onResolve({ filter: /^cloudflare:email$/ }, () => ({ path: 'email', namespace: 'absent' }))
    bundling.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'export class EmailMessage {}' }))
    bundling.onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `import whole from '${path}'\nmodule.exports = whole`,
    }))
  },
}

/** Bundled as wrangler would, in the very configuration our own service gets. */
async function agents(place, model) {
  const { build } = await import('esbuild')
  const directory = join(place, 'bundle')
  await build({
    entryPoints: [join(PEERS, 'agents/worker.mjs')],
    outfile: join(directory, 'index.js'),
    ...BUNDLING,
    splitting: false,
    // It finds its objects by the names of classes.
    keepNames: true,
    plugins: [builtins],
    logLevel: 'error',
  })
  const { worker } = JSON.parse(readFileSync(join(ROOT, 'dist/manifest.json'), 'utf8'))
  const durableObjects = { PEERS: { className: 'PeerAgent' } }
  writeFileSync(
    join(directory, 'manifest.json'),
    JSON.stringify({ modules: ['index.js'], worker: { ...worker, durableObjects } }),
  )
  const config = writeConfig(place, { directory, bindings: { MODEL_ORIGIN: model.origin } })
  return { command: serving(config), storage: [storageOf(place, 'PeerAgent')] }
}

export const AUTHORIZATION = `Bearer ${KEY}`
