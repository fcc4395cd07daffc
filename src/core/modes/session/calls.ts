/** The calls of a reply, one after the other. After the last call the program checks which steps the reply completes (O4-05). */
import { callHandlers } from '../conversation/call-loop.ts'
import { callAt } from '../conversation/calls.ts'
import type { HandlerContext } from '../../mode/mode.ts'
import type { Note } from '../../terms/effect.ts'
import { onlyReads, signalOf } from './detector.ts'
import { noteCall, waitIfMissing } from './missing-file.ts'
import { currentItem } from '../plan/plan.ts'
import { replyWithNews } from './marks.ts'
import { completeSteps, currentStep, stepTitles, type PlanChange } from './plan.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { planOf, type SessionState } from './state.ts'
import { resetRounds } from './user-input.ts'

/** The result of a step consists of at most this many actions. */
const RECENT_MAX = 3

export const { onReturned, onLost, onActionAnswered, onAnswered } = callHandlers<SessionState>({
  currentId: currentStep,
  onResult: (state, ok, context) => ({
    ...withResult(noteCall(state, context), context.seq),
    failed: ok ? null : context.seq,
  }),
  // A text about the call resets the rounds, as any message does.
  onWithheld: (state, changes, { seq }) => ({ ...(changes ? resetRounds(state) : state), failed: seq }),
  onAnswer: (state, { seq }) => withResult(resetRounds(state), seq),
  afterCalls(state, context) {
    const round = endRound({ ...state, phase: 'turning' }, context)
    const wait = waitIfMissing(round.state, context)
    return { state: wait.state, notes: [...round.notes, ...wait.notes] }
  },
})

/** Books a result on the current step. */
function withResult(state: SessionState, row: number): SessionState {
  const plan = planOf(state)
  return plan === null ? state : { ...state, plan: { ...plan, recent: pushBounded(plan.recent, row, RECENT_MAX) } }
}

/** A reply completes as many steps as it has marks with which lines begin, by any other sign one. Without a current step it completes none (R21). */
function endRound(state: SessionState, context: HandlerContext): PlanChange {
  const plan = planOf(state)
  const { by } = state
  if (plan === null || by === null || currentItem(plan) === null) return { state, notes: [] }
  const { recall, brief } = context
  const reply = replyWithNews(state, by, recall)
  const calls = reply.calls.map((_, index) => callAt(recall, by, index))
  const spent = { ...plan, spent: plan.spent + 1 }
  const title = stepTitles(plan, recall)[plan.cursor] ?? ''
  // Marks beyond the steps that ended before the calls are about the steps from the current one on.
  const closed = plan.ends.filter((end) => end?.[1] === by).length
  const marks = reply.done_count - closed
  const hasMore = closed > 0 && marks > 0 ? 'marker' : null
  const signal = state.advanced ? hasMore : signalOf(plan, title, reply, brief.settings)
  if (signal === null) {
    const reading = plan.reading && onlyReads(calls)
    // A word of transition counts after one round of its own, so the round that began the step is none.
    const rounds = plan.rounds + (state.advanced && (reply.says_done || reply.moves_on) ? 0 : 1)
    return { state: { ...state, plan: { ...spent, rounds, reading } }, notes: [] }
  }
  const completion = completeSteps({ ...state, plan: spent }, Math.max(1, marks), context)
  const jump: Note = {
    type: 'loop_guard',
    payload: { guard: 'fallback_advance', count: plan.rounds, evidence: title },
  }
  return {
    ...completion,
    notes: [...(signal === 'fallback' ? [jump] : []), ...completion.notes],
  }
}
