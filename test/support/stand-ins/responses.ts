/**
 * A strict endpoint of Responses on 127.0.0.1: it refuses what the real one refuses (responses-rules.ts), and says what a script tells it, by the
 * phase that `cf-aig-metadata` names. Its model reasons before it speaks and before it calls. Plain Node only.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelPhase } from '../../../src/core/terms/settings.ts'
import type { Calling } from '../scripted.ts'
import { followerOf } from './responses-items.ts'
import { refusalOf } from './responses-rules.ts'
import { chunksOf } from './pieces.ts'
import { isObject, type Body, type Refused, type World } from './responses-world.ts'
import { responseStream } from './streams/responses.ts'

export type Reply = string | object | Calling
export interface Asked {
  path: string
  phase: string
  seq: number
  body: Body
  refused: Refused | null
  /** What was answered. Empty: it was refused. */
  output: Body[]
}
export interface ResponsesStandIn {
  base_url: string
  /** All requests, in order. */
  asked: Asked[]
  /** Those to Responses that were answered. */
  answered(): Asked[]
  /** The replies that no request has used, by phase. */
  leftovers(): Record<string, number>
  close(): Promise<void>
}
export interface Kind {
  /** Whether the model reasons. */
  reasons?: boolean
  /** Whether its replies are streamed to this account. */
  streams?: boolean
  /** Whether the model sees images. */
  sees?: boolean
  /** How chat completions are refused for it. */
  chat?: 'for tools' | 'always'
}

/** The refusals that send a client to Responses (openai/openai-openapi/issues/541, pgadmin-org/pgadmin4/issues/9795). */
const CHAT = {
  'for tools': {
    status: 400,
    message: "Function tools with reasoning_effort are not supported here. Use /v1/responses, or set it to 'none'.",
    param: 'reasoning_effort',
    code: null,
  },
  always: {
    status: 404,
    message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
    param: 'model',
    code: null,
  },
}

export async function startResponses(
  script: Partial<Record<ModelPhase, readonly Reply[]>>,
  { reasons = true, streams = true, sees = true, chat = 'for tools' }: Kind = {},
): Promise<ResponsesStandIn> {
  const queues = new Map(Object.entries(script).map(([phase, replies]) => [phase, [...replies]]))
  const asked: Asked[] = []
  const issued = new Map<string, { key: string; follower: string }>()
  const answer = (request: Omit<Asked, 'refused' | 'output'>, key: string): { status: number; body: object } => {
    const world: World = { reasons, streams, sees, key, issued }
    const isResponses = request.path === '/v1/responses'
    const refused = isResponses ? refusalOf(request.body, world) : CHAT[chat]
    const reply = refused === null ? queues.get(request.phase)?.shift() : undefined
    const output = reply === undefined ? [] : outputOf(reply, asked.length, reasons)
    for (const [index, item] of output.entries())
      if (item['type'] === 'reasoning')
        issued.set(String(item['encrypted_content']), { key, follower: followerOf(output[index + 1]) ?? '' })
    asked.push({ ...request, refused, output })
    if (refused !== null) {
      const { status, ...error } = refused
      return { status, body: { error: { ...error, type: 'invalid_request_error' } } }
    }
    if (reply === undefined) return { status: 599, body: { error: { message: 'the script is dry' } } }
    return { status: 200, body: responseOf(output, request.body) }
  }
  const server = createServer((request, response) => {
    void read(request).then(({ key, ...call }) => {
      const { status, body } = answer(call, key)
      const isStreamed = status === 200 && call.body['stream'] === true
      response.writeHead(status, {
        'content-type': isStreamed ? 'text/event-stream; charset=utf-8' : 'application/json',
      })
      if (isStreamed) for (const chunk of chunksOf(responseStream({ ...body }))) response.write(chunk)
      else response.write(JSON.stringify(body))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    base_url: `http://127.0.0.1:${port}/v1`,
    asked,
    answered: () => asked.filter(({ output }) => output.length > 0),
    leftovers: () =>
      Object.fromEntries([...queues].flatMap(([phase, left]) => (left.length > 0 ? [[phase, left.length]] : []))),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function read(request: IncomingMessage) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true })
  const body: unknown = JSON.parse(text)
  const metadata: unknown = JSON.parse(String(request.headers['cf-aig-metadata'] ?? '{}'))
  const { phase = '', seq = 0 } = isObject(metadata) ? metadata : {}
  return {
    path: request.url ?? '',
    phase: String(phase),
    seq: Number(seq),
    key: request.headers.authorization ?? '',
    body: isObject(body) ? body : {},
  }
}

const isCalling = (reply: Reply): reply is Calling => typeof reply === 'object' && 'calls' in reply

/** The items of a reply: it is thought about, then said, then thought about again, and then its calls are made. */
function outputOf(reply: Reply, serial: number, reasons: boolean): Body[] {
  const said = isCalling(reply) ? reply.said : typeof reply === 'string' ? reply : JSON.stringify(reply)
  const calls = isCalling(reply) ? reply.calls : []
  const thought = (part: number): Body[] => (reasons ? [reasoning(`${serial}_${part}`)] : [])
  const content = [{ type: 'output_text', text: said, annotations: [], logprobs: [] }]
  const phase = reasons ? { phase: calls.length > 0 ? 'commentary' : 'final_answer' } : {}
  const message: Body = {
    id: `msg_${serial}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    ...phase,
    content,
  }
  const made = calls.map(({ id, name, arguments: args }, index): Body => ({
    id: `fc_${serial}_${index}`,
    type: 'function_call',
    status: 'completed',
    call_id: id,
    name,
    arguments: args,
  }))
  const spoken = said === '' && calls.length > 0 ? [] : [...thought(1), message]
  return made.length === 0 ? spoken : [...spoken, ...thought(2), ...made]
}

const reasoning = (serial: string): Body => ({
  id: `rs_${serial}`,
  type: 'reasoning',
  summary: [],
  encrypted_content: `gAAAA-${serial}-sealed`,
  status: 'completed',
})

const responseOf = (output: Body[], { model, tools = [] }: Body) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_790_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model,
  tools,
  output,
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 64, cache_write_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 12 },
    total_tokens: 120,
  },
})
