/**
 * An OpenAI-compatible endpoint on 127.0.0.1 that says what a script tells it, by the phase that `cf-aig-metadata` names. A call beyond the
 * script is a 599, and `spent()` fails on leftovers: both mean that the loop did something else than the test thought. Plain Node only.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import type { ModelPhase } from '../../src/core/terms/settings.ts'
import type { Calling } from './scripted.ts'

export type Phase = ModelPhase
export interface ModelCall {
  phase: string
  /** The header `cf-aig-metadata` as it was sent. */
  metadata: Record<string, unknown>
  authorization: string | undefined
  body: Record<string, unknown>
}
export interface ScriptedOpenai {
  /** The value for OPENAI_BASE_URL. */
  base_url: string
  calls: ModelCall[]
  /** Adds replies of this phase. */
  script(phase: Phase, ...replies: (object | string)[]): void
  /** The replies that no request has used, by phase. */
  leftovers(): Partial<Record<Phase, number>>
  close(): Promise<void>
}

/** The environment of a service that uses such an endpoint. */
export const openaiAt = (base_url: string | undefined) => ({
  MODEL_PROVIDER: 'openai',
  OPENAI_API_KEY: 'sk-test',
  OPENAI_BASE_URL: base_url,
  OPENAI_MODEL: 'scripted-1',
})

const AnyRecord = z.record(z.string(), z.unknown())

/** Each reply is sent as JSON text – a text as it is, calls of tools as such –, its tokens 10 in and 5 out. */
export async function startScriptedOpenai(
  /** The replies by phase, or what answers every call. */
  script: Partial<Record<Phase, (object | string)[]>> | ((call: ModelCall) => object | string),
  /** Every answer waits for this promise. */
  until: (call: ModelCall) => Promise<void> = () => Promise.resolve(),
): Promise<ScriptedOpenai> {
  const queues = new Map<string, (object | string)[]>(
    typeof script === 'function' ? [] : Object.entries(script).map(([phase, replies]) => [phase, [...replies]]),
  )
  const replyTo = (call: ModelCall) => (typeof script === 'function' ? script(call) : queues.get(call.phase)?.shift())
  const calls: ModelCall[] = []
  const server = createServer((request, response) => {
    void readCall(request).then(async (call) => {
      calls.push(call)
      await until(call)
      const reply = request.url === '/v1/chat/completions' ? replyTo(call) : undefined
      response.writeHead(reply === undefined ? 599 : 200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(reply === undefined ? { error: { message: 'the script is dry' } } : completion(reply, call)),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    base_url: `http://127.0.0.1:${port}/v1`,
    calls,
    script: (phase, ...replies) => queues.set(phase, [...(queues.get(phase) ?? []), ...replies]),
    leftovers: () =>
      Object.fromEntries(
        [...queues].filter(([, left]) => left.length > 0).map(([phase, left]) => [phase, left.length]),
      ),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readCall(request: IncomingMessage): Promise<ModelCall> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true })
  const metadata = AnyRecord.parse(JSON.parse(String(request.headers['cf-aig-metadata'] ?? '{}')))
  const { authorization } = request.headers
  return { phase: String(metadata['phase']), metadata, authorization, body: AnyRecord.parse(JSON.parse(text)) }
}

const isCalling = (reply: object | string): reply is Calling => typeof reply === 'object' && 'calls' in reply

function messageOf(reply: object | string) {
  const spoken = { role: 'assistant', refusal: null }
  if (!isCalling(reply)) return { ...spoken, content: typeof reply === 'string' ? reply : JSON.stringify(reply) }
  const tool_calls = reply.calls.map(({ id, ...called }) => ({ id, type: 'function', function: called }))
  return { ...spoken, content: reply.said === '' ? null : reply.said, tool_calls }
}

function completion(reply: object | string, { body }: ModelCall) {
  const message = messageOf(reply)
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: body['model'],
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}
