/**
 * reduce() applies one event to one head. Only here are steps charged (S0-26 to S0-32), is the failure streak kept (U9), and
 * does a task pause or end. `head(n) = reduce(head(n-1), event(n))` for every closed row.
 */
import { axisView } from '../terms/budget.ts'
import { type AllowanceRefund, type Axis, NO_ALLOWANCE } from '../terms/axes.ts'
import type { Event, Note } from '../terms/effect.ts'
import { backoffMs, CONTRACT_FAILURES, NO_STREAK, type Failure } from '../terms/failure-streak.ts'
import { endsByItself, type PauseReason } from '../terms/pause-reason.ts'
import type { Head } from '../terms/head.ts'
import type { EffectOutcome } from '../terms/status.ts'
import { briefOf, type HandlerContext, type ModeEvent } from '../mode/mode.ts'
import { modeOf, type AnyMode } from '../modes/index.ts'
import { counterAxis, counterSpent, endOfCounter, reopenBudget } from './grants.ts'
import { resume, topUp } from './resume.ts'
import { answerApproval, approvalAfter, approvalNotes, openApproval } from './approval.ts'
import { nextName } from './model-choice.ts'
import { droppedCall, stillHeld, type DroppedCall } from './tools/held-calls.ts'
import { heldNotes } from './tools/tool-questions.ts'
import { listsAfterStop, withListedTools } from './tools/tool-lists.ts'
import { changesOfTools, headAfterTool } from './tools/tool-rows.ts'
import { asksSameApproval, idleTransitionNotes, waitingOf, type WaitState } from './idle.ts'
import { changeHead } from './changed-brief.ts'
import { endTask, pausedNote, STOPPED, withOutcome } from './outcome.ts'
import { closingTransition, holdEnding, pricedPhase, RESULT_UNMET } from './result/closing.ts'
import { chargeRow, isFree, outcomeOf, refundsOf, type ClosingRow } from './charge-row.ts'
import { applyToMode, lateInputAsRemark, type ModeTransition } from './apply-event-to-mode.ts'

export interface ReduceResult {
  head: Head
  notes: Note[]
  /** What goes back to the tenant's total, because the task has reserved it and needs it no more. */
  returned: AllowanceRefund[]
  /** The held call that nobody waits for any more. */
  dropped: DroppedCall | null
  /** null: the row has no effect. */
  outcome: EffectOutcome | null
  counted: boolean
}

export function reduce(head: Head, event: Event, closing: ClosingRow): ReduceResult {
  const row = { ...closing, recall: withListedTools(head, closing.recall) }
  const mode = modeOf(head.mode)
  const charged = chargeRow(head, event, row)
  const context = contextOf(head, row, charged.charged_ms)
  const transition =
    engineTransition(charged.head, event, row, context) ??
    holdEnding(applyEvent(charged.head, mode, lateInputAsRemark(charged.head, event), context), context)
  const judged = judge(charged.head, mode, transition, event, row)
  const held = { ...judged.head, ...stillHeld(judged.head, mode, event, row.recall) }
  const next = requireApproval(head, held, mode, event, row)
  const waiting = waitingOf(next, mode, row.recall)
  const idleNotes = idleTransitionNotes(head, next, mode, transition.failure?.reason ?? null, row)
  const endNotes = withOutcome(judged.notes, next, row.recall)
  const ownNotes = [...transition.notes, ...heldNotes(head, next, event, row.recall), ...idleNotes, ...endNotes]
  const notes = approvalNotes(head, next, mode, ownNotes, row.recall)
  return {
    head: finishHead(head, next, waiting, notes, row),
    returned: refundsOf(head, next, waiting.idle, event, charged.overspent),
    dropped: droppedCall(head, next, event, row.recall),
    notes,
    outcome: row.effect === null ? null : outcomeOf(event, transition.failure),
    counted: row.effect !== null && !isFree(row.effect, event) && mode.cost[pricedPhase(head)] === 1,
  }
}

/** What a handler may read. The time after the deadline of a lost effect was no work, so it is not counted as elapsed. */
function contextOf(head: Head, { seq, recall }: ClosingRow, elapsed_ms: number): HandlerContext {
  return { task: head.id, seq, brief: briefOf(recall), recall, elapsed_ms, awaits: openApproval(head)?.kind ?? null }
}

/** The head with the plan or the action that a person has to approve before the task goes on (U15). */
function requireApproval(before: Head, head: Head, mode: AnyMode, event: Event, { seq, recall }: ClosingRow): Head {
  const { approve } = briefOf(recall).settings
  return { ...head, approval: approvalAfter(before, head, mode, { event, seq, approve, recall }) }
}

/** Completes the head with what follows from the whole row: its observer events, its times and what the task waits for. */
function finishHead(before: Head, head: Head, { asks, idle }: WaitState, notes: Note[], row: ClosingRow): Head {
  const first = before.events.first + before.events.count
  const hasThought = notes.some(({ type }) => type === 'thought_decided' || type === 'llm_thinking')
  const asking_since = (asksSameApproval(before, head) ? before.asking_since : null) ?? row.now_ms
  return {
    ...head,
    thought_row: hasThought ? row.seq : head.thought_row,
    // An idle task gives back what it has reserved of its tenant's total (U16).
    allowance: idle ? NO_ALLOWANCE : head.allowance,
    asking_since: asks ? asking_since : null,
    reminded: asks && head.reminded,
    events: { first, count: notes.length },
    updated_at: row.now_ms,
  }
}

/** What a row changes of which the mode is told nothing. null: the mode is told. */
function engineTransition(head: Head, event: Event, row: ClosingRow, context: HandlerContext): ModeTransition | null {
  const changes = changeHead(head, event, row.seq) ?? changesOfTools(head, event, row)
  if (changes !== null) return { state: head.state, ...changes }
  return closingTransition(head, lateInputAsRemark(head, event), { effect: row.effect, context })
}

/** Changes the state of the mode, and what the engine keeps for this kind of event. */
function applyEvent(head: Head, mode: AnyMode, event: Event, context: HandlerContext): ModeTransition {
  const { state } = head
  switch (event.kind) {
    case 'task_created':
      return {
        state,
        notes: [
          { type: 'task_created', payload: { mode: mode.name, goal: event.brief.goal } },
          ...(mode.startNotes?.(head.id, event.brief) ?? []),
        ],
        head: {},
      }
    case 'canceled':
      return {
        state,
        notes: [{ type: 'task_canceled', payload: {} }],
        head: { ...STOPPED, end: { status: 'canceled', reason: 'canceled', row: context.seq } },
      }
    case 'budget_spent':
      return { state, ...exhaustAxis(head, mode, event.axis, context) }
    case 'budget_added':
      return topUp(head, mode, event, context)
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
    case 'report_extended':
      return { state, notes: [], head: { report_extended: { row: event.delegation, until: event.until } } }
    case 'question_expired':
      return expireQuestion(state, context)
    case 'approval_answered':
      return answerApproval(head, mode, event, context)
    case 'plan_edited':
      // The task may have ended since the edit was sent, so there is nothing left to edit.
      return head.end !== null ? { state, notes: [], head: {} } : tellMode(head, mode, event, context)
    case 'model_replied':
    case 'model_failed':
    case 'tool_returned':
    case 'effect_orphaned':
    case 'outcome_unknown':
    case 'abandoned':
    case 'user_answered':
    case 'user_remarked':
    case 'file_arrived':
    case 'user_asked_aside':
    case 'aside_refused':
    case 'report_arrived':
    case 'report_expired':
      return tellMode(head, mode, event, context)
    case 'tools_listed':
    case 'tools_unlisted':
    case 'tool_asked':
    case 'tool_waits':
    case 'tool_answered':
    case 'task_changed':
      // They are told to no mode: the rows of tools that belong to another effect, and what the head keeps of a change.
      return { state, notes: [], head: {} }
  }
}

/** Changes the state of the mode only. The next run of a completed task is granted its counter and its first endpoints again. */
function tellMode(
  head: Head,
  mode: AnyMode,
  event: Event & { kind: ModeEvent },
  context: HandlerContext,
): ModeTransition {
  const transition = applyToMode(mode, head.state, event, context)
  if (transition.reopened !== true) return { ...transition, head: {} }
  const lists = listsAfterStop(head, context.recall)
  const restarted = { given_up: [], lists, closing: null, data_row: null }
  return { ...transition, head: { ...reopenBudget(head, context), ...restarted } }
}

/** Pauses the task because an axis has no room for the next effect. By some settings a spent counter ends the task. */
function exhaustAxis(head: Head, { counter }: AnyMode, axis: Axis | 'tenant', { brief, seq }: HandlerContext) {
  const amounts = axis === 'tenant' ? { used: null, max: null } : axisView(head.budget, axis)
  const spent = axis === 'steps' ? counterAxis(counter.unit) : axis
  const exhausted: Note = { type: 'budget_exhausted', payload: { axis: spent, ...amounts } }
  const reason = axis === 'steps' ? counterSpent(counter) : { kind: 'budget' as const, axis }
  if (axis !== 'steps' || counter.ends?.(brief.settings) !== true)
    return { notes: [exhausted, pausedNote(reason)], head: { pause_reason: reason } }
  const ended = endTask(head, { status: 'failed', reason: endOfCounter(counter) }, seq)
  return { notes: [exhausted, ...ended.notes], head: { end: ended.head.end, closing: null } }
}

/** Nobody answered the question of the task in time (U14). */
const QUESTION_EXPIRED = { kind: 'question_expired' } as const
const MODEL_UNAVAILABLE: PauseReason = { kind: 'model_unavailable' }
/** Pauses a task. A task that has stopped since keeps its reason, unless it waits for its model and would go on by itself. */
function pause({ end, pause_reason }: Head, reason: PauseReason): Pick<ModeTransition, 'notes' | 'head'> {
  const hasStopped = end !== null || (pause_reason !== null && !endsByItself(pause_reason))
  return hasStopped ? { notes: [], head: {} } : { notes: [pausedNote(reason)], head: { pause_reason: reason } }
}

/** Pauses the task until the question is asked again, or ends it. The setting decides. */
function expireQuestion(state: Head['state'], { brief, seq }: HandlerContext): ModeTransition {
  if (brief.settings.on_question_expired === 'pause')
    return { state, notes: [pausedNote(QUESTION_EXPIRED)], head: { pause_reason: QUESTION_EXPIRED } }
  const reason = QUESTION_EXPIRED.kind
  const note: Note = { type: 'task_failed', payload: { stop_reason: reason } }
  return { state, notes: [note], head: { end: { status: 'failed', reason, row: seq } } }
}

/** Applies the transition to the head, and decides about the streak, the retry, a pause and the end (U8, U9). */
function judge(
  charged: Head,
  mode: AnyMode,
  transition: ModeTransition,
  event: Event,
  row: ClosingRow,
): { head: Head; notes: Note[] } {
  const changed: Head = {
    ...charged,
    ...headAfterTool(charged, event, row),
    ...transition.head,
    state: transition.state,
  }
  const head: Head = { ...changed, counters: addCounts(changed.counters, transition.counts ?? {}) }
  if (transition.stop !== undefined) return endTask(head, transition.stop, row.seq)
  const planning = mode.planning.has(head.state.phase)
  // A lost call uses up one attempt at the plan. In other phases it costs a step and is no failure (U3).
  const lostCall: Failure | undefined =
    event.kind === 'effect_orphaned' && planning ? { kind: 'model', reason: 'the worker was lost' } : undefined
  const failure = transition.failure ?? lostCall
  if (failure !== undefined) return onFailure(head, mode, failure, planning, event, row)
  if (event.kind === 'model_replied') {
    const streak = transition.undecided === true ? head.streak : NO_STREAK
    return { head: { ...head, streak, retry_at: null, unavailable: 0, form: event.form }, notes: [] }
  }
  return { head, notes: [] }
}

/** Counts a failure. Beyond the limit an unavailable model pauses the task, and broken contracts end it. */
function onFailure(head: Head, mode: AnyMode, failure: Failure, planning: boolean, event: Event, row: ClosingRow) {
  const { phase } = head.state
  const streak = { ...head.streak, count: head.streak.count + 1 }
  const form = event.kind === 'model_replied' && head.closing === null ? event.form : head.form
  const next: Head = { ...head, streak, form, failed_row: row.seq, retry_at: null }
  const notes: Note[] =
    failure.kind === 'contract'
      ? [{ type: 'contract_failed', payload: { phase: row.effect?.phase ?? phase, reason: failure.reason } }]
      : []
  if (streak.count < (streak.max ?? mode.failure_limit(phase, briefOf(row.recall).settings))) {
    // The attempts at a plan follow each other without delay in the request that creates the task (U8).
    const waits = failure.kind === 'model' && !planning
    const retry_after_ms = event.kind === 'model_failed' ? event.retry_after_ms : null
    return { head: { ...next, retry_at: waits ? row.now_ms + backoffMs(streak, retry_after_ms) : null }, notes }
  }
  if (failure.kind === 'model') {
    const fallback = fallBack(next, failure, row)
    if (fallback !== null) return fallback
    const paused = { ...next, pause_reason: MODEL_UNAVAILABLE, unavailable: head.unavailable + 1, given_up: [] }
    return { head: paused, notes: [...notes, pausedNote(MODEL_UNAVAILABLE)] }
  }
  // The work is done, so only its form is missing.
  if (next.closing !== null)
    return { head: { ...next, pause_reason: RESULT_UNMET }, notes: [...notes, pausedNote(RESULT_UNMET)] }
  const ended = endTask(next, { status: 'failed', reason: CONTRACT_FAILURES }, row.seq)
  return { head: ended.head, notes: [...notes, ...ended.notes] }
}

/** Gives up the endpoint of a failed call for the next name of its list, with a new streak. null: no other name is left. */
function fallBack(
  head: Head,
  { reason }: Failure,
  { effect, recall }: ClosingRow,
): { head: Head; notes: Note[] } | null {
  const next = effect?.kind === 'call_model' ? nextName(head, briefOf(recall), effect) : null
  if (next === null) return null
  const { from, to, given_up } = next
  const evidence = `${from}: ${reason}`
  const note: Note = {
    type: 'loop_guard',
    payload: { guard: 'model_fallback', count: head.streak.count, evidence, from, to },
  }
  return { head: { ...head, streak: NO_STREAK, given_up }, notes: [note] }
}

function addCounts(counters: Head['counters'], more: Partial<Head['counters']>): Head['counters'] {
  const sum = { ...counters }
  for (const [name, count] of Object.entries(more)) sum[name as keyof typeof sum] += count // The keys are those of Counters.
  return sum
}
