/**
 * One JSON request to a search provider: bounded by time and size, no redirect followed, the reply checked against the
 * shape the provider documents. Throws an Error whose message is short and holds neither address, key nor body.
 */
import * as z from 'zod'
import { boundedFetch, noAnswer, withDeadline } from '../shell/network/bounded-fetch.ts'
import type { HttpAnswer } from '../shell/network/bounded-fetch.ts'

/** Providers such as Wikipedia turn away callers that do not name themselves. */
const USER_AGENT = 'loop-agent/0.1 (internet_search)'

interface JsonRequest {
  url: URL
  timeout_ms: number
  headers?: Record<string, string>
  /** Sent as a JSON POST; without it the request is a GET. */
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

/** A page of HTML with status 200 (a login, a captcha) is a failure like any other; the label of good JSON is not judged. */
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

/** A list of results of which those with another shape than documented are left out, so that one cannot spoil the rest. */
export function resultsOf<T>(shape: z.ZodType<T>) {
  return z.array(z.unknown()).transform((list) =>
    list.flatMap((entry) => {
      const read = shape.safeParse(entry)
      return read.success ? [read.data] : []
    }),
  )
}

/** `path` below a base address, which may carry a path of its own. */
export function endpointUrl(base: string, path: string, query: Record<string, string | number>): URL {
  const url = new URL(base.replace(/(?<!\/)\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return url
}
