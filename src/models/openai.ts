/**
 * The model behind an OpenAI-compatible endpoint: `POST {base_url}/chat/completions` through the openai package. Only this file
 * knows it, and is itself loaded by the first call, so that a start does not pay for it. One call is one request on the wire
 * apart from negotiation: retries live in the ledger (F26).
 */
import OpenAI from 'openai'
import type { EventOf } from '../core/terms/effect.ts'
import type { CallContext, Model, ModelRequest } from '../shell/ports.ts'
import { boundedFetch, noAnswer, withDeadline } from '../shell/network/bounded-fetch.ts'
import type { HttpAnswer } from '../shell/network/bounded-fetch.ts'
import { modelFailure, httpFailure, readCompletion } from './openai-reply.ts'
import { FIRST_DIALECT, RESENDS_MAX, callHeaders, chatBody, nextShape, refusedForms } from './openai-request.ts'
import type { Dialect, RequestShape } from './openai-request.ts'

interface OpenaiConfig {
  /** Empty for endpoints that want no key: then no `Authorization` is sent. */
  api_key: string
  /** Includes the version, as in `https://api.openai.com/v1`. */
  base_url: string
  /** Used when the request names no model. */
  model: string
}
type Outcome = EventOf<'model_replied'> | EventOf<'model_failed'>
type Endpoint = OpenaiConfig & { fetch: typeof globalThis.fetch; dialects: Map<string, Dialect>; send: Send | null }

/** Models are named by tenants: what is remembered about them must not grow without bound. */
const DIALECTS_MAX = 100

/** Nothing else the package adds leaves the process: not the machine's platform, nothing taken from the environment. */
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
 * Sends until something other than a refused form comes back, within one deadline (U7). What an endpoint accepts
 * besides the form is remembered for the next call of the same model.
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
      return { ...replied(reply, model, shape, endpoint.api_key), ...noted }
    }
    const next = resent < RESENDS_MAX ? nextShape(shape, answer.status, text) : null
    if (next === null) return { ...httpFailure({ ...answer, text }, endpoint.api_key, Date.now()), ...noted }
    shape = next
  }
}

function replied(read: ReturnType<typeof readCompletion>, asked: string, shape: RequestShape, secret: string): Outcome {
  if ('reason' in read)
    return read.usage === undefined ? modelFailure(read.reason) : { ...modelFailure(read.reason), usage: read.usage }
  // An endpoint may repeat what it was sent: a name with the key in it is none.
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
 * One client for all calls of an endpoint: making one costs half as much as a call. The package writes the request; the
 * answer is read by us, since the package reports a page of HTML as a string and a cut reply as a bare TypeError. It is
 * handed an empty 200 to give back, which stands for the answer: so it has nothing to judge or to send again, and calls
 * that run at once cannot take each other's. Ends at the signal; the package's own time-out is no
 * shorter.
 */
function connect({ api_key, base_url, fetch }: Endpoint): Send {
  const answers = new WeakMap<Response, HttpAnswer>()
  const client = new OpenAI({
    // The package insists on a key.
    apiKey: api_key || 'none',
    baseURL: base_url,
    // It sees nothing to send again; nor would it.
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
