/**
 * What the callback of a task is still to be told: one entry per notice, sent in order, one at a time. An entry is written in the
 * transaction of the state it tells of, so none is lost; its id is derived, so every try has the same one.
 */
import type { Notice } from './transaction.ts'
import type { Status } from './status.ts'

export interface Delivery {
  /** The row whose state is told. */
  seq: number
  status: Status
  /** When that was, ms since the epoch. */
  at: number
  /** When it is tried next; while a try is under way, when that counts as lost. */
  due: number
  attempts: number
  /** `failed`: given up; `gone`: the receiver wants no more (410). */
  state: 'pending' | 'delivered' | 'failed' | 'gone'
  /** Why the latest try failed. */
  detail: string | null
}
/** How a try ended; `after_ms`: when the next one is made. */
export type Sent =
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

/** The one that comes next, due or not: those behind it wait. */
export const nextDelivery = (all: readonly Delivery[]): Delivery | null =>
  all.find(({ state }) => state === 'pending') ?? null

/** A try begins. */
export const begunDelivery = (delivery: Delivery, now_ms: number): Delivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  due: now_ms + TRY_MS,
})

/** After a try; without a next one it is given up. */
export function settledDelivery(delivery: Delivery, sent: Sent, now_ms: number): Delivery {
  switch (sent.kind) {
    case 'delivered':
      return { ...delivery, state: 'delivered', detail: null }
    case 'gone':
      return { ...delivery, state: 'gone', detail: sent.detail }
    case 'failed':
      return sent.after_ms === null
        ? { ...delivery, state: 'failed', detail: sent.detail }
        : { ...delivery, due: now_ms + sent.after_ms, detail: sent.detail }
  }
}

/** Once more from the beginning, at once. */
export const againDelivery = (delivery: Delivery, now_ms: number): Delivery => ({
  ...delivery,
  state: 'pending',
  due: now_ms,
  attempts: 0,
})
