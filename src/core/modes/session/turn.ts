/** A turn of the model: it calls tools, which makes or extends the plan, or it answers, which ends the run (S4-13, S4-17, O4-06). */
import { actingOn, startedNote } from '../conversation/call-loop.ts'
import { COUNTED, EMPTY_REPLY, isEmpty, SHOWN_CHARS } from '../conversation/replies.ts'
import { callAt } from '../conversation/calls.ts'
import type { EventOf, Note } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { cut } from '../../terms/text.ts'
import { crossesBoundary } from './detector.ts'
import { completeStep, currentStep, planTurn, type PlanChange } from './plan.ts'
import { replyIn, type MarkedReply } from './replies.ts'
import { planOf, type SessionState } from './state.ts'

type T = HandlerResult<SessionState>

export function onReply(state: SessionState, event: EventOf<'model_replied'>, context: Context): T {
  const said = replyIn(event)
  if (isEmpty(said)) {
    return { state, notes: [], failure: { kind: 'contract', reason: EMPTY_REPLY }, counts: COUNTED }
  }
  return said.calls.length === 0 ? onAnswer(state, said, context) : onCalls(state, said, context)
}

export const decisionNote = (state: SessionState, decision: string, said: MarkedReply): Note => ({
  type: 'thought_decided',
  payload: { phase: 'turn', item_id: currentStep(state), decision, text: cut(said.visible_text, SHOWN_CHARS) },
})

/** Whatever steps are left (R22). */
function onAnswer(state: SessionState, said: MarkedReply, { seq }: Context): T {
  return {
    state: { ...state, phase: 'ended', fresh: false, ending: seq },
    notes: [decisionNote(state, 'done', said)],
    counts: COUNTED,
    stop: { status: 'completed', reason: 'done' },
  }
}

function onCalls(state: SessionState, said: MarkedReply, context: Context): T {
  const acting: SessionState = { ...state, fresh: false, ...actingOn(context.seq, said.calls) }
  const taken = planTurn(acting, said, context)
  const { state: next, notes } = crossed(taken, said, context)
  return {
    state: next,
    notes: [
      ...taken.notes,
      ...notes,
      decisionNote(next, 'continue', said),
      startedNote(next, context.recall, currentStep(next)),
    ],
    counts: COUNTED,
  }
}

/** A step of reading may be over as a reply begins to act; then this reply is the first of the next step (S4-26). */
function crossed({ state }: PlanChange, said: MarkedReply, context: Context): PlanChange {
  const plan = planOf(state)
  const calls = said.calls.map((_, index) => callAt(context.recall, context.seq, index))
  const over = context.brief.settings.tool_boundary_hint && plan !== null && crossesBoundary(plan, calls)
  if (!over) return { state: { ...state, advanced: false }, notes: [] }
  const { state: next, notes } = completeStep(state, plan, context)
  return { state: { ...next, advanced: true }, notes }
}
