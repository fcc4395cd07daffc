/**
 * The model behind an OpenAI-compatible endpoint: `POST {base_url}/chat/completions` through the openai package. Only this file uses the package,
 * and the first call loads it, so that a start does not pay for it. Apart from negotiation one call is one request: retries belong to the ledger
 * (F26).
 */
import OpenAI from 'openai'
import type { EventOf } from '../core/terms/effect.ts'
import type { CallContext, Model, ModelRequest } from '../shell/ports.ts'
import { boundedFetch, noAnswer, withDeadline, type HttpAnswer } from '../shell/network/bounded-fetch.ts'
import { modelFailure, httpFailure, readCompletion } from './openai-reply.ts'
import {
  FIRST_DIALECT,
  RESENDS_MAX,
  callHeaders,
  chatBody,
  nextShape,
  refusedForms,
  type Dialect,
  type RequestShape,
} from './openai-request.ts'

interface OpenaiConfig {
  /** Empty for endpoints without a key; then no `Authorization` is sent. */
  api_key: string
  /** Includes the version, as in `https://api.openai.com/v1`. */
  base_url: string
  /** Used when the request names no model. */
  model: string
}
type Outcome = EventOf<'model_replied'> | EventOf<'model_failed'>
type Endpoint = OpenaiConfig & { fetch: typeof globalThis.fetch; dialects: Map<string, Dialect>; send: Send | null }

/** Tenants name models, so what is remembered about them must be bounded. */
const DIALECTS_MAX = 100

/** The only headers that are sent. Nothing else that the package adds leaves the process, such as the platform of the machine. */
const HEADERS_SENT = ['accept', 'authorization', 'cf-aig-metadata', 'content-type', 'traceparent']

/** Never rejects. `dependencies.fetch` stands in for the global one. */
export function openaiModel(config: OpenaiConfig, dependencies: { fetch?: typeof globalThis.fetch } = {}): Model {
  const fetch = dependencies.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const endpoint: Endpoint = { ...config, fetch, dialects: new Map(), send: null }
  return {
    complete: async (request, call) => {
      if (!/^https?:\/\//i.test(config.base_url) || !URL.canParse(config.base_url))
        return modelFailure('base URL is not valid')
      try {
        const work = (signal: AbortSignal) => negotiate(endpoint, request, call, signal)
        return await withDeadline(call.timeout_ms, modelFailure('timed out'), work)
      } catch {
        return modelFailure('the call could not be made')
      }
    },
  }
}

/**
 * Sends until the answer is not a refused form, within one deadline (U7). What an endpoint accepts besides the form is remembered for the next
 * call of the same model.
 */
async function negotiate(
  endpoint: Endpoint,
  request: ModelRequest,
  call: CallContext,
  signal: AbortSignal,
): Promise<Outcome> {
  const model = request.model ?? endpoint.model
  const send = (endpoint.send ??= connect(endpoint))
  const headers = callHeaders(request, call)
  let shape: RequestShape = { ...(endpoint.dialects.get(model) ?? FIRST_DIALECT), form: request.form }
  for (let resent = 0; ; resent += 1) {
    const answer = await send(chatBody(request, model, shape), { headers, signal, timeout: Math.ceil(call.timeout_ms) })
    const refused = refusedForms(request.form, shape.form)
    const noted = refused.length === 0 ? {} : { negotiated: refused }
    if (answer.kind === 'unanswered') return { ...modelFailure(answer.reason), ...noted }
    const text = new TextDecoder().decode(answer.body)
    if (answer.status < 300) {
      remember(endpoint.dialects, model, shape)
      const type = answer.headers.get('content-type')
      const reply = readCompletion({ type, text }, request.tools.length > 0)
      return { ...replyEvent(reply, model, shape, endpoint.api_key), ...noted }
    }
    const next = resent < RESENDS_MAX ? nextShape(shape, answer.status, text) : null
    if (next === null) return { ...httpFailure({ ...answer, text }, endpoint.api_key, Date.now()), ...noted }
    shape = next
  }
}

function replyEvent(
  read: ReturnType<typeof readCompletion>,
  asked: string,
  shape: RequestShape,
  secret: string,
): Outcome {
  if ('reason' in read)
    return read.usage === undefined ? modelFailure(read.reason) : { ...modelFailure(read.reason), usage: read.usage }
  // An endpoint may repeat what it was sent, so a model name with the key in it is not used.
  const named = read.model === null || (secret !== '' && read.model.includes(secret)) ? asked : read.model
  return { kind: 'model_replied', ...read, model: named, form: shape.form }
}

function remember(dialects: Map<string, Dialect>, model: string, { cap, temperature }: RequestShape): void {
  if (!dialects.has(model) && dialects.size >= DIALECTS_MAX) dialects.clear()
  dialects.set(model, { cap, temperature })
}

/** Sends one body as one request. Never rejects. */
type Send = (
  body: ReturnType<typeof chatBody>,
  options: { headers: Record<string, string>; signal: AbortSignal; timeout: number },
) => Promise<HttpAnswer>

/**
 * Creates one client for all calls of an endpoint, because creating a client costs half as much as a call. The package only writes the request.
 * The answer is read here, because the package reports a page of HTML as a string and a cut reply as a bare TypeError. The package gets an empty
 * 200 instead, so it has nothing to judge or to send again. Each call has an empty 200 of its own, so that concurrent calls cannot mix up their
 * answers. The signal ends a call, because the time-out of the package is no shorter.
 */
function connect({ api_key, base_url, fetch }: Endpoint): Send {
  const answers = new WeakMap<Response, HttpAnswer>()
  const client = new OpenAI({
    // The package requires a key.
    apiKey: api_key || 'none',
    baseURL: base_url,
    // It gets no answer to send again, and should not.
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (input, init) => {
      const stand_in = new Response()
      const headers = sentHeaders(init?.headers, api_key !== '')
      answers.set(stand_in, await boundedFetch(fetch, input, { ...init, headers }))
      return stand_in
    },
  })
  return async (body, options) => {
    const stand_in = await client.chat.completions
      .create(body, options)
      .asResponse()
      .catch(() => null)
    return (stand_in && answers.get(stand_in)) ?? noAnswer('the request could not be made')
  }
}

function sentHeaders(all: HeadersInit | undefined, authorized: boolean): Headers {
  const given = new Headers(all)
  const headers = new Headers({ 'user-agent': 'loop-agent' })
  for (const name of HEADERS_SENT) {
    const value = given.get(name)
    if (value !== null && (authorized || name !== 'authorization')) headers.set(name, value)
  }
  return headers
}
