/**
 * The protocol of a task (docs/protocol.md 3-12): create, begin, commit, tell, cancel. Pure decisions over a journal; the
 * answer carries the writes of one transaction. The holder of an effect is the pair (seq, slice id): that is the fence.
 */
import { assign, storeEffect, timeoutOf, workedMs, type Assignment } from './assignment.ts'
import { spentAxis } from './budget.ts'
import type { Brief, Event, Note } from './effect.ts'
import { firstHead, type Head } from './head.ts'
import { draftOf, type Draft, type Journal, type PendingRow, type Write } from './journal.ts'
import { briefOf } from './mode.ts'
import { modeOf } from './modes/index.ts'
import { reduce } from './reduce.ts'
import { refuse, type Refusal, type Result } from './refusal.ts'
import { statusOf } from './task-view.ts'
import { rfc3339 } from './text.ts'
import type { Envelope, Status } from './view.ts'

/** Longer than any effect may take, so that a live worker commits before its lease ends. */
const LEASE_GRACE_MS = 5_000
/** Deaths of a worker after which an idempotent tool is given up (docs/protocol.md 7). */
const LEASES_MAX = 3

/** What a slice shows when it asks for work. */
export interface Ticket {
  /** Random, fresh per request, made by its Worker (docs/protocol.md 3). */
  slice: string
  boot: string
  /** How far it may go: finish what belongs to the open round, or begin a new one. */
  more: 'this_round' | 'new_round'
  /** The wall clock prompts and commands see; leases use the real one. */
  wall_ms: number
}
/** The object's own clock and process. */
export interface Here {
  now_ms: number
  boot: string
}

export interface Advance {
  assignment: Assignment | null
  events: Envelope[]
  status_before: Status | null
  status: Status
}
export type Decision = { ok: true; writes: Write[]; advance: Advance } | { ok: false; refusal: Refusal }

/** Makes the task and begins its first effect (docs/protocol.md 4). The journal must be empty. */
export function create(
  journal: Journal,
  task: { id: string; tenant: string; brief: Brief },
  ticket: Ticket,
  here: Here,
): Decision {
  const { id, tenant, brief } = task
  const state = modeOf(brief.mode).start()
  const head = firstHead({ id, tenant, mode: brief.mode, steps_max: brief.settings.max_steps }, state, here.now_ms)
  return transact(journal, (draft, emit) => {
    const event: Event = { kind: 'task_created', brief }
    const seed = { recall: () => ({ effect: null, event, at: here.now_ms }), now_ms: here.now_ms, working_ms: 0 }
    const reduced = reduce(head, event, { ...seed, seq: 1, effect: null })
    const row = { seq: 1, kind: event.kind, at: here.now_ms, slice: null, lease: null, effect: null, event }
    draft.write({ kind: 'insert_closed', row: { ...row, head: reduced.head } })
    emit(reduced.head, 1, reduced.notes)
    return beginNext(draft, ticket, here, emit)
  })
}

/** Hands out the next effect, takes over a dead slice's one, or answers that there is nothing to do. */
export function begin(journal: Journal, ticket: Ticket, here: Here): Decision {
  return transactOn(journal, (draft, emit) => {
    const pending = draft.pending()
    if (pending === null) return beginNext(draft, ticket, here, emit)
    if (pending.slice === ticket.slice) return reassign(draft, pending)
    if (isAlive(pending, here)) return busy(pending, here)
    return takeOver(draft, pending, ticket, here, emit)
  })
}

/** Closes the effect (seq, slice) with what happened; late is fine as long as nobody took over (docs/protocol.md 8, 9). */
export function commit(journal: Journal, seq: number, event: Event, ticket: Ticket, here: Here): Decision {
  return transactOn(journal, (draft, emit) => {
    const pending = draft.pending()
    if (pending === null || pending.seq !== seq || pending.slice !== ticket.slice) {
      return repeated(draft, seq, ticket, pending)
    }
    close(draft, pending, pending.slice, event, here, emit)
    return beginNext(draft, ticket, here, emit)
  })
}

/** The reply to a commit was lost and it comes again: the first one stands, events are not compared (docs/protocol.md 9). */
function repeated(draft: Draft, seq: number, ticket: Ticket, pending: PendingRow | null): Assignment | null | Refusal {
  const mine = seq <= (draft.last()?.seq ?? 0) && draft.holder(seq) === ticket.slice
  if (!mine) return { code: 'lease_lost' }
  return pending?.slice === ticket.slice ? reassign(draft, pending) : null
}

/**
 * Facts from outside: one closed row each. `hear` decides what was said once a dead effect is closed, because that may
 * have changed what it means. Refused while an effect is pending, or lost but still to be repeated under its key.
 */
export function tell(
  journal: Journal,
  hear: (journal: Journal) => Result<Event[]>,
  ticket: Ticket,
  here: Here,
): Decision {
  return transactOn(journal, (draft, emit) => {
    const pending = draft.pending()
    if (pending !== null && (isAlive(pending, here) || isRepeatable(pending))) return busy(pending, here)
    if (pending !== null) closeDead(draft, pending, here, emit)
    const heard = hear(draft)
    if (!heard.ok) return heard.refusal
    for (const event of heard.value) insert(draft, event, here, emit)
    return beginNext(draft, ticket, here, emit)
  })
}

/** Cancel never waits: a pending effect is closed as abandoned, its late commit will be refused (docs/protocol.md 12). */
export function cancel(journal: Journal, here: Here): Decision {
  return transactOn(journal, (draft, emit) => {
    if (draft.last()?.head.end !== null) return null
    const pending = draft.pending()
    if (pending !== null) close(draft, pending, null, { kind: 'abandoned' }, here, emit)
    insert(draft, { kind: 'canceled' }, here, emit)
    return null
  })
}

type Emit = (head: Head, seq: number, notes: Note[]) => void
type Body = (draft: Draft, emit: Emit) => Assignment | null | Refusal

/** A decision about a task that exists. */
function transactOn(journal: Journal, body: Body): Decision {
  return journal.last() === null ? refuse({ code: 'task_not_found' }) : transact(journal, body)
}

/** Runs a decision over a draft and answers with its writes and everything it caused. */
function transact(journal: Journal, body: Body): Decision {
  const draft = draftOf(journal)
  const events: Envelope[] = []
  const before = draft.last()
  const emit: Emit = (head, seq, notes) => void events.push(...envelopes(head, seq, notes))
  const result = body(draft, emit)
  if (result !== null && 'code' in result) return refuse(result)
  const after = draft.last()
  if (after === null) return refuse({ code: 'task_not_found' })
  const status_before = before === null ? null : statusOf(before.head, waits(before.head, draft))
  const advance = { assignment: result, events, status_before, status: statusOf(after.head, waits(after.head, draft)) }
  return { ok: true, writes: draft.writes, advance }
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

const nextOf = (head: Head, draft: Draft) => {
  const mode = modeOf(head.mode)
  return mode.next(mode.state.parse(head.state), draft.recall)
}
const waits = (head: Head, draft: Draft) => head.end === null && nextOf(head, draft).kind === 'wait'

/** Begins what the head wants, after the limit check where that opens a round (S0-27, ruling 12). */
function beginNext(draft: Draft, ticket: Ticket, here: Here, emit: Emit): Assignment | null {
  const last = draft.last()
  if (last === null || last.head.hold !== null || last.head.end !== null) return null
  const { head } = last
  const next = nextOf(head, draft)
  if (next.kind !== 'run') return null
  if (modeOf(head.mode).opens_round.has(head.state.phase)) {
    if (ticket.more !== 'new_round') return null
    const axis = spentAxis(head.budget)
    if (axis !== null) {
      insert(draft, { kind: 'budget_spent', axis }, here, emit)
      return null
    }
  }
  if (head.retry_at !== null && head.retry_at > here.now_ms) return null
  const seq = last.seq + 1
  const effect = storeEffect(head, next.effect, draft.recall, ticket.wall_ms)
  const until = here.now_ms + timeoutOf(briefOf(draft.recall).settings, next.effect) + LEASE_GRACE_MS
  const lease = { boot: sharedBoot(ticket, here), until, attempt: 1 }
  draft.write({
    kind: 'insert_pending',
    row: { seq, kind: effect.kind, at: here.now_ms, slice: ticket.slice, lease, effect },
  })
  return assign(head, seq, effect, next.effect, draft.recall)
}

/** A lease names a process only if Worker and object share it (docs/protocol.md 5). */
const sharedBoot = (ticket: Ticket, here: Here) => (ticket.boot === here.boot ? here.boot : null)

function isAlive(pending: PendingRow, here: Here): boolean {
  const { boot, until } = pending.lease
  return here.now_ms < until && (boot === null || boot === here.boot)
}

const busy = (pending: PendingRow, here: Here): Refusal => ({
  code: 'task_busy',
  expires_ms: pending.lease.until,
  now_ms: here.now_ms,
})

/** The same effect again, nothing written (docs/protocol.md 4). */
function reassign(draft: Draft, pending: PendingRow): Assignment | null {
  const last = draft.last()
  if (last === null) return null
  const next = nextOf(last.head, draft)
  return next.kind === 'run' ? assign(last.head, pending.seq, pending.effect, next.effect, draft.recall) : null
}

/** Whether a lost effect is leased again under its key instead of being closed (docs/protocol.md 7). */
const isRepeatable = ({ effect, lease }: PendingRow): boolean =>
  effect.kind === 'run_tool' && effect.idempotent && lease.attempt < LEASES_MAX

/** docs/protocol.md 6, 7: a lost idempotent tool is leased again under its key; anything else is closed and charged. */
function takeOver(draft: Draft, pending: PendingRow, ticket: Ticket, here: Here, emit: Emit): Assignment | null {
  const { effect, lease } = pending
  if (!isRepeatable(pending)) {
    closeDead(draft, pending, here, emit)
    return beginNext(draft, ticket, here, emit)
  }
  const until = here.now_ms + timeoutOf(briefOf(draft.recall).settings, effect) + LEASE_GRACE_MS
  const again = { boot: sharedBoot(ticket, here), until, attempt: lease.attempt + 1 }
  const row = { ...pending, slice: ticket.slice, lease: again }
  draft.write({ kind: 'lease_again', row })
  return reassign(draft, row)
}

function closeDead(draft: Draft, pending: PendingRow, here: Here, emit: Emit): void {
  const kind = pending.effect.kind === 'call_model' ? 'effect_orphaned' : 'outcome_unknown'
  close(draft, pending, null, { kind }, here, emit)
}

function close(draft: Draft, pending: PendingRow, slice: string | null, event: Event, here: Here, emit: Emit): void {
  const { seq, effect } = pending
  const last = draft.last()
  if (last === null) throw new Error('a pending row without a head before it')
  const recall = recallWith(draft, seq, { effect, event, at: here.now_ms })
  const working_ms = workedMs(pending, here.now_ms, draft.recall)
  const reduced = reduce(last.head, event, { seq, now_ms: here.now_ms, working_ms, effect, recall })
  draft.write({ kind: 'close_pending', row: { ...pending, slice, event, head: reduced.head } })
  emit(reduced.head, seq, reduced.notes)
}

function insert(draft: Draft, event: Event, here: Here, emit: Emit): void {
  const last = draft.last()
  if (last === null) return
  const seq = last.seq + 1
  const at = here.now_ms
  const recall = recallWith(draft, seq, { effect: null, event, at })
  const reduced = reduce(last.head, event, { seq, now_ms: at, working_ms: 0, effect: null, recall })
  const row = { seq, kind: event.kind, at, slice: null, lease: null, effect: null, event, head: reduced.head }
  draft.write({ kind: 'insert_closed', row })
  emit(reduced.head, seq, reduced.notes)
}

/** While a row is being closed its own fact can be read too. */
const recallWith =
  (draft: Draft, seq: number, fact: ReturnType<Draft['recall']>): Draft['recall'] =>
  (row) =>
    row === seq ? fact : draft.recall(row)
