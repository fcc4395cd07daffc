/** Requests that come again with their Idempotency-Key: what the rows of the last day say of them (P14). */
import { isLive, type ObjectContext, type Ticket } from './advance.ts'
import type { Journal } from './journal.ts'
import type { Refusal } from '../terms/refusal.ts'

/** A key is remembered this long at least. */
export const KEY_MEMORY_MS = 24 * 60 * 60 * 1000

/** What a request did when it came before. */
export interface EarlierRequest {
  /** Over: its answer is the view of this version. Else it is being gone on with. */
  version: number | null
  /** Its rows: each with the event its transaction began at. What others caused between two of them is not its own. */
  rows: { seq: number; first_event: number }[]
  /** Rounds it had begun. */
  rounds: number
  /** False for a request that was only queued. */
  advanced: boolean
  /** When a request that was only queued was answered; null: when the row of `version` was closed. */
  answered_ms: number | null
  /** Whether an effect was under way when it was answered. */
  under_way: boolean
}
type KeyLookup =
  | { kind: 'none' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'finished'; earlier: EarlierRequest }
  | { kind: 'dead'; earlier: EarlierRequest }

export function findEarlierRequest(journal: Journal, ticket: Ticket, here: ObjectContext): KeyLookup {
  if (ticket.key === null) return { kind: 'none' }
  const { scope, key, digest } = ticket.key
  const rows = journal.keyed(scope, key, here.now_ms - KEY_MEMORY_MS)
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return { kind: 'none' }
  if (first.keyed.digest !== digest) return { kind: 'refused', refusal: { code: 'idempotency_key_reused' } }
  const { seen } = first.keyed
  const written = rows.map(({ seq, keyed }) => ({ seq, first_event: keyed.first_event }))
  const pending = journal.pending()
  // A call that is delivered twice is handed its own effect again: the round that it opens is counted when it is performed.
  const own = pending?.slice === ticket.slice && pending.lease.attempt === 1 ? pending.seq : null
  const rounds = rows.filter((row) => row.opens_round && row.seq !== own).length
  // What was only queued stands behind an effect; a fork has its key on its first row.
  const under_way = first.seq > 1
  if (seen !== null)
    return {
      kind: 'finished',
      earlier: { version: seen, rows: [], rounds: 0, advanced: false, answered_ms: first.at, under_way },
    }
  const before: EarlierRequest = {
    version: null,
    rows: written,
    rounds,
    advanced: true,
    answered_ms: null,
    under_way: false,
  }
  const { waits } = last.keyed
  // What is queued behind a pending effect is closed with it.
  if ((pending === null || last.seq < pending.seq) && waits === undefined) {
    return { kind: 'finished', earlier: { ...before, version: journal.closedWith(last.seq) } }
  }
  const running = waits === undefined && pending !== null ? { ...pending.lease, slice: pending.slice } : waits
  const alive = running !== undefined && running.slice !== ticket.slice && isLive(running, here)
  if (running !== undefined && alive) {
    return { kind: 'refused', refusal: { code: 'request_in_progress', expires_ms: running.until, now_ms: here.now_ms } }
  }
  return { kind: 'dead', earlier: before }
}
