/** Sends spans to one receiver, once. It never rejects and always ends; the caller decides what a failure means. */
import { readAddress, type Reach } from '../network/address.ts'
import { ANSWER_BYTES_MAX, boundedFetch, noAnswer, withDeadline } from '../network/bounded-fetch.ts'
import { retryAfterMs } from '../network/retry-after.ts'
import type { Attributes } from '../../core/replay/export/span-draft.ts'
import type { SentSpan } from './otlp-spans.ts'
import type { Receiver } from '../network/export-ports.ts'

/**
 * `refused`: the receiver will never take these spans. `failed`: it may take them later. `asked_ms` is the delay that it asked for. `rejected`
 * is how many of the spans that it took it has thrown away, with its reason. `is_away`: it does not answer, or has no room, whoever asks.
 */
export type SendOutcome =
  | { kind: 'taken'; rejected: number; message: string }
  | { kind: 'refused'; detail: string; spans: number }
  | { kind: 'failed'; detail: string; asked_ms: number | null; is_away: boolean }

interface SendPorts {
  fetch: typeof globalThis.fetch
  /** Which addresses are allowed. null: the operator has named the address. */
  reach: Reach | null
  resource: Attributes
  version: string
  now_ms: () => number
}

/** Statuses that say that the same request will never be taken (OTLP). What else is wrong may be mended: a key, an address, a collector. */
const HOPELESS: ReadonlySet<number> = new Set([400, 413, 415, 422])

/** Fewer spans than these are not divided any more. So a receiver that finds everything too large is asked a few times only. */
const HALVED_MIN = 16

export async function sendSpans(
  ports: SendPorts,
  receiver: Receiver,
  spans: readonly SentSpan[],
): Promise<SendOutcome> {
  const { encodeSpans, rejectedSpans, CONTENT_TYPES } = await import('./otlp-spans.ts')
  const { url, headers, protocol, timeout_ms } = receiver
  const address = ports.reach === null ? null : readAddress(url, ports.reach)
  if (address?.ok === false)
    return { kind: 'failed', detail: `not sent: the address ${address.error}`, asked_ms: null, is_away: false }
  const body = encodeSpans(spans, { resource: ports.resource, version: ports.version, protocol })
  // The same spans can never be written, so a later try would not help. The others of the request are sent.
  if (body === null) {
    if (spans.length > HALVED_MIN) return sendHalves(ports, receiver, spans)
    return { kind: 'refused', detail: 'not sent: they cannot be written', spans: spans.length }
  }
  const init = {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': CONTENT_TYPES[protocol],
      'user-agent': `loop-agent/${ports.version} (otlp)`,
    },
    body,
  }
  const answer = await withDeadline(timeout_ms, noAnswer('timed out'), (signal) =>
    boundedFetch(ports.fetch, address?.value.href ?? url, { ...init, signal }, { bytes_max: ANSWER_BYTES_MAX }),
  )
  if (answer.kind === 'unanswered') {
    // It has taken the request before it answered too much.
    if (answer.reason === 'reply too large') return { kind: 'taken', rejected: 0, message: '' }
    return { kind: 'failed', detail: answer.reason, asked_ms: null, is_away: true }
  }
  const { status } = answer
  if (status >= 200 && status < 300) {
    const rejected = rejectedSpans(answer.body, protocol)
    return { kind: 'taken', rejected: rejected.spans, message: rejected.message }
  }
  if (status === 413 && spans.length > HALVED_MIN) return sendHalves(ports, receiver, spans)
  const detail = status >= 300 && status < 400 ? `HTTP ${status} (redirect)` : `HTTP ${status}`
  if (HOPELESS.has(status)) return { kind: 'refused', detail, spans: spans.length }
  const is_away = status === 429 || status >= 500
  return { kind: 'failed', detail, asked_ms: retryAfterMs(answer.headers, ports.now_ms()), is_away }
}

/** A receiver that finds a request too large gets it in two. So does one of a request with a span that cannot be written. A span that is taken twice has the same id. */
async function sendHalves(ports: SendPorts, receiver: Receiver, spans: readonly SentSpan[]): Promise<SendOutcome> {
  const half = Math.ceil(spans.length / 2)
  const first = await sendSpans(ports, receiver, spans.slice(0, half))
  if (first.kind === 'failed') return first
  const second = await sendSpans(ports, receiver, spans.slice(half))
  if (second.kind === 'failed') return second
  const refused = [first, second].flatMap((one) => (one.kind === 'refused' ? [one] : []))
  const [one] = refused
  if (one !== undefined) return { ...one, spans: refused.reduce((sum, { spans: count }) => sum + count, 0) }
  const taken = [first, second].flatMap((each) => (each.kind === 'taken' ? [each] : []))
  const [message = ''] = taken.flatMap((each) => (each.message === '' ? [] : [each.message]))
  return { kind: 'taken', rejected: taken.reduce((sum, { rejected }) => sum + rejected, 0), message }
}
