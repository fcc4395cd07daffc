/** Where the processor's time of a model step goes: the runtime's own sampling profiler, asked through its inspector. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { inTurn, sample } from './load.ts'
import { onField, serveService, type Wanted } from './run.ts'
import { bundleWorker, workerOf } from './servers.ts'
import { createTasks, HEADERS } from './tasks.ts'

const SAMPLE_EVERY_US = 200
const SHOWN = 40

const Target = z.object({ webSocketDebuggerUrl: z.url() })
const Profile = z.object({
  profile: z.object({
    nodes: z.array(
      z.object({
        id: z.int(),
        callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.int(), columnNumber: z.int() }),
        children: z.array(z.int()).default([]),
      }),
    ),
    samples: z.array(z.int()),
    timeDeltas: z.array(z.int()),
  }),
})
type Profile = z.infer<typeof Profile>['profile']

/** The functions with most time of their own, and those with most below them, as lines. */
export function profile(wanted: Wanted): Promise<string[]> {
  return onField(wanted, async (field) => {
    const inspector = `127.0.0.1:${await freePort()}`
    // Not minified, so that functions have the names they were given; they cost the same.
    const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url).href)
    const directory = join(field.place, 'bundle-readable')
    await bundleWorker(entry, directory, { ...field.bundling, minify: false }, workerOf(field.bundle))
    const server = await serveService({ ...field, bundle: directory }, 'profiled', inspector)
    try {
      const ids = await createTasks(server, 'bench-thoughts', field.scale.tasks)
      const next = inTurn(ids)
      const request = (lane: number, lanes: number) => ({
        path: `/tasks/${next(lane, lanes)}/step`,
        body: '{"rounds":1}',
      })
      const load = (ms: number) => sample({ ...server, headers: HEADERS, request }, 16, { ms })
      await load(field.scale.sample_ms * 8)
      const debuggers = z.array(Target).parse(await (await fetch(`http://${inspector}/json`)).json())
      const main = debuggers.find(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl.endsWith('/main'))
      if (main === undefined) throw new Error('the runtime offers nothing to profile')
      const { seen, requests } = await profileWhile(main.webSocketDebuggerUrl, () => load(field.scale.sample_ms * 8))
      return [`${requests} model steps, sampled every ${SAMPLE_EVERY_US} µs`, ...linesOf(seen, sourcesIn(directory))]
    } finally {
      await server.stop()
    }
  })
}

async function profileWhile(url: string, load: () => Promise<{ requests: number }>) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const ask = asker(socket)
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US })
  await ask('Profiler.start')
  const { requests } = await load()
  const { profile: seen } = Profile.parse(await ask('Profiler.stop'))
  socket.close()
  return { seen, requests }
}

const Told = z.object({ id: z.int().optional(), result: z.unknown().optional(), error: z.unknown().optional() })

function asker(socket: WebSocket) {
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = Told.parse(JSON.parse(String(data)))
    if (id !== undefined) waiting.get(id)?.(result)
  })
  let id = 0
  return (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      waiting.set((id += 1), resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
}

type Frame = Profile['nodes'][number]['callFrame']

/** The bundler writes above each part of a bundle which file it came from. */
function sourcesIn(directory: string): (frame: Frame) => string {
  const origins = new Map<string, string[]>()
  const read = (module: string) => {
    let origin = module
    return readFileSync(join(directory, module), 'utf8')
      .split('\n')
      .map(
        (line) => (origin = /^\s*\/\/ (?:\S*\/)?(src\/\S+|node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(line)?.[1] ?? origin),
      )
  }
  return ({ url, lineNumber }) => {
    const module = basename(url)
    if (!module.endsWith('.js')) return 'the runtime'
    const lines = origins.get(module) ?? read(module)
    origins.set(module, lines)
    return lines[lineNumber] ?? module
  }
}

/** Busy time three ways: by file, by function, and by function with all that it calls. */
function linesOf({ nodes, samples, timeDeltas }: Profile, sourceOf: (frame: Frame) => string): string[] {
  const own = new Map<number, number>()
  for (const [index, node] of samples.entries()) own.set(node, (own.get(node) ?? 0) + (timeDeltas[index] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const [files, selves, totals] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const add = (times: Map<string, number>, name: string, us: number) => times.set(name, (times.get(name) ?? 0) + us)
  const visit = (id: number, above: ReadonlySet<string>): number => {
    const node = byId.get(id)
    const frame = node?.callFrame
    if (frame === undefined || frame.functionName === '(idle)') return 0
    const source = sourceOf(frame)
    const name =
      source === 'the runtime'
        ? frame.functionName
        : `${frame.functionName || '(unnamed)'} ${source}:${frame.lineNumber}`
    const self = own.get(id) ?? 0
    const inside = new Set(above).add(name)
    const all = (node?.children ?? []).reduce((sum, child) => sum + visit(child, inside), self)
    add(files, source, self)
    add(selves, name, self)
    // A function that calls itself counts once.
    if (!above.has(name)) add(totals, name, all)
    return all
  }
  const busy = visit(nodes[0]?.id ?? 0, new Set())
  return [
    ...top('by file', files, busy),
    ...top('by function', selves, busy),
    ...top('with all it calls', totals, busy),
  ]
}

function top(title: string, times: ReadonlyMap<string, number>, busy: number): string[] {
  const sorted = [...times].filter(([name]) => name !== '(root)').toSorted(([, one], [, other]) => other - one)
  const lines = sorted.slice(0, SHOWN).map(([name, us]) => `  ${((us * 100) / busy).toFixed(1).padStart(5)}  ${name}`)
  return ['', `  % of busy time, ${title}`, ...lines]
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}
