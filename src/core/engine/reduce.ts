/**
 * reduce(): one event applied to one head. The one place where steps are charged (S0-26…S0-32), the failure streak is
 * kept (U9) and a task pauses or ends. `head(n) = reduce(head(n-1), event(n))` for every closed row.
 */
import {
  axisView,
  charge,
  chargeSpent,
  originalOf,
  type Charge,
  type Reservation,
  settleReservation,
  stepsSpent,
} from '../terms/budget.ts'
import { type Axis, NO_ALLOWANCE, type Grant, type Refund } from '../terms/axes.ts'
import { awaitedRow } from './awaiting.ts'
import type { Event, EventOf, Note, Recall, StoredEffect } from '../terms/effect.ts'
import { backoffMs, NO_STREAK, type Failure } from '../terms/failure-streak.ts'
import { exhaustedAxis, pauseReasonText, type PauseReason } from '../terms/pause-reason.ts'
import type { Head } from '../terms/head.ts'
import { briefOf, type Context } from '../mode/mode.ts'
import { limitsOf } from './limits.ts'
import { axisOf, counterSpent, inStoredUnits, raise, reopenBudget } from './grants.ts'
import { isSideTurn } from './side-turn.ts'
import { answerApproval, approvalAfter, approvalNotes, openApproval } from './approval.ts'
import { asksAgain, asksFor, idleTransitionNotes } from './idle.ts'
import { outcomeOf, type EffectOutcome } from './effect-outcome.ts'
import { modeOf, type AnyMode } from '../modes/index.ts'
import { asHeard, tell, type ModeTransition } from './apply-event-to-mode.ts'

/** The row that is being closed. */
export interface Closing {
  seq: number
  now_ms: number
  /** How long its effect was worked on; 0 for a row without effect. */
  elapsed_ms: number
  /** The worst case its effect was begun with. */
  reserved: Reservation | null
  effect: StoredEffect | null
  recall: Recall
}
export interface ReduceResult {
  head: Head
  notes: Note[]
  /** What the task had reserved of its tenant's total and needs no more. */
  returned: Refund[]
  /** null for a row that is no effect. */
  outcome: EffectOutcome | null
  counted: boolean
}

export function reduce(head: Head, event: Event, closing: Closing): ReduceResult {
  const mode = modeOf(head.mode)
  const { seq, recall } = closing
  const brief = briefOf(recall)
  const cost = closing.effect === null ? null : chargeOf(head, event, closing)
  const { head: priced, beyond } =
    cost === null ? { head: spentOutside(head, event), beyond: [] } : chargeFor(head, event, closing.effect, cost)
  // What is charged, not what passed: the time in which a lost effect lay about is no work.
  const elapsed_ms = cost?.ms ?? 0
  const awaits = openApproval(head)?.kind ?? null
  const context: Context = { task: head.id, seq, brief, recall, elapsed_ms, awaits }
  const turn = applyEvent(priced, mode, asHeard(priced, event), context)
  const told = { ...priced, ...turn.head, state: turn.state }
  const judged = judge(told, mode, turn, event, closing)
  const { approve } = brief.settings
  const approval = approvalAfter(head, judged.head, mode, { event, seq, approve, recall })
  const gated = { ...judged.head, approval }
  const rest = idleTransitionNotes(head, gated, mode, turn.failure?.reason ?? null, closing)
  const notes = approvalNotes(head, gated, mode, [...turn.notes, ...rest, ...judged.notes], recall)
  const first = head.events.first + head.events.count
  const thought = notes.some(({ type }) => type === 'thought_decided' || type === 'llm_thinking')
    ? closing.seq
    : judged.head.thought_row
  const { allowance } = judged.head
  const asks = asksFor(gated, mode, closing.recall)
  const waits = asks || awaitedRow(judged.head) !== null
  const rests = judged.head.end !== null || (judged.head.pause_reason !== null && !isSideTurn(judged.head)) || waits
  return {
    head: {
      ...gated,
      thought_row: thought,
      // A task that rests gives back what it has reserved ahead (U16).
      allowance: rests ? NO_ALLOWANCE : allowance,
      asking_since: asks ? ((asksAgain(head, gated) ? head.asking_since : null) ?? closing.now_ms) : null,
      reminded: asks && judged.head.reminded,
      events: { first, count: notes.length },
      updated_at: closing.now_ms,
    },
    returned: [...beyond, ...replaced(head, event), ...(rests ? [{ ...allowance, task: head.id }] : [])].filter(
      ({ tokens, cost, day, ...refund }) => tokens !== 0 || cost !== 0 || ('task' in refund && day !== ''),
    ),
    notes,
    outcome: closing.effect === null ? null : outcomeOf(event, turn.failure),
    counted: closing.effect !== null && mode.cost[head.state.phase] === 1,
  }
}

/** A new allowance holds what is left of the one before, but for that of another day. Without a day it is none: all of it goes back. */
function replaced({ allowance, id }: Head, event: Event): Refund[] {
  if (event.kind !== 'allowance_granted' || event.allowance.day === allowance.day) return []
  return [event.allowance.day === '' ? { ...allowance, task: id } : allowance]
}

/** What the effect of a row cost: also how the ledger shows it again. */
export function chargeOf(head: Head, event: Event, closing: Pick<Closing, 'reserved' | 'elapsed_ms'>) {
  const steps = modeOf(head.mode).cost[head.state.phase] ?? 0
  return settleReservation(steps, closing.reserved ?? NOTHING_RESERVED, event, closing.elapsed_ms)
}

/** Rows of the first release reserved nothing. */
const NOTHING_RESERVED: Reservation = { input_tokens: 0, output_tokens: 0, cost: 0, ms: 0, price: null }

/** Charges what the effect of this row cost, whatever became of it (D2). */
function chargeFor(head: Head, event: Event, effect: StoredEffect | null, cost: Charge) {
  const budget = charge(head.budget, cost)
  const { tokens, cost: micro, day } = head.allowance
  const rest = { tokens: tokens - cost.tokens, cost: micro - cost.cost, day }
  const allowance = { tokens: Math.max(0, rest.tokens), cost: Math.max(0, rest.cost), day }
  // Nothing is held where no total bounds the tenant.
  const beyond: Refund[] = day === '' ? [] : [{ tokens: Math.min(0, rest.tokens), cost: Math.min(0, rest.cost), day }]
  const counters = { ...head.counters }
  if (effect?.kind === 'call_model') counters.model_calls += 1
  if (effect?.kind === 'run_tool') {
    counters.actions += 1
    if (event.kind === 'tool_returned' && event.ok) counters.successful_actions += 1
    else counters.failed_actions += 1
  }
  return { head: { ...head, budget, allowance, counters }, beyond }
}

/** What a worker says it has spent of the budget of the task: the tenant's day counts what this service spends. */
function spentOutside(head: Head, event: Event): Head {
  const isReport = event.kind === 'report_arrived' || event.kind === 'report_expired'
  return isReport ? { ...head, budget: chargeSpent(head.budget, event.charged) } : head
}

function applyEvent(head: Head, mode: AnyMode, event: Event, context: Context): ModeTransition {
  const { state } = head
  switch (event.kind) {
    case 'task_created':
      return {
        state,
        notes: [
          { type: 'task_created', payload: { mode: head.mode, goal: event.brief.goal } },
          ...(mode.begun?.(head.id, event.brief) ?? []),
        ],
        head: {},
      }
    case 'canceled':
      return {
        state,
        notes: [{ type: 'task_canceled', payload: {} }],
        head: { pause_reason: null, retry_at: null, end: { status: 'canceled', reason: 'canceled', row: context.seq } },
      }
    case 'budget_spent':
      return { state, ...spent(head, mode, event.axis, context) }
    case 'budget_added':
      return topUp(head, mode, event.add, context)
    case 'request_ended':
      return { state, notes: [], head: {} }
    case 'allowance_granted':
      return { state, notes: [], head: { allowance: event.allowance } }
    case 'resumed':
      return resume(head, mode, event, context)
    case 'paused':
      return { state, ...pause(head, { kind: event.reason ?? 'user' }) }
    case 'question_reminded':
      return { state, notes: [], head: { reminded: true } }
    case 'question_expired':
      return expire(state, context)
    case 'approval_answered':
      return answerApproval(head, mode, event, context)
    default: {
      // Nothing is left to be edited of a plan whose task has ended since that was said.
      if (event.kind === 'plan_edited' && head.end !== null) return { state, notes: [], head: {} }
      const turn = tell(mode, state, event, context)
      return { ...turn, head: turn.reopened === true ? reopenBudget(head, context) : {} }
    }
  }
}

/** The task pauses by the axis that has no room for what comes next, unless its settings end it there. */
function spent(head: Head, { counter }: AnyMode, axis: Axis | 'tenant', { brief, seq }: Context) {
  const amounts = axis === 'tenant' ? { used: null, max: null } : axisView(head.budget, axis)
  const payload = { axis: axis === 'steps' ? axisOf(counter.unit) : axis, ...amounts }
  const exhausted: Note = { type: 'budget_exhausted', payload }
  const reason = axis === 'steps' ? counterSpent(counter) : { kind: 'budget' as const, axis }
  if (axis !== 'steps' || counter.ends?.(brief.settings) !== true)
    return { notes: [exhausted, paused(reason)], head: { pause_reason: reason } }
  const ended = stop(head, { status: 'failed', reason: pauseReasonText(reason) }, seq)
  return { notes: [exhausted, ...ended.notes], head: { end: ended.head.end } }
}

/** On a task whose question nobody has answered in time (U14). */
const EXPIRED: PauseReason = { kind: 'question_expired' }
const UNAVAILABLE: PauseReason = { kind: 'model_unavailable' }

/** What stopped meanwhile stays stopped as it is; only what would go on by itself is held. */
function pause({ end, pause_reason }: Head, reason: PauseReason): Pick<ModeTransition, 'notes' | 'head'> {
  const rests = end !== null || (pause_reason !== null && pause_reason.kind !== 'model_unavailable')
  return rests ? { notes: [], head: {} } : { notes: [paused(reason)], head: { pause_reason: reason } }
}

/** The setting decides: the question is open again when the task is resumed, or it is the end. */
function expire(state: Head['state'], { brief, seq }: Context): ModeTransition {
  if (brief.settings.on_question_expired === 'pause')
    return { state, notes: [paused(EXPIRED)], head: { pause_reason: EXPIRED } }
  const reason = pauseReasonText(EXPIRED)
  const note: Note = { type: 'task_failed', payload: { stop_reason: reason } }
  return { state, notes: [note], head: { end: { status: 'failed', reason, row: seq } } }
}

function resume(head: Head, mode: AnyMode, event: EventOf<'resumed'>, context: Context): ModeTransition {
  // It may have ended, or be resumed, since this was said.
  if (head.end !== null || head.pause_reason === null) return { state: head.state, notes: [], head: {} }
  const { mode: name, settings } = context.brief
  const axis = exhaustedAxis(head.pause_reason)
  const add = event.grant && axis !== null ? originalOf(axis, limitsOf(name, settings)) : {}
  const raised = raise(head, mode.counter, add)
  const told = tell(mode, head.state, event, context)
  const notes: Note[] = [...raised.notes, { type: 'task_resumed', payload: {} }, ...told.notes]
  return { ...told, notes, head: { ...raised.head, pause_reason: null, retry_at: null, streak: NO_STREAK } }
}

/** A top-up makes a task runnable again that was paused by an axis it raised (POST /tasks/{id}/budget in openapi.yaml). */
function topUp(head: Head, mode: AnyMode, add: Grant, context: Context): ModeTransition {
  const raised = raise(head, mode.counter, inStoredUnits(mode.counter, add))
  const axis = exhaustedAxis(head.pause_reason)
  const freed = axis !== null && raised.axes.includes(axis) && (axis !== 'steps' || !stepsSpent(raised.head.budget))
  const notes: Note[] = freed ? [...raised.notes, { type: 'task_resumed', payload: {} }] : raised.notes
  if (!freed) return { state: head.state, notes, head: raised.head }
  const told = tell(mode, head.state, { kind: 'resumed', grant: false }, context)
  return { ...told, notes: [...notes, ...told.notes], head: { ...raised.head, pause_reason: null } }
}

/** Streak, back-off, pause and end after an event (U8, U9). */
function judge(
  head: Head,
  mode: AnyMode,
  turn: ModeTransition,
  event: Event,
  closing: Closing,
): { head: Head; notes: Note[] } {
  if (turn.counts !== undefined) head = { ...head, counters: addCounts(head.counters, turn.counts) }
  if (turn.stop !== undefined) return stop(head, turn.stop, closing.seq)
  const free = mode.planning.has(head.state.phase)
  // A lost call of a free phase uses up one of its attempts; elsewhere it costs a step and is no failure (U3).
  const lost: Failure | undefined =
    event.kind === 'effect_orphaned' && free ? { kind: 'model', reason: 'the worker was lost' } : undefined
  const failure = turn.failure ?? lost
  if (failure !== undefined) return onFailure(head, mode, failure, free, event, closing)
  if (event.kind === 'model_replied') {
    const streak = turn.undecided === true ? head.streak : NO_STREAK
    return { head: { ...head, streak, retry_at: null, unavailable: 0, form: event.form }, notes: [] }
  }
  return { head, notes: [] }
}

function onFailure(head: Head, mode: AnyMode, failure: Failure, free: boolean, event: Event, closing: Closing) {
  const { phase } = head.state
  const streak = { count: head.streak.count + 1 }
  const form = event.kind === 'model_replied' ? event.form : head.form
  const next: Head = { ...head, streak, form, failed_row: closing.seq, retry_at: null }
  const notes: Note[] =
    failure.kind === 'contract'
      ? [{ type: 'contract_failed', payload: { phase: closing.effect?.phase ?? phase, reason: failure.reason } }]
      : []
  if (streak.count < mode.failure_limit(phase, briefOf(closing.recall).settings)) {
    // Attempts of a free phase run back to back in the creating request (U8).
    const waits = failure.kind === 'model' && !free
    const asked = event.kind === 'model_failed' ? event.retry_after_ms : null
    return { head: { ...next, retry_at: waits ? closing.now_ms + backoffMs(streak, asked) : null }, notes }
  }
  if (failure.kind === 'model') {
    const held = { ...next, pause_reason: UNAVAILABLE, unavailable: head.unavailable + 1 }
    return { head: held, notes: [...notes, paused(UNAVAILABLE)] }
  }
  const ended = stop(next, { status: 'failed', reason: 'contract_failures' }, closing.seq)
  return { head: ended.head, notes: [...notes, ...ended.notes] }
}

function stop(head: Head, how: { status: 'completed' | 'failed'; reason: string }, row: number) {
  const note: Note = { type: `task_${how.status}`, payload: { stop_reason: how.reason } }
  return {
    head: { ...head, end: { ...how, row }, pause_reason: null, retry_at: null, streak: NO_STREAK },
    notes: [note],
  }
}

const paused = (reason: PauseReason): Note => ({
  type: 'task_paused',
  payload: { stop_reason: pauseReasonText(reason) },
})

function addCounts(counters: Head['counters'], more: Partial<Head['counters']>): Head['counters'] {
  const sum = { ...counters }
  for (const [name, count] of Object.entries(more)) sum[name as keyof typeof sum] += count // keys of Partial<Counters>
  return sum
}
