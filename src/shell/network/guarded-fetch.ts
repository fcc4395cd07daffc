/**
 * The one request to an address that a tenant, a model, a document or a server has named. The address and each redirect are judged by the
 * same rule, and size, time and type of the answer are bounded. Every failure is a value in our own words, which quotes no more than a host.
 */
import { isListedHost, isLoopback, readAddress, resolveAddress, type Reach } from './address.ts'
import { boundedFetch, noAnswer, UNREACHED, withDeadline, type HttpAnswer } from './bounded-fetch.ts'
import { readBeginning } from './read-whole.ts'

interface FetchBounds {
  reach: Reach
  /** For all hops together. */
  timeout_ms: number
  /** The longest body, after decompression, for all answers or by their media type. 0: none of it is read. */
  bytes_max: number | ((media_type: string) => number)
  /** Whether a longer body is cut there. Absent: it is a failure. */
  cuts?: boolean
  /** How many redirects are followed. 0: a redirect is a failure. */
  redirects: number
  /** The media types that are read: `application/json`, `text/*`, or `+json` for all that end so. Absent: all. */
  content_types?: readonly string[]
  /** Ends the request before its time. */
  stop?: AbortSignal
}

/** With `address` nothing was sent. With the other words the request may have reached its server. */
type FetchFailure =
  | 'address'
  | 'redirect'
  | 'content_type'
  | 'too_large'
  | 'timed_out'
  | 'unreached'
  | 'connection_failed'
  | 'connection_lost'
  | 'stopped'

export type GuardedAnswer =
  | {
      kind: 'answered'
      /** Where the redirects have led. */
      url: URL
      status: number
      headers: Headers
      body: Uint8Array<ArrayBuffer>
      /** Whether the answer is longer than `body`. */
      is_cut: boolean
    }
  /** With `address` the reason continues a sentence about the address: "must begin with https://". */
  | { kind: 'unanswered'; failure: FetchFailure; reason: string }

/** What a request says. The headers are lost at the first redirect, except those of KEPT_HEADERS. */
interface GuardedRequest {
  method?: string
  headers?: Record<string, string>
  body?: BodyInit | null
}

/** They are the same for every server. Any other header may be a secret that is meant for the first server only. */
const KEPT_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent'])
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const failed = (failure: FetchFailure, reason: string): GuardedAnswer => ({ kind: 'unanswered', failure, reason })

/** Never rejects. Redirects are followed for GET and HEAD only: another request could act twice, or somewhere else. */
export async function guardedFetch(
  fetch: typeof globalThis.fetch,
  address: string,
  request: GuardedRequest,
  bounds: FetchBounds,
): Promise<GuardedAnswer> {
  const start = readAddress(address, bounds.reach)
  if (!start.ok) return failed('address', start.error)
  const stop = bounds.stop === undefined ? undefined : { signal: bounds.stop, stopped: failed('stopped', 'stopped') }
  const work = (signal: AbortSignal) => followRedirects(fetch, start.value, { ...request, signal }, bounds)
  return withDeadline(bounds.timeout_ms, failed('timed_out', 'timed out'), work, stop)
}

type Hop = GuardedRequest & { signal: AbortSignal }

async function followRedirects(
  fetch: typeof globalThis.fetch,
  start: URL,
  request: Hop,
  bounds: FetchBounds,
): Promise<GuardedAnswer> {
  const seen = new Set<string>()
  let [url, hop] = [start, request]
  for (;;) {
    seen.add(url.href)
    const answer = await boundedFetch(fetch, url.href, hop, bodyReading(bounds))
    if (answer.kind === 'unanswered') return failed(FAILURES[answer.reason] ?? 'connection_failed', answer.reason)
    if (!REDIRECTS.has(answer.status)) return { ...answer, url, is_cut: answer.is_cut ?? false }
    const next = redirectTarget(answer, url, request, bounds)
    if (typeof next === 'string') return failed('redirect', next)
    if (bounds.redirects === 0)
      return failed('redirect', `it redirects to ${next.host}, and redirects are not followed`)
    if (seen.has(next.href)) return failed('redirect', 'its redirects lead back to an address that was asked before')
    if (seen.size > bounds.redirects) return failed('redirect', `it redirects more than ${bounds.redirects} times`)
    const headers = Object.entries(request.headers ?? {}).filter(([name]) => KEPT_HEADERS.has(name.toLowerCase()))
    url = next
    hop = { method: hop.method ?? 'GET', headers: Object.fromEntries(headers), signal: request.signal }
  }
}

/** The words of boundedFetch and of `bodyReading`. */
const TOO_LARGE = 'reply too large'
const WRONG_TYPE = 'the answer has another content type'
const FAILURES: Partial<Record<string, FetchFailure>> = {
  'timed out': 'timed_out',
  'connection lost': 'connection_lost',
  [TOO_LARGE]: 'too_large',
  [UNREACHED]: 'unreached',
  [WRONG_TYPE]: 'content_type',
}

/** No byte of a redirect is read, nor of an answer of a type that is not wanted. */
function bodyReading({ bytes_max, cuts, content_types }: FetchBounds) {
  return {
    bytes_max: 0,
    reader: (response: Response): Promise<HttpAnswer> => {
      const { status, headers } = response
      const type = mediaType(headers)
      const isWanted = !response.ok || content_types === undefined || isAmongTypes(type, content_types)
      const most = typeof bytes_max === 'number' ? bytes_max : bytes_max(type)
      if (isWanted && !REDIRECTS.has(status) && most > 0) return readBody(response, most, cuts ?? false)
      void response.body?.cancel().catch(() => undefined)
      const answer: HttpAnswer = { kind: 'answered', status, headers, body: new Uint8Array() }
      return Promise.resolve(isWanted ? answer : noAnswer(WRONG_TYPE))
    },
  }
}

/** Of an error that is too long the beginning is enough, because it says what the matter is. */
async function readBody(response: Response, bytes_max: number, cuts: boolean): Promise<HttpAnswer> {
  const { status, headers } = response
  const { body, is_cut } = await readBeginning(response, bytes_max)
  return is_cut && response.ok && !cuts ? noAnswer(TOO_LARGE) : { kind: 'answered', status, headers, body, is_cut }
}

/** `text/html` of `text/html; charset=utf-8`, in lower case. */
export const mediaType = (headers: Headers): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const isAmongTypes = (type: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    if (pattern.startsWith('+')) return type.endsWith(pattern)
    return pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
  })

/** Where a redirect leads, or why it is not followed. */
function redirectTarget(
  { status, headers }: { status: number; headers: Headers },
  from: URL,
  { method = 'GET' }: GuardedRequest,
  { reach }: FetchBounds,
): URL | string {
  const location = headers.get('location') ?? ''
  if (location === '') return `it redirects without saying where (HTTP ${status})`
  // Only this machine may send on to this machine: a public server must not reach what listens beside a developer.
  const next = resolveAddress(location, from, { ...reach, loopback: reach.loopback && isLoopback(from.hostname) })
  if (!next.ok) return `it redirects to an address that is not allowed: it ${next.error}`
  if (method !== 'GET' && method !== 'HEAD')
    return `it redirects to ${next.value.host}, and only GET and HEAD may follow`
  const isDowngrade = from.protocol === 'https:' && next.value.protocol === 'http:'
  if (isDowngrade && !isListedHost(next.value, reach.allowed_hosts)) return 'it redirects from https to http'
  return next.value
}
