/** One question of a task, by the row that asked it: what someone who holds its link is shown, and may answer. */
import { normalizeAnswer, type AnswerForm, type SchemaValidator } from '../terms/schema/answer-form.ts'
import type { Event } from '../terms/effect.ts'
import type { Locale } from '../terms/locale.ts'
import { answerEvents, openQuestion } from './input.ts'
import type { Journal } from './journal.ts'
import { briefOf, expectEvent } from '../mode/mode.ts'
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
  /** What was answered; of an expired one it is not told. */
  answer: string | null
}

/** An unknown task, row or slice are one refusal: nothing tells them apart. */
export function questionOf(journal: Journal, ref: QuestionRef, now_ms: number): Result<AskedQuestion> {
  const last = journal.last()
  if (last === null || ref.seq > last.seq || nonceOf(journal, ref.seq) !== ref.nonce)
    return refuse({ code: 'link_not_found' })
  const { head } = last
  const asked = modeOf(head.mode).questionAt(head.state, ref.seq, journal.recall)
  if (asked === null) return refuse({ code: 'link_not_found' })
  const { locale } = briefOf(journal.recall)
  const { question, choices, response_schema } = asked.question
  const shown = { locale, prompt: questionPrompt(locale, question), choices, response_schema }
  const expired = stopReasonOf(head) === pauseReasonText({ kind: 'question_expired' }) && asked.answer_row === null
  if (expired || now_ms >= ref.expires_ms) return ok({ ...shown, state: 'expired', answer: null })
  if (asked.answer_row !== null) {
    const { text } = expectEvent(journal.recall(asked.answer_row), 'user_answered')
    return ok({ ...shown, state: 'settled', answer: text })
  }
  // An edit of the plan may have led on without an answer.
  const open = head.end === null && openQuestion(head, journal)?.row === ref.seq
  return ok({ ...shown, state: open ? 'open' : 'settled', answer: null })
}

/** What an answer is judged by, given from outside. */
interface Judged {
  now_ms: number
  fits: SchemaValidator
}

/**
 * Answers one question. The text is the answer and nothing else: no command, no cancel phrase, no word that resumes. The first one stands;
 * the same one again is shown and not heard.
 */
export function answerOnce<T>(
  journal: Journal,
  ref: QuestionRef,
  given: string,
  by: Judged,
  tell: (hear: (journal: Journal) => Result<Event[]>) => Result<T>,
): Result<{ recorded: string; advanced: T | null }> {
  const asked = questionOf(journal, ref, by.now_ms)
  if (!asked.ok) return asked
  const read = normalizeAnswer(asked.value, given, by.fits)
  const recorded = read.ok ? read.text : given.trim()
  if (asked.value.answer === recorded) return ok({ recorded, advanced: null })
  const told = tell((draft) => hearAnswer(draft, ref, given, by))
  return told.ok ? ok({ recorded, advanced: told.value }) : told
}

function hearAnswer(journal: Journal, ref: QuestionRef, given: string, { now_ms, fits }: Judged): Result<Event[]> {
  const asked = questionOf(journal, ref, now_ms)
  if (!asked.ok) return asked
  switch (asked.value.state) {
    case 'expired':
      return refuse({ code: 'expired' })
    case 'settled':
      return refuse({ code: 'question_settled', recorded: asked.value.answer })
    case 'open':
      return answerEvents(asked.value, isHeld(journal), given, fits)
  }
}

const isHeld = (journal: Journal) => (journal.last()?.head.pause_reason ?? null) !== null
