/**
 * Sends one message to one receiver, once, signed as Standard Webhooks says. The address is checked again before each attempt (F65), and of
 * the answer only the status counts (F38 to F42).
 */
import { readAddress } from '../network/address.ts'
import { boundedFetch, noAnswer, withDeadline, type HttpAnswer } from '../network/bounded-fetch.ts'
import type { WebhookPorts } from '../ports.ts'
import { retryAfterMs } from '../network/retry-after.ts'

export interface WebhookMessage {
  /** `webhook-id`: the same for every attempt, and without a dot, which divides the signed text. */
  id: string
  /** `task.completed` */
  type: string
  /** The time of the event, RFC 3339. */
  timestamp: string
  data: unknown
}
/** `detail` is in the service's own words. `asked_ms` is the delay that the receiver asked for. */
export type SendResult =
  | { kind: 'taken' }
  | { kind: 'gone'; detail: string }
  | { kind: 'failed'; detail: string; asked_ms: number | null }

type SendPorts = Omit<WebhookPorts, 'chance'>

/** The most time of one attempt: a receiver should answer first and work afterwards. */
const TRY_MS = 15_000

export async function sendWebhook(
  ports: SendPorts,
  to: { tenant: string; url: string },
  message: WebhookMessage,
  now_ms: number,
): Promise<SendResult> {
  return sendResult(await postWebhook(ports, to, message, now_ms, 'ignored'), now_ms)
}

/** Sends a signed message once. One that may not be sent is a request without an answer. */
export async function postWebhook(
  { fetch, secrets, ...reach }: SendPorts,
  to: { tenant: string; url: string },
  { id, ...body }: { id: string; type: string; timestamp: string; data: unknown },
  now_ms: number,
  reading: Parameters<typeof boundedFetch>[3],
): Promise<HttpAnswer> {
  const address = readAddress(to.url, reach)
  if (!address.ok) return noAnswer(`not sent: the address ${address.error}`)
  const signing = secrets.get(to.tenant) ?? []
  if (signing.length === 0) return noAnswer('not sent: the tenant has no WEBHOOK_SECRET')
  const text = JSON.stringify(body)
  const headers = await signedHeaders(signing, { id, text, agent: 'webhook' }, now_ms)
  return withDeadline(TRY_MS, noAnswer('timed out'), (signal) =>
    boundedFetch(fetch, address.value.href, { method: 'POST', headers, body: text, signal }, reading),
  )
}

/** The headers of a POST of JSON. `agent` tells the receiver what kind of request it is. */
export async function signedHeaders(
  secrets: readonly string[],
  { id, text, agent }: { id: string; text: string; agent: string },
  now_ms: number,
): Promise<Record<string, string>> {
  const { signatures } = await import('./sign.ts')
  return {
    'content-type': 'application/json',
    'user-agent': `loop-agent/0.1 (${agent})`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now_ms / 1_000)),
    'webhook-signature': signatures(secrets, id, new Date(now_ms), text),
  }
}

export const isTaken = (status: number): boolean => status >= 200 && status < 300

function sendResult(answer: HttpAnswer, now_ms: number): SendResult {
  if (answer.kind === 'unanswered') return { kind: 'failed', detail: answer.reason, asked_ms: null }
  const { status, headers } = answer
  if (isTaken(status)) return { kind: 'taken' }
  if (status === 410) return { kind: 'gone', detail: 'HTTP 410' }
  return { kind: 'failed', detail: statusDetail(status), asked_ms: retryAfterMs(headers, now_ms) }
}

/** Why an answer with this status took no message. */
export const statusDetail = (status: number): string =>
  status >= 300 && status < 400 ? `HTTP ${status} (redirect)` : `HTTP ${status}`
