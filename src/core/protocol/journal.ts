/**
 * The journal of a task (P1). A row is closed (it has a head), pending (an effect under a lease) or queued (an event that waits
 * for the pending effect). A draft collects what one transaction writes, so that its later decisions see its earlier ones.
 */
import * as z from 'zod'
import type { Reservation } from '../terms/budget.ts'
import type { Event, Fact, Recall, StoredEffect } from '../terms/effect.ts'
import type { Head, HeadPointer } from '../terms/head.ts'

/** The right to perform an effect until a time. If Worker and object share a process, the lease also ends with that process (P5). */
export const Lease = z.object({
  /** The process in which both Worker and object ran when the lease began. null: they ran in two processes. */
  boot: z.string().nullable(),
  until: z.number(),
  attempt: z.int().min(1),
})
export type Lease = z.infer<typeof Lease>

/** The slice of a row whose event was queued: the row was closed together with the effect before it. */
export const QUEUED_SLICE = 'queued'

const StoredKey = z.object({
  /** Method and path. A key counts within its scope, its tenant and its task. */
  scope: z.string(),
  key: z.string(),
  /** The digest of the bytes of the request's body. */
  digest: z.string(),
  /** The id of the next event when the transaction that inserted the row began. The events of the request start there. */
  first_event: z.int().min(1),
  /** The version that the answer showed. It is set for an event that was only queued, or stored until a report comes. */
  seen: z.int().nullable(),
  /** The wait of a request for its tenant's total, on its last row, when no effect is pending: until when, and in which process. */
  waits: z.object({ until: z.number(), boot: z.string().nullable(), slice: z.string() }).optional(),
  /** When this request closed the row that another request had begun and lost, in ms since the epoch. */
  took_over_at: z.number().optional(),
})
type StoredKey = z.infer<typeof StoredKey>

/** The Idempotency-Key of the request that wrote a row (P14), and the key of another request that closed it. */
export const RowKeys = StoredKey.extend({ closed_by: StoredKey.optional() })
export type RowKeys = z.infer<typeof RowKeys>
type KeyName = Pick<StoredKey, 'scope' | 'key'>

const isSame = (one: StoredKey, { scope, key }: KeyName) => one.scope === scope && one.key === key

/** The entry with this name among the keys of a row. null: the row has no such key. */
export function findKey(keys: RowKeys | null, name: KeyName): StoredKey | null {
  if (keys !== null && isSame(keys, name)) return keys
  return keys?.closed_by !== undefined && isSame(keys.closed_by, name) ? keys.closed_by : null
}
export const hasKey = (keys: RowKeys | null, name: KeyName): boolean => findKey(keys, name) !== null

/** The keys of a row, with a change of the key that has this name. */
export function changeKey(keys: RowKeys, name: KeyName, change: Partial<StoredKey>): RowKeys {
  if (isSame(keys, name) || keys.closed_by === undefined) return { ...keys, ...change }
  return { ...keys, closed_by: { ...keys.closed_by, ...change } }
}

/** The keys of a row after a request has closed it. The row may be its own. `closer` is null for a request without a key. */
export function keysAfterClose(keys: RowKeys | null, closer: RowKeys | null, now_ms: number): RowKeys | null {
  if (closer === null || hasKey(keys, closer)) return keys
  const took_over = { ...closer, took_over_at: now_ms }
  return keys === null ? took_over : { ...keys, closed_by: took_over }
}

interface Row {
  seq: number
  kind: string
  /** When the row began, in ms since the epoch. It was closed at head.updated_at. */
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
/** A closed row as the store reads it. An earlier release may have stored it. */
export interface StoredClosedRow extends ClosedRow {
  /** The members of the head that this earlier release could not tell. A migration has guessed them. */
  guessed: readonly HeadPointer[]
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

/** The newest rows: the highest closed row, at most one pending row, and at most sixteen queued rows behind it (P1). */
export interface Tail {
  last: { seq: number; head: Head } | null
  pending: PendingRow | null
  queued: QueuedRow[]
}

/** The rows as the protocol reads them. Everything is synchronous, because it runs inside one transaction. */
export interface Journal {
  /** The highest closed row. null: the task does not exist. */
  last(): Tail['last']
  pending(): PendingRow | null
  /** The rows directly behind the pending row, in order. */
  queued(): QueuedRow[]
  /** Rows of requests with this key in this scope that began at `since` or later, oldest first. `opens_round`: the request began a round with the row. */
  rowsWithKey(
    scope: string,
    key: string,
    since: number,
  ): { seq: number; at: number; key: StoredKey; opens_round: boolean }[]
  /** The last row that was closed together with this one: the row itself, or the last event that was queued behind it. */
  closedWith(seq: number): number
  /** The slice that held a closed row. null: the row was taken over by another slice, or is not closed. */
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
      return { ...tail, last: tailEntry(row), pending: null }
    case 'close_queued':
      return { ...tail, last: tailEntry(row), queued: tail.queued.filter(({ seq }) => seq !== row.seq) }
    case 'insert_closed':
      return { ...tail, last: tailEntry(row) }
  }
}
const tailEntry = ({ seq, head }: ClosedRow) => ({ seq, head })

/** The fact of a write. null: its row is still open. */
export function factOfWrite({ row }: Write): Fact | null {
  return 'head' in row ? { effect: row.effect, event: row.event, at: row.head.updated_at } : null
}

/** A journal together with the writes that were decided so far. */
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
    rowsWithKey: journal.rowsWithKey,
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
