/** One request, sent until it is answered: the same key each time, no redirect followed, and each failure one kind of error. */
import { timeLimit, type Clock } from './clock.ts'
import { LoopAgentError, type ErrorFacts } from './errors.ts'
import { backoffMs, isPassing, mayBeDone, retryAfterMs } from './retry.ts'
import type { Problem } from './types.ts'

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

export interface Wire {
  fetch: Fetch
  clock: Clock
  /** How often a request is sent again at most. */
  retries: number
  /** The longest wait that is accepted from `Retry-After`. */
  maxWaitSeconds: number
  /** How long one sending of a request may take. */
  timeoutSeconds: number
}

export interface WireRequest<T> {
  method: string
  /** For messages: the path without origin and query. */
  path: string
  url: string
  headers: Headers
  body?: string | Blob | FormData | undefined
  signal?: AbortSignal | undefined
  /** The Idempotency-Key; null: the request has none. */
  key: string | null
  /** The request is not sent again if it may have been done. */
  once?: boolean | undefined
  /** Reads the answer. Throw a LoopAgentError for an answer that is no use; any other error counts as a broken connection. */
  read(response: Response): Promise<T>
}

const SHOWN_CHARS = 200

/** Rejects with a LoopAgentError, or with the reason of `signal`. */
export async function send<T>(wire: Wire, request: WireRequest<T>): Promise<T> {
  let isDoubtful = false
  for (let repetition = 1; ; repetition += 1) {
    const result = await attempt(wire, request)
    if (result.ok) return result.value
    const { error } = result
    // The answer to the first deletion was lost: the second one finds nothing, and that is what was wanted.
    if (isDoubtful && request.method === 'DELETE' && error.status === 404) return request.read(new Response(null))
    isDoubtful ||= mayBeDone(error)
    const wait = waitMs(wire, request, error, repetition)
    if (wait === null) throw error
    await wire.clock.sleep(wait, request.signal)
    request.signal?.throwIfAborted()
  }
}

/** The time until the request is sent again; null: it is not. A `Retry-After` is never cut short. */
function waitMs(wire: Wire, request: WireRequest<unknown>, error: LoopAgentError, repetition: number): number | null {
  if (repetition > wire.retries || !isPassing(error)) return null
  if (request.once === true && mayBeDone(error)) return null
  const asked = error.retryAfterSeconds
  if (asked === null) return backoffMs(repetition, wire.clock)
  return asked > wire.maxWaitSeconds ? null : asked * 1000
}

type Result<T> = { ok: true; value: T } | { ok: false; error: LoopAgentError }

async function attempt<T>(wire: Wire, request: WireRequest<T>): Promise<Result<T>> {
  const { method, headers, signal } = request
  signal?.throwIfAborted()
  const timeout = () => errorOf(request, { status: 0, code: 'timeout', detail: 'no answer came in time' })
  const limit = timeLimit(wire.clock, wire.timeoutSeconds * 1000, signal, timeout)
  const init: RequestInit = { method, headers, redirect: 'manual', signal: limit.signal }
  if (request.body !== undefined) init.body = request.body
  try {
    const response = await wire.fetch(request.url, init)
    const error = await refusalOf(wire, request, response)
    return error === null ? { ok: true, value: await request.read(response) } : { ok: false, error }
  } catch (cause) {
    signal?.throwIfAborted()
    if (limit.signal.aborted && limit.signal.reason instanceof LoopAgentError)
      return { ok: false, error: limit.signal.reason }
    if (cause instanceof LoopAgentError) throw cause
    const detail = `no whole answer came: ${reasonOf(cause)}`
    return { ok: false, error: errorOf(request, { status: 0, code: 'network_error', detail, cause }) }
  } finally {
    limit.clear()
  }
}

/** The reason of a failed fetch stands in its cause. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message
}

/** The error that an answer stands for; null: it is a success. */
async function refusalOf(
  wire: Wire,
  request: WireRequest<unknown>,
  response: Response,
): Promise<LoopAgentError | null> {
  const { status, headers } = response
  // Browsers alone have this type, and the types of workerd do not know it.
  const type: string = response.type
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel()
    const to = headers.get('location') ?? 'an address that the browser does not show'
    const detail = `${request.url} redirects to ${to}. A redirect is not followed, because the key would go there too.`
    return errorOf(request, { status, code: 'redirect_refused', detail }, headers)
  }
  if (response.ok) return null
  const text = await response.text()
  const problem = problemIn(text)
  const asked = retryAfterMs(headers.get('retry-after'), wire.clock)
  const facts = { status, problem, retryAfterSeconds: asked === null ? null : asked / 1000 }
  if (problem !== null) return errorOf(request, { ...facts, code: problem.code, detail: problem.detail }, headers)
  return errorOf(request, { ...facts, code: 'http_error', detail: beginningOf(text) }, headers)
}

/** Reads a success as JSON. The caller names its type, which the document promises and nothing here checks. */
export async function readJson<T>(request: Omit<WireRequest<T>, 'read'>, response: Response): Promise<T> {
  const text = await response.text()
  const { status, headers } = response
  try {
    return JSON.parse(text)
  } catch {
    const detail = `the answer is no JSON: ${beginningOf(text)}`
    throw errorOf(request, { status, code: 'not_json', detail }, headers)
  }
}

export function errorOf(
  { method, path, key }: Pick<WireRequest<unknown>, 'method' | 'path' | 'key'>,
  facts: Omit<ErrorFacts, 'method' | 'path' | 'key' | 'requestId'>,
  headers?: Headers,
): LoopAgentError {
  return new LoopAgentError({ method, path, key, requestId: headers?.get('x-request-id') ?? null, ...facts })
}

const beginningOf = (text: string) => (text === '' ? 'the body is empty' : text.slice(0, SHOWN_CHARS))

function problemIn(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text)
    return isProblem(value) ? value : null
  } catch {
    return null
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('detail' in value)) return false
  return typeof value.code === 'string' && typeof value.detail === 'string'
}
