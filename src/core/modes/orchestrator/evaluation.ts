/** The evaluation of a report (S2-06) decides: the next step, the same step again, another plan, or the end. A summary ends the task. */
import type { EventOf, Note } from '../../terms/effect.ts'
import type { HandlerContext, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { cutReason } from '../../mode/reply.ts'
import { cut } from '../../terms/text.ts'
import type { Evaluation } from './contract.ts'
import { guardNote, askQuestion, refusedQuestion } from './asks.ts'
import { failStep, refuseReplan } from './failed-attempt.ts'
import { currentId, itemNote, listNote, titleOf } from '../plan/items.ts'
import { currentItem, type ItemEnd } from '../plan/plan.ts'
import { readEvaluation, reportAt, STEPS, summaryText } from './replies.ts'
import { LOG_MAX, type OrchestratorState } from './state.ts'
import { finalText } from './totals.ts'
import { endCurrent, endStep, replaceSteps, startStep } from './steps.ts'

type T = HandlerResult<OrchestratorState>

/** Characters of a reason in an event. The journal has the full reason. */
const REASON_CHARS = 2_000

export function onEvaluation(state: OrchestratorState, event: EventOf<'model_replied'>, context: HandlerContext): T {
  const { brief, recall, seq } = context
  const reply = readEvaluation(event, brief.settings)
  const refusal = reply.ok ? refusedQuestion(state, reply.value, recall) : reply.reason
  if (!reply.ok || refusal !== null)
    return { state: { ...state, refused: seq }, notes: [], failure: { kind: 'contract', reason: refusal ?? '' } }
  const next: OrchestratorState = { ...state, refused: null, log: pushBounded(state.log, context.seq, LOG_MAX) }
  return applyDecision(next, reply.value, [decisionNote(state, reply.value)], context)
}

function decisionNote(state: OrchestratorState, { decision, reason }: Evaluation): Note {
  const text = cut(reason, REASON_CHARS)
  return {
    type: 'thought_decided',
    payload: { phase: 'evaluate', item_id: currentId(STEPS, state.plan), decision, text, reason: text },
  }
}

function applyDecision(state: OrchestratorState, evaluation: Evaluation, notes: Note[], context: HandlerContext): T {
  switch (evaluation.decision) {
    case 'next':
      return endStep(state, endOfReported(state, evaluation, context), notes, context)
    case 'retry':
      return failStep(state, notes, context)
    case 'replan':
      return applyReplan(state, evaluation, notes, context)
    case 'ask':
      return askQuestion(state, notes, context)
    case 'abort':
      return abort({ ...state, step: { ...state.step, failure: context.seq } }, notes, context)
  }
}

/** A step that the judge passes has failed nevertheless if its report says FAILED (R17), or if the judge says that it was not achieved. */
function endOfReported(
  { step }: OrchestratorState,
  { achieved }: Evaluation,
  { recall }: HandlerContext,
): 'completed' | 'failed' {
  const isFailed = step.report !== null && reportAt(recall, step.report).status === 'FAILED'
  return isFailed || achieved === false ? 'failed' : 'completed'
}

/**
 * What a replan makes of the current step. null: it stays open, and the new steps replace it. Where the judge does not say it, a
 * step with a report of SUCCESS that the new list leaves out is done. With `strict_replies` nothing is inferred.
 */
function endByReplan(state: OrchestratorState, evaluation: Evaluation, context: HandlerContext): ItemEnd[0] | null {
  const { current_step, adjusted_steps } = evaluation
  if (current_step === 'open') return null
  if (current_step === 'failed') return 'failed'
  if (current_step === 'done') return endOfReported(state, evaluation, context)
  const { plan, step } = state
  const { recall, brief } = context
  const item = currentItem(plan)
  if (brief.settings.strict_replies || item === null || step.report === null) return null
  const title = titleOf(STEPS, item, recall).trim()
  const isLeftOut = adjusted_steps.every((one) => one.title.trim() !== title)
  return isLeftOut && reportAt(recall, step.report).status === 'SUCCESS' ? 'completed' : null
}

/** S2-16: new steps replace all later ones, and the current one unless it has ended. What is done is kept. */
function applyReplan(state: OrchestratorState, evaluation: Evaluation, notes: Note[], context: HandlerContext): T {
  const end = endByReplan(state, evaluation, context)
  if (state.plan.replans >= context.brief.settings.max_replans) {
    if (end !== 'completed') return refuseReplan(state, notes, context)
    // The step is done, so there is nothing to ask about it. The later steps stay as they are.
    const note = guardNote('max_replans', state.plan.replans, state, context.recall)
    return endStep(state, end, [...notes, note], context)
  }
  const ended = end === null ? { state, notes } : endCurrent(state, end, notes, context)
  const replaced = replaceSteps(ended.state.plan, evaluation.adjusted_steps, context)
  const plan = { ...replaced, replans: state.plan.replans + 1 }
  const started = startStep({ ...ended.state, plan }, context)
  const allNotes = [...ended.notes, listNote(STEPS, 'plan_replanned', plan, context.recall), ...started.notes]
  return { ...started, notes: allNotes, counts: { replans: 1 } }
}

/** R17: the step fails, and the task fails with it. */
export function abort(state: OrchestratorState, notes: Note[], { recall }: HandlerContext): T {
  const allNotes = [...notes, itemNote(STEPS, 'item_failed', state.plan, recall)]
  return {
    state: { ...state, phase: 'ended', by: null },
    notes: allNotes,
    stop: { status: 'failed', reason: 'aborted' },
  }
}

/** A summary that was cut is asked for once more with more room, if the limit of failures allows it. */
export function onSummary(state: OrchestratorState, event: EventOf<'model_replied'>, context: HandlerContext): T {
  const reason = cutReason(event)
  if (reason !== null && state.refused === null && context.brief.settings.failure_limit > 1)
    return { state: { ...state, refused: context.seq }, notes: [], failure: { kind: 'contract', reason } }
  return recordSummary(state, reason !== null || summaryText(event) === '' ? null : context.seq, context)
}

/** Ends the task. The totals need no model, so a failed call for the summary does no harm. */
export function recordSummary(state: OrchestratorState, summary: number | null, { recall }: HandlerContext): T {
  const ended: OrchestratorState = { ...state, phase: 'ended', summary }
  const report = finalText(ended, recall)
  return { state: ended, notes: [{ type: 'report_generated', payload: { report } }], stop: DONE }
}
const DONE = { status: 'completed', reason: 'done' } as const
