/** Where the processor's time of a model step goes: the runtime's own sampling profiler, asked through its inspector. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import * as z from 'zod'
import { sample } from './load.ts'
import { onField, serveService, type Wanted } from './run.ts'
import { createTasks, HEADERS } from './tasks.ts'
import { inTurn } from './load.ts'

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
    const server = await serveService(field, 'profiled', inspector)
    try {
      const ids = await createTasks(server, 'bench-thoughts', field.scale.tasks)
      const next = inTurn(ids)
      const request = (lane: number, lanes: number) => ({
        path: `/tasks/${next(lane, lanes)}/step`,
        body: '{"rounds":1}',
      })
      const load = () => sample({ ...server, headers: HEADERS, request }, 16, field.scale.sample_ms * 3)
      await load()
      const debuggers = z.array(Target).parse(await (await fetch(`http://${inspector}/json`)).json())
      const lines = []
      for (const { webSocketDebuggerUrl } of debuggers) {
        const { profile: seen, requests } = await profileWhile(webSocketDebuggerUrl, load)
        if (seen.samples.length > 0)
          lines.push(`${webSocketDebuggerUrl.split('/').at(-1)}: ${requests} model steps`, ...linesOf(seen), '')
      }
      return lines
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
  return { profile: seen, requests }
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

/** Names stand in the minified bundle because it keeps them; what has none is named by its place. */
function linesOf({ nodes, samples, timeDeltas }: Profile): string[] {
  const own = new Map<number, number>()
  for (const [index, node] of samples.entries()) own.set(node, (own.get(node) ?? 0) + (timeDeltas[index] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const nameOf = (id: number) => {
    const frame = byId.get(id)?.callFrame
    if (frame === undefined) return '?'
    const { functionName, url, lineNumber, columnNumber } = frame
    const place = url === '' ? '' : ` ${url.split('/').at(-1)}:${lineNumber + 1}:${columnNumber + 1}`
    return `${functionName || '(anonymous)'}${place}`
  }
  const selves = new Map<string, number>()
  const totals = new Map<string, number>()
  const visit = (id: number, above: ReadonlySet<string>): number => {
    const name = nameOf(id)
    const self = own.get(id) ?? 0
    const inside = new Set(above).add(name)
    const below = (byId.get(id)?.children ?? []).reduce((sum, child) => sum + visit(child, inside), 0)
    selves.set(name, (selves.get(name) ?? 0) + self)
    // A function that calls itself counts once.
    if (!above.has(name)) totals.set(name, (totals.get(name) ?? 0) + self + below)
    return self + below
  }
  const root = nodes[0]?.id ?? 0
  const all = visit(root, new Set())
  const idle = selves.get('(idle)') ?? 0
  return [...top('self', selves, all - idle), ...top('with what it calls', totals, all - idle)]
}

function top(title: string, times: ReadonlyMap<string, number>, busy: number): string[] {
  const sorted = [...times]
    .filter(([name]) => name !== '(idle)' && name !== '(root)')
    .toSorted(([, one], [, other]) => other - one)
  return [
    `  ${title}, % of busy time`,
    ...sorted.slice(0, SHOWN).map(([name, us]) => `  ${((us * 100) / busy).toFixed(1).padStart(5)}  ${name}`),
  ]
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
