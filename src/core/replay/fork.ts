/**
 * A fork: a new task that begins with the rows of another one, up to one of them, under its own id and brief. Its parent's keys,
 * slices and leases, and what that holds of the tenant's day, are not among them.
 */
import type { ObjectContext, Ticket } from '../protocol/advance.ts'
import type { SchemaValidator } from '../terms/schema/answer-form.ts'
import { firstDifference } from '../terms/values/difference.ts'
import type { Brief, Recall } from '../terms/effect.ts'
import type { OutcomeEdit } from './fork-edit.ts'
import type { StoredFile } from '../terms/files/files.ts'
import { beginningWith, forkFiles, mayHaveWritten, type WritingRow } from './fork-files.ts'
import { foldFork } from './fork-fold.ts'
import type { Head } from '../terms/head.ts'
import type { ClosedRow, Journal, Write } from '../protocol/journal.ts'
import { findEarlierRequest } from '../protocol/idempotency.ts'
import { incarnationOf } from '../workspace/incarnation.ts'
import { refuse } from '../terms/refusal.ts'
import { Settings } from '../terms/settings.ts'
import { statusOf } from '../protocol/view/current-status.ts'
import { showEarlier, transact, type Decision } from '../protocol/transaction.ts'
import type { Origin, PastRow } from './past-row.ts'
import type { Status } from '../terms/status.ts'

/** What is asked for. */
export interface ForkWish {
  /** The last row that is copied. */
  at: number
  /** Those that are to differ from the parent's. */
  settings: Record<string, unknown>
  /** What that row is to say instead. */
  outcome: OutcomeEdit | null
}
export interface Fork extends Origin {
  rows: PastRow[]
  /** Copies of those of its parent's that its rows do not say. */
  files: StoredFile[]
}

/** The brief of a fork: its parent's, with the settings that were asked for. */
export function forkBrief(parent: Brief, task: string, { at, settings: given }: ForkWish, made_ms: number): Brief {
  const settings = Settings.parse({ ...parent.settings, ...given })
  const changed = firstDifference(parent.settings, settings) !== null
  const inexact_until = changed ? at : Math.min(at, parent.forked?.inexact_until ?? 0)
  return { ...parent, settings, forked: { task, at, made_ms, inexact_until } }
}

/** Writes the fork and its files, or shows the one that its key has made before. No effect is begun. */
export function fork(
  journal: Journal,
  wish: Fork,
  ticket: Ticket,
  here: ObjectContext,
  fits: SchemaValidator,
): Decision {
  if (journal.last() !== null) return known(journal, ticket, here)
  const writes: Write[] = []
  const written: WritingRow[] = []
  let before: Head | null = null
  const made = foldFork(wish, wish.rows, recallOf(wish.rows), fits, (row, head) => {
    const key = row.seq === 1 ? keyOf(wish, ticket, here) : null
    if (before !== null && mayHaveWritten(row)) written.push({ row, before })
    before = head
    writes.push({ kind: 'insert_closed', row: storedRow(row, head, key, ticket.slice) })
  })
  if (!made.ok) return made
  const status = statusOf(made.value.head, false, made.value.recall)
  const nothing = {
    assignment: null,
    events: [],
    advanced: false,
    earlier: null,
    wants: null,
    returned: [],
    notice: null,
  }
  const files = beginningWith(wish.files, forkFiles(written, made.value.recall), wish.at)
  return { ok: true, writes, files, advance: { ...nothing, status_before: null, status } }
}

function known(journal: Journal, ticket: Ticket, here: ObjectContext): Decision {
  const before = findEarlierRequest(journal, ticket, here)
  if (before.kind === 'refused') return refuse(before.refusal)
  if (before.kind === 'none') return transact(journal, ticket, here, () => null)
  return showEarlier(journal, ticket, here, before.earlier)
}

const recallOf =
  (rows: PastRow[]): Recall =>
  (seq) => {
    const row = rows[seq - 1]
    if (row === undefined) throw new Error(`a fork refers to row ${seq}, which it does not have`)
    return { effect: row.effect, event: row.event, at: row.closed_at }
  }

/** On the first row, whose time is the parent's: the request is as old as the fork. It did nothing but make it. */
const keyOf = ({ at }: Fork, { key }: Ticket, { now_ms }: ObjectContext): ClosedRow['key'] =>
  key === null ? null : { ...key, first_event: 1, seen: at, took_over_at: now_ms }

/** The slice of the fork is the nonce of links to its questions, and on its first row its life; no process holds its leases. */
function storedRow(row: PastRow, head: Head, key: ClosedRow['key'], slice: string): ClosedRow {
  const { closed_at, attempt, ...kept } = row
  const lease = attempt === null ? null : { boot: null, until: closed_at, attempt }
  return { ...kept, key, slice: row.seq === 1 ? incarnationOf(slice) : row.effect === null ? null : slice, lease, head }
}
/** What would become of a fork: nothing is written for it. */

export interface Forkable {
  brief: Brief
  status: Status
  /** About what its rows will take. */
  bytes: number
}
