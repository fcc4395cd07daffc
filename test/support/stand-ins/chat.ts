/**
 * Endpoints of chat completions on 127.0.0.1 that refuse what the real ones refuse (chat-profiles.ts), and otherwise say what a script tells them, by
 * the phase that `cf-aig-metadata` names. Each reply has something thought before it. A request beyond the script is a 599. Plain Node only.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import type { ModelPhase } from '../../../src/core/terms/settings.ts'
import type { Calling } from '../scripted.ts'
import { completionStream, USUAL } from './chat-stream.ts'
import { chunksOf } from './pieces.ts'
import { PART_RULES } from './chat-image-rules.ts'
import { groq, local, mistral, qwen } from './chat-more-profiles.ts'
import { deepseek, kimi, openai } from './chat-profiles.ts'
import { ChatRequest, EVERYWHERE, objection, type Objection, type Profile, type Rule } from './chat-rules.ts'

export const PROFILES = { openai, deepseek, kimi, qwen, groq, mistral, local } satisfies Record<string, Profile>
export type ProfileName = keyof typeof PROFILES
// The cast holds because keys() loses the types of the names.
export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[]

export const rulesOf = (name: ProfileName): readonly Rule[] => [...EVERYWHERE, ...PART_RULES, ...PROFILES[name].rules]

/** The first rule that a request breaks, with the answer to it. */
export function brokenRule(name: ProfileName, request: ChatRequest): { rule: string; objection: Objection } | null {
  for (const { rule, broken } of rulesOf(name)) {
    const found = broken(request)
    if (found !== null) return { rule, objection: found }
  }
  return null
}

const KEY = 'sk-stand-in'
type Said = Calling | object | string
export type ChatScript = Partial<Record<ModelPhase, Said[]>>

export interface ChatStandIn {
  config: { api_key: string; base_url: string; model: string }
  /** The requests that were answered, and what was thought before the reply to each. */
  answered: { request: ChatRequest; thought: string }[]
  /** The rules that requests have broken. */
  broken: string[]
  /** The replies that no request has used. */
  leftovers(): string[]
  close(): Promise<void>
}

export async function startChatStandIn(name: ProfileName, script: ChatScript): Promise<ChatStandIn> {
  const left = new Map(Object.entries(script).map(([phase, said]) => [phase, [...said]]))
  const answered: ChatStandIn['answered'] = []
  const broken: string[] = []
  let calls = 0
  const reply = ({ phase, request, authorization }: Asked): Objection => {
    if (authorization !== `Bearer ${KEY}`) return { status: 401, body: { error: { message: `Incorrect key: ${KEY}` } } }
    const parsed = ChatRequest.safeParse(request)
    if (!parsed.success) return objection.openai(parsed.error.message)
    const found = brokenRule(name, parsed.data)
    if (found !== null) broken.push(found.rule)
    if (found !== null) return found.objection
    const said = left.get(phase)?.shift()
    if (said === undefined) return { status: 599, body: { error: 'the script is dry' } }
    const thought = `I think of ${phase}, ${answered.length}: 想一想 🥛`
    answered.push({ request: parsed.data, thought })
    const message = messageOf(said, () => PROFILES[name].callId(calls++))
    return { status: 200, body: completion(parsed.data, message, PROFILES[name].thought(thought, message.content)) }
  }
  const server = createServer((request, response) => {
    void asked(request).then((one) => {
      const { status, body } = reply(one)
      const { success, data } = ChatRequest.safeParse(one.request)
      if (status !== 200 || !success || data.stream !== true) {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
        return
      }
      const isUsageAsked = data.stream_options?.include_usage === true
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      const whole = body as Parameters<typeof completionStream>[0]
      for (const chunk of chunksOf(completionStream(whole, PROFILES[name].style ?? USUAL, isUsageAsked)))
        response.write(chunk)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    config: { api_key: KEY, base_url: `http://127.0.0.1:${port}/v1`, model: PROFILES[name].model },
    answered,
    broken,
    leftovers: () => [...left].flatMap(([phase, said]) => said.map(() => phase)),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Asked {
  phase: string
  request: unknown
  authorization: string | undefined
}
const Metadata = z.object({ phase: z.string() })
async function asked(request: IncomingMessage): Promise<Asked> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true })
  const { phase } = Metadata.parse(JSON.parse(String(request.headers['cf-aig-metadata'] ?? '{"phase":"turn"}')))
  return { phase, request: JSON.parse(text), authorization: request.headers.authorization }
}

const isCalling = (said: Said): said is Calling => typeof said === 'object' && 'calls' in said

function messageOf(said: Said, nextId: () => string): { content: string | null; tool_calls?: object[] } {
  if (!isCalling(said)) return { content: typeof said === 'string' ? said : JSON.stringify(said) }
  const tool_calls = said.calls.map(({ name, arguments: args }) => ({
    id: nextId(),
    type: 'function',
    function: { name, arguments: args },
  }))
  return { content: said.said === '' ? null : said.said, tool_calls }
}

const completion = ({ model }: ChatRequest, message: ReturnType<typeof messageOf>, thought: object) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model,
  choices: [
    {
      index: 0,
      finish_reason: message.tool_calls === undefined ? 'stop' : 'tool_calls',
      message: { role: 'assistant', ...message, ...thought },
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
})
