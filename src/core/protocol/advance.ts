/** The moves inside one transaction: begin the next effect, take over a lost one, close a row, insert an event. */
import { isSideTurn } from '../engine/idle.ts'
import { isKeptForEvaluation } from '../engine/awaiting.ts'
import { createAssignment, prepareEffect, type Assignment, type PreparedEffect } from '../engine/assignment.ts'
import { startsRound } from '../engine/result/closing.ts'
import { reserve } from '../terms/budget.ts'
import type { Event, EventOf, StoredEffect } from '../terms/effect.ts'
import { chosenEffect, expectedEffect } from './expected-effect.ts'
import type { AllowanceRequest } from '../terms/axes.ts'
import { nameOfCall } from '../engine/model-choice.ts'
import { isAllowedModel, NO_RULES, rulesWithin, type ModelRules } from '../engine/model-rules.ts'
import { briefOf } from '../mode/mode.ts'
import type { Head } from '../terms/head.ts'
import {
  keysAfterClose,
  QUEUED_SLICE,
  type ClosedRow,
  type JournalDraft,
  type RowKeys,
  type Lease,
  type PendingRow,
} from './journal.ts'
import type { PriceTable } from '../terms/money.ts'
import { reduce, type ReduceResult } from '../engine/reduce.ts'
import type { Refusal } from '../terms/refusal.ts'
import { limitedKey } from '../terms/values/limited-key.ts'

/** Longer than any effect may take, so that a live worker commits before its lease ends. */
const LEASE_GRACE_MS = 5_000
/** An idempotent tool is given up after its worker has died this often (P7). */
const LEASES_MAX = 3

/** The Idempotency-Key of a request. Its scope is method and path, and its digest is that of the body's bytes. */
export interface RequestKey {
  scope: string
  key: string
  digest: string
}
/** What bounds a task, as its request has found it in the registry. It stands in place of the configuration. */
export interface TicketLimits {
  /** The key whose limits are among them. null: those of the tenant alone. */
  key: string | null
  /** Which axes a total bounds. */
  bounded: { tokens: boolean; cost: boolean }
  /** The models that the task may call. null: as the service is configured. */
  models: readonly string[] | null
}
/** The bounds and the identity of one request. */
export interface Ticket {
  /** A random id that the Worker makes for each request (P3). */
  slice: string
  boot: string
  /** How far the request may go: not at all, to the end of the open round, or into a new round. */
  more: 'nothing' | 'this_round' | 'new_round'
  /** How many rounds the whole request may begin. It bounds a request that another worker continues. */
  rounds: number
  /** The wall clock that prompts and commands see. Leases use the clock of the object. */
  wall_ms: number
  key: RequestKey | null
  /** The task is counted among the tenant's open tasks again, so a task that has ended may go on. */
  admitted?: true
  /** The tenant's total of the day is scarce. A task that is idle at the end of this slice gives back what it holds of the total. */
  scarce?: true
  /** Absent: the service is configured so, and neither the tenant nor the key of the request has limits of its own. */
  limits?: TicketLimits
}
/** The clock, the process and the price table of the object. */
export interface ObjectContext {
  now_ms: number
  boot: string
  prices: PriceTable
  /** Which axes the tenant's total of the day bounds, as the service is configured. */
  daily: { tokens: boolean; cost: boolean }
  /** Which models tasks may use. Without rules all models are allowed. */
  model_rules?: ModelRules
}
/** One transaction: the journal it reads and writes, the request it serves, and the collector of its events. */
export interface Transaction {
  draft: JournalDraft
  ticket: Ticket
  context: ObjectContext
  /** The id the next event has when the transaction begins. */
  first_event: number
  emit: (head: Head, seq: number, reduced: Pick<ReduceResult, 'notes' | 'returned' | 'dropped'>) => void
}
/** The next effect, or the part of the tenant's total that it lacks (U16). null: there is nothing to do. */
export type NextEffect = Assignment | { lacks: AllowanceRequest } | null

/** The keys that a row stores of the request that writes it. `answer_version` is the version that its answer showed. */
export function rowKeysOf({ ticket, first_event }: Transaction, answer_version: number | null = null): RowKeys | null {
  return ticket.key === null ? null : { ...ticket.key, first_event, seen: answer_version }
}

/** Begins the effect that the head wants, after the limit checks (S0-27, U12, P13). */
export function beginNext(transaction: Transaction): NextEffect {
  const { draft, ticket, context } = transaction
  const last = draft.last()
  if (last === null || last.head.end !== null || ticket.more === 'nothing') return null
  const { head } = last
  const next = expectedEffect(head, draft.recall)
  if (next.kind === 'nothing') return null
  if (startsRound(head) && ticket.more !== 'new_round') return null
  if (next.kind === 'budget_spent') {
    insert(transaction, next)
    return null
  }
  if (head.retry_at !== null && head.retry_at > context.now_ms) return null
  return beginEffect(transaction, last.seq + 1, head, prepareEffect(head, next, draft.recall, ticket.wall_ms, context))
}

function beginEffect(transaction: Transaction, seq: number, head: Head, preparation: PreparedEffect): NextEffect {
  const { draft, ticket, context } = transaction
  const { worst } = preparation
  const stored = withStart(preparation.stored, context.now_ms)
  const { key, limits } = limitsFor(transaction)
  // The model was allowed when the task was created, and may be forbidden by now.
  if (stored.kind === 'call_model' && limits !== null && !mayCall(transaction, head, stored, limits.models)) {
    insert(transaction, { kind: isSideTurn(head) ? 'aside_refused' : 'paused', reason: 'model_not_allowed' })
    return null
  }
  const worstCase = reserve(head.budget, worst)
  if ('spent' in worstCase) {
    stopAt(transaction, head, worstCase.spent)
    return null
  }
  const { reserved } = worstCase
  const tokens = reserved.input_tokens + reserved.output_tokens
  const lacks = { tokens, cost: reserved.cost, held: head.allowance, task: head.id, ...(key === null ? {} : { key }) }
  // The request is told the key, finds its limits, and asks again.
  if (limits === null && tokens > 0) return { lacks }
  const { bounded } = limits ?? UNLIMITED
  const lacksAllowance =
    (bounded.tokens && head.allowance.tokens < tokens) || (bounded.cost && head.allowance.cost < reserved.cost)
  if (bounded.cost && tokens > 0 && reserved.price === null) {
    stopAt(transaction, head, 'tenant')
    return null
  }
  if (lacksAllowance) return { lacks }
  const lease = { boot: sharedBoot(transaction), until: context.now_ms + reserved.ms + LEASE_GRACE_MS, attempt: 1 }
  const row: PendingRow = {
    seq,
    kind: stored.kind,
    at: context.now_ms,
    key: rowKeysOf(transaction),
    slice: ticket.slice,
    lease,
    effect: stored,
    reserved,
  }
  draft.write({ kind: 'insert_pending', row })
  return createAssignment(head, row, preparation, draft.recall)
}

const UNLIMITED: Pick<TicketLimits, 'bounded'> = { bounded: { tokens: false, cost: false } }

/** The limits of the task, and the key that made it where that may have some. `limits` null: the request does not know those of the key. */
function limitsFor({ draft, ticket, context }: Transaction): {
  key: string | null
  limits: Omit<TicketLimits, 'key'> | null
} {
  const key = limitedKey(briefOf(draft.recall).maker?.key_name)
  if (ticket.limits !== undefined) return { key, limits: ticket.limits.key === key ? ticket.limits : null }
  return { key, limits: key === null ? { bounded: context.daily, models: null } : null }
}

function mayCall(
  { draft, context }: Transaction,
  { tenant }: Head,
  call: Parameters<typeof nameOfCall>[0],
  models: TicketLimits['models'],
): boolean {
  const { model_rules } = context
  if (model_rules === undefined && models === null) return true
  const rules = rulesWithin(model_rules ?? NO_RULES, tenant, models)
  return isAllowedModel(rules, tenant, nameOfCall(call, briefOf(draft.recall).settings))
}

const withStart = (stored: StoredEffect, begun_ms: number): StoredEffect =>
  stored.kind === 'run_tool' && stored.opens_round === true ? { ...stored, begun_ms } : stored

/** Stops an effect that has no room on an axis: the task pauses, and a side turn is refused (U14). */
export function stopAt(transaction: Transaction, head: Head, axis: EventOf<'budget_spent'>['axis']): void {
  insert(transaction, { kind: isSideTurn(head) ? 'aside_refused' : 'budget_spent', axis })
}

/** A lease names a process only if Worker and object share it (P5). */
const sharedBoot = ({ ticket, context }: Transaction) => (ticket.boot === context.boot ? context.boot : null)

export const isAlive = (pending: PendingRow, context: ObjectContext): boolean => isLive(pending.lease, context)

export function isLive({ boot, until }: Pick<Lease, 'boot' | 'until'>, context: ObjectContext): boolean {
  return context.now_ms < until && (boot === null || boot === context.boot)
}

export const busy = (pending: PendingRow, context: ObjectContext): Refusal => ({
  code: 'task_busy',
  expires_ms: pending.lease.until,
  now_ms: context.now_ms,
})

/** Hands out the same effect again and writes nothing (P4). */
export function reassign(draft: JournalDraft, pending: PendingRow): Assignment | null {
  const last = draft.last()
  if (last === null) return null
  const effect = chosenEffect(last.head, draft.recall)
  return 'because' in effect ? null : createAssignment(last.head, pending, { effect, prompt: null }, draft.recall)
}

/** Whether a lost effect is leased again under its key. Otherwise its row is closed (P7). */
export const isRepeatable = ({ effect, lease }: PendingRow): boolean =>
  (effect.kind === 'list_tools' || (effect.kind === 'run_tool' && effect.idempotent)) && lease.attempt < LEASES_MAX

/** P6, P7: a lost idempotent tool is leased again under its key. Any other lost effect is closed and charged. */
export function takeOver(transaction: Transaction, pending: PendingRow): NextEffect {
  const { draft, ticket, context } = transaction
  const { lease, reserved } = pending
  if (!isRepeatable(pending)) {
    closeDead(transaction, pending)
    return beginNext(transaction)
  }
  const until = context.now_ms + reserved.ms + LEASE_GRACE_MS
  const newLease = { boot: sharedBoot(transaction), until, attempt: lease.attempt + 1 }
  const row = { ...pending, slice: ticket.slice, lease: newLease }
  draft.write({ kind: 'lease_again', row })
  return reassign(draft, row)
}

export function closeDead(transaction: Transaction, pending: PendingRow): void {
  const kind = pending.effect.kind === 'call_model' ? 'effect_orphaned' : 'outcome_unknown'
  close(transaction, pending, null, { kind })
}

/** Closes the pending row, and then applies the events that are queued behind it, in order (P10). */
export function close(transaction: Transaction, pending: PendingRow, slice: string | null, event: Event): void {
  const { draft, context } = transaction
  const head = reduceRow(transaction, pending, event, context.now_ms - pending.at)
  // A request that closes the row of another request stores its own key there as well.
  const key = keysAfterClose(pending.key, rowKeysOf(transaction), context.now_ms)
  draft.write({ kind: 'close_pending', row: { ...pending, key, slice, event, head } })
  for (const queuedRow of draft.queued()) {
    const blank = { slice: QUEUED_SLICE, lease: null, effect: null, reserved: null }
    const row = { ...queuedRow, ...blank, head: reduceRow(transaction, { ...queuedRow, ...blank }, queuedRow.event, 0) }
    draft.write({ kind: 'close_queued', row })
  }
}

/** Writes an event from outside as one closed row (P11). */
export function insert(transaction: Transaction, event: Event): void {
  const { draft, context } = transaction
  const last = draft.last()
  if (last === null) return
  const blank = { slice: null, lease: null, effect: null, reserved: null }
  const seq = last.seq + 1
  const key = rowKeysOf(transaction, isKeptForEvaluation(last.head, event) ? seq : null)
  const row = { seq, kind: event.kind, at: context.now_ms, key, ...blank, event }
  draft.write({ kind: 'insert_closed', row: { ...row, head: reduceRow(transaction, row, event, 0) } })
}

function reduceRow(
  { draft, context, emit }: Transaction,
  row: Pick<ClosedRow, 'seq' | 'effect' | 'reserved'>,
  event: Event,
  elapsed_ms: number,
): Head {
  const last = draft.last()
  if (last === null) throw new Error('a row without a head before it')
  const { seq, effect, reserved } = row
  // The fact of the row that is being closed can be read too.
  const fact = { effect, event, at: context.now_ms }
  const recall: JournalDraft['recall'] = (row_seq) => (row_seq === seq ? fact : draft.recall(row_seq))
  const result = reduce(last.head, event, { seq, now_ms: context.now_ms, elapsed_ms, reserved, effect, recall })
  emit(result.head, seq, result)
  return result.head
}
