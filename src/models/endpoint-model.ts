/**
 * The model behind an endpoint. Apart from negotiation one call is one request: retries belong to the ledger (F26). What an endpoint refuses
 * besides the form is remembered for the next calls of the same model.
 */
import type { EventOf, ReplyForm, WireName } from '../core/terms/effect.ts'
import type { ReasoningEffort } from '../core/terms/settings.ts'
import { DEFAULT_ENDPOINT } from '../core/terms/values/endpoint-name.ts'
import { withDeadline } from '../shell/network/bounded-fetch.ts'
import type { Model, ModelRequest } from '../shell/ports.ts'
import type { CallContext } from '../shell/tool-ports.ts'
import { httpFailure, modelFailure } from './failures.ts'
import { formsBetween, lowestForm } from './wires/common.ts'
import { isJsonType } from './wires/reply-parts.ts'
import { streamBounds, UNFINISHED } from './wires/event-stream.ts'
import {
  FIRST_DIALECT,
  type Dialect,
  type Endpoint,
  type Send,
  type StreamReading,
  type Wire,
  type WireReply,
} from './wires/wire.ts'

type Outcome = EventOf<'model_replied'> | EventOf<'model_failed'>

/** U7: the same effect is sent again at most this many times. A new endpoint may refuse most parts of a request, one after another. */
const RESENDS_MAX = 8

/** Tenants name models, so what is remembered about them must be bounded. */
const DIALECTS_MAX = 100

/** Each wire is loaded with its first call, so that a start pays for none. */
const WIRES: Record<WireName, () => Promise<Wire>> = {
  chat: async () => (await import('./wires/chat/wire.ts')).chatWire,
  responses: async () => (await import('./wires/responses/wire.ts')).responsesWire,
  messages: async () => (await import('./wires/messages/wire.ts')).messagesWire,
  workers_ai: async () => (await import('./wires/workers-ai/wire.ts')).workersAiWire,
}

/** A wire that is loaded, and what sends the requests of the endpoint on it. */
interface Line {
  wire: Wire
  send: Send
}
interface Connection {
  endpoint: Endpoint
  dialects: Map<string, Dialect>
  lines: Map<WireName, Line>
  /** The models that have streamed a reply to its end. A stream that ends without one is then a broken connection. */
  streaming: Set<string>
}

/** What is remembered of a model: the reply form that it accepts, and what else was refused. */
export interface LearnedDialect {
  model: string
  form: ReplyForm
  refused: string[]
}
export interface EndpointModel extends Model {
  learned(): LearnedDialect[]
}

/** Never rejects. */
export function endpointModel(endpoint: Endpoint): EndpointModel {
  const connection: Connection = { endpoint, dialects: new Map(), lines: new Map(), streaming: new Set() }
  const is_reachable = endpoint.wire === 'workers_ai' || isHttpUrl(endpoint.base_url)
  return {
    complete: async (request, call) => {
      if (!is_reachable) return modelFailure('base URL is not valid')
      try {
        const sent = withWireNames(request)
        const work = (signal: AbortSignal) => negotiate(connection, sent, call, signal)
        const stop = call.stop && { signal: call.stop, stopped: modelFailure('stopped') }
        return await withDeadline(call.timeout_ms, modelFailure('timed out'), work, stop)
      } catch {
        return modelFailure('the call could not be made')
      }
    },
    learned: () =>
      [...connection.dialects].map(([model, dialect]) => ({
        model,
        form: dialect.form,
        refused: refusedParts({ ...FIRST_DIALECT, wire: endpoint.wire, form: dialect.form }, dialect, null),
      })),
  }
}

/** Wires take no dot in the name of a tool. A task understands a call by either name. */
const wireName = (name: string): string => name.replaceAll('.', '_')
const isDotted = ({ name }: { name: string }): boolean => name.includes('.')

function withWireNames(request: ModelRequest): ModelRequest {
  if (!request.tools.some(isDotted)) return request
  const renamed = <T extends { name: string }>(one: T): T => ({ ...one, name: wireName(one.name) })
  return {
    ...request,
    tools: request.tools.map(renamed),
    messages: request.messages.map((message) =>
      message.role === 'assistant' && message.tool_calls !== undefined
        ? { ...message, tool_calls: message.tool_calls.map(renamed) }
        : message,
    ),
  }
}

const isHttpUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

async function openLine({ endpoint, lines }: Connection, name: WireName): Promise<Line> {
  const wire = await WIRES[name]()
  // Two first calls at the same time get the same line, because nothing is awaited from here on.
  const line = lines.get(name) ?? { wire, send: wire.connect(endpoint) }
  lines.set(name, line)
  return line
}

/** Sends until the answer is not a refused form, within one deadline (U7). */
async function negotiate(
  connection: Connection,
  request: ModelRequest,
  call: CallContext,
  signal: AbortSignal,
): Promise<Outcome> {
  const { endpoint, dialects, streaming } = connection
  const model = request.model ?? endpoint.model
  const options = { headers: callHeaders(request, call), signal, timeout: Math.ceil(call.timeout_ms) }
  const first = firstDialect(endpoint, dialects.get(model), request)
  for (let dialect = first, resent = 0; ; resent += 1) {
    const { wire, send } = connection.lines.get(dialect.wire) ?? (await openLine(connection, dialect.wire))
    const body = wire.body({ request, endpoint, model, dialect })
    const answer = await send(body, { ...options, stream: streamReading(wire, request, call) })
    const noted = noticeOf(first, dialect, request, endpoint)
    if (answer.kind === 'unanswered') {
      if (answer.reason === UNFINISHED && !streaming.has(model))
        remember(dialects, model, { ...lessonOf(request, first, dialect), stream: false })
      return { ...modelFailure(withoutKey(answer.reason, endpoint)), ...noted }
    }
    const text = new TextDecoder().decode(answer.body)
    if (answer.status < 300) {
      const reply = wire.read({ type: answer.headers.get('content-type'), text }, request)
      // Some endpoints tell in a stream no usage, which they tell without one.
      if (answer.streamed === true) rememberStreaming(streaming, model)
      const lacksUsage = answer.streamed === true && reply.usage === null
      // Some label a stream as something else, which is then no reply at all.
      const isMislabelled =
        answer.streamed === undefined && 'reason' in reply && !isJsonType(answer.headers.get('content-type'))
      const stream = dialect.stream && !lacksUsage && !isMislabelled
      remember(dialects, model, { ...lessonOf(request, first, dialect), stream })
      if ('reason' in reply) return { ...modelFailure(reply.reason), ...usageOf(reply), ...noted }
      return { ...replyEvent(reply, { endpoint, model, dialect }), ...noted }
    }
    const next = resent < RESENDS_MAX ? wire.next(dialect, { status: answer.status, text }, request) : null
    if (next === null) return { ...httpFailure({ ...answer, text }, endpoint.api_key, Date.now()), ...noted }
    dialect = next
  }
}

const streamReading = (
  { collect }: Wire,
  { max_output_tokens }: ModelRequest,
  { timeout_ms, silence_ms = timeout_ms, onWords = () => {} }: CallContext,
): StreamReading => ({ collect, ...streamBounds(max_output_tokens), silence_ms, onWords })

/** What is remembered of the model, with the lowest form that it or the task has been refused. */
function firstDialect(endpoint: Endpoint, known: Dialect | undefined, { form }: ModelRequest): Dialect {
  return known === undefined
    ? { ...FIRST_DIALECT, wire: endpoint.wire, form }
    : { ...known, form: lowestForm(known.form, form) }
}

/** A reason may end with a word of the endpoint, which may repeat what it was sent. */
const withoutKey = (reason: string, { api_key }: Endpoint): string =>
  api_key !== '' && reason.includes(api_key) ? 'the endpoint broke its reply off' : reason

const usageOf = ({ usage }: Pick<Partial<WireReply>, 'usage'>) => (usage ? { usage } : {})

/** What the row notes of the endpoint: its name, unless it is the default one, and what it has refused in this call. */
function noticeOf(first: Dialect, dialect: Dialect, { form, reasoning_effort }: ModelRequest, { name }: Endpoint) {
  const negotiated = formsBetween(form, dialect.form)
  const refused = refusedParts(first, dialect, reasoning_effort)
  return {
    ...(name === DEFAULT_ENDPOINT ? {} : { endpoint: name }),
    ...(negotiated.length === 0 ? {} : { negotiated }),
    ...(refused.length === 0 ? {} : { refused }),
  }
}

/** The name of the refused part, as the wire calls it, where a member of the dialect has changed. The form has a member of its own in the row. */
const REFUSED: Record<Exclude<keyof Dialect, 'form' | 'efforts'>, (before: Dialect) => string> = {
  wire: ({ wire }) => wire,
  cap: ({ cap }) => cap,
  temperature: () => 'temperature',
  effort: () => 'reasoning_effort',
  thinking: () => 'thinking',
  reasoning: () => 'reasoning',
  blank_reasoning: () => 'a reply without reasoning_content',
  stream: () => 'stream',
  stream_options: () => 'stream_options',
  unstreamed_thinking: () => 'enable_thinking',
  strict: () => 'strict',
  named_schema: () => 'a schema without a name',
  one_call: () => 'parallel_tool_calls',
  short_ids: () => 'tool_call_id',
  images: () => 'images',
  ordered: () => 'the order of roles',
}
// The cast holds because entries() loses the types of the names.
const PARTS = Object.entries(REFUSED) as [keyof typeof REFUSED, (before: Dialect) => string][]

function refusedParts(before: Dialect, after: Dialect, effort: ReasoningEffort | null): string[] {
  const parts = PARTS.flatMap(([member, wordOf]) => (before[member] === after[member] ? [] : [wordOf(before)]))
  return after.effort && before.efforts !== after.efforts
    ? [...parts, effort === null ? 'some words for reasoning_effort' : `reasoning_effort ${effort}`]
    : parts
}

function replyEvent(
  { reasoning, ...reply }: WireReply,
  { endpoint, model, dialect }: { endpoint: Endpoint; model: string; dialect: Dialect },
): EventOf<'model_replied'> {
  const { name, api_key } = endpoint
  const { wire, form } = dialect
  // An endpoint may repeat what it was sent, so a model name with the key in it is not used.
  const isUsable = reply.model !== null && !(api_key !== '' && reply.model.includes(api_key))
  return {
    kind: 'model_replied',
    ...reply,
    model: isUsable ? (reply.model ?? model) : model,
    form,
    ...(reasoning === undefined ? {} : { reasoning: { wire, endpoint: name, model, items: reasoning } }),
  }
}

/** What is learnt of an endpoint from one call. What it says of a schema of a client tells nothing of other schemas. */
const lessonOf = ({ contract }: ModelRequest, first: Dialect, dialect: Dialect): Dialect =>
  contract?.by_client === true ? { ...dialect, form: first.form, strict: first.strict } : dialect

function remember(dialects: Map<string, Dialect>, model: string, dialect: Dialect): void {
  if (!dialects.has(model) && dialects.size >= DIALECTS_MAX) dialects.clear()
  // Another request may show images that the endpoint takes.
  dialects.set(model, dialect.images === 'refused' ? { ...dialect, images: 'shown' } : dialect)
}

function rememberStreaming(streaming: Set<string>, model: string): void {
  if (!streaming.has(model) && streaming.size >= DIALECTS_MAX) streaming.clear()
  streaming.add(model)
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * The headers that say which call it is: `cf-aig-metadata` always, and `traceparent` only when it is well-formed, because a malformed one must not
 * cost the call.
 */
function callHeaders(request: ModelRequest, call: CallContext): Record<string, string> {
  const headers: Record<string, string> = { 'cf-aig-metadata': asciiJson(request.metadata) }
  if (call.traceparent !== null && TRACEPARENT.test(call.traceparent)) headers.traceparent = call.traceparent
  return headers
}

/** JSON for a header: everything outside printable ASCII is written as `\\uXXXX`. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
