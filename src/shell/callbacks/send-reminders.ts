/** Sends a tenant its due reminders and notices, to its WEBHOOK_URL (U22). A few are sent at a time, and one that fails delays no other. */
import type { TenantNotice } from '../../core/workspace/reminder-message.ts'
import { rfc3339 } from '../../core/terms/text.ts'
import type { RemindCall } from '../../core/protocol/workspace-records.ts'
import { openPool, type PoolRef } from '../pools/pools.ts'
import type { Ports } from '../ports.ts'
import { sendWebhook } from './standard-webhooks.ts'

/** The most messages of one run (requirements 2.5). The alarm asks for another run. */
export const RUN_MAX = 200
/** The most connections that a Worker may have open. */
const AT_ONCE = 6

/**
 * With `pool`, what the object of this pool tells.
 * A message that was sent and not settled, because the worker was lost, is sent again under the same id.
 */
export async function sendReminders(ports: Ports, tenant: string, pool: string | null = null): Promise<void> {
  const { timezone } = ports
  const url = ports.webhook_urls.get(tenant)
  if (url === undefined) return
  const workspace = openPool(ports.store, { tenant, pool })
  let settled: RemindCall['settled'] = []
  for (let left = RUN_MAX; ;) {
    const reminders = await workspace.tell({ kind: 'remind', settled, max: Math.min(left, AT_ONCE), timezone })
    if (reminders.length === 0) return
    settled = await Promise.all(reminders.map((reminder) => sendReminder(ports, { tenant, pool }, url, reminder)))
    left -= reminders.length
  }
}

async function sendReminder(
  { webhooks, clock, telemetry }: Ports,
  { tenant, pool }: PoolRef,
  url: string,
  { id, type, at, data }: TenantNotice,
) {
  const told = type === 'delegation.pending' ? { ...data, pool } : data
  const message = { id, type, timestamp: rfc3339(at), data: told }
  const tried = await sendWebhook(webhooks, { tenant, url }, message, clock.now_ms())
  const delivered = tried.kind === 'taken'
  telemetry.delivery(delivered ? 'sent' : 'failed')
  return { id, at, delivered }
}
