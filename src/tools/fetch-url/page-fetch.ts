/**
 * Requests a page: every address on the way is judged by the one rule of addresses, redirects too, and only as much of the body is read as a
 * page of its type may have.
 */
import { readAddress, type Reach } from '../../shell/network/address.ts'
import { boundedFetch, withDeadline, type HttpAnswer } from '../../shell/network/bounded-fetch.ts'
import { joinBytes } from '../../shell/network/chunked-body.ts'

export type PageAnswer =
  | {
      kind: 'answered'
      /** Where the redirects have led. */
      address: URL
      status: number
      headers: Headers
      body: Uint8Array<ArrayBuffer>
      /** Whether the answer is longer than `body`. */
      is_cut: boolean
    }
  /** The rule of addresses forbids it; `reason` follows the words "the address". */
  | { kind: 'refused'; address: string; reason: string }
  | { kind: 'unanswered'; reason: string }

interface PageRequest {
  headers: Readonly<Record<string, string>>
  timeout_ms: number
  /** How many bytes are read of an answer with this `Content-Type`; 0: none. */
  bytesMax: (content_type: string) => number
}
/** Never rejects. */
export type PageFetch = (address: string, request: PageRequest) => Promise<PageAnswer>

const REDIRECTS_MAX = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export const pageFetch =
  (fetch: typeof globalThis.fetch, reach: Reach): PageFetch =>
  (address, request) =>
    withDeadline<PageAnswer>(request.timeout_ms, { kind: 'unanswered', reason: 'timed out' }, (signal) =>
      follow(fetch, reach, address, request, signal),
    )

async function follow(
  fetch: typeof globalThis.fetch,
  reach: Reach,
  start: string,
  { headers, bytesMax }: PageRequest,
  signal: AbortSignal,
): Promise<PageAnswer> {
  let text = start
  for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
    const read = readAddress(text, reach)
    if (!read.ok) return { kind: 'refused', address: text, reason: read.error }
    const address = read.value
    let is_cut = false
    const reader = (response: Response) => {
      const bytes_max = bytesMax(response.headers.get('content-type') ?? '')
      return readBeginning(response, bytes_max, () => (is_cut = true))
    }
    const answer = await boundedFetch(fetch, address, { headers, signal }, { bytes_max: 0, reader })
    if (answer.kind === 'unanswered') return answer
    const next = REDIRECTS.has(answer.status) ? nextAddress(answer.headers.get('location'), address) : null
    if (next === null)
      return { kind: 'answered', address, status: answer.status, headers: answer.headers, body: answer.body, is_cut }
    text = next
  }
  return { kind: 'unanswered', reason: `more than ${REDIRECTS_MAX} redirects` }
}

/** A fragment is for the reader, and is not sent. */
function nextAddress(location: string | null, base: URL): string | null {
  const url = location === null ? null : URL.parse(location, base.href)
  if (url === null) return null
  url.hash = ''
  return url.href
}

/** The beginning of a body. The rest is not read, so that a body without an end is as short as any other. */
async function readBeginning(response: Response, bytes_max: number, onCut: () => void): Promise<HttpAnswer> {
  const { status, headers } = response
  const chunks: Uint8Array[] = []
  const reader = response.body?.getReader()
  for (let bytes = 0; bytes < bytes_max;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || value === undefined) break
    const taken = value.subarray(0, bytes_max - bytes)
    if (taken.byteLength < value.byteLength) onCut()
    chunks.push(taken)
    bytes += taken.byteLength
  }
  // Not awaited: a peer that goes on sending must not delay the call.
  reader?.cancel().catch(() => undefined)
  return { kind: 'answered', status, headers, body: joinBytes(chunks) }
}
