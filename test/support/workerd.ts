/** The built bundle in a plain `workerd serve`: one process with a known pid on a free port, whose storage directory outlives it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import * as z from 'zod'

/** The way of starting it, where that matters. */
export interface Run {
  /** The only core that it may use (taskset). */
  core?: number
  /** The address for a debugger: `127.0.0.1:<port>`. */
  inspector?: string
}
export interface Bundle {
  /** The folder of the modules and of `manifest.json` (scripts/lib/build.mjs). */
  directory: string
  /** Text bindings, as scripts/lib/environment.mjs gives them. */
  bindings: Record<string, string>
  /** Where blobs are kept, as R2 is outside of the process: an address that takes PUT, GET and DELETE by key. Without it there is no bucket. */
  blobs?: string
}
export interface Workerd {
  /** The process of the runtime; undefined if it could not be started. */
  pid: number | undefined
  /** The address on which it listens; null if it ended before. */
  port: Promise<number | null>
  ended: Promise<unknown>
  /** SIGKILL. */
  kill(): void
}

const Manifest = z.object({
  modules: z.array(z.string()),
  worker: z.object({
    compatibilityDate: z.string(),
    compatibilityFlags: z.array(z.string()),
    durableObjects: z.record(z.string(), z.object({ className: z.string() })),
    assets: z.object({ binding: z.string() }).optional(),
  }),
})

/** Cap'n Proto accepts the escapes of C; the texts here are ASCII. */
const text = (value: string) => JSON.stringify(value)
const list = (parts: string[]) => `[\n${parts.map((part) => `    ${part},`).join('\n')}\n  ]`

const keyOf = (className: string) => `local-${className}`
/** The folder of the stored objects of a class. */
export const storageOf = (place: string, className: string) => join(place, 'storage', keyOf(className))

/** Writes the configuration next to a copy of the modules, and returns its path. */
export function writeConfig(place: string, { directory, bindings, blobs }: Bundle): string {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')))
  for (const name of manifest.modules) cpSync(join(directory, name), join(place, name))
  const storage = join(place, 'storage')
  mkdirSync(storage, { recursive: true })
  const path = join(place, 'config.capnp')
  writeFileSync(path, configOf(manifest, bindings, storage, blobs))
  return path
}

const kindOf = (name: string) => (name.endsWith('.wasm') ? 'wasm' : name.endsWith('.txt') ? 'text' : 'esModule')

const BUCKET = `(name = "FILES", wrapped = (moduleName = "outside:bucket", innerBindings = [(name = "outside", service = "loopback")]))`
/** The part of a bucket that the service uses. */
const bucketModule = (address: string) => `export default ({ outside }) => {
  const ask = async (method, key, body) => {
    const answer = await outside.fetch(${JSON.stringify(address)} + encodeURIComponent(key), { method, body })
    if (!answer.ok && answer.status !== 404) throw new Error('HTTP ' + answer.status)
    return answer
  }
  return {
    get: async (key) => {
      const { status, body } = await ask('GET', key)
      return status === 404 ? null : { body }
    },
    put: async (key, body) => void (await ask('PUT', key, body)),
    delete: async (keys) => void (await Promise.all([keys].flat().map((key) => ask('DELETE', key)))),
  }
}`

/** Outside the process there is only the scripted model on the loopback address. */
function configOf(
  { modules, worker }: z.infer<typeof Manifest>,
  bindings: Bundle['bindings'],
  storage: string,
  blobs: string | undefined,
): string {
  const classes = Object.entries(worker.durableObjects)
  const bound = [
    ...Object.entries(bindings).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`),
    ...classes.map(([name, { className }]) => `(name = ${text(name)}, durableObjectNamespace = ${text(className)})`),
    ...(blobs === undefined ? [] : [BUCKET]),
    ...(worker.assets === undefined ? [] : [`(name = ${text(worker.assets.binding)}, service = "assets")`]),
  ]
  const objects = classes.map(
    ([, { className }]) => `(className = ${text(className)}, uniqueKey = ${text(keyOf(className))}, enableSql = true)`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "assets", worker = .assets),
    (name = "loopback", network = (allow = ["local"])),
    (name = "storage", disk = (path = ${text(storage)}, writable = true)),
  ],
  extensions = [(modules = [(name = "outside:bucket", internal = true, esModule = ${text(bucketModule(blobs ?? ''))})])],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = ${list(modules.map((name) => `(name = ${text(name)}, ${kindOf(name)} = embed ${text(name)})`))},
  compatibilityDate = ${text(worker.compatibilityDate)},
  compatibilityFlags = ${list(worker.compatibilityFlags.map(text))},
  bindings = ${list(bound)},
  durableObjectNamespaces = ${list(objects)},
  durableObjectStorage = (localDisk = "storage"),
  globalOutbound = "loopback",
);
const assets :Workerd.Worker = (
  modules = [(name = "assets.js", esModule = "export default { fetch() { return new Response(null, { status: 404 }) } }")],
  compatibilityDate = ${text(worker.compatibilityDate)},
);
`
}

const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const binary: string = z.object({ default: z.string() }).parse(fromMiniflare('workerd')).default
/** On Linux it ends with this process even after a SIGKILL; on other systems it stays behind then. */
const tied = process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0

export function startWorkerd(config: string, print: (text: string) => void, run: Run = {}): Workerd {
  const inspector = run.inspector === undefined ? [] : [`--inspector-addr=${run.inspector}`]
  // Each of these programs replaces itself by the next with exec, so the process keeps its id.
  const [command = binary, ...args] = [
    ...(tied ? ['setpriv', '--pdeathsig', 'KILL'] : []),
    ...(run.core === undefined ? [] : ['taskset', '-c', String(run.core)]),
    binary,
    'serve',
    '--control-fd=3',
    ...inspector,
    config,
  ]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => print(String(chunk)))
  return { pid: child.pid, kill, ended, port: Promise.race([listening(child), ended.then(() => null)]) }
}

const Listen = z.object({ event: z.literal('listen'), socket: z.literal('http'), port: z.int() })

/** The control descriptor carries one JSON object per line. */
function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    let told = ''
    child.stdio[3]?.on('data', (chunk) => {
      told += String(chunk)
      for (const line of told.split('\n').filter((part) => part.endsWith('}'))) {
        const read = Listen.safeParse(JSON.parse(line))
        if (read.success) resolve(read.data.port)
      }
    })
  })
}
