/** The calls of a reply, one after the other; behind the last one it is seen whether the reply completes its step (O4-05). */
import { finishedNote, startedNote, withheldNote } from '../conversation/acts.ts'
import { callAt } from '../conversation/calls.ts'
import { refusalText } from '../conversation/entry.ts'
import type { Note } from '../../terms/effect.ts'
import type { Context, Handler, HandlerResult } from '../../mode/mode.ts'
import { onlyReads, signalOf } from './detector.ts'
import { currentItem } from '../plan/plan.ts'
import { completeStep, currentStep, stepTitles, type PlanChange } from './plan.ts'
import { saidAt } from './said.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { planOf, type SessionState } from './state.ts'
import { anew } from './talk.ts'

/** Actions that the result of a step is put together from. */
const RECENT_MAX = 3

export const onReturned: Handler<SessionState, 'tool_returned'> = (state, { ok }, context) =>
  onResult(state, ok, context)

export const onLost: Handler<SessionState, 'outcome_unknown'> = (state, _event, context) =>
  onResult(state, false, context)

function onResult(state: SessionState, ok: boolean, context: Context): HandlerResult<SessionState> {
  const { seq, recall } = context
  const finished = finishedNote(recall(seq))
  const plan = planOf(state)
  const next: SessionState = {
    ...state,
    plan: plan === null ? state.plan : { ...plan, recent: pushBounded(plan.recent, seq, RECENT_MAX) },
    failed: ok ? state.failed : seq,
  }
  return goneOn(next, finished, context)
}

/** With the next call of the reply; behind the last one the model has its turn. */
function goneOn(state: SessionState, finished: Note, context: Context): HandlerResult<SessionState> {
  const next = { ...state, call: state.call + 1 }
  if (next.call < next.calls)
    return { state: next, notes: [finished, startedNote(next, context.recall, currentStep(next))] }
  const over = roundOver({ ...next, phase: 'turning' }, context)
  return { state: over.state, notes: [finished, ...over.notes] }
}

/** A call that is not approved has an error for its result (U15); with what was said about it the rounds are counted anew, as with any message. */
export const onActionAnswered: Handler<SessionState, 'approval_answered'> = (state, { verdict, text }, context) => {
  if (verdict === 'approved' || state.by === null) return { state, notes: [] }
  const { tool } = callAt(context.recall, state.by, state.call)
  const withheld = withheldNote(currentStep(state), tool, refusalText('en', verdict, text))
  const next = { ...(verdict === 'changes' ? anew(state) : state), failed: context.seq }
  return goneOn(next, withheld, context)
}

/** At most one step is completed by a reply. Without a current step there is nothing to complete (R21). */
function roundOver(state: SessionState, context: Context): PlanChange {
  const plan = planOf(state)
  const { by } = state
  if (plan === null || by === null || currentItem(plan) === null) return { state, notes: [] }
  const { recall, brief } = context
  const said = saidAt(recall, by)
  const calls = said.calls.map((_, index) => callAt(recall, by, index))
  const spent = { ...plan, spent: plan.spent + 1 }
  const title = stepTitles(plan, recall)[plan.cursor] ?? ''
  const signal = state.advanced ? null : signalOf(plan, title, said, brief.settings)
  if (signal === null) {
    const reading = plan.reading && onlyReads(calls)
    return { state: { ...state, plan: { ...spent, rounds: plan.rounds + 1, reading } }, notes: [] }
  }
  const over = completeStep(state, spent, context)
  const payload = { guard: 'fallback_advance', count: plan.rounds, evidence: title }
  return {
    ...over,
    notes: [...(signal === 'fallback' ? [{ type: 'loop_guard' as const, payload }] : []), ...over.notes],
  }
}
