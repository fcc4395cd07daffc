/** The tries of a task's callback, over its rows: begun and settled in transactions of their own. */
import { briefOf } from '../../core/mode/mode.ts'
import {
  againDelivery,
  begunDelivery,
  isReceiverGone,
  nextDelivery,
  settledDelivery,
  type Delivery,
} from '../../core/protocol/outbox.ts'
import { ok } from '../../core/terms/refusal.ts'
import type { Outgoing } from '../../core/protocol/task-answers.ts'
import type { UpkeepHandlers } from './handlers.ts'
import { taskView } from '../../core/protocol/view/task-view.ts'
import { isUnreadable, unreadable } from '../../core/terms/unreadable.ts'
import type { Rows } from './rows/rows.ts'

export const deliveryUpkeep = (
  rows: Rows,
  now: () => number,
): UpkeepHandlers<'begin_delivery' | 'settle_delivery' | 'redeliver'> => ({
  begin_delivery: () => ok(startAttempt(rows, now())),
  settle_delivery({ seq, attempt, sent }) {
    const isThisTry = (one: Delivery) => one.seq === seq && one.attempts === attempt && one.state === 'sending'
    const delivery = rows.deliveries().find(isThisTry)
    return ok(delivery === undefined ? null : save(rows, settledDelivery(delivery, sent, now())))
  },
  redeliver({ seq }) {
    for (const changed of againDelivery(rows.deliveries(), seq, now())) rows.save(changed)
    return ok(rows.deliveries().find((one) => one.seq === seq) ?? null)
  },
})

function save(rows: Rows, delivery: Delivery): Delivery {
  rows.save(delivery)
  return delivery
}

/** One whose state cannot be read is given up, and holds up nothing behind it. */
function startAttempt(rows: Rows, now_ms: number): Outgoing | null {
  const next = nextDelivery(rows.deliveries())
  if (next === null || next.due > now_ms) return null
  try {
    const message = messageOf(rows, next)
    const gone = isReceiverGone(rows.deliveries())
    return { delivery: save(rows, begunDelivery(next, now_ms)), gone, ...message }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    save(rows, { ...next, state: 'failed', detail: 'the state it tells of cannot be read' })
    return startAttempt(rows, now_ms)
  }
}

function messageOf(rows: Rows, { seq }: Delivery): Pick<Outgoing, 'url' | 'task'> {
  const { callback_url } = briefOf(rows.recall)
  const row = rows.closed(seq)
  if (row === null || callback_url === null) throw unreadable(`row ${seq} is missing`)
  const input = { head: row.head, version: row.seq, under_way: false }
  return { url: callback_url, task: taskView(input, rows, row.head.updated_at) }
}
