/**
 * What the callback of a task is still to be told: one entry per notice, sent in order, one at a time. An entry is written in the
 * transaction of the state it tells of, so none is lost; its id is derived, so every try has the same one.
 */
import type { Status } from '../terms/status.ts'

export interface Delivery {
  /** The row whose state is told. */
  seq: number
  status: Status
  /** When that was, ms since the epoch. */
  at: number
  /** When it is tried next; while a try is under way, when that counts as lost. */
  due: number
  attempts: number
  /** `sending`: a try is under way; `failed`: given up; `gone`: the receiver wants no more (410). */
  state: 'pending' | 'sending' | 'delivered' | 'failed' | 'gone'
  /** Why the latest try that failed did. */
  detail: string | null
}
/** How a try ended; `after_ms`: when the next one is made. */
export type DeliveryOutcome =
  { kind: 'delivered' } | { kind: 'failed'; after_ms: number | null; detail: string } | { kind: 'gone'; detail: string }

/** Longer than a try may take. */
const TRY_MS = 30_000

export const newDelivery = ({ seq, status }: Notice, now_ms: number): Delivery => ({
  seq,
  status,
  at: now_ms,
  due: now_ms,
  attempts: 0,
  state: 'pending',
  detail: null,
})

/** The same for every try, and no other's: what receivers tell a repetition by (`webhook-id`). */
export const deliveryId = (task: string, seq: number) => `${task}_${seq}`

/** Whether its tenant may have it on record as given up: a first try that goes well is nothing to be told of. */
export const wasTriedBefore = ({ attempts, detail }: Delivery) => attempts > 1 || detail !== null

/** The one that comes next, due or not: those behind it wait. One whose try is under way comes before any that is sent again. */
export const nextDelivery = (all: readonly Delivery[]): Delivery | null =>
  all.find(({ state }) => state === 'sending') ?? all.find(({ state }) => state === 'pending') ?? null

/** A receiver that wanted no more of an earlier one is not asked again, unless someone has one sent again (`againDelivery`). */
export const isReceiverGone = (all: readonly Delivery[]): boolean => all.some(({ state }) => state === 'gone')

/** A try begins. */
export const begunDelivery = (delivery: Delivery, now_ms: number): Delivery => ({
  ...delivery,
  state: 'sending',
  attempts: delivery.attempts + 1,
  due: now_ms + TRY_MS,
})

/** After a try; without a next one it is given up. */
export function settledDelivery(delivery: Delivery, sent: DeliveryOutcome, now_ms: number): Delivery {
  switch (sent.kind) {
    case 'delivered':
      return { ...delivery, state: 'delivered' }
    case 'gone':
      return { ...delivery, state: 'gone', detail: sent.detail }
    case 'failed':
      return sent.after_ms === null
        ? { ...delivery, state: 'failed', detail: sent.detail }
        : { ...delivery, state: 'pending', due: now_ms + sent.after_ms, detail: sent.detail }
  }
}

/**
 * What changes when one is sent once more, from the beginning and at once; nothing while it is still being sent. Whoever asks for it
 * says that the receiver is there again, also for what comes later.
 */
export function againDelivery(all: readonly Delivery[], seq: number, now_ms: number): Delivery[] {
  const wanted = all.find((one) => one.seq === seq)
  if (wanted === undefined || wanted.state === 'pending' || wanted.state === 'sending') return []
  const others = all.filter((one) => one !== wanted && one.state === 'gone')
  const again = { ...wanted, state: 'pending' as const, due: now_ms, attempts: 0 }
  return [...others.map((one) => ({ ...one, state: 'failed' as const })), again]
}

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** After how long the tries that follow the first are made: the schedule of Standard Webhooks, ten tries in 75.6 hours. */
export const WAITS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]
/** Either way, so that what failed together is not tried together. */
const JITTER = 0.1
/** A receiver that says when it wants to be asked is not asked as fast as we can. */
const ASKED_MS_MIN = 1_000

/**
 * When the try after the `attempts`th is made; null: it was the last. `asked_ms` is what the receiver asked for, `chance` is drawn from
 * [0, 1).
 */
export function waitAfter(attempts: number, asked_ms: number | null, chance: number): number | null {
  const wait_ms = WAITS_MS[attempts - 1]
  if (wait_ms === undefined) return null
  if (asked_ms !== null) return Math.max(ASKED_MS_MIN, asked_ms)
  return Math.round(wait_ms * (1 - JITTER + 2 * JITTER * chance))
}
/** A change of status to one that someone may wait for, and the row that made it. */
export interface Notice {
  seq: number
  status: Status
}
