/**
 * A strict stand-in of `/v1/messages` on 127.0.0.1. It refuses what the public reference says is refused, bills as its cache would, signs what
 * it thinks, and otherwise says what a script tells it, by the phase that `cf-aig-metadata` names. Plain Node only.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../src/core/terms/values/parse-json.ts'
import type { Calling } from '../scripted.ts'
import {
  isModelName,
  MODELS,
  THINKING_TYPES,
  turnsIn,
  willThink,
  type Asked,
  type Json,
  type Refusal,
} from './messages-asked.ts'
import { cacheBook, tokensIn, type Bill } from './messages-cache.ts'
import { RULES } from './messages-rules.ts'
import { thinkingLedger } from './messages-thinking.ts'
import { chunksOf } from './pieces.ts'
import { messageStream } from './streams/messages.ts'

/** A reply: a text, an object as its JSON, calls of tools, whole blocks (thinking without a signature), or an error of the endpoint. */
export type Line =
  | string
  | Calling
  | { blocks: Json[]; stop_reason?: string; stop_details?: Json }
  | { error: Refusal; headers?: Record<string, string> }
  | object

export interface MessagesCall {
  phase: string
  headers: Asked['headers']
  body: Json
}
export interface MessagesStandIn {
  /** Includes the version. */
  base_url: string
  /** Accepted and refused requests. */
  calls: MessagesCall[]
  /** The rules that were broken. */
  refusals: { rule: string; message: string }[]
  /** What each accepted request was billed, in order. */
  bills: (Bill & { output_tokens: number })[]
  /** The replies that no request has used. */
  leftovers(): number
  close(): Promise<void>
}

/** `tokens_min`: no shorter beginning of a request is kept. `thoughts`: what each reply begins with where the request asks for thinking. */
export async function startMessagesStandIn(
  script: Partial<Record<string, Line[]>>,
  { tokens_min = 64, thoughts = [{ type: 'thinking', thinking: '' }] }: { tokens_min?: number; thoughts?: Json[] } = {},
): Promise<MessagesStandIn> {
  const queues = new Map(Object.entries(script).map(([phase, lines = []]) => [phase, [...lines]]))
  const bill = cacheBook({ tokens_min })
  const ledger = thinkingLedger()
  const rules = [...RULES, ...ledger.rules]
  const state = {
    calls: [] as MessagesCall[],
    refusals: [] as MessagesStandIn['refusals'],
    bills: [] as MessagesStandIn['bills'],
  }
  let serial = 0

  const answer = (asked: Asked, phase: string): { status: number; headers?: Record<string, string>; body: Json } => {
    for (const { rule, check } of rules) {
      const refusal = check(asked)
      if (refusal === null) continue
      state.refusals.push({ rule, message: refusal.message })
      return { status: refusal.status, body: errorOf(refusal) }
    }
    const line = queues.get(phase)?.shift()
    if (line === undefined)
      return { status: 599, body: errorOf({ status: 599, type: 'dry', message: `no line for ${phase}` }) }
    if (isError(line)) return { status: line.error.status, headers: line.headers ?? {}, body: errorOf(line.error) }
    const said = blocksOf(line, () => `toolu_${(serial += 1)}`)
    const thinks = willThink(asked) && !said.some(({ type }) => THINKING_TYPES.includes(type))
    const content = ledger.sign(asked.body, [...(thinks ? thoughts : []), ...said])
    const thinking_tokens = tokensOf(content.filter(({ type }) => THINKING_TYPES.includes(type)))
    const usage = { ...bill(asked.body), output_tokens: tokensOf(content) }
    state.bills.push(usage)
    return {
      status: 200,
      body: messageOf(line, asked.body, content, { ...usage, output_tokens_details: { thinking_tokens } }),
    }
  }

  const server = createServer((request, response) => {
    void readAll(request).then((text) => {
      const { headers, method = '', url = '' } = request
      const value = jsonOrNull(text)
      const body = isRecord(value) ? value : {}
      const metadata = jsonOrNull(String(headers['cf-aig-metadata'] ?? ''))
      const phase = isRecord(metadata) ? String(metadata.phase) : ''
      state.calls.push({ phase, headers, body })
      const traits = isModelName(body.model) ? MODELS[body.model] : MODELS.both
      const told = answer({ method, path: url, headers, body, traits, turns: turnsIn(body) }, phase)
      const isStreamed = told.status === 200 && body.stream === true
      response.writeHead(told.status, {
        'content-type': isStreamed ? 'text/event-stream; charset=utf-8' : 'application/json',
        'request-id': `req_${state.calls.length}`,
        ...told.headers,
      })
      if (isStreamed) for (const chunk of chunksOf(messageStream(told.body))) response.write(chunk)
      else response.write(JSON.stringify(told.body))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    base_url: `http://127.0.0.1:${port}/v1`,
    ...state,
    leftovers: () => [...queues.values()].reduce((sum, left) => sum + left.length, 0),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true })
  return text
}

const tokensOf = (blocks: readonly Json[]): number => blocks.reduce((sum, block) => sum + tokensIn(block), 0)
const errorOf = ({ type, message }: Refusal): Json => ({ type: 'error', error: { type, message }, request_id: 'req_1' })

const isError = (line: Line): line is Extract<Line, { error: Refusal }> => typeof line === 'object' && 'error' in line
const isBlocks = (line: Line): line is Extract<Line, { blocks: Json[] }> => typeof line === 'object' && 'blocks' in line
const isCalling = (line: Line): line is Calling => typeof line === 'object' && 'calls' in line && 'said' in line

function blocksOf(line: Line, newId: () => string): Json[] {
  if (typeof line === 'string') return line === '' ? [] : [{ type: 'text', text: line }]
  if (isBlocks(line)) return line.blocks
  if (!isCalling(line)) return [{ type: 'text', text: JSON.stringify(line) }]
  const text = line.said === '' ? [] : [{ type: 'text', text: line.said }]
  const calls = line.calls.map(({ name, arguments: args }) => ({
    type: 'tool_use',
    id: newId(),
    name,
    input: JSON.parse(args),
  }))
  return [...text, ...calls]
}

function messageOf(line: Line, { model }: Json, content: Json[], usage: Json): Json {
  const { stop_reason, stop_details = null }: { stop_reason?: string; stop_details?: Json | null } = isBlocks(line)
    ? line
    : {}
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stop_reason ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    stop_details,
    usage: { ...usage, cache_creation: null, service_tier: 'standard' },
  }
}
