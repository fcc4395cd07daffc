/** An attempt that failed (R17): tried again in the same session, and after so many times put to a person; never left out in silence. */
import type { Note, Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { briefOf, type Context, type HandlerResult } from '../../mode/mode.ts'
import { pushBounded } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import { itemNote, titleOf } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import { evaluationOf, STEPS } from './replies.ts'
import { ASKS_MAX, requestId, type Ask, type OrchestratorState } from './state.ts'
import { NO_REASON, NO_REPORT, NOT_APPROVED, NOT_SENT, QUESTION, TOO_MANY_REPLANS } from './words.ts'

type T = HandlerResult<OrchestratorState>

/** Of a reason in a question or a table. */
const REASON_CHARS = 300
const EVIDENCE_CHARS = 200

/** Why the attempt failed that a row has ended. */
export function reasonAt(recall: Recall, row: number): string {
  const { locale } = briefOf(recall)
  const { event } = recall(row)
  switch (event.kind) {
    case 'model_replied':
      return evaluationOf(recall, row).reason || NO_REASON[locale]
    case 'report_expired':
      return NO_REPORT[locale]
    case 'approval_answered':
      return NOT_APPROVED[locale]
    default:
      return NOT_SENT[locale]
  }
}

/** The step is tried again, or a person is asked. */
export function failStep(before: OrchestratorState, notes: Note[], context: Context): T {
  const failures = before.step.failures + 1
  const state: OrchestratorState = {
    ...before,
    command: null,
    failures: before.failures + 1,
    step: { ...before.step, failures, failure: context.seq },
  }
  const { max_retries_per_step } = context.brief.settings
  if (failures <= max_retries_per_step) return { state: { ...state, phase: 'dispatching', by: context.seq }, notes }
  return asking(state, [...notes, guard('max_retries_per_step', failures, state, context.recall)], context)
}

/** No further plan is taken from the evaluator. */
export function refuseReplan(state: OrchestratorState, notes: Note[], context: Context): T {
  const note = guard('max_replans', state.plan.replans, state, context.recall)
  return asking({ ...state, command: null }, [...notes, note], context)
}

/** A person decides, as long as there are questions left; else the step fails, and the task with it. */
function asking(state: OrchestratorState, notes: Note[], context: Context): T {
  const item = currentItem(state.plan)
  if (item === null) throw new Error('no step is being worked on')
  const { seq, recall, brief } = context
  if (state.questions >= brief.settings.max_clarifications) {
    const told = [
      ...notes,
      guard('max_clarifications', state.questions, state, recall),
      itemNote(STEPS, 'item_failed', state.plan, recall),
    ]
    return { state: { ...state, phase: 'ended' }, notes: told, stop: { status: 'failed', reason: 'step_failed' } }
  }
  const ask: Ask = { row: seq, item, failures: state.step.failures, answer: null }
  const asks = pushBounded(state.asks, ask, ASKS_MAX)
  const asked: OrchestratorState = { ...state, phase: 'asking', by: null, asks, questions: state.questions + 1 }
  const payload = { request_id: requestId(seq), question: questionOf(ask, state.plan.replans, recall) }
  return { state: asked, notes: [...notes, { type: 'clarification_requested', payload }] }
}

export function questionOf({ row, item, failures }: Ask, replans: number, recall: Recall): string {
  const { locale }: { locale: Locale } = briefOf(recall)
  const title = cut(titleOf(STEPS, item, recall), REASON_CHARS)
  const reason = cut(reasonAt(recall, row), REASON_CHARS)
  const { event } = recall(row)
  const replanned = event.kind === 'model_replied' && evaluationOf(recall, row).decision === 'replan'
  return replanned ? TOO_MANY_REPLANS[locale](title, replans, reason) : QUESTION[locale](title, failures, reason)
}

function guard(name: string, count: number, { plan }: OrchestratorState, recall: Recall): Note {
  const item = currentItem(plan)
  const evidence = item === null ? '' : cut(titleOf(STEPS, item, recall), EVIDENCE_CHARS)
  return { type: 'loop_guard', payload: { guard: name, count, evidence } }
}
