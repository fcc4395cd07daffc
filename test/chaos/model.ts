/**
 * The world outside the runtime, on 127.0.0.1: an OpenAI-compatible model and a search, both scripted. It outlives every kill, so what
 * it writes down is the truth about what really happened on the wire.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { delayOf, isFaulty, sayingOf, type Said } from './script.ts'
import { FAULTS, type Fault, type Tally } from './tally.ts'

export interface ModelCall {
  task: string
  phase: string
  seq: number
  output_cap: number
  said: Said
  fault: Fault | null
  /** Whether the reply, or its fault, was sent before the caller was gone. */
  sent: boolean
}
export type Moment = 'call' | 'search' | 'tool named'
export interface Model {
  /** `http://127.0.0.1:<port>` */
  origin: string
  /** By effect key: `task:seq`. */
  calls: Map<string, ModelCall[]>
  /** How often each query was searched for. */
  searches: Map<string, number>
  under_way(): { calls: number; searches: number }
  /** The next moment of this kind. */
  next(moment: Moment): Promise<void>
  /** Holds back replies that name a todo until there are as many, or the time is over; then lets them go at once. */
  gather(count: number, within_ms: number): Promise<void>
  /** No more faults and delays. */
  calm(): void
  close(): Promise<void>
}

const Metadata = z.object({ task: z.string(), mode: z.literal('plan_execute'), phase: z.string(), seq: z.int() })
const Body = z.object({ model: z.string(), max_tokens: z.int(), messages: z.array(z.unknown()).min(1) })

interface State {
  seed: number
  tally: Tally
  quiet: boolean
  faults: number
  calls: Model['calls']
  searches: Model['searches']
  open: Set<ModelCall>
  searching: number
  waiting: Map<Moment, (() => void)[]>
  /** Replies that are held back; null: none are. */
  held: (() => void)[] | null
}

export async function startModel(seed: number, tally: Tally): Promise<Model> {
  const state: State = {
    seed,
    tally,
    quiet: false,
    faults: 0,
    calls: new Map(),
    searches: new Map(),
    open: new Set(),
    searching: 0,
    waiting: new Map(),
    held: null,
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://model')
    const served = url.pathname === '/search' ? search(state, url, response) : complete(state, request, response)
    // The caller was killed while it sent or read.
    served.catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the scripted model has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    calls: state.calls,
    searches: state.searches,
    under_way: () => ({ calls: state.open.size, searches: state.searching }),
    next: (moment) =>
      new Promise((resolve) => state.waiting.set(moment, [...(state.waiting.get(moment) ?? []), resolve])),
    gather: (count, within_ms) => gather(state, count, within_ms),
    calm: () => void (state.quiet = true),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function tell(state: State, moment: Moment): void {
  const waiting = state.waiting.get(moment) ?? []
  state.waiting.delete(moment)
  for (const go of waiting) go()
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const part of request) text += String(part)
  return text
}

async function complete(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const spot = Metadata.parse(JSON.parse(String(request.headers['cf-aig-metadata'])))
  const body = Body.parse(JSON.parse(await textOf(request)))
  // In turn, so that a short run sees every kind.
  const faulty = !state.quiet && isFaulty(state.seed, spot)
  const fault = faulty ? (FAULTS[(state.faults += 1) % FAULTS.length] ?? null) : null
  const call: ModelCall = {
    ...spot,
    output_cap: body.max_tokens,
    said: sayingOf(spot, body.max_tokens),
    fault,
    sent: false,
  }
  enter(state, call, response)
  tell(state, 'call')
  if (!state.quiet) await sleep(delayOf(state.seed, spot))
  if (call.said.tool === 'todo' && fault === null) await new Promise<void>((go) => hold(state, go))
  if (response.destroyed) return
  call.sent = true
  if (fault !== null) state.tally.seen(`fault: ${fault}`)
  answer(response, call, fault)
  if (call.said.tool !== null && fault === null) tell(state, 'tool named')
}

function hold({ held }: State, go: () => void): void {
  if (held === null) go()
  else held.push(go)
}

async function gather(state: State, count: number, within_ms: number): Promise<void> {
  const held: (() => void)[] = []
  state.held = held
  for (let left = within_ms; left > 0 && held.length < count; left -= 10) await sleep(10)
  state.held = null
  for (const go of held) go()
}

/** Protocol 4: a task has one effect at a time, whoever died meanwhile. */
function enter({ tally, calls, open }: State, call: ModelCall, response: ServerResponse): void {
  const { task, seq } = call
  const other = [...open].find((one) => one.task === task)
  tally.demand(other === undefined, 'one effect of a task at a time', () => `${seq} beside ${other?.seq}`, task)
  open.add(call)
  response.on('close', () => open.delete(call))
  const key = `${task}:${seq}`
  calls.set(key, [...(calls.get(key) ?? []), call])
}

function answer(response: ServerResponse, { said, seq }: ModelCall, fault: Fault | null): void {
  const json = { 'content-type': 'application/json' }
  const completion = JSON.stringify(completionOf(fault === 'garbled' ? `no JSON at row ${seq}` : said.text, said))
  switch (fault) {
    case 'http 500':
      return void response.writeHead(500, json).end('{"error":{"message":"broken"}}')
    case 'http 429':
      return void response.writeHead(429, { ...json, 'retry-after': '1' }).end('{"error":{"message":"slow down"}}')
    case 'cut reply':
      response.writeHead(200, { ...json, 'content-length': completion.length })
      return void response.write(completion.slice(0, completion.length / 2), () => response.destroy())
    case 'hang-up':
      return void response.destroy()
    case 'not JSON':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>please log in</html>')
    default:
      return void response.writeHead(200, json).end(completion)
  }
}

function completionOf(content: string, { usage: { input, output } }: Said) {
  const message = { role: 'assistant', content, refusal: null }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'chaos-model',
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}

async function search(state: State, url: URL, response: ServerResponse): Promise<void> {
  const query = url.searchParams.get('q') ?? ''
  state.searches.set(query, (state.searches.get(query) ?? 0) + 1)
  state.searching += 1
  response.on('close', () => (state.searching -= 1))
  tell(state, 'search')
  if (!state.quiet) await sleep(20 + (query.length % 7) * 15)
  const results = [{ title: 'a page', url: 'https://example.org/', content: `about ${query.slice(-8)}` }]
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
}
