/** Questions to a person: after too many failures, when the plan may not be replaced again, or because the judge asks (ruling 37). */
import type { Note, Recall } from '../../terms/effect.ts'
import { briefOf, type HandlerContext, type HandlerResult } from '../../mode/mode.ts'
import type { Guard } from '../../terms/plain/wire-names.ts'
import { newestWithin, pushBounded } from '../../terms/values/bounded-list.ts'
import { cut } from '../../terms/text.ts'
import { itemNote, titleOf } from '../plan/items.ts'
import { currentItem } from '../plan/plan.ts'
import type { Evaluation } from './contract.ts'
import { evaluationOf, instructionAt, reasonAt, STEPS } from './replies.ts'
import { ASKS_MAX, requestId, type Ask, type OrchestratorState } from './state.ts'
import { ANSWERS, QUESTION, TOO_MANY_REPLANS } from './words.ts'

type T = HandlerResult<OrchestratorState>

/** Characters of a reason in a question. */
const REASON_CHARS = 300
const EVIDENCE_CHARS = 200

/** Asks a person what to do after failures. If no questions are left, the step fails, and the task fails with it. */
export function askPerson(state: OrchestratorState, notes: Note[], context: HandlerContext): T {
  const { recall, brief } = context
  if (state.questions < brief.settings.max_clarifications) return askQuestion(state, notes, context)
  const endNotes = [
    ...notes,
    guardNote('max_clarifications', state.questions, state, recall),
    itemNote(STEPS, 'item_failed', state.plan, recall),
  ]
  return { state: { ...state, phase: 'ended' }, notes: endNotes, stop: { status: 'failed', reason: 'step_failed' } }
}

/** Puts the question of the row being closed. */
export function askQuestion(state: OrchestratorState, notes: Note[], { seq, recall }: HandlerContext): T {
  const item = currentItem(state.plan)
  if (item === null) throw new Error('no step is being worked on')
  const ask: Ask = { row: seq, item, failures: state.step.failures, answer: null }
  const asks = pushBounded(state.asks, ask, ASKS_MAX)
  const next: OrchestratorState = { ...state, phase: 'asking', by: null, asks, questions: state.questions + 1 }
  const payload = { request_id: requestId(seq), question: questionOf(ask, state.plan.replans, recall) }
  return { state: next, notes: [...notes, { type: 'clarification_requested', payload }] }
}

/** The evaluation that put a question itself. null: the program put it. */
export function askingEvaluation({ row }: Ask, recall: Recall): Evaluation | null {
  if (recall(row).event.kind !== 'model_replied') return null
  const evaluation = evaluationOf(recall, row)
  return evaluation.decision === 'ask' ? evaluation : null
}

export function questionOf(ask: Ask, replans: number, recall: Recall): string {
  const { locale } = briefOf(recall)
  const { row, item, failures } = ask
  const question = askingEvaluation(ask, recall)?.question
  if (question !== null && question !== undefined) return question
  const title = cut(titleOf(STEPS, item, recall), REASON_CHARS)
  const reason = cut(reasonAt(recall, row), REASON_CHARS)
  const isReplan = recall(row).event.kind === 'model_replied' && evaluationOf(recall, row).decision === 'replan'
  return isReplan ? TOO_MANY_REPLANS[locale](title, replans, reason) : QUESTION[locale](title, failures, reason)
}

/** The answers that are offered. No list of them binds. */
export function choicesOf(ask: Ask, recall: Recall): string[] | null {
  const evaluation = askingEvaluation(ask, recall)
  return evaluation === null ? [...ANSWERS[briefOf(recall).locale]] : evaluation.choices
}

/** Characters of all questions and answers together, and of one answer. */
export const CLARIFICATION_CHARS = 20_000
const ANSWER_CHARS = 4_000

/** The questions of the judge that were answered, oldest first. */
export function clarificationsOf({ asks }: OrchestratorState, recall: Recall): { question: string; answer: string }[] {
  const rows = asks.flatMap(({ answer }) => (answer === null ? [] : [answer]))
  const readAnswer = (row: number) => {
    const ask = asks.find(({ answer }) => answer === row)
    const question = ask === undefined ? null : (askingEvaluation(ask, recall)?.question ?? null)
    return question === null ? null : { question, answer: cut(instructionAt(recall, row), ANSWER_CHARS) }
  }
  return newestWithin(
    rows,
    readAnswer,
    (one) => (one === null ? 0 : one.question.length + one.answer.length),
    CLARIFICATION_CHARS,
  ).filter((one) => one !== null)
}

const sameText = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/** Why a question of the judge is not put, as text for the model. null: it may be put, or the reply asks nothing. */
export function refusedQuestion(
  state: OrchestratorState,
  { decision, question }: Evaluation,
  recall: Recall,
): string | null {
  if (decision !== 'ask' || question === null) return null
  const { max_clarifications } = briefOf(recall).settings
  if (state.questions >= max_clarifications)
    return 'no more questions may be asked in this task; decide with what is known'
  const isAnswered = clarificationsOf(state, recall).some((one) => sameText(one.question, question))
  return isAnswered ? 'the user has answered this question; use the answer in clarifications' : null
}

export function guardNote(name: Guard, count: number, { plan }: OrchestratorState, recall: Recall): Note {
  const item = currentItem(plan)
  const evidence = item === null ? '' : cut(titleOf(STEPS, item, recall), EVIDENCE_CHARS)
  return { type: 'loop_guard', payload: { guard: name, count, evidence } }
}
