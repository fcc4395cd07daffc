/**
 * The protocol of a task (docs/protocol.md 3-14): create, begin, commit, tell, cancel. Pure decisions over a journal; the
 * answer carries the writes of one transaction. The holder of an effect is the pair (seq, slice id): that is the fence.
 */
import {
  beginNext,
  busy,
  close,
  closeDead,
  insert,
  isAlive,
  isRepeatable,
  keyedBy,
  reassign,
  takeOver,
  waits,
  type Here,
  type Ticket,
  type Turn,
} from './advance.ts'
import type { Assignment } from './assignment.ts'
import { NO_ALLOWANCE, type Allowance } from './axes.ts'
import type { Brief, Event, Note } from './effect.ts'
import { firstHead, type Head } from './head.ts'
import { changeKey, draftOf, hasKey, type Draft, type Journal, type PendingRow, type Write } from './journal.ts'
import { earlier, type Earlier } from './keyed.ts'
import { modeOf } from './modes/index.ts'
import { reduce } from './reduce.ts'
import { refuse, type Refusal, type Result } from './refusal.ts'
import { statusOf } from './task-view.ts'
import { rfc3339 } from './text.ts'
import type { Envelope, Status } from './view.ts'

/** Events that may wait for one pending effect (docs/protocol.md 11). */
const QUEUED_MAX = 16

export interface Advance {
  assignment: Assignment | null
  events: Envelope[]
  status_before: Status | null
  status: Status
  /** Whether anything but a queued event was written. */
  advanced: boolean
  /** What the same request did before, when its Idempotency-Key is known: to be shown again, or to be gone on with. */
  earlier: Earlier | null
  /** What the next effect lacks of the tenant's total: it is begun by `fund` (ruling 16). */
  wants: { tokens: number; cost: number } | null
  /** What was reserved of it and is needed no more. */
  returned: Allowance[]
}
export type Decision = { ok: true; writes: Write[]; advance: Advance } | { ok: false; refusal: Refusal }

/** Makes the task and begins its first effect (docs/protocol.md 4); with the key of an earlier create, goes on with that one. */
export function create(
  journal: Journal,
  task: { id: string; tenant: string; brief: Brief },
  ticket: Ticket,
  here: Here,
): Decision {
  if (journal.last() !== null) return begin(journal, ticket, here)
  const { id, tenant, brief } = task
  const state = modeOf(brief.mode).start()
  const head = firstHead({ id, tenant, mode: brief.mode, settings: brief.settings }, state, here.now_ms)
  return transact(journal, ticket, here, (turn) => {
    const event: Event = { kind: 'task_created', brief }
    const recall = () => ({ effect: null, event, at: here.now_ms })
    const closing = { recall, now_ms: here.now_ms, elapsed_ms: 0, reserved: null, seq: 1, effect: null }
    const reduced = reduce(head, event, closing)
    const row = { seq: 1, kind: event.kind, at: here.now_ms, key: keyedBy(turn), slice: null, lease: null }
    turn.draft.write({
      kind: 'insert_closed',
      row: { ...row, effect: null, reserved: null, event, head: reduced.head },
    })
    turn.emit(reduced.head, 1, reduced)
    return beginNext(turn)
  })
}

/** Hands out the next effect, takes over a dead slice's one, or answers that there is nothing to do. */
export function begin(journal: Journal, ticket: Ticket, here: Here): Decision {
  return transactOnce(journal, ticket, here, goOn)
}

/** Closes the effect (seq, slice) with what happened; late is fine as long as nobody took over (docs/protocol.md 8, 9). */
export function commit(journal: Journal, seq: number, event: Event, ticket: Ticket, here: Here): Decision {
  if (journal.last() === null) return refuse({ code: 'task_not_found' })
  return transact(journal, ticket, here, (turn) => {
    const pending = turn.draft.pending()
    if (pending === null || pending.seq !== seq || pending.slice !== ticket.slice) return repeated(turn, seq, pending)
    close(turn, pending, pending.slice, event)
    return beginNext(turn)
  })
}

/** The reply to a commit was lost and it comes again: the first one stands, events are not compared (docs/protocol.md 9). */
function repeated({ draft, ticket }: Turn, seq: number, pending: PendingRow | null): Assignment | null | Refusal {
  if (draft.holder(seq) !== ticket.slice) return { code: 'lease_lost' }
  return pending?.slice === ticket.slice ? reassign(draft, pending) : null
}

/** What was said means at the moment it is heard: decided on the journal as it then stands. */
export type Hear = (journal: Journal) => Result<Event[]>

/**
 * Facts from outside: closed rows when nothing is pending, else queued ones, applied before the next effect is chosen
 * (docs/protocol.md 11). A lost effect is closed before its task hears anything, or taken over where it is to be repeated.
 */
export function tell(journal: Journal, hear: Hear, ticket: Ticket, here: Here): Decision {
  return transactOnce(journal, ticket, here, (turn) => {
    const pending = turn.draft.pending()
    if (pending !== null && isAlive(pending, here)) return queue(turn, pending, hear, turn.draft.last()?.seq ?? 0)
    if (pending !== null && isRepeatable(pending)) return queue(turn, pending, hear, null) ?? takeOver(turn, pending)
    if (pending !== null) closeDead(turn, pending)
    const heard = hear(turn.draft)
    if (!heard.ok) return heard.refusal
    for (const event of heard.value) insert(turn, event)
    return beginNext(turn)
  })
}

/** `seen` is the version its answer shows at once; null for a request that first finishes the effect itself. */
function queue(turn: Turn, pending: PendingRow, hear: Hear, seen: number | null): Refusal | null {
  const { draft, here } = turn
  const heard = hear(draft)
  if (!heard.ok) return heard.refusal
  const events = heard.value
  const waiting = draft.queued().length
  if (waiting + events.length > QUEUED_MAX) return busy(pending, here)
  const key = keyedBy(turn, seen)
  events.forEach((event, index) => {
    const seq = pending.seq + waiting + index + 1
    draft.write({ kind: 'insert_queued', row: { seq, kind: event.kind, at: here.now_ms, key, event } })
  })
  return null
}

/**
 * Begins the effect that lacked its tenant's total, with what was reserved for it; null: there is nothing left. What is
 * not needed any more is returned.
 */
export function fund(journal: Journal, allowance: Allowance | null, ticket: Ticket, here: Here): Decision {
  const decision = begunWith(journal, allowance, ticket, here)
  if (!decision.ok || allowance === null) return decision
  const taken = decision.writes.some(({ row }) => row.kind === 'allowance_granted')
  const { advance } = decision
  return taken ? decision : { ...decision, advance: { ...advance, returned: [...advance.returned, allowance] } }
}

function begunWith(journal: Journal, allowance: Allowance | null, ticket: Ticket, here: Here): Decision {
  // Meanwhile the request may have been gone on with by another worker.
  const known = earlier(journal, ticket, here)
  if (known.kind === 'refused') return refuse(known.refusal)
  if (known.kind === 'finished') return transact(journal, ticket, here, () => null, known.earlier)
  return transact(journal, ticket, here, (turn) => {
    if (turn.draft.pending() !== null) return goOn(turn)
    const head = turn.draft.last()?.head
    const rests = head === undefined || head.end !== null || head.hold !== null
    // Canceled, paused or stopped meanwhile: nothing is wanted any more, and a request without rows has none to end.
    if (rests && known.kind === 'none') return null
    insert(turn, grantedTo(rests, allowance))
    return beginNext(turn)
  })
}

/** In a task that rests the row only ends the waiting of its key, and what was reserved goes back at once. */
function grantedTo(rests: boolean, allowance: Allowance | null): Event {
  if (allowance === null && !rests) return { kind: 'budget_spent', axis: 'tenant' }
  return { kind: 'allowance_granted', allowance: allowance ?? NO_ALLOWANCE }
}

/** What a task that is deleted still holds of its tenant's total; what a call under way may cost counts as spent. */
export function heldAllowance(journal: Journal): Allowance | null {
  const { tokens = 0, cost = 0, day = '' } = journal.last()?.head.allowance ?? {}
  const { input_tokens = 0, output_tokens = 0, cost: risked = 0 } = journal.pending()?.reserved ?? {}
  const held = { tokens: Math.max(0, tokens - input_tokens - output_tokens), cost: Math.max(0, cost - risked), day }
  return held.tokens + held.cost > 0 ? held : null
}

/** Cancel never waits: a pending effect is closed as abandoned, its late commit will be refused (docs/protocol.md 12). */
export function cancel(journal: Journal, ticket: Ticket, here: Here): Decision {
  return transactOnce(journal, ticket, here, (turn) => {
    const pending = turn.draft.pending()
    if (pending !== null) close(turn, pending, null, { kind: 'abandoned' })
    if (turn.draft.last()?.head.end === null) insert(turn, { kind: 'canceled' })
    return null
  })
}

type Body = (turn: Turn) => Assignment | null | Refusal

/**
 * A decision about a task that exists, made once per Idempotency-Key (docs/protocol.md 14): a finished request is shown
 * again, a running one refused, a dead one gone on with – without hearing its events a second time.
 */
function transactOnce(journal: Journal, ticket: Ticket, here: Here, body: Body): Decision {
  const known = earlier(journal, ticket, here)
  switch (known.kind) {
    case 'none':
      return transact(journal, ticket, here, body)
    case 'refused':
      return refuse(known.refusal)
    case 'finished':
      return transact(journal, ticket, here, () => null, known.earlier)
    case 'dead':
      return transact(journal, bounded(ticket, known.earlier), here, revive, known.earlier)
  }
}

/** The slice's own effect again when its call is only delivered twice; a live one stays where it is, a dead one is taken over. */
function goOn(turn: Turn): Assignment | null | Refusal {
  const pending = turn.draft.pending()
  if (pending === null) return beginNext(turn)
  if (pending.slice === turn.ticket.slice) return reassign(turn.draft, pending)
  return isAlive(pending, turn.here) ? busy(pending, turn.here) : takeOver(turn, pending)
}

/**
 * Goes on with a request whose worker died. One that waited for its tenant's total and finds nothing to do any more is ended by a
 * row that changes nothing, so that it is shown again like any other.
 */
function revive(turn: Turn): Assignment | null | Refusal {
  let wants = false
  const want: Turn['want'] = (amount) => {
    wants = true
    turn.want(amount)
  }
  const next = goOn({ ...turn, want })
  const last = turn.draft.last()
  if (next === null && !wants && turn.draft.writes.length === 0 && last !== null)
    insert(turn, { kind: 'allowance_granted', allowance: last.head.allowance })
  return next
}

/** A request that is gone on with begins no more rounds than it was allowed to, those of its dead worker included. */
function bounded(ticket: Ticket, { rounds }: Earlier): Ticket {
  return ticket.more === 'new_round' && rounds >= ticket.rounds ? { ...ticket, more: 'this_round' } : ticket
}

/** Runs a decision over a draft and answers with its writes and everything it caused. */
function transact(journal: Journal, ticket: Ticket, here: Here, body: Body, known: Earlier | null = null): Decision {
  const draft = draftOf(journal)
  const events: Envelope[] = []
  const before = draft.last()
  const first_event = before === null ? 1 : before.head.events.first + before.head.events.count
  const returned: Allowance[] = []
  let wants: Advance['wants'] = null
  const emit: Turn['emit'] = (head, seq, reduced) => {
    events.push(...envelopes(head, seq, reduced.notes))
    if (reduced.returned !== null) returned.push(reduced.returned)
  }
  const want: Turn['want'] = (amount) => {
    wants = amount
    markWaiting(draft, ticket, here)
  }
  const result = body({ draft, ticket, here, first_event, emit, want })
  if (result !== null && 'code' in result) return refuse(result)
  const after = draft.last()
  if (after === null) return refuse({ code: 'task_not_found' })
  const advance: Advance = {
    assignment: result,
    events,
    status_before: before === null ? null : statusOf(before.head, waits(before.head, draft)),
    status: statusOf(after.head, waits(after.head, draft)),
    advanced: draft.writes.some((write) => write.kind !== 'insert_queued'),
    earlier: known,
    wants,
    returned,
  }
  return { ok: true, writes: draft.writes, advance }
}

/** How long a request may take to fetch what it lacks of its tenant's total. */
const FUNDING_MS = 10_000

/** Between its rows and the effect that lacks its tenant's total a request is still running: its last row says so. */
function markWaiting(draft: Draft, ticket: Ticket, here: Here): void {
  const { key } = ticket
  if (key === null) return
  // What others had queued may stand behind it.
  const last = draft.writes.findLast(({ row }) => hasKey(row.key, key))
  if (last === undefined || last.row.key === null) return
  const boot = ticket.boot === here.boot ? here.boot : null
  const waits = { until: here.now_ms + FUNDING_MS, boot, slice: ticket.slice }
  last.row.key = changeKey(last.row.key, key, { waits })
}

/** The events a row caused, with the ids its head reserves for them (ruling 4). */
export function envelopes(head: Head, seq: number, notes: Note[]): Envelope[] {
  return notes.map((note, index) => ({
    seq: head.events.first + index,
    type: note.type,
    at: rfc3339(head.updated_at),
    task_id: head.id,
    payload: { ...note.payload, journal_seq: seq, step_count: head.budget.steps.used },
  }))
}
