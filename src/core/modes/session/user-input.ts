/** What a person says to a session: remarks, a continue text after a pause, side questions, the next run, edits of its plan (S4-19, U14, U18, U20). */
import type { EventOf } from '../../terms/effect.ts'
import { type HandlerContext, type Handler, type HandlerResult } from '../../mode/mode.ts'
import { editPlan } from '../plan/human-edits.ts'
import { currentItem } from '../plan/plan.ts'
import { ONE_ITERATION, EMPTY_REPLY, isEmpty } from '../conversation/replies.ts'
import { replyIn } from './replies.ts'
import { NOTHING_SEEN } from '../../mode/repeat-guard.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { replyWithNews } from './marks.ts'
import { placeGone, stepsOf, startNotes } from './plan.ts'
import { NEW_STEP, planOf, type SessionState } from './state.ts'
import { endsWithQuestion } from './ending-question.ts'
import { decisionNote } from './turn.ts'

type T = HandlerResult<SessionState>

/** Only the newest continue text contains the progress of its time, because every turn shows the current plan. */
const CONTINUED_MAX = 1

/** Every message resets the rounds of the current step (O4-05), and any call may be made again. */
export function resetRounds(before: SessionState): SessionState {
  const state = { ...before, seen: NOTHING_SEEN, told: 0 }
  const plan = planOf(state)
  return plan === null ? state : { ...state, plan: { ...plan, rounds: 0 } }
}

/** A remark is a message of the next turn. */
export const onRemark: Handler<SessionState, 'user_remarked'> = (state) => ({ state: resetRounds(state), notes: [] })

export const onResumed: Handler<SessionState, 'resumed'> = (state, _event, { seq }) => {
  const back = state.phase === 'aside' ? state.back : state.phase
  const iterations = planOf(state)?.iterations ?? 0
  const continued = pushBounded<[number, number]>(state.continued, [seq, iterations], CONTINUED_MAX)
  return { state: resetRounds({ ...state, phase: back, answer: null, continued }), notes: [] }
}

/**
 * A completed session begins its next run. The old plan stays until the new run makes its own. After a question to the user the text
 * is its answer, so the run with its request and its plan goes on.
 */
export const onNextRun: Handler<SessionState, 'user_remarked'> = (before, _event, context) => {
  const { seq } = context
  const { ending } = before
  const goesOn = ending !== null && endsWithQuestion(before, replyWithNews(before, ending, context.recall), context)
  const state: SessionState = { ...resetRounds(before), phase: 'turning', ending: null, answer: null }
  const next = goesOn
    ? { ...state, answering: seq }
    : { ...state, asked: seq, fresh: true, answering: null, kept: null, declined: false }
  return { state: next, notes: [], reopened: true }
}

/** Begins a side turn, which is one call without tools. A question that comes before the side turn is made stays a remark. */
export const onAskedAside: Handler<SessionState, 'user_asked_aside'> = (state) =>
  state.phase === 'turning' || state.phase === 'acting'
    ? { state: { ...state, phase: 'aside', back: state.phase, answer: null, seen: NOTHING_SEEN }, notes: [] }
    : { state, notes: [] }

const goBack = (state: SessionState): SessionState => ({ ...state, phase: state.back })

export function onAsideReply(state: SessionState, event: EventOf<'model_replied'>, context: HandlerContext): T {
  const { seq } = context
  const reply = { ...replyIn(event, context.brief), calls: [] }
  const next = goBack(state)
  if (isEmpty(reply)) {
    const notes = [{ type: 'contract_failed' as const, payload: { phase: 'turn', reason: EMPTY_REPLY } }]
    return { state: next, notes, counts: ONE_ITERATION, undecided: true }
  }
  return {
    state: { ...next, answer: seq },
    notes: [decisionNote(state, 'answer', reply)],
    counts: ONE_ITERATION,
    undecided: true,
  }
}

/** The question stays in the conversation as a remark. */
export const onAsideFailed = (state: SessionState): T => ({ state: goBack(state), notes: [], counts: ONE_ITERATION })

export const onAsideRefused: Handler<SessionState, 'aside_refused'> = (state, { axis = '', reason }) => {
  const guard = reason ?? 'aside_refused'
  return { state: goBack(state), notes: [{ type: 'loop_guard', payload: { guard, count: 1, evidence: axis } }] }
}

/** A failed turn counts as a turn. */
export const onFailedTurn = (state: SessionState): T => ({ state, notes: [], counts: ONE_ITERATION })

/** At most this many completed steps stay in an edited list. */
const DONE_MAX = 100

/** Completed steps stay, the others are replaced, and later declarations follow the new steps (U18). */
export const onEdit: Handler<SessionState, 'plan_edited'> = (state, event, context) => {
  const current = planOf(state)
  // The run with this plan may have ended since the edit was sent.
  if (current === null) return { state, notes: [] }
  const { plan, note } = editPlan(stepsOf(current), current, event, context, DONE_MAX)
  const newPlan = {
    ...placeGone(plan, current, context.brief),
    efforts: plan.efforts.slice(current.cursor - plan.cursor),
  }
  if (currentItem(newPlan)?.[0] === currentItem(current)?.[0])
    return { state: { ...state, plan: newPlan }, notes: [note] }
  // A reply whose calls are being made was about the step before the edit, so it completes no step of the new list.
  const advanced = state.advanced || state.phase !== 'turning'
  const next = { ...state, plan: { ...newPlan, ...NEW_STEP }, advanced }
  return { state: next, notes: [note, ...startNotes(newPlan, context.recall)] }
}
