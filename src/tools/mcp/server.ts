/** An open MCP server as this service uses it, behind the client library, which finds out the revision that the server speaks. */
import {
  Client,
  type CallToolRequest,
  type CallToolResult,
  type ElicitRequest,
  type ElicitResult,
  type JSONRPCMessage,
  type jsonSchemaValidator,
  type PriorDiscovery,
  type StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { REQUESTS_MAX } from './network.ts'
import type { SecretFiller } from '../../shell/secrets/filler.ts'

/** The session of a server of 2025 that goes on after the effect, because a task of the server belongs to it. */
export interface KeptSession {
  id: string
  revision: string
}

export interface McpServer {
  /** Whether it speaks the revision of 2026-07-28 or a later one. */
  is_modern: boolean
  has_tools: boolean
  /** Whether a server of 2025 runs calls as tasks. */
  has_tasks: boolean
  request: (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>
  /** One call. What the library does not know as a result of a tool is under LIFTED of its `_meta`. */
  callTool: (
    params: Record<string, unknown>,
    tool: { name: string; inputSchema: unknown },
  ) => Promise<Record<string, unknown>>
  /** Answers a request of the server that came in an earlier effect. */
  respond: (id: string | number, result: Record<string, unknown>) => Promise<void>
  /** The session of a server of 2025. null: it has none. */
  session: KeptSession | null
  /** Set where the session goes on after the effect. Otherwise it is ended. */
  keeps_session: boolean
  hasListChanged: () => boolean
  /** Answers the questions of a server of 2025, which come in the middle of a call. Without it they are canceled. */
  answerQuestions: (answer: (question: SentQuestion) => ElicitResult) => void
  /** The next question of such a server. It gets no answer in this effect. */
  nextQuestion: () => Promise<SentQuestion>
}
interface SentQuestion {
  params: ElicitRequest['params']
  id: string | number
}
/** Where a result stands that is not one of a tool: a task of the server. */
export const LIFTED = 'loop-agent/lifted'
const TASKS = 'io.modelcontextprotocol/tasks'

/** The library checks nothing by its own validators: results are checked within bounds by the caller. */
const NO_CHECK: jsonSchemaValidator = {
  // The cast is harmless: what the library gives is read by schemas of our own.
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
}
const AnyResult = z.looseObject({})
/** Ids begin anew after so long, so that they stay below 2^31. */
const IDS_MS = 2 ** 25

interface Opening {
  transport: StreamableHTTPClientTransport
  texts: SecretFiller
  timing: { signal: AbortSignal; timeout: number }
  prior: PriorDiscovery | undefined
  now_ms: number
}
type Answering = (question: SentQuestion) => ElicitResult | Promise<ElicitResult>

/** `found`: what the server speaks, for the next time. null: it was not asked. */
export async function openServer({ transport, texts, timing, prior, now_ms }: Opening): Promise<{
  server: McpServer
  found: PriorDiscovery | null
}> {
  const client = newClient(now_ms)
  let onQuestion: Answering = () => ({ action: 'cancel' })
  client.setRequestHandler('elicitation/create', ({ params }, context) =>
    onQuestion({ params: texts.redactAll(params), id: context.mcpReq.id }),
  )
  const seen = { list_changed: false }
  Object.assign(transport, {
    onmessage(message: JSONRPCMessage) {
      if ('method' in message && message.method === 'notifications/tools/list_changed') seen.list_changed = true
      if ('result' in message) liftTask(message, texts)
      else if ('error' in message) message.error = texts.redactAll(message.error)
    },
  })
  const has_session = transport.sessionId !== undefined
  await client.connect(transport, { ...timing, ...(prior === undefined ? {} : { prior }) })
  const server: McpServer = {
    ...usesOf(client, transport, timing),
    hasListChanged: () => seen.list_changed,
    answerQuestions(answer) {
      onQuestion = answer
    },
    nextQuestion: () =>
      new Promise((resolve) => {
        onQuestion = (question) => {
          resolve(question)
          return new Promise<ElicitResult>(() => {})
        }
      }),
  }
  return { server, found: prior !== undefined || has_session ? null : discoveryOf(client) }
}

function newClient(now_ms: number): Client {
  const client = new Client(
    { name: 'loop-agent', version: '1' },
    {
      capabilities: { elicitation: { form: {}, url: {} }, extensions: { [TASKS]: {} } },
      versionNegotiation: { mode: 'auto' },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: NO_CHECK,
    },
  )
  // Each effect has its own client, and a call that is made again must have another id (2026-07-28, multi round-trip requests).
  return Object.assign(client, { _requestMessageId: (now_ms % IDS_MS) * REQUESTS_MAX })
}

function discoveryOf(client: Client): PriorDiscovery | null {
  if (client.getProtocolEra() !== 'modern') return { kind: 'legacy' }
  const discover = client.getDiscoverResult()
  return discover === undefined ? null : { kind: 'modern', discover }
}

type Uses = Omit<McpServer, 'hasListChanged' | 'answerQuestions' | 'nextQuestion'>

function usesOf(client: Client, transport: StreamableHTTPClientTransport, timing: Opening['timing']): Uses {
  const is_modern = client.getProtocolEra() === 'modern'
  const capabilities = client.getServerCapabilities()
  const { sessionId: id, protocolVersion: revision } = transport
  return {
    is_modern,
    has_tools: capabilities?.tools !== undefined,
    has_tasks: !is_modern && isRecord(capabilities?.tasks) && isRecord(capabilities.tasks['requests']),
    session: is_modern || id === undefined || revision === undefined ? null : { id, revision },
    keeps_session: false,
    request: (method, params) => client.request({ method, params }, AnyResult, timing),
    async callTool(params, { name, inputSchema }) {
      const toolDefinition = { name, inputSchema: (isRecord(inputSchema) ? inputSchema : {}) as { type: 'object' } }
      const settings = { ...timing, toolDefinition, allowInputRequired: true as const }
      const result: CallToolResult = await client.callTool(params as CallToolRequest['params'], settings)
      return result as Record<string, unknown>
    },
    respond: (id, result) => transport.send({ jsonrpc: '2.0', id, result }),
  }
}

/** The library knows no tasks. So such a result is shown to it as that of a tool, with the task under LIFTED. */
function liftTask(message: Extract<JSONRPCMessage, { result: unknown }>, texts: SecretFiller): void {
  const result: Record<string, unknown> = texts.redactAll(message.result)
  const task = result['resultType'] === 'task' ? result : isRecord(result['task']) ? result['task'] : null
  message.result = task === null ? result : { resultType: 'complete', content: [], _meta: { [LIFTED]: task } }
}
