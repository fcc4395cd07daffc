/** Sends requests with the key. An answer is a value, a refusal too, and so is none at all: nothing is thrown. */
import { later } from './asker.ts'
import { get, type ApiRequest } from './request.ts'
import { upload, type AskInit } from './upload.ts'
import type { Problem } from './wire.ts'

export type Answer<T> = { ok: true; status: number; value: T; headers: Headers } | { ok: false; problem: Problem }

/**
 * Whether it is unknown what became of the request: no answer, one of something in between, one that is still being made, or one of a
 * service that failed, which may have done it all the same.
 */
export const isUnanswered = (answer: Answer<unknown>): boolean =>
  !answer.ok &&
  (answer.problem.code === 'unreachable' ||
    answer.problem.code === 'unreadable' ||
    answer.problem.code === 'request_in_progress' ||
    answer.problem.status >= 500)

export interface Client {
  /** JSON; `value` is null where there is no body (204, 304). */
  send<T>(request: ApiRequest): Promise<Answer<T>>
  /** The bytes of a file; `headers` say in which form, where there are several. */
  fetchFile(path: string, headers?: Record<string, string>): Promise<Answer<Blob>>
  /** Sends a file of the user's, and tells the share of it that is out. */
  sendFile<T>(request: ApiRequest, sent: (share: number) => void): Promise<Answer<T>>
}

/** `refused` is told when the service does not take the key any more. */
export function clientOf(key: string, refused: () => void): Client {
  const call = async (request: ApiRequest, ask: Ask): Promise<Answer<Response>> => {
    try {
      const response = await ask(request.path, initOf(key, request))
      if (response.status === 401) refused()
      if (response.ok || response.status === 304)
        return { ok: true, status: response.status, value: response, headers: response.headers }
      return { ok: false, problem: await problemOf(response) }
    } catch {
      return { ok: false, problem: strange('unreachable', 0) }
    }
  }
  return {
    send: async <T>(request: ApiRequest) =>
      read<T>(await call(request, request.method === 'GET' || request.isReading === true ? readSoon : acted)),
    sendFile: async <T>(request: ApiRequest, sent: (share: number) => void) =>
      read<T>(await call(request, (path, init) => upload(path, init, sent))),
    async fetchFile(path, headers) {
      const answer = await call(get(path, headers), begun)
      if (!answer.ok) return answer
      try {
        return { ...answer, value: await answer.value.blob() }
      } catch {
        return { ok: false, problem: strange('unreachable', 0) }
      }
    },
  }
}

type Ask = (path: string, init: AskInit) => Promise<Response>

/** A connection that has died without a word is given up after so long. What is only read answers soon or never. */
const READ_MS = 30_000
/** What acts may take as long as its slice: no round begins after 120 s. */
const ACT_MS = 300_000
const within =
  (ms: number): Ask =>
  (path, init) =>
    fetch(path, { ...init, signal: AbortSignal.timeout(ms) })
const readSoon = within(READ_MS)
const acted = within(ACT_MS)
/** A file begins soon or never, and takes as long as its line does. */
const begun: Ask = async (path, init) => {
  const silence = new AbortController()
  const heard = later(() => silence.abort(), READ_MS)
  try {
    return await fetch(path, { ...init, signal: silence.signal })
  } finally {
    heard()
  }
}

async function read<T>(answer: Answer<Response>): Promise<Answer<T>> {
  if (!answer.ok) return answer
  const text = await answer.value.text().catch(() => null)
  if (text === null) return { ok: false, problem: strange('unreachable', 0) }
  try {
    // The contract says what this path answers; the tests hold every answer to it.
    return { ...answer, value: (text === '' ? null : JSON.parse(text)) as T }
  } catch {
    return { ok: false, problem: strange('unreadable', answer.status) }
  }
}

function initOf(key: string, { method, json, file, headers }: ApiRequest): AskInit {
  const said = new Headers({ accept: 'application/json', ...headers, authorization: `Bearer ${key}` })
  if (json !== undefined) said.set('content-type', 'application/json')
  return {
    method,
    headers: said,
    body: json === undefined ? (file ?? null) : JSON.stringify(json),
    cache: 'no-store',
    credentials: 'omit',
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retry_after_s = Number.isFinite(after) ? after : null
  const body: unknown = await response.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('code' in body)) return strange('unreadable', response.status)
  // Every refusal of the service has these members (RFC 9457); `errors` comes with a 422 only.
  const { errors = [], ...rest } = body as Omit<Problem, 'errors' | 'retry_after_s'> & { errors?: Problem['errors'] }
  return { ...rest, errors, retry_after_s }
}

const strange = (code: 'unreachable' | 'unreadable', status: number): Problem => ({
  code,
  status,
  title: '',
  detail: '',
  errors: [],
  retry_after_s: null,
})
