/** Sends one test delivery, signed like any other, and tells what came back. Nothing of it is kept, and it is not tried again. */
import { stripControls } from '../../core/shown/line-text.ts'
import type { WebhookTest } from '../../core/shown/webhook-test.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import type { HttpAnswer } from '../network/bounded-fetch.ts'
import { bodyStream, chunkBody } from '../network/chunked-body.ts'
import type { Ports } from '../ports.ts'
import { tenantHosts } from '../quotas/limits-of.ts'
import { isTaken, postWebhook, statusDetail } from './standard-webhooks.ts'

const SHOWN_CHARS = 1_000
/** No character of UTF-8 has more than four bytes. */
const READ_BYTES = 4 * SHOWN_CHARS

type TestPorts = Pick<Ports, 'webhooks' | 'clock' | 'random_id' | 'registry'>

/** The address was checked before, and is checked again when it is called. */
export async function testWebhook(ports: TestPorts, tenant: string, url: string): Promise<WebhookTest> {
  const begun = ports.clock.now_ms()
  const id = `test_${ports.random_id()}`
  const data = { message: 'This is a test delivery. No task has changed.' }
  const message = { id, type: 'webhook.test', timestamp: rfc3339(begun), data }
  const webhooks = { ...ports.webhooks, tenant_hosts: await tenantHosts(ports.registry, tenant) }
  const answer = await postWebhook(webhooks, { tenant, url }, message, begun, BEGINNING)
  return { id, ...outcomeOf(answer), duration_ms: ports.clock.now_ms() - begun }
}

/** Only the beginning is read, however long the answer is. */
const BEGINNING = { bytes_max: READ_BYTES, reader: readBeginning }

async function readBeginning({ status, headers, body }: Response): Promise<HttpAnswer> {
  const reader = chunkBody(body ?? bodyStream(''), READ_BYTES + 1)
  const bytes = await reader.next()
  reader.stop()
  return { kind: 'answered', status, headers, body: new Uint8Array(bytes), is_cut: bytes.byteLength > READ_BYTES }
}

function outcomeOf(answer: HttpAnswer): Omit<WebhookTest, 'id' | 'duration_ms'> {
  if (answer.kind === 'unanswered') return { ok: false, status: null, detail: answer.reason, body: '', body_cut: false }
  const { status } = answer
  const ok = isTaken(status)
  const said = stripControls(new TextDecoder().decode(answer.body)).toWellFormed()
  const body = said.slice(0, SHOWN_CHARS).toWellFormed()
  const detail = ok ? null : statusDetail(status)
  return { ok, status, detail, body, body_cut: answer.is_cut === true || said.length > SHOWN_CHARS }
}
