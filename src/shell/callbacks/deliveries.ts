/** Sends the due notices of a task to its callback, and keeps the failed ones on record for the tenant (GET /webhooks/deliveries). */
import type { RequestKey } from '../../core/protocol/advance.ts'
import {
  deliveryId,
  waitAfter,
  wasTriedBefore,
  type Delivery,
  type DeliveryOutcome,
} from '../../core/protocol/outbox.ts'
import { ok, refuse, type Result } from '../../core/terms/refusal.ts'
import type { DeliveryStatus } from '../../core/terms/status.ts'
import type { Outgoing } from '../../core/protocol/task-answers.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import type { DeliveryEntry } from '../../core/terms/view.ts'
import type { DeliveryRecord } from '../../core/protocol/workspace-records.ts'
import type { Ports } from '../ports.ts'
import type { Caller, Page, Paging } from '../caller.ts'
import { tenantHosts } from '../quotas/limits-of.ts'
import { FILES_LINK } from '../links/read-links.ts'
import { taskWithLinks } from '../links/task-with-links.ts'
import { sendWebhook, type SendResult } from './standard-webhooks.ts'

/** Sends one notice after the other until none is due. A notice that waits for its next attempt delays those behind it. */
export async function deliver(ports: Ports, tenant: string, id: string): Promise<void> {
  const [task, workspace] = [ports.store.of(tenant, id), ports.store.workspace(tenant)]
  for (;;) {
    const started = await task.upkeep({ kind: 'begin_delivery' })
    if (!started.ok || started.value === null) return
    const { delivery } = started.value
    const sent = await tryOnce(ports, tenant, started.value)
    // Recorded before it is settled, so that a given-up notice is on record even where the worker dies in between.
    // A first attempt that failed is told too: the workspace counts what waits.
    ports.telemetry.delivery(sent.kind === 'delivered' ? 'sent' : isOver(sent) ? 'given_up' : 'failed')
    if (sent.kind !== 'delivered' || wasTriedBefore(delivery))
      await workspace.tell({ kind: 'note_delivery', record: recordOf(id, delivery, sent, ports.clock.now_ms()) })
    const settled = await task.upkeep({ kind: 'settle_delivery', seq: delivery.seq, attempt: delivery.attempts, sent })
    if (!settled.ok || settled.value === null) return forgetDeleted(ports, tenant, id)
  }
}

async function tryOnce(
  ports: Ports,
  tenant: string,
  { delivery, gone, url, task }: Outgoing,
): Promise<DeliveryOutcome> {
  if (gone) return { kind: 'gone', detail: 'not sent: the receiver answered HTTP 410 before' }
  const { seq, status, at, attempts } = delivery
  // All attempts send the same body. Its links are as old as the notice, unless they would have expired.
  const now_ms = ports.clock.now_ms()
  const data = await taskWithLinks(ports.links, tenant, task, now_ms < at + FILES_LINK.life_ms ? at : now_ms)
  const message = { id: deliveryId(task.id, seq), type: typeOf(status), timestamp: rfc3339(at), data }
  const webhooks = { ...ports.webhooks, tenant_hosts: await tenantHosts(ports.registry, tenant) }
  const tried = await sendWebhook(webhooks, { tenant, url }, message, ports.clock.now_ms())
  return sentOf(tried, attempts, ports.webhooks.chance())
}

function sentOf(tried: SendResult, attempts: number, chance: number): DeliveryOutcome {
  switch (tried.kind) {
    case 'taken':
      return { kind: 'delivered' }
    case 'gone':
      return tried
    case 'failed':
      return { kind: 'failed', after_ms: waitAfter(attempts, tried.asked_ms, chance), detail: tried.detail }
  }
}

const typeOf = (status: string) => `task.${status}`
const isOver = (sent: DeliveryOutcome) => sent.kind === 'gone' || (sent.kind === 'failed' && sent.after_ms === null)

function recordOf(
  task: string,
  { seq, status, at, attempts }: Delivery,
  sent: DeliveryOutcome,
  now_ms: number,
): DeliveryRecord {
  const new_status: DeliveryStatus = sent.kind === 'failed' && sent.after_ms !== null ? 'pending' : sent.kind
  const detail = sent.kind === 'delivered' ? null : sent.detail
  const fixed = { id: deliveryId(task, seq), task, seq, type: typeOf(status), created: at }
  return { ...fixed, status: new_status, attempts, detail, updated: now_ms }
}

/** A task that was deleted during an attempt leaves no record. */
async function forgetDeleted(ports: Ports, tenant: string, id: string): Promise<void> {
  const view = await ports.store.of(tenant, id).ask({ kind: 'view' })
  if (!view.ok && view.refusal.code === 'task_not_found')
    await ports.store.workspace(tenant).tell({ kind: 'drop', id, admitted: [] })
}

export async function listDeliveries(
  ports: Ports,
  { tenant }: Caller,
  status: DeliveryStatus | null,
  { after, limit }: Paging,
): Promise<Result<Page<DeliveryEntry>>> {
  const { records, has_more } = await ports.store
    .workspace(tenant)
    .ask({ kind: 'deliveries', status, before: after, limit })
  const last = records.at(-1)?.position
  const next_cursor = has_more && last !== undefined ? String(last) : null
  return ok({ data: records.map(entryOf), has_more, next_cursor })
}

/** `replayed`: the answer of an earlier request with the same Idempotency-Key. */
type Redelivery = { delivery: DeliveryEntry; replayed: boolean }

/** Repeats a delivery once per key. A delivery that is still being sent goes on, so a request may be repeated without a key too. */
export async function redeliver(ports: Ports, { tenant, key }: Caller, id: string): Promise<Result<Redelivery>> {
  const earlier_answer =
    key === null ? ok(null) : await ports.store.workspace(tenant).ask({ kind: 'recall', request: key })
  if (!earlier_answer.ok) return earlier_answer
  if (earlier_answer.value !== null) return ok({ delivery: await readBack(earlier_answer.value), replayed: true })
  const again = await sendAgain(ports, tenant, id)
  if (!again.ok) return again
  const delivery = entryOf(again.value)
  if (key !== null) await keep(ports, tenant, key, delivery)
  return ok({ delivery, replayed: false })
}

/** The record is written first, and the results of the new attempts overwrite it. */
async function sendAgain(ports: Ports, tenant: string, id: string): Promise<Result<DeliveryRecord>> {
  const workspace = ports.store.workspace(tenant)
  const record = await workspace.ask({ kind: 'delivery', id })
  if (record === null) return refuse({ code: 'delivery_not_found' })
  const waiting = { ...record, status: 'pending' as const, attempts: 0, updated: ports.clock.now_ms() }
  if (record.status !== 'pending') await workspace.tell({ kind: 'note_delivery', record: waiting })
  const again = await ports.store.of(tenant, record.task).upkeep({ kind: 'redeliver', seq: record.seq })
  if (!again.ok) return again
  if (again.value !== null) return ok(record.status === 'pending' ? record : waiting)
  await forgetDeleted(ports, tenant, record.task)
  return refuse({ code: 'delivery_not_found' })
}

const keep = (ports: Ports, tenant: string, key: RequestKey, delivery: DeliveryEntry) =>
  ports.store.workspace(tenant).tell({ kind: 'keep', request: key, answer: JSON.stringify(delivery) })

/** The schemas of answers are needed only here and seldom, so they are imported on demand. */
async function readBack(kept: string): Promise<DeliveryEntry> {
  const { DeliveryEntry } = await import('../../core/terms/view.ts')
  return DeliveryEntry.parse(JSON.parse(kept))
}

function entryOf({ id, task, type, status, attempts, detail, created, updated }: DeliveryRecord): DeliveryEntry {
  return {
    id,
    task_id: task,
    type,
    status,
    attempts,
    detail,
    created_at: rfc3339(created),
    updated_at: rfc3339(updated),
  }
}
