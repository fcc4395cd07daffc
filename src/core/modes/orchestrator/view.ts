/** What an orchestrated task shows: its steps with their states and results, the last judgement, the open question, the summary, the progress. */
import type { Fact, Recall } from '../../terms/effect.ts'
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
import type { ItemStatus, PlanItem } from '../../terms/view.ts'
import { questionOf, reasonAt } from './failing.ts'
import { evaluationOf, reportAt, stepOf, titleOf } from './replies.ts'
import { itemId, openAsk, requestId, type Ask, type OrchestratorState } from './state.ts'
import { finalText, resultOf } from './totals.ts'

/** Reasons and results in an answer; the journal has them whole. */
const SHOWN_CHARS = 2_000

export function itemStatus(
  { plan, step, phase }: OrchestratorState,
  index: number,
  ended: ItemEnding | null = null,
): ItemStatus {
  const how = plan.ends[index]?.[0]
  if (how !== undefined) return how
  if (ended !== null) return index === plan.cursor ? ended.current : ended.later
  return index === plan.cursor && step.begun && phase !== 'planning' ? 'running' : 'pending'
}

export function viewOf(state: OrchestratorState, { recall, ended, thought_row }: ViewContext): ModeView {
  const { revision, cursor, row } = state.plan
  const items = state.plan.items.map((_, index) => shownItem(state, index, recall, ended))
  const ask = openAsk(state)
  return {
    plan: { revision, cursor, source: row === null ? 'plan' : sourceOf(recall(row)), items },
    thought: thought_row === null ? null : judgementAt(recall, thought_row),
    question: ask === null ? null : shownQuestion(ask, state, recall),
    result: state.phase === 'ended' && cursor === state.plan.items.length ? finalText(state, recall) : null,
  }
}

const sourceOf = ({ effect, event }: Fact) =>
  event.kind === 'plan_edited' ? 'edit' : effect?.phase === 'evaluate' ? 'replan' : 'plan'

function shownItem(state: OrchestratorState, index: number, recall: Recall, ended: ItemEnding | null): PlanItem {
  const item = state.plan.items[index]
  if (item === undefined) throw new Error(`there is no step ${index}`)
  const { title, description, constraints, expected_output } = stepOf(recall, item)
  const status = itemStatus(state, index, ended)
  const total = 1 + briefOf(recall).settings.max_retries_per_step
  const isCurrent = index === state.plan.cursor
  return {
    id: itemId(item.id),
    title,
    description,
    constraints: constraints === '' ? null : constraints,
    expected_output: expected_output === '' ? null : expected_output,
    status,
    result: resultOf(state, index, recall) ?? (isCurrent ? lastReport(state, recall) : null),
    progress: status === 'running' ? { current: Math.min(total, state.step.failures + 1), total } : null,
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
  const named = plan.items.map((item, index) => ({ title: titleOf(recall, item), status: itemStatus(state, index) }))
  const notes: Partial<Record<ItemStatus, string>> = { skipped: LEFT_OUT[locale], failed: FAILED[locale] }
  const isDone = ({ status }: { status: ItemStatus }) => status === 'completed'
  return {
    completed: named.filter(isDone).map(({ title }) => title),
    finished_count: plan.left + plan.ends.length,
    remaining: named.filter((one) => !isDone(one)).map(({ title, status }) => `${title}${notes[status] ?? ''}`),
    last_failure: obstacleOf(state, recall),
  }
}
