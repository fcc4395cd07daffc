/** The tries of a task's callback, over its rows: begun and settled in transactions of their own. */
import { briefOf } from '../core/mode.ts'
import {
  againDelivery,
  begunDelivery,
  isReceiverGone,
  nextDelivery,
  settledDelivery,
  type Delivery,
} from '../core/outbox.ts'
import { ok } from '../core/refusal.ts'
import type { Outgoing, TaskMethods } from '../core/task-methods.ts'
import { taskView } from '../core/task-view.ts'
import { unreadable } from '../core/unreadable.ts'
import type { Rows } from './rows.ts'

export function deliveryMethods(
  rows: Rows,
  now: () => number,
): Pick<TaskMethods, 'deliver' | 'delivered' | 'redeliver'> {
  return {
    deliver: () => ok(begunTry(rows, now())),
    delivered: (seq, attempt, sent) => {
      const known = rows
        .deliveries()
        .find((one) => one.seq === seq && one.attempts === attempt && one.state === 'sending')
      return ok(known === undefined ? null : saved(rows, settledDelivery(known, sent, now())))
    },
    redeliver: (seq) => {
      for (const changed of againDelivery(rows.deliveries(), seq, now())) rows.save(changed)
      return ok(rows.deliveries().find((one) => one.seq === seq) ?? null)
    },
  }
}

function saved(rows: Rows, delivery: Delivery): Delivery {
  rows.save(delivery)
  return delivery
}

function begunTry(rows: Rows, now_ms: number): Outgoing | null {
  const next = nextDelivery(rows.deliveries())
  if (next === null || next.due > now_ms) return null
  const { callback_url } = briefOf(rows.recall)
  const row = rows.closed(next.seq)
  if (row === null || callback_url === null) throw unreadable(`row ${next.seq} is missing`)
  const shown = { head: row.head, version: row.seq, under_way: false }
  const task = taskView(shown, rows, row.head.updated_at)
  const gone = isReceiverGone(rows.deliveries())
  return { delivery: saved(rows, begunDelivery(next, now_ms)), gone, url: callback_url, task }
}
