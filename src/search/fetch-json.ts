/**
 * One JSON request to a search provider: bounded by time and size, without redirects, and with the reply checked against the documented shape. It
 * throws an Error whose short message holds neither address, key nor body.
 */
import * as z from 'zod'
import { boundedFetch, noAnswer, withDeadline, type HttpAnswer } from '../shell/network/bounded-fetch.ts'

/** Providers such as Wikipedia refuse callers that do not name themselves. */
const USER_AGENT = 'loop-agent/0.1 (internet_search)'

interface JsonRequest {
  url: URL
  timeout_ms: number
  headers?: Record<string, string>
  /** Sent as a JSON POST; without a body the request is a GET. */
  body?: unknown
}

export async function fetchJson<T>(
  fetch: typeof globalThis.fetch,
  request: JsonRequest,
  shape: z.ZodType<T>,
): Promise<T> {
  const answer = await withDeadline(request.timeout_ms, noAnswer('timed out'), async (signal) =>
    boundedFetch(fetch, request.url, requestInit(request, signal)),
  )
  const reply = shape.safeParse(readJson(answer))
  if (!reply.success) throw new Error('unexpected reply')
  return reply.data
}

function requestInit({ headers, body }: JsonRequest, signal: AbortSignal): RequestInit {
  const common = { accept: 'application/json', 'user-agent': USER_AGENT, ...headers }
  if (body === undefined) return { headers: common, signal }
  const typed = { ...common, 'content-type': 'application/json' }
  return { method: 'POST', headers: typed, body: JSON.stringify(body), signal }
}

/** A page of HTML with status 200 (a login, a captcha) is an error like any other. The content type of valid JSON is not checked. */
function readJson(answer: HttpAnswer): unknown {
  if (answer.kind === 'unanswered') throw new Error(answer.reason)
  const { status } = answer
  if (status >= 400) throw new Error(`HTTP ${status}`)
  if (status >= 300) throw new Error(`HTTP ${status} (redirect)`)
  try {
    return JSON.parse(new TextDecoder().decode(answer.body))
  } catch {
    throw new Error('reply is not JSON')
  }
}

/** A list of results without those of another shape than documented, so that one cannot spoil the others. */
export function resultsOf<T>(shape: z.ZodType<T>) {
  return z.array(z.unknown()).transform((list) =>
    list.flatMap((entry) => {
      const read = shape.safeParse(entry)
      return read.success ? [read.data] : []
    }),
  )
}

/** Appends `path` to a base address, which may have a path of its own. */
export function endpointUrl(base: string, path: string, query: Record<string, string | number>): URL {
  const url = new URL(base.replace(/(?<!\/)\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return url
}
