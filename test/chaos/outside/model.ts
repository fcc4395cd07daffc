/** An OpenAI-compatible model that follows its script, and fails in three of a hundred calls. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { MODE_NAMES } from '../../../src/core/terms/mode-names.ts'
import { delayOf, isFaulty, sayingOf, type Said } from '../script/script.ts'
import { FAULTS, type Fault } from '../tally.ts'
import { enter, textOf, type Handler, type Shared } from './shared.ts'

export interface ModelCall {
  task: string
  phase: string
  seq: number
  output_cap: number
  said: Said
  fault: Fault | null
  /** Whether the reply, or its fault, was sent before the caller was gone. */
  sent: boolean
  /** The time of its arrival, ms since the epoch. */
  at: number
}
export interface Model {
  /** By `task:seq`. */
  calls: Map<string, ModelCall[]>
  under_way(): ModelCall[]
  /** Holds back replies that lead to an act until there are this many, or the time is over; then releases them together. */
  gather(count: number, within_ms: number): Promise<number>
  /** Holds back all answers until the returned function is called. */
  freeze(): () => void
}

const Metadata = z.object({ task: z.string(), mode: z.enum(MODE_NAMES), phase: z.string(), seq: z.int() })
const Body = z.object({
  model: z.string(),
  max_tokens: z.int(),
  messages: z.array(z.unknown()).min(1),
  tools: z.array(z.unknown()).optional(),
  response_format: z.unknown().optional(),
})

interface State {
  shared: Shared
  faults: number
  calls: Model['calls']
  open: Set<ModelCall>
  /** The replies that are held back, or null if none are. */
  held: (() => void)[] | null
  frozen: Promise<void>
}

export function newModel(shared: Shared): { model: Model; serve: Handler } {
  const state: State = { shared, faults: 0, calls: new Map(), open: new Set(), held: null, frozen: Promise.resolve() }
  const model: Model = {
    calls: state.calls,
    under_way: () => [...state.open],
    gather: (count, within_ms) => gather(state, count, within_ms),
    freeze: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      state.frozen = promise
      return resolve
    },
  }
  return { model, serve: (request, response) => complete(state, request, response) }
}

async function complete(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { shared } = state
  const { seed, tally, moments } = shared
  const spot = Metadata.parse(JSON.parse(String(request.headers['cf-aig-metadata'])))
  const body = Body.parse(JSON.parse(await textOf(request)))
  // In turn, so that a short run sees every kind.
  const faulty = !shared.quiet && isFaulty(seed, spot)
  const fault = faulty ? (FAULTS[(state.faults += 1) % FAULTS.length] ?? null) : null
  const { task, phase, seq } = spot
  const said = sayingOf(spot, offerOf(body))
  const call: ModelCall = { task, phase, seq, output_cap: body.max_tokens, said, fault, sent: false, at: Date.now() }
  enter(shared, task, `row ${seq}`, response)
  state.open.add(call)
  response.on('close', () => state.open.delete(call))
  state.calls.set(`${task}:${seq}`, [...(state.calls.get(`${task}:${seq}`) ?? []), call])
  moments.tell('call')
  if (shared.isDriven(task)) moments.tell('background call')
  if (!shared.quiet) await sleep(delayOf(seed, spot))
  if (said.acts.length > 0 && fault === null) await new Promise<void>((go) => hold(state, go))
  await state.frozen
  if (response.destroyed) return
  call.sent = true
  if (fault !== null) tally.seen(`fault: ${fault}`)
  answer(response, call, fault)
  if (said.acts.length > 0 && fault === null) moments.tell('tool named')
}

function offerOf({ max_tokens, tools, response_format }: z.infer<typeof Body>) {
  const asked = JSON.stringify(response_format ?? null)
  const merged = asked.includes('"thought"') && asked.includes('"action"')
  return { output_cap: max_tokens, tools: tools !== undefined && tools.length > 0, merged }
}

function hold({ held }: State, go: () => void): void {
  if (held === null) go()
  else held.push(go)
}

async function gather(state: State, count: number, within_ms: number): Promise<number> {
  const held: (() => void)[] = []
  state.held = held
  for (let left = within_ms; left > 0 && held.length < count; left -= 10) await sleep(10)
  state.held = null
  const found = held.length
  for (const go of held) go()
  return found
}

export const garbled = (seq: number) => `no JSON at row ${seq}`

function answer(response: ServerResponse, { said, seq }: ModelCall, fault: Fault | null): void {
  const json = { 'content-type': 'application/json' }
  const broken: Said = { ...said, text: garbled(seq), native: false }
  const completion = JSON.stringify(completionOf(fault === 'garbled' ? broken : said, seq))
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

function completionOf({ text, acts, native, usage: { input, output } }: Said, seq: number) {
  const tool_calls = (native ? acts : []).map(({ tool, args }, call) => ({
    id: `call_${seq}_${call}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }))
  const said = { role: 'assistant', content: text, refusal: null }
  const [message, finish_reason] = tool_calls.length === 0 ? [said, 'stop'] : [{ ...said, tool_calls }, 'tool_calls']
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'chaos-model',
    choices: [{ index: 0, finish_reason, message }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}
