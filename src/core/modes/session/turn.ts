/** A turn of the model. It calls tools, which makes or extends the plan, or it answers, which ends the run (S4-13, S4-17, O4-06). */
import { actingOn, actionStartedNote } from '../conversation/call-loop.ts'
import { ONE_ITERATION, isEmpty, SHOWN_CHARS } from '../conversation/replies.ts'
import { callAt } from '../conversation/calls.ts'
import type { EventOf, Note } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { asksUser } from '../../mode/ask-user.ts'
import type { ThoughtDecision } from '../../terms/plain/wire-names.ts'
import { cut } from '../../terms/text.ts'
import { beginsNextStep, crossesBoundary } from './detector.ts'
import { replyWithNews } from './marks.ts'
import { completeSteps, currentStep, planTurn, type PlanChange } from './plan.ts'
import { endsWithQuestion } from './ending-question.ts'
import { problemIn, problemText } from './problems.ts'
import type { MarkedReply } from './replies.ts'
import { planOf, type SessionState } from './state.ts'

type T = HandlerResult<SessionState>

export function onReply(state: SessionState, event: EventOf<'model_replied'>, context: HandlerContext): T {
  const reply = replyWithNews(state, context.seq, context.recall)
  const problem = problemIn(state, event, context)
  if (problem !== null) {
    const failure = { kind: 'contract' as const, reason: problemText(problem, event, 'en') }
    const told = isEmpty(reply) ? state.told : state.told + 1
    return { state: { ...state, told }, notes: [], failure, counts: ONE_ITERATION }
  }
  const next: SessionState = { ...state, arrived: null }
  return reply.calls.length === 0 ? onAnswer(next, reply, context) : onCalls(next, reply, context)
}

/** What a reply with calls decides: it goes on, or it asks the user. */
export const decisionOf = ({ calls }: MarkedReply): 'ask_user' | 'continue' =>
  calls.length > 0 && calls.every(({ name }) => asksUser(name)) ? 'ask_user' : 'continue'

export const decisionNote = (state: SessionState, decision: ThoughtDecision, reply: MarkedReply): Note => ({
  type: 'thought_decided',
  payload: { phase: 'turn', item_id: currentStep(state), decision, text: cut(reply.visible_text, SHOWN_CHARS) },
})

/** An answer ends the run, even if steps are left (R22). A mark in it ends the current step. */
function onAnswer(before: SessionState, reply: MarkedReply, context: HandlerContext): T {
  const { state, notes } = closeStep(before, reply, context)
  if (isToGoOn(before, reply, context)) return goOn(before, reply, context)
  return {
    state: { ...state, phase: 'ended', fresh: false, told: 0, ending: context.seq },
    notes: [...notes, decisionNote(before, 'done', reply)],
    counts: ONE_ITERATION,
    stop: { status: 'completed', reason: 'done' },
  }
}

/** A reply without a final mark, while steps beyond the one that it closes are open, goes on once in a run. Replies that are read strictly end it. */
function isToGoOn(state: SessionState, reply: MarkedReply, context: HandlerContext): boolean {
  const plan = planOf(state)
  if (plan === null || state.kept !== null || context.brief.settings.strict_replies) return false
  if (reply.says_reached || reply.verdict !== null || endsWithQuestion(state, reply, context)) return false
  return plan.items.length - plan.cursor > Math.max(1, reply.done_count)
}

/** The reply is kept, and its marks end their steps. */
function goOn(before: SessionState, reply: MarkedReply, context: HandlerContext): T {
  const { state, notes } = completeSteps(before, reply.done_count, context)
  return {
    state: { ...state, fresh: false, told: 0, kept: context.seq },
    notes: [...notes, decisionNote(before, 'continue', reply)],
    counts: ONE_ITERATION,
  }
}

function closeStep(state: SessionState, reply: MarkedReply, context: HandlerContext): PlanChange {
  if (context.brief.settings.strict_replies) return { state, notes: [] }
  const completion = completeSteps(state, reply.done_count, context)
  // No further step starts, because the run has ended.
  return { ...completion, notes: completion.notes.filter(({ type }) => type === 'item_completed') }
}

function onCalls(state: SessionState, reply: MarkedReply, context: HandlerContext): T {
  const acting: SessionState = { ...state, fresh: false, told: 0, ...actingOn(context.seq, reply.calls) }
  const planChange = planTurn(acting, reply, context)
  const { state: next, notes } = leaveStep(planChange, reply, context)
  return {
    state: next,
    notes: [
      ...planChange.notes,
      ...notes,
      decisionNote(next, decisionOf(reply), reply),
      actionStartedNote(next, context.recall, currentStep(next)),
    ],
    counts: ONE_ITERATION,
  }
}

/** The current step ends before the calls of a reply that is about the next one, or that begins to act behind reading (S4-26). */
function leaveStep({ state }: PlanChange, reply: MarkedReply, context: HandlerContext): PlanChange {
  const plan = planOf(state)
  const calls = reply.calls.map((_, index) => callAt(context.recall, context.seq, index))
  const { tool_boundary_hint, strict_replies } = context.brief.settings
  const isOver =
    plan !== null &&
    ((tool_boundary_hint && crossesBoundary(plan, calls)) || (!strict_replies && beginsNextStep(plan, reply)))
  if (!isOver) return { state: { ...state, advanced: false }, notes: [] }
  // The last step ends behind its calls.
  const count = Math.min(Math.max(1, reply.done_count), plan.items.length - plan.cursor - 1)
  const { state: next, notes } = completeSteps(state, count, context)
  return { state: { ...next, advanced: true }, notes }
}
