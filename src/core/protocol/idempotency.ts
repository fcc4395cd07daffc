/** Finds an earlier request with the same Idempotency-Key in the rows of the last day (P14). */
import { isLive, type ObjectContext, type Ticket } from './advance.ts'
import type { Journal } from './journal.ts'
import type { Refusal } from '../terms/refusal.ts'

/** A key is remembered this long at least. */
export const KEY_MEMORY_MS = 24 * 60 * 60 * 1000

/** What the earlier request with the same key did. */
export interface EarlierRequest {
  /** The version that its answer showed. null: the request is not over and is continued. */
  version: number | null
  /** Its rows, each with the first event id of its transaction. Events of other requests may lie between two of its rows. */
  rows: { seq: number; first_event: number }[]
  /** Rounds it had begun. */
  rounds: number
  /** False for a request that was only queued. */
  advanced: boolean
  /** When a request that was only queued was answered. null: it was answered when the row of `version` was closed. */
  answered_ms: number | null
  /** Whether an effect was under way when it was answered. */
  under_way: boolean
}
type KeyLookup =
  | { kind: 'none' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'finished'; earlier: EarlierRequest }
  | { kind: 'dead'; earlier: EarlierRequest }

export function findEarlierRequest(journal: Journal, ticket: Ticket, context: ObjectContext): KeyLookup {
  if (ticket.key === null) return { kind: 'none' }
  const { scope, key, digest } = ticket.key
  const rows = journal.rowsWithKey(scope, key, context.now_ms - KEY_MEMORY_MS)
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return { kind: 'none' }
  if (first.key.digest !== digest) return { kind: 'refused', refusal: { code: 'idempotency_key_reused' } }
  const { seen } = first.key
  const row_refs = rows.map((row) => ({ seq: row.seq, first_event: row.key.first_event }))
  const pending = journal.pending()
  // A call that is delivered twice gets its own effect again. The round of that effect is counted when it is performed.
  const own = pending?.slice === ticket.slice && pending.lease.attempt === 1 ? pending.seq : null
  const rounds = rows.filter((row) => row.opens_round && row.seq !== own).length
  // A queued event stands behind an effect. The first row of a fork has its key too, without an effect before it.
  const under_way = first.seq > 1
  if (seen !== null)
    return {
      kind: 'finished',
      earlier: { version: seen, rows: [], rounds: 0, advanced: false, answered_ms: first.at, under_way },
    }
  const earlier: EarlierRequest = {
    version: null,
    rows: row_refs,
    rounds,
    advanced: true,
    answered_ms: null,
    under_way: false,
  }
  const { waits } = last.key
  // Events queued behind a pending effect are closed together with it.
  if ((pending === null || last.seq < pending.seq) && waits === undefined) {
    return { kind: 'finished', earlier: { ...earlier, version: journal.closedWith(last.seq) } }
  }
  const lease = waits === undefined && pending !== null ? { ...pending.lease, slice: pending.slice } : waits
  const isAliveElsewhere = lease !== undefined && lease.slice !== ticket.slice && isLive(lease, context)
  if (lease !== undefined && isAliveElsewhere) {
    return {
      kind: 'refused',
      refusal: { code: 'request_in_progress', expires_ms: lease.until, now_ms: context.now_ms },
    }
  }
  return { kind: 'dead', earlier }
}
