/**
 * The journal of a task (P1): rows that are closed (have a head), pending (an effect under a lease) or queued
 * (an event that waits for the pending effect), and a draft over them that collects what one transaction writes, so that
 * later decisions of it see earlier ones.
 */
import * as z from 'zod'
import type { Reservation } from '../terms/budget.ts'
import type { Event, Fact, Recall, StoredEffect } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'

/** The right to perform an effect: until a time, and on one machine only as long as its process lives (P5). */
export const Lease = z.object({
  /** The process both Worker and object ran in when it was given; null where they differed. */
  boot: z.string().nullable(),
  until: z.number(),
  attempt: z.int().min(1),
})
export type Lease = z.infer<typeof Lease>

/** Where a row's slice would stand, of an event that was queued: it was closed with the effect before it. */
export const QUEUED_SLICE = 'queued'

const KeyOf = z.object({
  /** Method and path: the scope of a key within its tenant and task. */
  scope: z.string(),
  key: z.string(),
  /** Of the request's body, by bytes. */
  digest: z.string(),
  /** The id the next event had when the transaction began that inserted the row: with what it closed, what the request caused. */
  first_event: z.int().min(1),
  /** For a request that was only queued, or kept while a report is waited for: the version its answer showed. */
  seen: z.int().nullable(),
  /** On the last row of a request that waits for its tenant's total, and nothing is pending: until when, in which process. */
  waits: z.object({ until: z.number(), boot: z.string().nullable(), slice: z.string() }).optional(),
  /** When the request closed the row, ms since the epoch, that another one had begun and lost. */
  took_over_at: z.number().optional(),
})
type KeyOf = z.infer<typeof KeyOf>

/** The Idempotency-Key of the request that wrote a row (P14), and that of the one that closed it in its place. */
export const RowKeys = KeyOf.extend({ closed_by: KeyOf.optional() })
export type RowKeys = z.infer<typeof RowKeys>
type Named = Pick<KeyOf, 'scope' | 'key'>

const isSame = (one: KeyOf, { scope, key }: Named) => one.scope === scope && one.key === key

/** What a row keeps of the request named; null: nothing. */
export function keyNamed(keyed: RowKeys | null, named: Named): KeyOf | null {
  if (keyed !== null && isSame(keyed, named)) return keyed
  return keyed?.closed_by !== undefined && isSame(keyed.closed_by, named) ? keyed.closed_by : null
}
export const hasKey = (keyed: RowKeys | null, named: Named): boolean => keyNamed(keyed, named) !== null

/** A row's keys, the one named changed. */
export function changeKey(keyed: RowKeys, named: Named, change: Partial<KeyOf>): RowKeys {
  if (isSame(keyed, named) || keyed.closed_by === undefined) return { ...keyed, ...change }
  return { ...keyed, closed_by: { ...keyed.closed_by, ...change } }
}

/** A row's keys once it is closed by a request, whose own it may be; null: one without a key. */
export function closedBy(keyed: RowKeys | null, closer: RowKeys | null, now_ms: number): RowKeys | null {
  if (closer === null || hasKey(keyed, closer)) return keyed
  const took_over = { ...closer, took_over_at: now_ms }
  return keyed === null ? took_over : { ...keyed, closed_by: took_over }
}

interface Row {
  seq: number
  kind: string
  /** When the row began, ms since the epoch; it was closed at head.updated_at. */
  at: number
  key: RowKeys | null
}
export interface ClosedRow extends Row {
  slice: string | null
  lease: Lease | null
  effect: StoredEffect | null
  reserved: Reservation | null
  event: Event
  head: Head
}
export interface PendingRow extends Row {
  slice: string
  lease: Lease
  effect: StoredEffect
  reserved: Reservation
}
export interface QueuedRow extends Row {
  event: Event
}

/** The newest rows: the highest closed one, at most one pending, at most sixteen queued behind it (P1). */
export interface Tail {
  last: { seq: number; head: Head } | null
  pending: PendingRow | null
  queued: QueuedRow[]
}

/** What the protocol reads; synchronous, because it runs inside one transaction. */
export interface Journal {
  /** The highest closed row; null for a task that does not exist. */
  last(): Tail['last']
  pending(): PendingRow | null
  /** Directly behind the pending row, in order. */
  queued(): QueuedRow[]
  /** Rows of requests with this key in this scope, with the rounds they began themselves, that began at `since` or later, oldest first. */
  keyed(scope: string, key: string, since: number): { seq: number; at: number; keyed: KeyOf; opens_round: boolean }[]
  /** The last row that was closed together with this one: itself, or the events that were queued behind it. */
  closedWith(seq: number): number
  /** The slice that held a closed row; null where it was taken away, and for a row that is not closed. */
  holder(seq: number): string | null
  recall: Recall
}

export type Write =
  | { kind: 'insert_closed'; row: ClosedRow }
  | { kind: 'insert_pending'; row: PendingRow }
  | { kind: 'insert_queued'; row: QueuedRow }
  | { kind: 'close_pending'; row: ClosedRow }
  | { kind: 'close_queued'; row: ClosedRow }
  | { kind: 'lease_again'; row: PendingRow }

/** The newest rows after a write. */
export function tailAfter(tail: Tail, { kind, row }: Write): Tail {
  switch (kind) {
    case 'insert_pending':
    case 'lease_again':
      return { ...tail, pending: row }
    case 'insert_queued':
      return { ...tail, queued: [...tail.queued, row] }
    case 'close_pending':
      return { ...tail, last: closing(row), pending: null }
    case 'close_queued':
      return { ...tail, last: closing(row), queued: tail.queued.filter(({ seq }) => seq !== row.seq) }
    case 'insert_closed':
      return { ...tail, last: closing(row) }
  }
}
const closing = ({ seq, head }: ClosedRow) => ({ seq, head })

/** What a write says has happened; null for a row that is still open. */
export function factOfWrite({ row }: Write): Fact | null {
  return 'head' in row ? { effect: row.effect, event: row.event, at: row.head.updated_at } : null
}

/** A journal together with the writes decided so far. */
export interface JournalDraft extends Journal {
  write(write: Write): void
  writes: Write[]
}

export function draftOf(journal: Journal): JournalDraft {
  const writes: Write[] = []
  const facts = new Map<number, Fact>()
  let tail: Tail = { last: journal.last(), pending: journal.pending(), queued: journal.queued() }
  return {
    writes,
    last: () => tail.last,
    pending: () => tail.pending,
    queued: () => tail.queued,
    keyed: journal.keyed,
    holder: journal.holder,
    closedWith: journal.closedWith,
    recall: (seq) => facts.get(seq) ?? journal.recall(seq),
    write(write) {
      writes.push(write)
      tail = tailAfter(tail, write)
      const fact = factOfWrite(write)
      if (fact !== null) facts.set(write.row.seq, fact)
    },
  }
}
