/**
 * The protocol of a task (P3–P14): create, begin, commit, tell, cancel. Pure decisions over a journal; the
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
  type NextEffect,
  type ObjectContext,
  type Ticket,
  type Transaction,
} from './advance.ts'
import { shareGiven, type CommandRows } from './delegations.ts'
import type { Brief, Event } from '../terms/effect.ts'
import { giveBackUnused } from './funding.ts'
import { createHead } from '../terms/head.ts'
import { limitsOf } from '../engine/limits.ts'
import { eventsForTime } from './input.ts'
import type { Journal, PendingRow } from './journal.ts'
import { findEarlierRequest } from './idempotency.ts'
import { briefOf } from '../mode/mode.ts'
import { incarnationOf } from '../workspace/incarnation.ts'
import { modeOf } from '../modes/index.ts'
import { reduce } from '../engine/reduce.ts'
import { refuse, type Refusal, type Result } from '../terms/refusal.ts'
import { goOn, showEarlier, transact, transactOnce, type Decision } from './transaction.ts'

/** Events that may wait for one pending effect (P11). */
const QUEUED_MAX = 16

/** Makes the task and begins its first effect (P4); with the key of an earlier create, goes on with that one. */
export function create(
  journal: Journal,
  task: { id: string; tenant: string; brief: Brief },
  ticket: Ticket,
  here: ObjectContext,
): Decision {
  if (journal.last() !== null) return begin(journal, ticket, here)
  const { id, tenant, brief } = task
  const state = modeOf(brief.mode).start(brief.settings)
  const head = createHead(
    { id, tenant, mode: brief.mode, limits: limitsOf(brief.mode, brief.settings) },
    state,
    here.now_ms,
  )
  return transact(journal, ticket, here, (turn) => {
    const event: Event = { kind: 'task_created', brief }
    const recall = () => ({ effect: null, event, at: here.now_ms })
    const closing = { recall, now_ms: here.now_ms, elapsed_ms: 0, reserved: null, seq: 1, effect: null }
    const reduced = reduce(head, event, closing)
    const row = {
      seq: 1,
      kind: event.kind,
      at: here.now_ms,
      key: keyedBy(turn),
      slice: incarnationOf(ticket.slice),
      lease: null,
    }
    turn.draft.write({
      kind: 'insert_closed',
      row: { ...row, effect: null, reserved: null, event, head: reduced.head },
    })
    turn.emit(reduced.head, 1, reduced)
    return beginNext(turn)
  })
}

/** Hands out the next effect, takes over a dead slice's one, or answers that there is nothing to do. */
export function begin(journal: Journal, ticket: Ticket, here: ObjectContext): Decision {
  return transactOnce(journal, ticket, here, goOn)
}

/** Closes the effect (seq, slice) with what happened; late is fine as long as nobody took over (P8, P9). */
export function commit(journal: Journal, seq: number, event: Event, ticket: Ticket, here: ObjectContext): Decision {
  if (journal.last() === null) return refuse({ code: 'task_not_found' })
  return transact(journal, ticket, here, (turn) => {
    const pending = turn.draft.pending()
    if (pending === null || pending.seq !== seq || pending.slice !== ticket.slice) return repeated(turn, seq, pending)
    close(turn, pending, pending.slice, event)
    const begun = beginNext(turn)
    if (begun === null) giveBackUnused(turn)
    return begun
  })
}

/** The reply to a commit was lost and it comes again: the first one stands, events are not compared (P9). */
function repeated({ draft, ticket }: Transaction, seq: number, pending: PendingRow | null): NextEffect | Refusal {
  if (draft.holder(seq) !== ticket.slice) return { code: 'lease_lost' }
  return pending?.slice === ticket.slice ? reassign(draft, pending) : null
}

/** What was said means at the moment it is heard: decided on the journal as it then stands. */
export type EventSource = (journal: Journal) => Result<Event[]>

/**
 * Facts from outside: closed rows when nothing is pending, else queued ones, applied before the next effect is chosen
 * (P11). A lost effect is closed before its task hears anything, or taken over where it is to be repeated. A task that the
 * service drives begins nothing here and takes nothing over: its alarm does, and the request is answered at once (U40).
 */
export function tell(journal: Journal, hear: EventSource, ticket: Ticket, here: ObjectContext): Decision {
  const driven = isDriven(journal)
  const bounded: Ticket = driven ? { ...ticket, more: 'nothing' } : ticket
  return transactOnce(journal, bounded, here, (turn) => {
    const pending = turn.draft.pending()
    const later = pending !== null && (isAlive(pending, here) || (driven && isRepeatable(pending)))
    if (later) return queue(turn, pending, hear, turn.draft.last()?.seq ?? 0)
    if (pending !== null && isRepeatable(pending)) return queue(turn, pending, hear, null) ?? takeOver(turn, pending)
    if (pending !== null) closeDead(turn, pending)
    const heard = hear(turn.draft)
    if (!heard.ok) return heard.refusal
    for (const event of heard.value) insert(turn, event)
    return beginNext(turn)
  })
}

/** `seen` is the version its answer shows at once; null for a request that first finishes the effect itself. */
function queue(turn: Transaction, pending: PendingRow, hear: EventSource, seen: number | null): Refusal | null {
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

const isDriven = (journal: Journal): boolean =>
  journal.last() !== null && briefOf(journal.recall).drive === 'background'

/**
 * What time brings about is heard first; then the next effect is handed out, of a task that the service drives (U20), to a ticket
 * that may take one: without a run slot it may not.
 */
export function tend(journal: CommandRows, ticket: Ticket, here: ObjectContext): Decision {
  if (journal.last() === null) return refuse({ code: 'task_not_found' })
  const bounded: Ticket = isDriven(journal) ? ticket : { ...ticket, more: 'nothing' }
  return transact(journal, bounded, here, (turn) => {
    const heard = eventsForTime(turn.draft, here.now_ms, (row) => shareGiven(journal, row))
    if (!heard.ok) return heard.refusal
    if (turn.draft.pending() === null) for (const event of heard.value) insert(turn, event)
    return bounded.more === 'nothing' ? null : goOn(turn)
  })
}

/** Cancel never waits: a pending effect is closed as abandoned, its late commit will be refused (P12). */
export function cancel(journal: Journal, ticket: Ticket, here: ObjectContext): Decision {
  return transactOnce(journal, ticket, here, (turn) => {
    const pending = turn.draft.pending()
    if (pending !== null) close(turn, pending, null, { kind: 'abandoned' })
    if (turn.draft.last()?.head.end === null) insert(turn, { kind: 'canceled' })
    return null
  })
}

/** What the request with this key was answered elsewhere; `lease_lost` when it is not over. Writes nothing. */
export function showAnswer(journal: Journal, ticket: Ticket, here: ObjectContext): Decision {
  const known = findEarlierRequest(journal, ticket, here)
  if (known.kind === 'finished') return showEarlier(journal, ticket, here, known.earlier)
  return refuse(known.kind === 'refused' ? known.refusal : { code: 'lease_lost' })
}
