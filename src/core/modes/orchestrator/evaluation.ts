/** What comes back is judged (S2-06): the next step, the same one again, another plan, or the end; and in the end all of it is summed up. */
import type { EventOf, Note } from '../../terms/effect.ts'
import type { Context, HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import type { Evaluation } from './contract.ts'
import { failStep, refuseReplan } from './failed-attempt.ts'
import { currentId, itemNote, listNote } from '../plan/items.ts'
import { readEvaluation, reportAt, STEPS, summaryText } from './replies.ts'
import { LOG_MAX, type OrchestratorState } from './state.ts'
import { finalText } from './totals.ts'
import { endStep, replaceSteps, startStep } from './steps.ts'

type T = HandlerResult<OrchestratorState>

/** Of a reason in an event; the journal has it whole. */
const TOLD_CHARS = 2_000

export function onEvaluation(state: OrchestratorState, event: EventOf<'model_replied'>, context: Context): T {
  const read = readEvaluation(event)
  if (!read.ok)
    return { state: { ...state, refused: context.seq }, notes: [], failure: { kind: 'contract', reason: read.reason } }
  const judged: OrchestratorState = { ...state, refused: null, log: pushBounded(state.log, context.seq, LOG_MAX) }
  return decided(judged, read.value, [decisionNote(state, read.value)], context)
}

function decisionNote(state: OrchestratorState, { decision, reason }: Evaluation): Note {
  const text = cut(reason, TOLD_CHARS)
  return {
    type: 'thought_decided',
    payload: { phase: 'evaluate', item_id: currentId(STEPS, state.plan), decision, text, reason: text },
  }
}

function decided(
  state: OrchestratorState,
  { decision, adjusted_steps }: Evaluation,
  told: Note[],
  context: Context,
): T {
  switch (decision) {
    case 'next':
      return endStep(state, hasFailed(state, context) ? 'failed' : 'completed', told, context)
    case 'retry':
      return failStep(state, told, context)
    case 'replan':
      return replanned(state, adjusted_steps, told, context)
    case 'abort':
      return abort({ ...state, step: { ...state.step, failure: context.seq } }, told, context)
  }
}

/** A step that is passed although its report says it failed is shown as failed (R17). */
const hasFailed = ({ step }: OrchestratorState, { recall }: Context) =>
  step.report !== null && reportAt(recall, step.report).status === 'FAILED'

/** S2-16: the current step and all later ones give way to what is to be done instead. */
function replanned(state: OrchestratorState, steps: Evaluation['adjusted_steps'], told: Note[], context: Context): T {
  if (state.plan.replans >= context.brief.settings.max_replans) return refuseReplan(state, told, context)
  const plan = { ...replaceSteps(state.plan, steps, context), replans: state.plan.replans + 1 }
  const started = startStep({ ...state, plan }, context)
  const notes = [...told, listNote(STEPS, 'plan_replanned', plan, context.recall), ...started.notes]
  return { ...started, notes, counts: { replans: 1 } }
}

/** R17: the task fails with its step. */
export function abort(state: OrchestratorState, told: Note[], { recall }: Context): T {
  const notes = [...told, itemNote(STEPS, 'item_failed', state.plan, recall)]
  return { state: { ...state, phase: 'ended', by: null }, notes, stop: { status: 'failed', reason: 'aborted' } }
}

export function onSummary(state: OrchestratorState, event: EventOf<'model_replied'>, context: Context): T {
  return recordSummary(state, summaryText(event) === '' ? null : context.seq, context)
}

/** The totals are known without a model: a call that fails is missed by nobody. */
export function recordSummary(state: OrchestratorState, summary: number | null, { recall }: Context): T {
  const ended: OrchestratorState = { ...state, phase: 'ended', summary }
  const report = finalText(ended, recall)
  return { state: ended, notes: [{ type: 'report_generated', payload: { report } }], stop: DONE }
}
const DONE = { status: 'completed', reason: 'done' } as const
