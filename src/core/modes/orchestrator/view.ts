/** The view of an orchestrated task: its steps with their states and results, the last evaluation, the open question, the summary, the progress. */
import type { Recall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import {
  briefOf,
  type ItemEnding,
  type ViewContext,
  type ModeView,
  type Progress,
  type Question,
} from '../../mode/mode.ts'
import { cut, rfc3339 } from '../../terms/text.ts'
import type { ItemStatus } from '../../terms/view.ts'
import { choicesOf, questionOf } from './asks.ts'
import { itemStatus, phaseOf, planProgress, planView, type ItemViews } from '../plan/view.ts'
import { endText, evaluationOf, reasonAt, reportAt, stepOf, STEPS } from './replies.ts'
import { openAsk, requestId, type Ask, type OrchestratorState } from './state.ts'
import { finalText, resultOf, verdictOf } from './totals.ts'

/** Characters of a reason or a result in an answer. The journal has the full text. */
const SHOWN_CHARS = 2_000

export function statusOf(
  { plan, step, phase }: OrchestratorState,
  index: number,
  ended: ItemEnding | null = null,
): ItemStatus {
  return itemStatus(plan, index, step.begun && phase !== 'planning' ? plan.cursor : null, ended)
}

export function viewOf(state: OrchestratorState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { plan, phase } = state
  const made_by = phaseOf(plan, recall) === 'evaluate' ? 'replan' : 'plan'
  const ask = openAsk(state)
  return {
    plan: planView(STEPS, plan, recall, made_by, stepViews(state, recall, ended)),
    thought: thought_row === null ? null : judgementAt(recall, thought_row),
    question: ask === null ? null : questionView(ask, state, recall),
    result: phase === 'ended' && plan.cursor === plan.items.length ? finalText(state, recall) : null,
    verdict: verdictOf(state, recall),
  }
}

/** The states and the results of the steps. */
const stepViews = (state: OrchestratorState, recall: Recall, ended: ItemEnding | null): ItemViews => ({
  stateOf: (index) => stepView(state, index, statusOf(state, index, ended), recall),
  goneResult: (end) => endText(end, recall),
})

function stepView(state: OrchestratorState, index: number, status: ItemStatus, recall: Recall) {
  const { plan, step } = state
  const item = plan.items[index]
  const constraints = item === undefined ? '' : stepOf(recall, plan, item).constraints
  const total = 1 + briefOf(recall).settings.max_retries_per_step
  return {
    constraints: constraints === '' ? null : constraints,
    status,
    result: resultOf(state, index, recall) ?? (index === plan.cursor ? lastReport(state, recall) : null),
    progress: status === 'running' ? { current: Math.min(total, step.failures + 1), total } : null,
  }
}

/** The latest report of the current step. */
function lastReport({ step }: OrchestratorState, recall: Recall): string | null {
  if (step.report === null) return null
  const { status, results, text } = reportAt(recall, step.report)
  return cut(`${status}: ${results ?? text}`, SHOWN_CHARS)
}

function judgementAt(recall: Recall, row: number): ModeView['thought'] {
  const { decision, reason } = evaluationOf(recall, row)
  return { phase: 'evaluate', decision, text: cut(reason, SHOWN_CHARS), at: rfc3339(recall(row).at) }
}

function questionView(ask: Ask, state: OrchestratorState, recall: Recall): Question {
  const choices = choicesOf(ask, recall)
  return {
    row: ask.row,
    request_id: requestId(ask.row),
    question: questionOf(ask, state.plan.replans, recall),
    choices,
    other_answers: choices !== null,
    response_schema: null,
  }
}

/** The question of a row. null: the row asked none, or the question is so old that the state no longer names it. */
export function askedOf(
  state: OrchestratorState,
  row: number,
  recall: Recall,
): { question: Question; answer_row: number | null } | null {
  const ask = state.asks.find((one) => one.row === row)
  return ask === undefined ? null : { question: questionView(ask, state, recall), answer_row: ask.answer }
}

/** The obstacle of the task: a report without an evaluation, or the reason of the last failed attempt. */
function obstacleOf({ phase, step }: OrchestratorState, recall: Recall): string | null {
  if (phase === 'evaluating') return NOT_EVALUATED[briefOf(recall).locale]
  return step.failure === null ? null : cut(reasonAt(recall, step.failure), SHOWN_CHARS)
}
const NOT_EVALUATED: Record<Locale, string> = {
  en: 'The report of the current step has come and is still to be judged.',
  zh: '当前步骤的报告已收到，尚待评判。',
}

/** S0-33: completed steps, the other steps with skipped and failed ones, and why the last attempt failed. */
export const progressOf = (state: OrchestratorState, { recall }: { recall: Recall }): Progress => ({
  ...planProgress(STEPS, state.plan, recall, stepViews(state, recall, null)),
  last_failure: obstacleOf(state, recall),
})
