/** Sends requests with a key or a login. It throws nothing: an answer, a refusal and a missing answer are all values. */
import { startTimer } from './asker.ts'
import type { Credential } from './credential.ts'
import { get, type ApiRequest } from './request.ts'
import { fetchWithProgress, type FetchInit } from './fetch-with-progress.ts'
import type { Problem } from './wire.ts'

export type ApiAnswer<T> = { ok: true; status: number; value: T; headers: Headers } | { ok: false; problem: Problem }

/**
 * Whether the outcome of the request is unknown. Then no answer came, another server answered, the request is still running, or the
 * service failed and may have done it nevertheless.
 */
export const isOutcomeUnknown = (answer: ApiAnswer<unknown>): boolean =>
  !answer.ok &&
  (answer.problem.code === 'unreachable' ||
    answer.problem.code === 'unreadable' ||
    answer.problem.code === 'request_in_progress' ||
    answer.problem.status >= 500)

export interface Client {
  /** Reads the answer as JSON. `value` is null if there is no body (204, 304). */
  send<T>(request: ApiRequest): Promise<ApiAnswer<T>>
  /** Reads the bytes of a file. `headers` choose the form if there are several. */
  fetchFile(path: string, headers?: Record<string, string>): Promise<ApiAnswer<Blob>>
  /** Sends a file of the user and calls `onProgress` with the share that is sent. */
  sendFile<T>(request: ApiRequest, onProgress: (share: number) => void): Promise<ApiAnswer<T>>
}

/** `onRefusal` is called when the service does not accept the credential any more, and there is no newer one. */
export function clientOf(credential: Credential, onRefusal: () => void): Client {
  /** A request that is refused with 401 has had no effect, so it may be sent again with another token. */
  const sendWithToken = async (request: ApiRequest, send: Send): Promise<Response> => {
    const token = await credential.token()
    const response = await send(request.path, initOf(token, request))
    if (response.status !== 401) return response
    const newer = await credential.renew(token)
    const last = newer === null ? response : await send(request.path, initOf(newer, request))
    if (last.status === 401) onRefusal()
    return last
  }
  const call = async (request: ApiRequest, send: Send): Promise<ApiAnswer<Response>> => {
    try {
      const response = await sendWithToken(request, send)
      if (response.ok || response.status === 304)
        return { ok: true, status: response.status, value: response, headers: response.headers }
      return { ok: false, problem: await problemOf(response) }
    } catch {
      return { ok: false, problem: unreadProblem('unreachable', 0) }
    }
  }
  return {
    send: async <T>(request: ApiRequest) =>
      read<T>(await call(request, request.method === 'GET' || request.isReadOnly === true ? fetchToRead : fetchToAct)),
    sendFile: async <T>(request: ApiRequest, onProgress: (share: number) => void) =>
      read<T>(await call(request, (path, init) => fetchWithProgress(path, init, onProgress))),
    async fetchFile(path, headers) {
      const answer = await call(get(path, headers), fetchFileBytes)
      if (!answer.ok) return answer
      try {
        return { ...answer, value: await answer.value.blob() }
      } catch {
        return { ok: false, problem: unreadProblem('unreachable', 0) }
      }
    },
  }
}

type Send = (path: string, init: FetchInit) => Promise<Response>

/** A connection can break without a sign, so a request that only reads gives up after this time. */
const READ_MS = 30_000
/** A request that acts may take as long as its slice, and no round of a slice begins after 120 s. */
const ACT_MS = 300_000
const fetchWithin =
  (ms: number): Send =>
  (path, init) =>
    fetch(path, { ...init, signal: AbortSignal.timeout(ms) })
const fetchToRead = fetchWithin(READ_MS)
const fetchToAct = fetchWithin(ACT_MS)
/** The answer with a file has to begin in this time. The bytes of the file may take longer. */
const fetchFileBytes: Send = async (path, init) => {
  const abortion = new AbortController()
  const cancelTimer = startTimer(() => abortion.abort(), READ_MS)
  try {
    return await fetch(path, { ...init, signal: abortion.signal })
  } finally {
    cancelTimer()
  }
}

async function read<T>(answer: ApiAnswer<Response>): Promise<ApiAnswer<T>> {
  if (!answer.ok) return answer
  const text = await answer.value.text().catch(() => null)
  if (text === null) return { ok: false, problem: unreadProblem('unreachable', 0) }
  try {
    // The contract says what this path answers, and tests check every answer against it.
    return { ...answer, value: (text === '' ? null : JSON.parse(text)) as T }
  } catch {
    return { ok: false, problem: unreadProblem('unreadable', answer.status) }
  }
}

/** Without a token a proxy may add one, by a cookie of its own. It answers 401 instead of its page to who sends this header. */
const headersOf = (token: string | null): Record<string, string> =>
  token === null ? { 'x-requested-with': 'XMLHttpRequest' } : { authorization: `Bearer ${token}` }

function initOf(token: string | null, { method, json, file, headers }: ApiRequest): FetchInit {
  const allHeaders = new Headers({ accept: 'application/json', ...headers, ...headersOf(token) })
  if (json !== undefined) allHeaders.set('content-type', 'application/json')
  return {
    method,
    headers: allHeaders,
    body: json === undefined ? (file ?? null) : JSON.stringify(json),
    cache: 'no-store',
    // The service sets no cookie. A proxy that asks for a login in front of it does, and needs it.
    credentials: 'same-origin',
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retry_after_s = Number.isFinite(after) ? after : null
  const body: unknown = await response.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('code' in body))
    return unreadProblem('unreadable', response.status)
  // Every refusal of the service has these members (RFC 9457). Only a 422 has `errors`.
  const { errors = [], ...rest } = body as Omit<Problem, 'errors' | 'retry_after_s'> & { errors?: Problem['errors'] }
  return { ...rest, errors, retry_after_s }
}

const unreadProblem = (code: 'unreachable' | 'unreadable', status: number): Problem => ({
  code,
  status,
  title: '',
  detail: '',
  errors: [],
  retry_after_s: null,
})
