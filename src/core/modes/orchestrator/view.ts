/** What an orchestrated task shows: its steps with their states and results, the last judgement, the open question, the summary, the progress. */
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
import { questionOf, reasonAt } from './failed-attempt.ts'
import { titlesOf } from '../plan/items.ts'
import { itemStatus, phaseOf, planView } from '../plan/view.ts'
import { evaluationOf, reportAt, STEPS, stepOf } from './replies.ts'
import { openAsk, requestId, type Ask, type OrchestratorState } from './state.ts'
import { finalText, resultOf } from './totals.ts'

/** Reasons and results in an answer; the journal has them whole. */
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
    plan: planView(STEPS, plan, recall, made_by, (index) =>
      stepView(state, index, statusOf(state, index, ended), recall),
    ),
    thought: thought_row === null ? null : judgementAt(recall, thought_row),
    question: ask === null ? null : shownQuestion(ask, state, recall),
    result: phase === 'ended' && plan.cursor === plan.items.length ? finalText(state, recall) : null,
  }
}

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

/** What the step that is worked on has brought so far. */
function lastReport({ step }: OrchestratorState, recall: Recall): string | null {
  if (step.report === null) return null
  const { status, results, text } = reportAt(recall, step.report)
  return cut(`${status}: ${results ?? text}`, SHOWN_CHARS)
}

function judgementAt(recall: Recall, row: number): ModeView['thought'] {
  const { decision, reason } = evaluationOf(recall, row)
  return { phase: 'evaluate', decision, text: cut(reason, SHOWN_CHARS), at: rfc3339(recall(row).at) }
}

const shownQuestion = (ask: Ask, state: OrchestratorState, recall: Recall): Question => ({
  row: ask.row,
  request_id: requestId(ask.row),
  question: questionOf(ask, state.plan.replans, recall),
  choices: null,
  response_schema: null,
})

/** Of a question that was asked long ago nothing is known any more. */
export function askedOf(
  state: OrchestratorState,
  row: number,
  recall: Recall,
): { question: Question; answer_row: number | null } | null {
  const ask = state.asks.find((one) => one.row === row)
  return ask === undefined ? null : { question: shownQuestion(ask, state, recall), answer_row: ask.answer }
}

const LEFT_OUT: Record<Locale, string> = { en: ' (skipped)', zh: '（已跳过）' }
const FAILED: Record<Locale, string> = { en: ' (failed)', zh: '（失败）' }

/** What stands in the way: a report that was not judged yet, or why the last attempt failed. */
function obstacleOf({ phase, step }: OrchestratorState, recall: Recall): string | null {
  if (phase === 'evaluating') return UNREAD[briefOf(recall).locale]
  return step.failure === null ? null : cut(reasonAt(recall, step.failure), SHOWN_CHARS)
}
const UNREAD: Record<Locale, string> = {
  en: 'The report of the current step has come and is still to be judged.',
  zh: '当前步骤的报告已收到，尚待评判。',
}

/** S0-33: steps that were completed, those that are left – also what was skipped or failed – and why the last attempt did. */
export function progressOf(state: OrchestratorState, { recall }: { recall: Recall }): Progress {
  const { locale } = briefOf(recall)
  const { plan } = state
  const named = titlesOf(STEPS, plan, recall).map((title, index) => ({ title, status: statusOf(state, index) }))
  const notes: Partial<Record<ItemStatus, string>> = { skipped: LEFT_OUT[locale], failed: FAILED[locale] }
  const isDone = ({ status }: { status: ItemStatus }) => status === 'completed'
  return {
    completed: named.filter(isDone).map(({ title }) => title),
    finished_count: plan.left + plan.ends.length,
    remaining: named.filter((one) => !isDone(one)).map(({ title, status }) => `${title}${notes[status] ?? ''}`),
    last_failure: obstacleOf(state, recall),
  }
}
