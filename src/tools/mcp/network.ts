/**
 * The requests of one effect to an MCP server and to its authorization server. Each address is judged before it is asked, redirects are
 * not followed, and the bytes, the messages and the requests of the whole effect are bounded. A server that never answers what was asked
 * is noticed when its stream ends, because the client library would wait for its own time-out.
 */
import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/client'
import { createParser } from 'eventsource-parser'
import { isRecord } from '../../core/terms/plain/is-record.ts'
import { readAddress, type Reach } from '../../shell/network/address.ts'
import { UNREACHED } from '../../shell/network/bounded-fetch.ts'
import { readWhole } from '../../shell/network/read-whole.ts'
import { retryAfterMs } from '../../shell/network/retry-after.ts'
import { essenceOf, readAsked, readMessages, copyResponse, beginningOf, type RequestSummary } from './bodies.ts'
import { failureError } from './failures.ts'
import { mcpFailure, type McpFailure } from './texts.ts'

/** The most requests of one effect. */
export const REQUESTS_MAX = 64
const MESSAGES_MAX = 2_000
/** All that one effect reads of its server. An image of 5 MiB takes 6.7 MiB in base64. */
const BYTES_MAX = 8 * 1024 * 1024
/** How often a broken stream is taken up again in vain. */
export const RESUMES_LOST_MAX = 2
export interface NetworkPorts {
  fetch: typeof globalThis.fetch
  reach: Reach
}
interface NetworkOptions {
  /** The headers of the requests to the server, and of no others. */
  headers: () => Promise<{ ok: true; value: [string, string][] } | { ok: false; error: McpFailure }>
  server: URL
  /** Whether the stream of the server's own messages is opened. */
  listens: boolean
  now_ms: () => number
  /** Takes secrets out of the words of an authorization server, which the client library writes to the log. */
  redact: (text: string) => string
}

export interface McpNetwork {
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>
  /** Rejects with the first failure that nothing can mend. Never resolves. */
  broken: Promise<never>
  /** Whether the server was asked to run a tool. */
  hasCalled: () => boolean
  /** What the last refusal of the server asks for, in ms. */
  retryAfter: () => number | null
  /** Asks nothing from now on that needs an answer, and ends what is asked of others than the server. */
  close: () => void
  /** Resolves when no message is on its way that needs no answer. */
  idle: () => Promise<unknown>
}

/** What has gone to and fro so far. */
interface Traffic {
  requests: number
  messages: number
  bytes: number
  called: boolean
  resumes_lost: number
  retry_after_ms: number | null
  breakWith: (failure: McpFailure) => void
  /** Aborted with the end of the effect. */
  over: AbortController
}

export function openNetwork(ports: NetworkPorts, options: NetworkOptions): McpNetwork {
  const zero = { requests: 0, messages: 0, bytes: 0, called: false, resumes_lost: 0, retry_after_ms: null }
  const traffic: Traffic = { ...zero, breakWith: () => {}, over: new AbortController() }
  const broken = new Promise<never>((_, reject) => {
    traffic.breakWith = (failure) => {
      reject(failureError(failure))
      traffic.over.abort()
    }
  })
  // It is always raced, and a failure after the race is for nobody.
  broken.catch(() => undefined)
  const on_the_way = new Set<Promise<unknown>>()
  return {
    fetch(input, init) {
      const sending = send(ports, options, traffic, new URL(input), init ?? {})
      if (init?.method === 'POST' && readAsked(init.body).id === null) {
        const settled = sending.catch(() => undefined).finally(() => on_the_way.delete(settled))
        on_the_way.add(settled)
      }
      return sending
    },
    broken,
    hasCalled: () => traffic.called,
    retryAfter: () => traffic.retry_after_ms,
    close: () => traffic.over.abort(),
    idle: () => Promise.all(on_the_way),
  }
}

function fail(traffic: Traffic, kind: McpFailure['kind'], detail = ''): never {
  const failure = mcpFailure(kind, detail)
  traffic.breakWith(failure)
  throw failureError(failure)
}

function countBytes(traffic: Traffic, bytes: number): void {
  traffic.bytes += bytes
  if (traffic.bytes > BYTES_MAX) fail(traffic, 'too_large', '8 MiB')
}

function countMessages(traffic: Traffic, messages: number): void {
  traffic.messages += messages
  if (traffic.messages > MESSAGES_MAX) fail(traffic, 'too_many', `${MESSAGES_MAX} messages`)
}

/** The library gives up without a word when a broken stream cannot be taken up again. */
function countLostResume(traffic: Traffic): void {
  traffic.resumes_lost += 1
  if (traffic.resumes_lost > RESUMES_LOST_MAX) fail(traffic, 'connection_lost')
}

async function send(
  ports: NetworkPorts,
  options: NetworkOptions,
  traffic: Traffic,
  url: URL,
  init: RequestInit,
): Promise<Response> {
  const address = readAddress(url.href, ports.reach)
  if (!address.ok) return fail(traffic, 'address', address.error)
  traffic.requests += 1
  if (traffic.requests > REQUESTS_MAX) return fail(traffic, 'too_many', `${REQUESTS_MAX} requests`)
  const asked = readAsked(init.body)
  const is_server = url.href === options.server.href
  if (traffic.over.signal.aborted && (!is_server || asked.id !== null)) throw new Error('the effect is over')
  if (!is_server) return fetchDocument(ports, options, traffic, url, init)
  const headers = new Headers(init.headers)
  const is_resume = headers.has('last-event-id')
  if (init.method === 'GET' && !is_resume && !options.listens) return new Response(null, { status: 405 })
  const own = await options.headers()
  if (!own.ok) return fail(traffic, own.error.kind, own.error.detail)
  for (const [name, value] of own.value) headers.set(name, value)
  if (asked.method === 'tools/call') traffic.called = true
  const response = await ask(ports, traffic, url, { ...init, headers, redirect: 'manual' }, { ...asked, is_resume })
  if (response.status === 429 || response.status === 503)
    traffic.retry_after_ms = retryAfterMs(response.headers, options.now_ms())
  if (response.ok)
    return asked.id === null ? unasked(traffic, response, init.method) : answered(traffic, response, asked.id)
  if (is_resume) countLostResume(traffic)
  return copyResponse(response, await beginningOf(response))
}

/** A message that needs an answer breaks the effect when its request fails. Others are for nothing then. */
async function ask(
  ports: NetworkPorts,
  traffic: Traffic,
  url: URL,
  init: RequestInit,
  { id, is_resume }: RequestSummary & { is_resume: boolean },
): Promise<Response> {
  const response = await ports.fetch(url.href, init).catch((error: unknown) => {
    if (is_resume) countLostResume(traffic)
    if (id === null || init.signal?.aborted === true) throw error
    const is_unreached = error instanceof Error && error.message === UNREACHED
    return fail(traffic, is_unreached ? 'unreached' : 'connection_failed')
  })
  if (response.status < 300 || response.status >= 400) return response
  await response.body?.cancel()
  return fail(traffic, 'redirect', String(response.status))
}

/** The response to a request. */
async function answered(traffic: Traffic, response: Response, id: string): Promise<Response> {
  const type = essenceOf(response.headers)
  if (type === 'text/event-stream' && response.body !== null)
    return copyResponse(response, countedStream(traffic, response.body, id))
  if (type !== 'application/json' || response.status !== 200) {
    await response.body?.cancel()
    const found = response.status === 200 ? type || 'no content type' : `HTTP ${response.status} without an answer`
    return fail(traffic, 'no_protocol', found.slice(0, 100))
  }
  const bytes = await readWhole(response, BYTES_MAX - traffic.bytes).catch(() => fail(traffic, 'connection_lost'))
  if (bytes === null) return fail(traffic, 'too_large', '8 MiB')
  countBytes(traffic, bytes.byteLength)
  const text = new TextDecoder().decode(bytes)
  const messages = readMessages(text)
  if (messages === null) return fail(traffic, 'no_protocol', 'no JSON, or JSON that nests too deep')
  countMessages(traffic, messages.length)
  if (!messages.some((message) => isAnswerTo(traffic, message, id)))
    return fail(traffic, 'no_protocol', 'the answer is not one to the request')
  return copyResponse(response, text)
}

/** The response to a message that has no answer, or a stream of the server's own messages. */
async function unasked(traffic: Traffic, response: Response, method: string | undefined): Promise<Response> {
  if (method === 'GET' && response.body !== null)
    return copyResponse(response, countedStream(traffic, response.body, null))
  await response.body?.cancel()
  return copyResponse(response, null)
}

/** The same stream, counted. `id`: the answer that has to be in it, unless the stream can be taken up again. */
function countedStream(
  traffic: Traffic,
  body: ReadableStream<Uint8Array>,
  id: string | null,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const seen = { answer: id === null, position: false }
  const parser = createParser({
    onEvent({ data, id: position }) {
      if (position !== undefined) seen.position = true
      if (data === '') return
      countMessages(traffic, 1)
      const messages = readMessages(data)
      if (messages === null) return fail(traffic, 'no_protocol', 'no JSON in its stream, or JSON that nests too deep')
      if (id !== null && messages.some((message) => isAnswerTo(traffic, message, id))) seen.answer = true
    },
  })
  const end = () => {
    if (!seen.answer && !seen.position) traffic.breakWith(mcpFailure('connection_lost'))
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          end()
          return controller.close()
        }
        countBytes(traffic, value.byteLength)
        parser.feed(decoder.decode(value, { stream: true }))
        controller.enqueue(value)
      } catch (error) {
        end()
        reader.cancel().catch(() => undefined)
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** An answer that is none of the protocol breaks the effect, because the library would go on waiting. */
function isAnswerTo(traffic: Traffic, message: unknown, id: string): boolean {
  if (!isRecord(message) || 'method' in message) return false
  const given = message['id']
  if ((typeof given !== 'string' && typeof given !== 'number') || String(given) !== id) return false
  if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) return true
  return fail(traffic, 'no_protocol', 'the answer has neither a result nor an error')
}

/** A document of an authorization server. */
async function fetchDocument(
  ports: NetworkPorts,
  { redact }: NetworkOptions,
  traffic: Traffic,
  url: URL,
  init: RequestInit,
): Promise<Response> {
  const { signal } = traffic.over
  const response = await ports.fetch(url.href, { ...init, redirect: 'manual', signal })
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel()
    throw failureError(mcpFailure('authorization', `a redirect (HTTP ${response.status}) is not followed`))
  }
  const text = await beginningOf(response)
  return copyResponse(response, response.ok ? text : redact(text))
}
