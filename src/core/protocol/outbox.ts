/**
 * The messages to the callback of a task: one delivery per notice, sent in order, one at a time. A delivery is written in the
 * transaction of the state that it reports, so none is lost. Its id is derived, so every try has the same id.
 */
import type { Status } from '../terms/status.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../terms/plain/durations.ts'

export interface Delivery {
  /** The row whose state is reported. */
  seq: number
  status: Status
  /** When the delivery was created, in ms since the epoch. */
  at: number
  /** The time of the next try. While a try is under way: the time at which it counts as lost. */
  due: number
  attempts: number
  /** `sending`: a try is under way. `failed`: no more tries are made. `gone`: the receiver wants no more deliveries (410). */
  state: 'pending' | 'sending' | 'delivered' | 'failed' | 'gone'
  /** Why the latest failed try failed. */
  detail: string | null
}
/** How a try ended. `after_ms`: the wait before the next try; null: there is none. */
export type DeliveryOutcome =
  | { kind: 'delivered' }
  | { kind: 'failed'; after_ms: number | null; detail: string }
  | { kind: 'gone'; detail: string }

/** A try may take less than this. */
const TRY_MS = 30_000

export const newDelivery = ({ seq, status }: StatusNotice, now_ms: number): Delivery => ({
  seq,
  status,
  at: now_ms,
  due: now_ms,
  attempts: 0,
  state: 'pending',
  detail: null,
})

/** The id of a delivery (`webhook-id`). It is the same for every try, so receivers recognise a repetition by it. */
export const deliveryId = (task: string, seq: number) => `${task}_${seq}`

/** Whether the tenant may have a record of this delivery as failed. A delivery whose first try succeeds has none. */
export const wasTriedBefore = ({ attempts, detail }: Delivery) => attempts > 1 || detail !== null

/** The next delivery, due or not. The deliveries behind it wait. A delivery with a try under way comes first. */
export const nextDelivery = (all: readonly Delivery[]): Delivery | null =>
  all.find(({ state }) => state === 'sending') ?? all.find(({ state }) => state === 'pending') ?? null

/** Whether the receiver has refused further deliveries. It gets none until someone repeats a delivery (`repeatDelivery`). */
export const isReceiverGone = (all: readonly Delivery[]): boolean => all.some(({ state }) => state === 'gone')

/** The delivery when a try begins. */
export const beginDelivery = (delivery: Delivery, now_ms: number): Delivery => ({
  ...delivery,
  state: 'sending',
  attempts: delivery.attempts + 1,
  due: now_ms + TRY_MS,
})

/** The delivery after a try. Without a next try it has failed. */
export function settleDelivery(delivery: Delivery, outcome: DeliveryOutcome, now_ms: number): Delivery {
  switch (outcome.kind) {
    case 'delivered':
      return { ...delivery, state: 'delivered' }
    case 'gone':
      return { ...delivery, state: 'gone', detail: outcome.detail }
    case 'failed':
      return outcome.after_ms === null
        ? { ...delivery, state: 'failed', detail: outcome.detail }
        : { ...delivery, state: 'pending', due: now_ms + outcome.after_ms, detail: outcome.detail }
  }
}

/**
 * The deliveries that change when one is repeated at once with all its tries. A delivery that is still being sent is not
 * repeated. The receiver takes deliveries again, so later deliveries are sent to it too.
 */
export function repeatDelivery(all: readonly Delivery[], seq: number, now_ms: number): Delivery[] {
  const delivery = all.find((one) => one.seq === seq)
  if (delivery === undefined || delivery.state === 'pending' || delivery.state === 'sending') return []
  const others = all.filter((one) => one !== delivery && one.state === 'gone')
  const repetition = { ...delivery, state: 'pending' as const, due: now_ms, attempts: 0 }
  return [...others.map((one) => ({ ...one, state: 'failed' as const })), repetition]
}

/** The waits before the tries that follow the first: the schedule of Standard Webhooks, ten tries in 75.6 hours. */
export const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
]
/** A wait is up to this part longer or shorter, so that deliveries that failed together are not tried together. */
const JITTER = 0.1
/** The shortest wait after a receiver has asked for a wait. */
const ASKED_MS_MIN = 1_000

/**
 * The wait after the `attempts`th try. null: it was the last try. `asked_ms` is the wait that the receiver asked for. `chance` is
 * drawn from [0, 1).
 */
export function waitAfter(attempts: number, asked_ms: number | null, chance: number): number | null {
  const wait_ms = WAITS_MS[attempts - 1]
  if (wait_ms === undefined) return null
  if (asked_ms !== null) return Math.max(ASKED_MS_MIN, asked_ms)
  return Math.round(wait_ms * (1 - JITTER + 2 * JITTER * chance))
}
/** A status that the callback is told of, and the row that changed it or reminds of its question. */
export interface StatusNotice {
  seq: number
  status: Status
}
