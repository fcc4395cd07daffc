/** One question of a task, found by the row that asked it. The holder of its link sees this question and may answer it. */
import { normalizeAnswer, type AnswerForm, type SchemaValidator } from '../terms/schema/answer-form.ts'
import type { Event } from '../terms/effect.ts'
import type { Locale } from '../terms/locale.ts'
import {
  answerRowOf,
  answerText,
  openToolQuestion,
  questionOfTool,
  toolAnswer,
} from '../engine/tools/tool-questions.ts'
import { withListedTools } from '../engine/tools/tool-lists.ts'
import { answerEvents, openQuestion, toolAnswerEvents } from './input.ts'
import type { Journal } from './journal.ts'
import { briefOf, expectEvent, type Question } from '../mode/mode.ts'
import { modeOf } from '../modes/index.ts'
import { stopReasonOf } from '../terms/head.ts'
import { pauseReasonText } from '../terms/pause-reason.ts'
import { ok, refuse, type Result } from '../terms/refusal.ts'
import { nonceOf, type QuestionRef } from './view/stored-task-view.ts'
import { questionPrompt } from '../terms/text.ts'

export interface AskedQuestion extends AnswerForm {
  locale: Locale
  /** The text shown to a person. */
  prompt: string
  state: 'open' | 'settled' | 'expired'
  /** The answer. It is null for an expired question. */
  answer: string | null
}

/** An unknown task, row or slice get the same refusal, so that a caller cannot tell them apart. */
export function questionOf(journal: Journal, ref: QuestionRef, now_ms: number): Result<AskedQuestion> {
  const last = journal.last()
  if (last === null || ref.seq > last.seq || nonceOf(journal, ref.seq) !== ref.nonce)
    return refuse({ code: 'link_not_found' })
  const { head } = last
  const found = askedByTool(ref.seq, last, journal) ?? modeOf(head.mode).questionAt(head.state, ref.seq, journal.recall)
  if (found === null) return refuse({ code: 'link_not_found' })
  const { locale } = briefOf(journal.recall)
  const { question, choices, other_answers, response_schema } = found.question
  const parts = { locale, prompt: questionPrompt(locale, question), choices, other_answers, response_schema }
  const expired = stopReasonOf(head) === pauseReasonText({ kind: 'question_expired' }) && found.answer_row === null
  if (expired || now_ms >= ref.expires_ms) return ok({ ...parts, state: 'expired', answer: null })
  if (found.answer_row !== null) {
    const { event } = journal.recall(found.answer_row)
    const text = event.kind === 'tool_answered' ? answerText(event) : null
    const answer = text ?? expectEvent(journal.recall(found.answer_row), 'user_answered').text
    return ok({ ...parts, state: 'settled', answer })
  }
  // After an edit of the plan the task may have gone on without an answer.
  const asking = openToolQuestion(head, journal.recall) ?? openQuestion(head, journal)
  const open = head.end === null && asking?.row === ref.seq
  return ok({ ...parts, state: open ? 'open' : 'settled', answer: null })
}

/** The question that a row asked for a tool, with the row of its answer. */
function askedByTool(row: number, last: NonNullable<ReturnType<Journal['last']>>, { recall }: Journal) {
  const rows = withListedTools(last.head, recall)
  const question = questionOfTool(row, rows)
  return question === null ? null : { question, answer_row: answerRowOf(row, last.seq, rows) }
}

/** The time and the validator with which an answer is checked. */
interface AnswerContext {
  now_ms: number
  fits: SchemaValidator
}

/**
 * Answers one question. The text is only an answer, never a slash command, a cancel phrase or a continue text. The first answer
 * counts; if the same answer comes again, it is shown and not applied.
 */
export function answerOnce<T>(
  journal: Journal,
  ref: QuestionRef,
  text: string,
  context: AnswerContext,
  tell: (eventsFor: (journal: Journal) => Result<Event[]>) => Result<T>,
): Result<{ recorded: string; advanced: T | null }> {
  const question = questionOf(journal, ref, context.now_ms)
  if (!question.ok) return question
  const recorded = recordedText(journal, ref, question.value, text, context.fits)
  if (question.value.answer === recorded) return ok({ recorded, advanced: null })
  const result = tell((draft) => eventsForLinkedAnswer(draft, ref, text, context))
  return result.ok ? ok({ recorded, advanced: result.value }) : result
}

/** An answer in the words in which it would be recorded. */
function recordedText(journal: Journal, { seq }: QuestionRef, form: AnswerForm, text: string, fits: SchemaValidator) {
  const ofTool = questionOfTool(seq, journal.recall)
  const told = ofTool === null ? null : toolAnswer(ofTool, text, fits)
  if (told !== null) return told.ok ? answerText(told.value) : text.trim()
  const normalized = normalizeAnswer(form, text, fits)
  return normalized.ok ? normalized.text : text.trim()
}

function eventsForLinkedAnswer(
  journal: Journal,
  ref: QuestionRef,
  text: string,
  { now_ms, fits }: AnswerContext,
): Result<Event[]> {
  const question = questionOf(journal, ref, now_ms)
  if (!question.ok) return question
  switch (question.value.state) {
    case 'expired':
      return refuse({ code: 'expired' })
    case 'settled':
      return refuse({ code: 'question_settled', recorded: question.value.answer })
    case 'open': {
      const ofTool = questionOfTool(ref.seq, journal.recall)
      if (ofTool !== null) return toolAnswerEvents(ofTool, isPaused(journal), text, fits)
      return answerEvents({ ...question.value, ...callThatAsks(journal) }, isPaused(journal), text, fits)
    }
  }
}

/** In a conversation the answer is the result of the call that asks. */
function callThatAsks(journal: Journal): Pick<Question, 'call'> {
  const head = journal.last()?.head
  const call = head === undefined ? undefined : openQuestion(head, journal)?.call
  return call === undefined ? {} : { call }
}

const isPaused = (journal: Journal) => (journal.last()?.head.pause_reason ?? null) !== null
