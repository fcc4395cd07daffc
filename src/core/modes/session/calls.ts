/** The calls of a reply, one after the other; behind the last one it is seen whether the reply completes its step (O4-05). */
import { callHandlers } from '../conversation/call-loop.ts'
import { callAt } from '../conversation/calls.ts'
import type { Context } from '../../mode/mode.ts'
import { onlyReads, signalOf } from './detector.ts'
import { currentItem } from '../plan/plan.ts'
import { completeStep, currentStep, stepTitles, type PlanChange } from './plan.ts'
import { replyAt } from './replies.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { planOf, type SessionState } from './state.ts'
import { resetRounds } from './user-input.ts'

/** Actions that the result of a step is put together from. */
const RECENT_MAX = 3

export const { onReturned, onLost, onActionAnswered } = callHandlers<SessionState>({
  currentId: currentStep,
  onResult(state, ok, { seq }) {
    const plan = planOf(state)
    return {
      ...state,
      plan: plan === null ? state.plan : { ...plan, recent: pushBounded(plan.recent, seq, RECENT_MAX) },
      failed: ok ? state.failed : seq,
    }
  },
  // With what was said about the call the rounds are counted anew, as with any message.
  onWithheld: (state, changes, { seq }) => ({ ...(changes ? resetRounds(state) : state), failed: seq }),
  afterCalls: (state, context) => roundOver({ ...state, phase: 'turning' }, context),
})

/** At most one step is completed by a reply. Without a current step there is nothing to complete (R21). */
function roundOver(state: SessionState, context: Context): PlanChange {
  const plan = planOf(state)
  const { by } = state
  if (plan === null || by === null || currentItem(plan) === null) return { state, notes: [] }
  const { recall, brief } = context
  const said = replyAt(recall, by)
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
