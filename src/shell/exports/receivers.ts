/** The receivers of the spans of one tenant, ready to be sent to: that of the service, and its own. */
import type { ReceiverName } from '../../core/replay/export/export-page.ts'
import type { Reach } from '../network/address.ts'
import { withDeadline } from '../network/bounded-fetch.ts'
import { tenantHosts } from '../quotas/limits-of.ts'
import type { Ports } from '../ports.ts'
import { secretFiller } from '../secrets/filler.ts'
import type { SentSpan } from './otlp-spans.ts'
import { sendSpans, type SendOutcome } from './send-spans.ts'
import type { Receiver, ExportPorts } from '../network/export-ports.ts'

export interface OpenReceiver {
  capture_content: boolean
  /** `is_last`: somebody waits for it. */
  send(ports: Ports, spans: readonly SentSpan[], is_last: boolean): Promise<SendOutcome>
  /** Tells whoever has named the receiver that it is away. */
  note(detail: string): Promise<void>
}

const WAITED_MS = 2_000
/** The time-out of receivers that tenants name. */
const TENANT_TIMEOUT_MS = 10_000
/** A receiver that divides its requests, and a secret that is looked up, take no longer than a few time-outs. */
const TRY_TIMEOUTS = 3

/** When a try of each receiver that begins at `now_ms` has ended at the latest. */
export const triesEnd = ({ receiver }: ExportPorts, now_ms: number): Record<ReceiverName, number> => ({
  service: now_ms + (receiver?.timeout_ms ?? 0) * TRY_TIMEOUTS,
  tenant: now_ms + TENANT_TIMEOUT_MS * TRY_TIMEOUTS,
})

export function serviceReceiver(exports: ExportPorts): OpenReceiver | null {
  const { receiver, traces, capture_content } = exports
  if (receiver === null || !traces) return null
  return {
    capture_content,
    send: (ports, spans, is_last) =>
      guarded(exports, { holder: '', receiver, is_last }, (to) =>
        sendSpans(sendPorts(ports, exports, null), to, spans),
      ),
    note: async () => undefined,
  }
}

/** The receiver that the tenant has named itself. */
export async function tenantReceiver(
  { store }: Pick<Ports, 'store'>,
  exports: ExportPorts,
  tenant: string,
): Promise<OpenReceiver | null> {
  const stored = exports.traces ? await exports.tenants.of(tenant) : null
  if (stored === null) return null
  const { endpoint: url, protocol, headers, capture_content } = stored
  const to: Receiver = { url, protocol, headers, timeout_ms: TENANT_TIMEOUT_MS }
  return {
    capture_content,
    send: (ports, spans, is_last) =>
      guarded(exports, { holder: tenant, receiver: to, is_last }, async (receiver) => {
        const filler = secretFiller(ports.secrets, { tenant, locale: 'en' })
        const filled = await filler.fillAll(headers, new URL(url))
        if (!filled.ok) return { kind: 'failed', detail: filled.error, asked_ms: null, is_away: false }
        const reach = { ...ports.webhooks, tenant_hosts: await tenantHosts(ports.registry, tenant) }
        const own = { ...sendPorts(ports, exports, reach), fetch: ports.webhooks.fetch }
        return sendSpans(own, { ...receiver, headers: filled.value }, spans)
      }),
    note: (detail) => store.workspace(tenant).tell({ kind: 'note_receiver_failure', detail }),
  }
}

const sendPorts = (ports: Ports, { fetch, resource, version }: ExportPorts, reach: Reach | null) => ({
  fetch,
  reach,
  resource,
  version,
  now_ms: ports.clock.now_ms,
})

/** One try, unless the receiver was away for its holder just now. What one tenant puts stops no spans of another one, or of the service. */
async function guarded(
  { breaker }: ExportPorts,
  { holder, receiver, is_last }: { holder: string; receiver: Receiver; is_last: boolean },
  send: (receiver: Receiver) => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const name = JSON.stringify([holder, receiver.url])
  const timeout_ms = is_last ? Math.min(WAITED_MS, receiver.timeout_ms) : receiver.timeout_ms
  const try_ms = timeout_ms * TRY_TIMEOUTS
  const wait = breaker.enter(name, try_ms)
  if (wait > 0)
    return { kind: 'failed', detail: 'the receiver was away for another task', asked_ms: wait, is_away: true }
  const late: SendOutcome = { kind: 'failed', detail: 'timed out', asked_ms: null, is_away: true }
  const outcome = await withDeadline(try_ms, late, () => send({ ...receiver, timeout_ms })).catch((error: unknown) => {
    // A fault of this service says nothing about the receiver.
    breaker.answered(name)
    throw error
  })
  if (outcome.kind === 'failed' && outcome.is_away) breaker.failed(name, outcome.asked_ms ?? Infinity)
  else breaker.answered(name)
  return outcome
}
