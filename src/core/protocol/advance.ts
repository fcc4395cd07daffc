/** The moves inside one transaction: begin the next effect, take over a lost one, close a row, insert an event. */
import { isSideTurn } from '../engine/idle.ts'
import { isKeptForEvaluation } from '../engine/awaiting.ts'
import {
  createAssignment,
  modelFor,
  prepareEffect,
  type Assignment,
  type PreparedEffect,
} from '../engine/assignment.ts'
import { reserve } from '../terms/budget.ts'
import type { Event, EventOf, StoredEffect } from '../terms/effect.ts'
import { expectedEffect } from './expected-effect.ts'
import type { AllowanceRequest } from '../terms/axes.ts'
import { isAllowedModel, type AllowedModels } from '../engine/allowed-models.ts'
import { briefOf } from '../mode/mode.ts'
import type { Head } from '../terms/head.ts'
import {
  closedBy,
  QUEUED_SLICE,
  type ClosedRow,
  type JournalDraft,
  type RowKeys,
  type Lease,
  type PendingRow,
} from './journal.ts'
import { modeOf } from '../modes/index.ts'
import type { PriceTable } from '../terms/money.ts'
import { reduce, type ReduceResult } from '../engine/reduce.ts'
import type { Refusal } from '../terms/refusal.ts'

/** Longer than any effect may take, so that a live worker commits before its lease ends. */
const LEASE_GRACE_MS = 5_000
/** Deaths of a worker after which an idempotent tool is given up (P7). */
const LEASES_MAX = 3

/** The Idempotency-Key of a request: its scope is method and path, its digest that of the body's bytes. */
export interface RequestKey {
  scope: string
  key: string
  digest: string
}
/** What a slice shows when it asks for work. */
export interface Ticket {
  /** Random, fresh per request, made by its Worker (P3). */
  slice: string
  boot: string
  /** How far it may go: not at all, finish what belongs to the open round, or begin a new one. */
  more: 'nothing' | 'this_round' | 'new_round'
  /** Rounds the whole request may begin, for one that is gone on with after its worker died. */
  rounds: number
  /** The wall clock prompts and commands see; leases use the real one. */
  wall_ms: number
  key: RequestKey | null
  /** Counted among the tenant's open tasks again: a completed task may begin its next run. */
  admitted?: true
  /** The tenant's total of the day is scarce: a task that is not at work at the end of this slice gives back what it holds of it. */
  scarce?: true
}
/** The object's own clock, process and price table. */
export interface ObjectContext {
  now_ms: number
  boot: string
  prices: PriceTable
  /** Which axes the tenant's total of the day bounds. */
  daily: { tokens: boolean; cost: boolean }
  /** Models that tasks may name; without it all. */
  allowed_models?: AllowedModels
}
/** One transaction: what is decided over, for whom, and where what it causes is collected. */
export interface Transaction {
  draft: JournalDraft
  ticket: Ticket
  here: ObjectContext
  /** The id the next event has when the transaction begins. */
  first_event: number
  emit: (head: Head, seq: number, reduced: Pick<ReduceResult, 'notes' | 'returned'>) => void
}
/** What comes of asking for the next effect: it, nothing, or what it lacks of the tenant's total (U16). */
export type NextEffect = Assignment | { lacks: AllowanceRequest } | null

const nextOf = (head: Head, draft: JournalDraft) => {
  const mode = modeOf(head.mode)
  return mode.next(head.state, draft.recall)
}

/** What a row keeps of the key of the request that writes it. */
export function keyedBy({ ticket, first_event }: Transaction, seen: number | null = null): RowKeys | null {
  return ticket.key === null ? null : { ...ticket.key, first_event, seen }
}

/** Begins what the head wants, after the limit checks (S0-27, U12, P13). */
export function beginNext(turn: Transaction): NextEffect {
  const { draft, ticket, here } = turn
  const last = draft.last()
  if (last === null || last.head.end !== null || ticket.more === 'nothing') return null
  const { head } = last
  const wanted = expectedEffect(head, draft.recall)
  if (wanted.kind === 'nothing') return null
  const opens_round = modeOf(head.mode).opens_round.has(head.state.phase)
  if (opens_round && ticket.more !== 'new_round') return null
  if (wanted.kind === 'budget_spent') {
    insert(turn, wanted)
    return null
  }
  if (head.retry_at !== null && head.retry_at > here.now_ms) return null
  return beginEffect(turn, last.seq + 1, head, prepareEffect(head, wanted, draft.recall, ticket.wall_ms, here.prices))
}

function beginEffect(turn: Transaction, seq: number, head: Head, prepared: PreparedEffect): NextEffect {
  const { draft, ticket, here } = turn
  const { worst } = prepared
  const stored = begunAt(prepared.stored, here.now_ms)
  // Allowed when the task was made, and no more.
  if (stored.kind === 'call_model' && !isAllowedModel(here.allowed_models, modelOfPhase(draft, stored.phase))) {
    insert(turn, { kind: isSideTurn(head) ? 'aside_refused' : 'paused', reason: 'model_not_allowed' })
    return null
  }
  const worstCase = reserve(head.budget, worst)
  if ('spent' in worstCase) {
    stopAt(turn, head, worstCase.spent)
    return null
  }
  const { reserved } = worstCase
  const tokens = reserved.input_tokens + reserved.output_tokens
  const lacking =
    (here.daily.tokens && head.allowance.tokens < tokens) || (here.daily.cost && head.allowance.cost < reserved.cost)
  if (here.daily.cost && tokens > 0 && reserved.price === null) {
    stopAt(turn, head, 'tenant')
    return null
  }
  if (lacking) return { lacks: { tokens, cost: reserved.cost, held: head.allowance, task: head.id } }
  const lease = { boot: sharedBoot(turn), until: here.now_ms + reserved.ms + LEASE_GRACE_MS, attempt: 1 }
  const row: PendingRow = {
    seq,
    kind: stored.kind,
    at: here.now_ms,
    key: keyedBy(turn),
    slice: ticket.slice,
    lease,
    effect: stored,
    reserved,
  }
  draft.write({ kind: 'insert_pending', row })
  return createAssignment(head, row, prepared, draft.recall)
}

const modelOfPhase = ({ recall }: JournalDraft, phase: string) => modelFor(briefOf(recall).settings, phase)

const begunAt = (stored: StoredEffect, begun_ms: number): StoredEffect =>
  stored.kind === 'run_tool' && stored.opens_round === true ? { ...stored, begun_ms } : stored

/** What has no room on an axis: the task pauses by it; a side turn is not made (U14). */
export function stopAt(turn: Transaction, head: Head, axis: EventOf<'budget_spent'>['axis']): void {
  insert(turn, { kind: isSideTurn(head) ? 'aside_refused' : 'budget_spent', axis })
}

/** A lease names a process only if Worker and object share it (P5). */
const sharedBoot = ({ ticket, here }: Transaction) => (ticket.boot === here.boot ? here.boot : null)

export const isAlive = (pending: PendingRow, here: ObjectContext): boolean => isLive(pending.lease, here)

export function isLive({ boot, until }: Pick<Lease, 'boot' | 'until'>, here: ObjectContext): boolean {
  return here.now_ms < until && (boot === null || boot === here.boot)
}

export const busy = (pending: PendingRow, here: ObjectContext): Refusal => ({
  code: 'task_busy',
  expires_ms: pending.lease.until,
  now_ms: here.now_ms,
})

/** The same effect again, nothing written (P4). */
export function reassign(draft: JournalDraft, pending: PendingRow): Assignment | null {
  const last = draft.last()
  if (last === null) return null
  const next = nextOf(last.head, draft)
  return next.kind === 'run'
    ? createAssignment(last.head, pending, { effect: next.effect, prompt: null }, draft.recall)
    : null
}

/** Whether a lost effect is leased again under its key instead of being closed (P7). */
export const isRepeatable = ({ effect, lease }: PendingRow): boolean =>
  effect.kind === 'run_tool' && effect.idempotent && lease.attempt < LEASES_MAX

/** P6, P7: a lost idempotent tool is leased again under its key; anything else is closed and charged. */
export function takeOver(turn: Transaction, pending: PendingRow): NextEffect {
  const { draft, ticket, here } = turn
  const { lease, reserved } = pending
  if (!isRepeatable(pending)) {
    closeDead(turn, pending)
    return beginNext(turn)
  }
  const until = here.now_ms + reserved.ms + LEASE_GRACE_MS
  const again = { boot: sharedBoot(turn), until, attempt: lease.attempt + 1 }
  const row = { ...pending, slice: ticket.slice, lease: again }
  draft.write({ kind: 'lease_again', row })
  return reassign(draft, row)
}

export function closeDead(turn: Transaction, pending: PendingRow): void {
  const kind = pending.effect.kind === 'call_model' ? 'effect_orphaned' : 'outcome_unknown'
  close(turn, pending, null, { kind })
}

/** Closes the pending row and then applies what is queued behind it, in order (P10). */
export function close(turn: Transaction, pending: PendingRow, slice: string | null, event: Event): void {
  const { draft, here } = turn
  const head = reduceRow(turn, pending, event, here.now_ms - pending.at)
  // Whoever closes the row of another request answers for it too.
  const key = closedBy(pending.key, keyedBy(turn), here.now_ms)
  draft.write({ kind: 'close_pending', row: { ...pending, key, slice, event, head } })
  for (const queued of draft.queued()) {
    const blank = { slice: QUEUED_SLICE, lease: null, effect: null, reserved: null }
    const row = { ...queued, ...blank, head: reduceRow(turn, { ...queued, ...blank }, queued.event, 0) }
    draft.write({ kind: 'close_queued', row })
  }
}

/** An event from outside: one closed row (P11). */
export function insert(turn: Transaction, event: Event): void {
  const { draft, here } = turn
  const last = draft.last()
  if (last === null) return
  const blank = { slice: null, lease: null, effect: null, reserved: null }
  const seq = last.seq + 1
  const key = keyedBy(turn, isKeptForEvaluation(last.head, event) ? seq : null)
  const row = { seq, kind: event.kind, at: here.now_ms, key, ...blank, event }
  draft.write({ kind: 'insert_closed', row: { ...row, head: reduceRow(turn, row, event, 0) } })
}

function reduceRow(
  { draft, here, emit }: Transaction,
  row: Pick<ClosedRow, 'seq' | 'effect' | 'reserved'>,
  event: Event,
  elapsed_ms: number,
): Head {
  const last = draft.last()
  if (last === null) throw new Error('a row without a head before it')
  const { seq, effect, reserved } = row
  // While a row is being closed its own fact can be read too.
  const fact = { effect, event, at: here.now_ms }
  const recall: JournalDraft['recall'] = (wanted) => (wanted === seq ? fact : draft.recall(wanted))
  const reduced = reduce(last.head, event, { seq, now_ms: here.now_ms, elapsed_ms, reserved, effect, recall })
  emit(reduced.head, seq, reduced)
  return reduced.head
}
