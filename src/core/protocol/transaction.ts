/**
 * One decision is one transaction over a draft of the journal. It answers its writes, the events they cause, and the next
 * assignment. A decision with an Idempotency-Key is made once (P14).
 */
import {
  beginNext,
  busy,
  insert,
  isAlive,
  reassign,
  takeOver,
  type NextEffect,
  type ObjectContext,
  type Ticket,
  type Transaction,
} from './advance.ts'
import type { Assignment } from '../engine/assignment.ts'
import { awaitedRow } from '../engine/awaiting.ts'
import type { DroppedCall } from '../engine/tools/held-calls.ts'
import type { AllowanceRefund, AllowanceRequest } from '../terms/axes.ts'
import type { Note, Recall } from '../terms/effect.ts'
import type { StoredFile } from '../terms/files/files.ts'
import { stopReasonOf, type Head } from '../terms/head.ts'
import { changeKey, draftOf, hasKey, type JournalDraft, type Journal, type Write } from './journal.ts'
import { findEarlierRequest, type EarlierRequest } from './idempotency.ts'
import { briefNow } from '../engine/changed-brief.ts'
import { briefOf } from '../mode/mode.ts'
import { limitedKey } from '../terms/values/limited-key.ts'
import { refuse, type Refusal } from '../terms/refusal.ts'
import { statusOf } from './view/current-status.ts'
import { rfc3339 } from '../terms/text.ts'
import type { Envelope } from '../terms/view.ts'
import type { Status } from '../terms/status.ts'
import type { StatusNotice } from './outbox.ts'

export interface TransactionResult {
  assignment: Assignment | null
  events: Envelope[]
  status_before: Status | null
  status: Status
  /** Whether anything was written besides a queued event, or a remark while the task waits for a report. */
  advanced: boolean
  /** The earlier request with the same Idempotency-Key. It is shown again or continued. */
  earlier: EarlierRequest | null
  /** The part of the tenant's total that the next effect lacks. `fund` begins that effect (U16). */
  wants: AllowanceRequest | null
  /** Parts of the tenant's total that are no longer needed, or were spent beyond the reservation. */
  returned: AllowanceRefund[]
  /** Held calls that nobody waits for any more. */
  dropped: DroppedCall[]
  /** The change that the task's callback is told of. */
  notice: StatusNotice | null
}
/** `files` are the files of a new fork. Files that tools write are stored one by one, without a decision. */
export type Decision =
  | { ok: true; writes: Write[]; files?: readonly StoredFile[]; result: TransactionResult }
  | { ok: false; refusal: Refusal }

type Body = (transaction: Transaction) => NextEffect | Refusal

/**
 * Makes a decision once per Idempotency-Key. A finished request is shown again, and a running one is refused. A dead one is
 * continued without applying its events a second time.
 */
export function transactOnce(journal: Journal, ticket: Ticket, context: ObjectContext, body: Body): Decision {
  const lookup = findEarlierRequest(journal, ticket, context)
  switch (lookup.kind) {
    case 'none':
      return transact(journal, ticket, context, body)
    case 'refused':
      return refuse(lookup.refusal)
    case 'finished':
      return showEarlier(journal, ticket, context, lookup.earlier)
    case 'dead':
      return transact(journal, limitRounds(ticket, lookup.earlier), context, revive, lookup.earlier)
  }
}

/** Shows the earlier answer of the request and writes nothing. */
export const showEarlier = (
  journal: Journal,
  ticket: Ticket,
  context: ObjectContext,
  earlier: EarlierRequest,
): Decision => transact(journal, ticket, context, () => null, earlier)

/** Hands out the slice's own effect again if its call was delivered twice. A live effect of another slice makes the task busy, and a dead one is taken over. */
export function continueEffect(transaction: Transaction): NextEffect | Refusal {
  const pending = transaction.draft.pending()
  if (pending === null) return beginNext(transaction)
  if (pending.slice === transaction.ticket.slice) return reassign(transaction.draft, pending)
  return isAlive(pending, transaction.context) ? busy(pending, transaction.context) : takeOver(transaction, pending)
}

function revive(transaction: Transaction): NextEffect | Refusal {
  const next = continueEffect(transaction)
  if (next === null) endWaiting(transaction)
  return next
}

/**
 * Ends a request that waited for its tenant's total and has nothing left to do. It writes a row that changes nothing, so that the
 * answer of the request can be shown again.
 */
export function endWaiting(transaction: Transaction): void {
  if (transaction.draft.writes.length === 0) insert(transaction, { kind: 'request_ended' })
}

/** Bounds the rounds of a request that is continued. The rounds that its dead worker began count too. */
export function limitRounds(ticket: Ticket, { rounds }: EarlierRequest): Ticket {
  return ticket.more === 'new_round' && rounds >= ticket.rounds ? { ...ticket, more: 'this_round' } : ticket
}

/** Runs a decision over a draft, and answers its writes and the events they cause. A task without a row does not exist. */
export function transact(
  journal: Journal,
  ticket: Ticket,
  context: ObjectContext,
  body: Body,
  earlier: EarlierRequest | null = null,
): Decision {
  const draft = draftOf(journal)
  const events: Envelope[] = []
  const before = draft.last()
  const first_event = before === null ? 1 : before.head.events.first + before.head.events.count
  const returned: AllowanceRefund[] = []
  const dropped: DroppedCall[] = []
  const emit: Transaction['emit'] = (head, seq, reduced) => {
    events.push(...envelopes(head, seq, reduced.notes))
    returned.push(...reduced.returned)
    if (reduced.dropped !== null) dropped.push(reduced.dropped)
  }
  const status_before = before === null ? null : statusOf(before.head, journal.pending() !== null, journal.recall)
  const next = body({ draft, ticket, context, first_event, emit })
  if (next !== null && 'code' in next) return refuse(next)
  const after = draft.last()
  if (after === null) return refuse({ code: 'task_not_found' })
  const status = statusOf(after.head, draft.pending() !== null, draft.recall)
  const lacks = next !== null && 'lacks' in next ? next.lacks : null
  // Only what waits for a report keeps a remark for later. A task whose tool works on outside hears it at once.
  const waits = status_before === 'waiting_external' && status === status_before && awaitedRow(after.head) !== null
  const result: TransactionResult = {
    assignment: next !== null && 'lacks' in next ? null : next,
    events,
    status_before,
    status,
    notice:
      stopReasonAt(before) === stopReasonAt(after) && status_before === status
        ? reminderOf(status, after.seq, draft)
        : noticeOf(status, after.seq, draft),
    advanced: draft.writes.some(
      ({ kind, row }) => kind !== 'insert_queued' && !(waits && row.kind === 'user_remarked'),
    ),
    earlier,
    wants: lacks,
    returned: refundsWithKey(returned, draft.recall),
    dropped,
  }
  return { ok: true, writes: lacks === null ? draft.writes : writesWithWait(draft, ticket, context), result }
}

/** The amounts with the key that made the task, whose totals they were counted in too. */
export function refundsWithKey(refunds: readonly AllowanceRefund[], recall: Recall): AllowanceRefund[] {
  const key = refunds.length === 0 ? null : limitedKey(briefOf(recall).maker?.key_name)
  return key === null ? [...refunds] : refunds.map((refund) => ({ ...refund, key }))
}

/** The callback of a task is not told of these statuses (POST /tasks in openapi.yaml). */
const SILENT_STATUSES: ReadonlySet<Status> = new Set(['queued', 'running'])

const stopReasonAt = (last: ReturnType<JournalDraft['last']>) => (last === null ? null : stopReasonOf(last.head))

/** The notice of a change of status, or of its reason. */
function noticeOf(status: Status, seq: number, draft: JournalDraft): StatusNotice | null {
  const head = draft.last()?.head
  if (head === undefined || SILENT_STATUSES.has(status)) return null
  return briefNow(head, draft.recall).callback_url === null ? null : { seq, status }
}

/** The second notice of a question that is still open. */
function reminderOf(status: Status, seq: number, draft: JournalDraft): StatusNotice | null {
  const isReminder = draft.writes.some(({ row }) => row.kind === 'question_reminded')
  return isReminder ? noticeOf(status, seq, draft) : null
}

/** How long a request may take to fetch the part of its tenant's total that it lacks. */
const FUNDING_MS = 10_000

/** Marks the last row of a request that fetches a part of its tenant's total, because the request is still running. */
function writesWithWait({ writes }: JournalDraft, { key, boot, slice }: Ticket, context: ObjectContext): Write[] {
  // Queued events of other requests may stand behind it.
  const last = key === null ? -1 : writes.findLastIndex(({ row }) => hasKey(row.key, key))
  const waits = { until: context.now_ms + FUNDING_MS, boot: boot === context.boot ? context.boot : null, slice }
  return writes.map((write, index) => (index === last ? withKeyChange(write, key, { waits }) : write))
}

/** The write with a change of one of its keys. Every kind of write has a row with keys. */
function withKeyChange(write: Write, key: Ticket['key'], change: Parameters<typeof changeKey>[2]): Write {
  const { row } = write
  if (row.key === null || key === null) return write
  return { ...write, row: { ...row, key: changeKey(row.key, key, change) } } as Write // only the key of its row differs, so the kind still fits
}

/** The events a row caused, with the ids its head reserves for them (U4). */
export function envelopes(head: Head, seq: number, notes: Note[]): Envelope[] {
  const at = rfc3339(head.updated_at)
  return notes.map((note, index) => ({
    seq: head.events.first + index,
    type: note.type,
    at,
    task_id: head.id,
    payload: { ...note.payload, journal_seq: seq, step_count: head.budget.steps.used },
  }))
}
