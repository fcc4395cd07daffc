/**
 * The journal of a task (docs/protocol.md 1): rows that are closed (have a head) or pending (an effect under a lease), and a
 * draft over them that collects what one transaction writes, so that later decisions of it see earlier ones.
 */
import * as z from 'zod'
import type { Event, StoredEffect, Fact, Recall } from './effect.ts'
import type { Head } from './head.ts'

/** The right to perform an effect: until a time, and on one machine only as long as its process lives (docs/protocol.md 5). */
export const Lease = z.object({
  /** The process both Worker and object ran in when it was given; null where they differed. */
  boot: z.string().nullable(),
  until: z.number(),
  attempt: z.int().min(1),
})
export type Lease = z.infer<typeof Lease>

export interface ClosedRow {
  seq: number
  kind: string
  /** When the row began, ms since the epoch; it was closed at head.updated_at. */
  at: number
  slice: string | null
  lease: Lease | null
  effect: StoredEffect | null
  event: Event
  head: Head
}
export interface PendingRow {
  seq: number
  kind: string
  at: number
  slice: string
  lease: Lease
  effect: StoredEffect
}

/** What the protocol reads; synchronous, because it runs inside one transaction. */
export interface Journal {
  /** The highest closed row; null for a task that does not exist. */
  last(): { seq: number; head: Head } | null
  pending(): PendingRow | null
  /** The slice that held a closed row; null where it was taken away, or for a row that is no effect. */
  holder(seq: number): string | null
  recall: Recall
}

export type Write =
  | { kind: 'insert_closed'; row: ClosedRow }
  | { kind: 'insert_pending'; row: PendingRow }
  | { kind: 'close_pending'; row: ClosedRow }
  | { kind: 'lease_again'; row: PendingRow }

/** A journal together with the writes decided so far. */
export interface Draft extends Journal {
  write(write: Write): void
  writes: Write[]
}

export function draftOf(journal: Journal): Draft {
  const writes: Write[] = []
  const facts = new Map<number, Fact>()
  let last = journal.last()
  let pending = journal.pending()
  return {
    writes,
    last: () => last,
    pending: () => pending,
    holder: journal.holder,
    recall: (seq) => facts.get(seq) ?? journal.recall(seq),
    write(write) {
      writes.push(write)
      if (write.kind === 'insert_pending' || write.kind === 'lease_again') {
        pending = write.row
        return
      }
      if (write.kind === 'close_pending') pending = null
      last = { seq: write.row.seq, head: write.row.head }
      facts.set(write.row.seq, { effect: write.row.effect, event: write.row.event, at: write.row.head.updated_at })
    },
  }
}
