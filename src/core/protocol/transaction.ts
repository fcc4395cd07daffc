/**
 * One decision is one transaction over a draft of the journal: what it writes, what it caused, what the caller does next. With an
 * Idempotency-Key it is made once (P14).
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
import type { AllowanceRefund, AllowanceRequest } from '../terms/axes.ts'
import type { Note } from '../terms/effect.ts'
import type { StoredFile } from '../terms/files/files.ts'
import { stopReasonOf, type Head } from '../terms/head.ts'
import { changeKey, draftOf, hasKey, type JournalDraft, type Journal, type Write } from './journal.ts'
import { findEarlierRequest, type EarlierRequest } from './idempotency.ts'
import { briefOf } from '../mode/mode.ts'
import { refuse, type Refusal } from '../terms/refusal.ts'
import { statusOf } from './view/current-status.ts'
import { rfc3339 } from '../terms/text.ts'
import type { Envelope } from '../terms/view.ts'
import type { Status } from '../terms/status.ts'
import type { Notice } from './outbox.ts'

export interface Advance {
  assignment: Assignment | null
  events: Envelope[]
  status_before: Status | null
  status: Status
  /** Whether anything was written but an event that is queued, or kept while a report is waited for. */
  advanced: boolean
  /** What the same request did before, when its Idempotency-Key is known: to be shown again, or to be gone on with. */
  earlier: EarlierRequest | null
  /** What the next effect lacks of the tenant's total: it is begun by `fund` (U16). */
  wants: AllowanceRequest | null
  /** What was reserved of it and is needed no more, or was spent beyond it. */
  returned: AllowanceRefund[]
  /** What the task's callback is told. */
  notice: Notice | null
}
/** `files` are those that a fork begins with; what tools write comes one by one, without a decision. */
export type Decision =
  { ok: true; writes: Write[]; files?: readonly StoredFile[]; advance: Advance } | { ok: false; refusal: Refusal }

type Body = (turn: Transaction) => NextEffect | Refusal

/**
 * A decision about a task, made once per Idempotency-Key: a finished request is shown again, a running one refused, a dead one gone
 * on with – without hearing its events a second time.
 */
export function transactOnce(journal: Journal, ticket: Ticket, here: ObjectContext, body: Body): Decision {
  const known = findEarlierRequest(journal, ticket, here)
  switch (known.kind) {
    case 'none':
      return transact(journal, ticket, here, body)
    case 'refused':
      return refuse(known.refusal)
    case 'finished':
      return showEarlier(journal, ticket, here, known.earlier)
    case 'dead':
      return transact(journal, bounded(ticket, known.earlier), here, revive, known.earlier)
  }
}

/** What the request was answered with before; nothing is written. */
export const showEarlier = (journal: Journal, ticket: Ticket, here: ObjectContext, known: EarlierRequest): Decision =>
  transact(journal, ticket, here, () => null, known)

/** The slice's own effect again when its call is only delivered twice; a live one stays where it is, a dead one is taken over. */
export function goOn(turn: Transaction): NextEffect | Refusal {
  const pending = turn.draft.pending()
  if (pending === null) return beginNext(turn)
  if (pending.slice === turn.ticket.slice) return reassign(turn.draft, pending)
  return isAlive(pending, turn.here) ? busy(pending, turn.here) : takeOver(turn, pending)
}

function revive(turn: Transaction): NextEffect | Refusal {
  const begun = goOn(turn)
  if (begun === null) endWaiting(turn)
  return begun
}

/**
 * A request that waited for its tenant's total and finds nothing to do any more is ended by a row that changes nothing, so that it is
 * shown again like any other.
 */
export function endWaiting(turn: Transaction): void {
  if (turn.draft.writes.length === 0) insert(turn, { kind: 'request_ended' })
}

/** A request that is gone on with begins no more rounds than it was allowed to, those of its dead worker included. */
function bounded(ticket: Ticket, { rounds }: EarlierRequest): Ticket {
  return ticket.more === 'new_round' && rounds >= ticket.rounds ? { ...ticket, more: 'this_round' } : ticket
}

/** Runs a decision over a draft and answers with its writes and everything it caused. Without a row there is no task. */
export function transact(
  journal: Journal,
  ticket: Ticket,
  here: ObjectContext,
  body: Body,
  known: EarlierRequest | null = null,
): Decision {
  const draft = draftOf(journal)
  const events: Envelope[] = []
  const before = draft.last()
  const first_event = before === null ? 1 : before.head.events.first + before.head.events.count
  const returned: AllowanceRefund[] = []
  const emit: Transaction['emit'] = (head, seq, reduced) => {
    events.push(...envelopes(head, seq, reduced.notes))
    returned.push(...reduced.returned)
  }
  const status_before = before === null ? null : statusOf(before.head, journal.pending() !== null, journal.recall)
  const begun = body({ draft, ticket, here, first_event, emit })
  if (begun !== null && 'code' in begun) return refuse(begun)
  const after = draft.last()
  if (after === null) return refuse({ code: 'task_not_found' })
  const status = statusOf(after.head, draft.pending() !== null, draft.recall)
  const lacks = begun !== null && 'lacks' in begun ? begun.lacks : null
  const waits = status_before === 'waiting_external' && status === status_before
  const advance: Advance = {
    assignment: begun !== null && 'lacks' in begun ? null : begun,
    events,
    status_before,
    status,
    notice:
      stopOf(before) === stopOf(after) && status_before === status
        ? reminderOf(status, after.seq, draft)
        : noticeOf(status, after.seq, draft),
    advanced: draft.writes.some(
      ({ kind, row }) => kind !== 'insert_queued' && !(waits && row.kind === 'user_remarked'),
    ),
    earlier: known,
    wants: lacks,
    returned,
  }
  return { ok: true, writes: lacks === null ? draft.writes : waiting(draft, ticket, here), advance }
}

/** The others are told to the callback of a task (POST /tasks in openapi.yaml). */
const UNTOLD: ReadonlySet<Status> = new Set(['queued', 'running'])

const stopOf = (last: ReturnType<JournalDraft['last']>) => (last === null ? null : stopReasonOf(last.head))

/** A change of status, or of the reason of one. */
function noticeOf(status: Status, seq: number, { recall }: JournalDraft): Notice | null {
  return !UNTOLD.has(status) && briefOf(recall).callback_url !== null ? { seq, status } : null
}

/** A question that is still open is told once more. */
function reminderOf(status: Status, seq: number, draft: JournalDraft): Notice | null {
  const reminded = draft.writes.some(({ row }) => row.kind === 'question_reminded')
  return reminded ? noticeOf(status, seq, draft) : null
}

/** How long a request may take to fetch what it lacks of its tenant's total. */
const FUNDING_MS = 10_000

/** Between its rows and the effect that lacks its tenant's total a request is still running: its last row says so. */
function waiting({ writes }: JournalDraft, { key, boot, slice }: Ticket, here: ObjectContext): Write[] {
  // What others had queued may stand behind it.
  const last = key === null ? -1 : writes.findLastIndex(({ row }) => hasKey(row.key, key))
  const waits = { until: here.now_ms + FUNDING_MS, boot: boot === here.boot ? here.boot : null, slice }
  return writes.map((write, index) => (index === last ? marked(write, key, { waits }) : write))
}

/** Every kind of write has a row with a key. */
function marked(write: Write, key: Ticket['key'], change: Parameters<typeof changeKey>[2]): Write {
  const { row } = write
  if (row.key === null || key === null) return write
  return { ...write, row: { ...row, key: changeKey(row.key, key, change) } } as Write // the same kind with the same row but for its key
}

/** The events a row caused, with the ids its head reserves for them (U4). */
export function envelopes(head: Head, seq: number, notes: Note[]): Envelope[] {
  return notes.map((note, index) => ({
    seq: head.events.first + index,
    type: note.type,
    at: rfc3339(head.updated_at),
    task_id: head.id,
    payload: { ...note.payload, journal_seq: seq, step_count: head.budget.steps.used },
  }))
}
