/** What is said to a session: remarks, going on after a pause, questions beside the work, the next run (S4-19, U14, U20). */
import type { EventOf } from '../../terms/effect.ts'
import { type Context, type Handler, type HandlerResult } from '../../mode/mode.ts'
import { COUNTED, EMPTY_REPLY, isEmpty } from '../conversation/replies.ts'
import { replyIn } from './replies.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { planOf, type SessionState } from './state.ts'
import { decisionNote } from './turn.ts'

type T = HandlerResult<SessionState>

/** Only the newest brings the progress of then along: the plan stands before every turn anyway. */
const CONTINUED_MAX = 1

/** With every message the rounds of the current step are counted anew (O4-05). */
export function resetRounds(state: SessionState): SessionState {
  const plan = planOf(state)
  return plan === null ? state : { ...state, plan: { ...plan, rounds: 0 } }
}

/** It is a message of the next turn. */
export const onRemark: Handler<SessionState, 'user_remarked'> = (state) => ({ state: resetRounds(state), notes: [] })

export const onResumed: Handler<SessionState, 'resumed'> = (state, _event, { seq }) => {
  const back = state.phase === 'aside' ? state.back : state.phase
  const iterations = planOf(state)?.iterations ?? 0
  const continued = pushBounded<[number, number]>(state.continued, [seq, iterations], CONTINUED_MAX)
  return { state: resetRounds({ ...state, phase: back, answer: null, continued }), notes: [] }
}

/** A completed session begins its next run; its plan stays until that one makes its own. */
export const onNextRun: Handler<SessionState, 'user_remarked'> = (state, _event, { seq }) => ({
  state: { ...state, phase: 'turning', asked: seq, fresh: true, ending: null, answer: null },
  notes: [],
  reopened: true,
})

/** One call without tools beside the work; what is asked while that is still to be made stays a remark. */
export const onAskedAside: Handler<SessionState, 'user_asked_aside'> = (state) =>
  state.phase === 'turning' || state.phase === 'acting'
    ? { state: { ...state, phase: 'aside', back: state.phase, answer: null }, notes: [] }
    : { state, notes: [] }

const goBack = (state: SessionState): SessionState => ({ ...state, phase: state.back })

export function onAsideReply(state: SessionState, event: EventOf<'model_replied'>, { seq }: Context): T {
  const said = { ...replyIn(event), calls: [] }
  const next = goBack(state)
  if (isEmpty(said)) {
    const notes = [{ type: 'contract_failed' as const, payload: { phase: 'turn', reason: EMPTY_REPLY } }]
    return { state: next, notes, counts: COUNTED, undecided: true }
  }
  return {
    state: { ...next, answer: seq },
    notes: [decisionNote(state, 'answer', said)],
    counts: COUNTED,
    undecided: true,
  }
}

/** The question stays in the conversation as a remark. */
export const onAsideFailed = (state: SessionState): T => ({ state: goBack(state), notes: [], counts: COUNTED })

export const onAsideRefused: Handler<SessionState, 'aside_refused'> = (state, { axis = '', reason }) => {
  const guard = reason ?? 'aside_refused'
  return { state: goBack(state), notes: [{ type: 'loop_guard', payload: { guard, count: 1, evidence: axis } }] }
}

/** A turn that came to nothing is one all the same. */
export const onFailedTurn = (state: SessionState): T => ({ state, notes: [], counts: COUNTED })
