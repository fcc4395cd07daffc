/**
 * The protocol of a task (P3–P14): create, begin, commit, tell, cancel. Each function decides over a journal and answers the
 * writes of one transaction. The pair (seq, slice id) names the holder of an effect; it is the fence.
 */
import {
  beginNext,
  busy,
  close,
  closeDead,
  insert,
  isAlive,
  isRepeatable,
  rowKeysOf,
  reassign,
  takeOver,
  type NextEffect,
  type ObjectContext,
  type Ticket,
  type Transaction,
} from './advance.ts'
import { shareOfCommand, type CommandRows } from './delegations.ts'
import type { Event } from '../terms/effect.ts'
import { giveBackUnused } from './funding.ts'
import { withVerdict } from '../engine/result/typed-data.ts'
import type { SchemaValidator } from '../terms/schema/answer-form.ts'
import { createHead } from '../terms/head.ts'
import { limitsOf } from '../engine/limits.ts'
import { eventsForTime } from './input.ts'
import type { Journal, PendingRow } from './journal.ts'
import { findEarlierRequest } from './idempotency.ts'
import { briefNow } from '../engine/changed-brief.ts'
import { incarnationOf } from '../workspace/incarnation.ts'
import { modeOf } from '../modes/index.ts'
import type { NewTaskRow } from './task-answers.ts'
import { reduce } from '../engine/reduce.ts'
import { refuse, type Refusal, type Result } from '../terms/refusal.ts'
import { documentsOf } from './view/documents.ts'
import { continueEffect, showEarlier, transact, transactOnce, type Decision } from './transaction.ts'

/** At most this many events may wait for one pending effect (P11). */
const QUEUED_MAX = 16

/** Creates the task and begins its first effect (P4), unless the task is held. If the task exists, an earlier create with the same key is continued. */
export function create(journal: Journal, task: NewTaskRow, ticket: Ticket, context: ObjectContext): Decision {
  if (journal.last() !== null) return begin(journal, ticket, context)
  const { id, tenant, brief, hold = false, files = [] } = task
  const names = new Set(files.map(({ name }) => name))
  const state = modeOf(brief.mode).start(brief.settings)
  const head = createHead(
    { id, tenant, mode: brief.mode, limits: limitsOf(brief.mode, brief.settings) },
    state,
    context.now_ms,
  )
  const decision = transact(journal, ticket, context, (transaction) => {
    const event: Event = { kind: 'task_created', brief }
    const recall = () => ({ effect: null, event, at: context.now_ms })
    const context_of_row = { recall, now_ms: context.now_ms, elapsed_ms: 0, reserved: null, seq: 1, effect: null }
    const result = reduce(head, event, context_of_row)
    const row = {
      seq: 1,
      kind: event.kind,
      at: context.now_ms,
      key: rowKeysOf(transaction),
      slice: incarnationOf(ticket.slice),
      lease: null,
    }
    transaction.draft.write({
      kind: 'insert_closed',
      row: { ...row, effect: null, reserved: null, event, head: result.head },
    })
    transaction.emit(result.head, 1, result)
    const reserved = documentsOf({ seq: 1, head: result.head }, recall).find(({ name }) => names.has(name))
    if (reserved !== undefined) return { code: 'file_reserved', name: reserved.name }
    if (hold) insert(transaction, { kind: 'paused', reason: 'held' })
    return beginNext(transaction)
  })
  return decision.ok ? { ...decision, files } : decision
}

/** Hands out the next effect, takes over the effect of a dead slice, or answers that there is nothing to do. */
export function begin(journal: Journal, ticket: Ticket, context: ObjectContext): Decision {
  return transactOnce(journal, ticket, context, continueEffect)
}

/** Closes the effect (seq, slice) with its outcome. A late commit is accepted as long as no other slice took over (P8, P9). */
export function commit(
  journal: Journal,
  seq: number,
  event: Event,
  ticket: Ticket,
  context: ObjectContext,
  fits: SchemaValidator,
): Decision {
  if (journal.last() === null) return refuse({ code: 'task_not_found' })
  return transact(journal, ticket, context, (transaction) => {
    const pending = transaction.draft.pending()
    if (pending === null || pending.seq !== seq || pending.slice !== ticket.slice)
      return repeatCommit(transaction, seq, pending)
    close(transaction, pending, pending.slice, withVerdict(event, pending.effect, transaction.draft.recall, fits))
    const next = beginNext(transaction)
    if (next === null) giveBackUnused(transaction)
    return next
  })
}

/**
 * A commit comes again because its answer was lost. The first commit counts, and the events are not compared (P9). It begins nothing, but
 * it is told again what the next effect lacks of the tenant's total. Otherwise the slice would end where the first answer let it go on.
 */
function repeatCommit(transaction: Transaction, seq: number, pending: PendingRow | null): NextEffect | Refusal {
  const { draft, ticket, context } = transaction
  if (draft.holder(seq) !== ticket.slice) return { code: 'lease_lost' }
  if (pending !== null) return pending.slice === ticket.slice ? reassign(draft, pending) : null
  const next = transact(draft, ticket, context, beginNext)
  return next.ok && next.result.wants !== null ? { lacks: next.result.wants } : null
}

/** The events of a command, decided on the journal at the moment of the transaction. */
export type EventSource = (journal: Journal) => Result<Event[]>

/**
 * Writes facts from outside. They are closed rows when no effect is pending; otherwise they are queued, and applied before the
 * next effect is chosen (P11). A lost effect is closed first, or taken over if it is to be repeated. A task that the service
 * drives neither begins nor takes over an effect here: its alarm does that, and the request is answered at once (U40).
 */
export function tell(journal: Journal, eventsFor: EventSource, ticket: Ticket, context: ObjectContext): Decision {
  const performs = !isBackgroundTask(journal)
  return writeFacts(journal, eventsFor, performs ? ticket : { ...ticket, more: 'nothing' }, context, performs)
}

/** Writes facts that no request has brought. Nobody would perform an effect that was taken over here, so none is. */
export function note(journal: Journal, eventsFor: EventSource, slice: string, context: ObjectContext): Decision {
  const { boot, now_ms } = context
  const ticket: Ticket = { slice, boot, more: 'nothing', rounds: 0, wall_ms: now_ms, key: null }
  return writeFacts(journal, eventsFor, ticket, context, false)
}

/** `performs`: whether the caller performs the effect that it is handed. */
function writeFacts(
  journal: Journal,
  eventsFor: EventSource,
  ticket: Ticket,
  context: ObjectContext,
  performs: boolean,
): Decision {
  return transactOnce(journal, ticket, context, (transaction) => {
    const pending = transaction.draft.pending()
    const mustQueue = pending !== null && (isAlive(pending, context) || (!performs && isRepeatable(pending)))
    if (mustQueue) return queue(transaction, pending, eventsFor, transaction.draft.last()?.seq ?? 0)
    if (pending !== null && isRepeatable(pending))
      return queue(transaction, pending, eventsFor, null) ?? takeOver(transaction, pending)
    if (pending !== null) closeDead(transaction, pending)
    const decided = eventsFor(transaction.draft)
    if (!decided.ok) return decided.refusal
    for (const event of decided.value) insert(transaction, event)
    return beginNext(transaction)
  })
}

/** `answer_version` is the version that the answer shows at once. null: the request first finishes the effect itself. */
function queue(
  transaction: Transaction,
  pending: PendingRow,
  eventsFor: EventSource,
  answer_version: number | null,
): Refusal | null {
  const { draft, context } = transaction
  const decided = eventsFor(draft)
  if (!decided.ok) return decided.refusal
  const events = decided.value
  const queue_length = draft.queued().length
  if (queue_length + events.length > QUEUED_MAX) return busy(pending, context)
  const key = rowKeysOf(transaction, answer_version)
  events.forEach((event, index) => {
    const seq = pending.seq + queue_length + index + 1
    draft.write({ kind: 'insert_queued', row: { seq, kind: event.kind, at: context.now_ms, key, event } })
  })
  return null
}

function isBackgroundTask(journal: Journal): boolean {
  const last = journal.last()
  return last !== null && briefNow(last.head, journal.recall).drive === 'background'
}

/**
 * Writes the events that are due by time. Then it hands out the next effect of a task that the service drives (U20), if the
 * ticket may take one. A ticket without a run slot may not.
 */
export function tend(journal: CommandRows, ticket: Ticket, context: ObjectContext): Decision {
  if (journal.last() === null) return refuse({ code: 'task_not_found' })
  const limitedTicket: Ticket = isBackgroundTask(journal) ? ticket : { ...ticket, more: 'nothing' }
  return transact(journal, limitedTicket, context, (transaction) => {
    const events = eventsForTime(transaction.draft, context.now_ms, (row) => shareOfCommand(journal, row))
    if (!events.ok) return events.refusal
    if (transaction.draft.pending() === null) for (const event of events.value) insert(transaction, event)
    return limitedTicket.more === 'nothing' ? null : continueEffect(transaction)
  })
}

/** A cancel never waits. It closes a pending effect as abandoned, and a late commit of that effect is refused (P12). */
export function cancel(journal: Journal, ticket: Ticket, context: ObjectContext): Decision {
  return transactOnce(journal, ticket, context, (transaction) => {
    const pending = transaction.draft.pending()
    if (pending !== null) close(transaction, pending, null, { kind: 'abandoned' })
    if (transaction.draft.last()?.head.end === null) insert(transaction, { kind: 'canceled' })
    return null
  })
}

/** Shows the answer of the earlier request with this key, and writes nothing. `lease_lost`: that request is not over. */
export function showAnswer(journal: Journal, ticket: Ticket, context: ObjectContext): Decision {
  const lookup = findEarlierRequest(journal, ticket, context)
  if (lookup.kind === 'finished') return showEarlier(journal, ticket, context, lookup.earlier)
  return refuse(lookup.kind === 'refused' ? lookup.refusal : { code: 'lease_lost' })
}
