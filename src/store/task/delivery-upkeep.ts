/** The tries of a task's deliveries. Each try is begun and settled in a transaction of its own. */
import { briefNow } from '../../core/engine/changed-brief.ts'
import {
  repeatDelivery,
  beginDelivery,
  isReceiverGone,
  nextDelivery,
  settleDelivery,
  type Delivery,
} from '../../core/protocol/outbox.ts'
import { ok } from '../../core/terms/refusal.ts'
import type { Outgoing } from '../../core/protocol/task-answers.ts'
import type { UpkeepHandlers } from './handlers.ts'
import { taskView } from '../../core/protocol/view/task-view.ts'
import { isUnreadable, unreadable } from '../../core/terms/unreadable.ts'
import type { Rows } from './rows/rows.ts'

export const DELIVERY_UPKEEP: UpkeepHandlers<'begin_delivery' | 'settle_delivery' | 'redeliver'> = {
  begin_delivery: ({ rows, context }) => ok(startAttempt(rows, context().now_ms)),
  settle_delivery({ rows, context }, { seq, attempt, sent }) {
    const isThisTry = (one: Delivery) => one.seq === seq && one.attempts === attempt && one.state === 'sending'
    const delivery = rows.deliveries().find(isThisTry)
    return ok(delivery === undefined ? null : save(rows, settleDelivery(delivery, sent, context().now_ms)))
  },
  redeliver({ rows, context }, { seq }) {
    for (const delivery of repeatDelivery(rows.deliveries(), seq, context().now_ms)) rows.save(delivery)
    return ok(rows.deliveries().find((one) => one.seq === seq) ?? null)
  },
}

function save(rows: Rows, delivery: Delivery): Delivery {
  rows.save(delivery)
  return delivery
}

/** Begins the next try. A delivery whose state cannot be read has failed, so that the deliveries behind it do not wait. */
function startAttempt(rows: Rows, now_ms: number): Outgoing | null {
  const next = nextDelivery(rows.deliveries())
  if (next === null || next.due > now_ms) return null
  const { url, since } = receiverOf(rows)
  if (url === null) {
    save(rows, { ...next, state: 'failed', detail: 'the task has no callback any more' })
    return startAttempt(rows, now_ms)
  }
  try {
    const message = { url, task: toldTask(rows, next) }
    // Only the present receiver counts: an earlier one may have refused more.
    const gone = isReceiverGone(rows.deliveries().filter(({ seq }) => seq > since))
    return { delivery: save(rows, beginDelivery(next, now_ms)), gone, ...message }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    save(rows, { ...next, state: 'failed', detail: 'the state it tells of cannot be read' })
    return startAttempt(rows, now_ms)
  }
}

/** Where the task reports now, and the row since which it does. */
function receiverOf(rows: Rows): { url: string | null; since: number } {
  const head = rows.last()?.head
  if (head === undefined) return { url: null, since: 0 }
  return { url: briefNow(head, rows.recall).callback_url, since: head.callback_row ?? 0 }
}

function toldTask(rows: Rows, { seq }: Delivery): Outgoing['task'] {
  const row = rows.closed(seq)
  if (row === null) throw unreadable(`row ${seq} is missing`)
  return taskView({ head: row.head, version: row.seq, under_way: false }, rows, row.head.updated_at)
}
