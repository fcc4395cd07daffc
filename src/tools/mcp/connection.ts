/**
 * One connection to an MCP server for one effect. It is opened, used and closed within the time of the call, because isolates come and
 * go. The client library finds out which revision the server speaks; what was found is kept as a hint that saves a request.
 */
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolRequest,
  type CallToolResult,
  type ElicitRequest,
  type ElicitResult,
  type JSONRPCMessage,
  type jsonSchemaValidator,
  type PriorDiscovery,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import type { Attempt } from '../../core/terms/attempt.ts'
import type { McpSource } from '../../core/terms/client-tools.ts'
import type { SchemaValidator } from '../../core/terms/schema/answer-form.ts'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { readAddress } from '../../shell/network/address.ts'
import { withDeadline } from '../../shell/network/bounded-fetch.ts'
import type { Files, Secrets, ToolContext } from '../../shell/ports.ts'
import { clientCredentials } from './authorization.ts'
import { failureOf } from './failures.ts'
import { openNetwork, RESUMES_LOST_MAX, type McpNetwork, type NetworkPorts } from './network.ts'
import { secretTexts, type SecretTexts } from './secret-texts.ts'
import { mcpFailure, type McpFailure } from './texts.ts'

/** What the MCP tools need from outside. */
export interface McpPorts extends NetworkPorts {
  secrets: Secrets
  files: Files
  fits: SchemaValidator
  /** Real time in ms since the epoch. */
  now_ms: () => number
}

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
  session: () => KeptSession | null
  /** The session goes on after the effect. Without this it is ended. */
  keepSession: () => void
  hasListChanged: () => boolean
  /** Answers the questions of a server of 2025, which come in the middle of a call. Without it they are canceled. */
  answerQuestions: (answer: (question: SentQuestion) => ElicitResult) => void
  /** The next question of such a server. It gets no answer in this effect. */
  nextQuestion: () => Promise<SentQuestion>
}
export interface SentQuestion {
  params: ElicitRequest['params']
  id: string | number
}
export interface ConnectionOptions {
  /** Whether the server may send messages that belong to no request. */
  listens: boolean
  session?: KeptSession | null
}
/** What became of an effect. `called`: the server was asked to run a tool. */
export interface ConnectionResult<T> {
  outcome: Attempt<T, McpFailure>
  called: boolean
  /** Whether the revision of the server was a hint. */
  hinted: boolean
  texts: SecretTexts
}

/** Where a result stands that is not one of a tool: a task of the server. */
export const LIFTED = 'loop-agent/lifted'
export const TASKS = 'io.modelcontextprotocol/tasks'
/** How long the last words to a server may take: that a request is cancelled, that a session is over. */
const TIDY_MS = 1_000
const HINTS_MAX = 200
/** How long a hint is followed, so that a server that learns a newer revision is noticed. */
const HINT_MS = 600_000

interface Hint {
  prior: PriorDiscovery
  until_ms: number
}
/** What the servers of this isolate spoke last, by tenant and source. */
const hints = new Map<string, Hint>()

function keepHint(key: string, hint: Hint): void {
  hints.delete(key)
  hints.set(key, hint)
  const [oldest] = hints.keys()
  if (hints.size > HINTS_MAX && oldest !== undefined) hints.delete(oldest)
}

/** The library checks nothing by its own validators: results are checked within bounds by the caller. */
const NO_CHECK: jsonSchemaValidator = {
  // The cast is harmless: what the library gives is read by schemas of our own.
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
}
const AnyResult = z.looseObject({})

/** Runs `work` with an open connection. Never rejects. */
export async function withServer<T>(
  outside: McpPorts,
  source: McpSource,
  call: ToolContext,
  options: ConnectionOptions,
  work: (server: McpServer) => Promise<T>,
): Promise<ConnectionResult<T>> {
  const texts = secretTexts(outside.secrets, call.tenant)
  const address = readAddress(source.url, outside.reach)
  if (!address.ok) return { outcome: failed('address', address.error), called: false, hinted: false, texts }
  const key = JSON.stringify([call.tenant, source.url, source.headers, source.auth])
  const hinted = hints.has(key)
  const network = openNetwork(outside, {
    server: address.value,
    headers: () => serverHeaders(source, address.value, call, texts),
    listens: options.listens,
    now_ms: outside.now_ms,
  })
  const transport = new StreamableHTTPClientTransport(address.value, {
    fetch: network.fetch,
    authProvider:
      source.auth?.kind === 'client_credentials'
        ? clientCredentials(source.auth, texts, { key, now_ms: outside.now_ms })
        : undefined,
    maxStepUpRetries: 1,
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: RESUMES_LOST_MAX + 1,
    },
    ...(options.session ? { sessionId: options.session.id, protocolVersion: options.session.revision } : {}),
  })
  const kept = { session: false }
  const { timeout_ms, stop } = call
  const outcome = await withDeadline<Attempt<T, McpFailure>>(
    timeout_ms,
    failed('timed_out'),
    async (signal) => {
      try {
        const opened = openServer({ outside, transport, network, options, texts, signal, timeout_ms, key, kept })
        const done = opened.then(async (server) => work(server))
        return { ok: true, value: await Promise.race([done, network.broken]) }
      } catch (error) {
        return { ok: false, error: { ...failureOf(error), retry_after_ms: network.retryAfter() } }
      }
    },
    stop && { signal: stop, stopped: failed('stopped') },
  )
  if (!outcome.ok) hints.delete(key)
  await tidy(transport, network, kept.session && outcome.ok)
  return { outcome, called: network.hasCalled(), hinted, texts }
}

const failed = (kind: McpFailure['kind'], detail = '') => ({ ok: false as const, error: mcpFailure(kind, detail) })

/** Tells the server that its session is over, and closes every stream. What it answers does not matter. */
async function tidy(transport: StreamableHTTPClientTransport, network: McpNetwork, keeps_session: boolean) {
  await withDeadline<unknown>(TIDY_MS, null, async () => {
    await network.idle()
    if (!keeps_session) await transport.terminateSession().catch(() => undefined)
  })
  await transport.close().catch(() => undefined)
}

interface Opening {
  outside: McpPorts
  transport: StreamableHTTPClientTransport
  network: McpNetwork
  options: ConnectionOptions
  texts: SecretTexts
  signal: AbortSignal
  timeout_ms: number
  key: string
  kept: { session: boolean }
}

async function openServer(opening: Opening): Promise<McpServer> {
  const { outside, transport, options, texts, signal, timeout_ms, key, kept } = opening
  const client = new Client(
    { name: 'loop-agent', version: '1' },
    {
      capabilities: { elicitation: { form: {}, url: {} }, extensions: { [TASKS]: {} } },
      versionNegotiation: { mode: 'auto' },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: NO_CHECK,
    },
  )
  let onQuestion: (question: SentQuestion) => ElicitResult | Promise<ElicitResult> = () => ({ action: 'cancel' })
  client.setRequestHandler('elicitation/create', ({ params }, context) =>
    onQuestion({ params: texts.redact(params), id: context.mcpReq.id }),
  )
  const seen = { list_changed: false }
  Object.assign(transport, {
    onmessage(message: JSONRPCMessage) {
      if ('method' in message && message.method === 'notifications/tools/list_changed') seen.list_changed = true
      if ('result' in message) liftTask(message, texts)
      else if ('error' in message) message.error = texts.redact(message.error)
    },
  })
  const timing = { signal, timeout: timeout_ms + TIDY_MS }
  const hint = hints.get(key)
  const prior = hint !== undefined && hint.until_ms > outside.now_ms() ? hint.prior : undefined
  await client.connect(transport, { ...timing, ...(prior === undefined ? {} : { prior }) })
  const is_modern = client.getProtocolEra() === 'modern'
  const discover = client.getDiscoverResult()
  if (prior === undefined && !options.session) {
    const found: PriorDiscovery | null = !is_modern
      ? { kind: 'legacy' }
      : discover
        ? { kind: 'modern', discover }
        : null
    if (found !== null) keepHint(key, { prior: found, until_ms: outside.now_ms() + HINT_MS })
  }
  const capabilities = client.getServerCapabilities()
  return {
    is_modern,
    has_tools: capabilities?.tools !== undefined,
    has_tasks: !is_modern && isRecord(capabilities?.tasks) && isRecord(capabilities.tasks['requests']),
    request: (method, params) => client.request({ method, params }, AnyResult, timing),
    async callTool(params, { name, inputSchema }) {
      const toolDefinition = { name, inputSchema: (isRecord(inputSchema) ? inputSchema : {}) as { type: 'object' } }
      const settings = { ...timing, toolDefinition, allowInputRequired: true as const }
      const result: CallToolResult = await client.callTool(params as CallToolRequest['params'], settings)
      return result as Record<string, unknown>
    },
    respond: (id, result) => transport.send({ jsonrpc: '2.0', id, result }),
    session() {
      const { sessionId: id, protocolVersion: revision } = transport
      return is_modern || id === undefined || revision === undefined ? null : { id, revision }
    },
    keepSession() {
      kept.session = true
    },
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
}

/** The library knows no tasks. So such a result is shown to it as that of a tool, with the task under LIFTED. */
function liftTask(message: Extract<JSONRPCMessage, { result: unknown }>, texts: SecretTexts): void {
  const result: Record<string, unknown> = texts.redact(message.result)
  const task = result['resultType'] === 'task' ? result : isRecord(result['task']) ? result['task'] : null
  message.result = task === null ? result : { resultType: 'complete', content: [], _meta: { [LIFTED]: task } }
}

/** The headers of the source, with their secrets, and the trace of the request that caused the call. */
async function serverHeaders(
  { headers, auth }: McpSource,
  address: URL,
  { traceparent }: ToolContext,
  texts: SecretTexts,
): Promise<Attempt<[string, string][], McpFailure>> {
  const all: [string, string][] = Object.entries(headers)
  if (auth?.kind === 'bearer') all.push(['authorization', `Bearer ${auth.token}`])
  const filled: [string, string][] = traceparent === null ? [] : [['traceparent', traceparent]]
  for (const [name, text] of all) {
    const value = await texts.fill(text, address)
    if (!value.ok) return failed('secret', value.error)
    // A literal token is a secret as well.
    if (name.toLowerCase() === 'authorization') texts.hide(value.value.slice(value.value.indexOf(' ') + 1))
    filled.push([name, value.value])
  }
  return { ok: true, value: filled }
}
