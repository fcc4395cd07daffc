/** The questions of a conversation. The model asks by a call of ask_user, and the answer is the result of that call (ruling 37). */
import * as z from 'zod'
import { asksUser, questionIn, type UserQuestion } from '../../mode/ask-user.ts'
import { briefOf, type Question } from '../../mode/mode.ts'
import type { Recall } from '../../terms/effect.ts'
import { isSameQuestion } from '../../terms/failure-streak.ts'
import type { Locale } from '../../terms/locale.ts'
import { cut } from '../../terms/text.ts'
import { callAt, callsAt } from './calls.ts'

const row = z.int().min(1)

/** The answered questions of the task: the reply that asked, the index of its call, and the row of the answer. */
export const Clarifications = z.array(z.tuple([row, z.int().min(0), row]))
export type Clarifications = z.infer<typeof Clarifications>

const EN = {
  limit: (most: number) => `not asked: ${most} questions of this task have been answered, which is the most it may ask`,
  together: 'not asked: one reply asks one question; ask it again when the other one is answered',
  again: (answer: string) => `not asked: the user has answered this question already: ${answer}`,
}
const WORDS: Record<Locale, typeof EN> = {
  en: EN,
  zh: {
    limit: (most) => `未提问：本任务已有 ${most} 个问题得到回答，已达上限`,
    together: '未提问：每条回复只能问一个问题；请在另一个问题得到回答后再问',
    again: (answer) => `未提问：用户已回答过这个问题：${answer}`,
  },
}

/** Characters of an earlier answer in a refusal. */
const ANSWER_CHARS = 500

interface CallRef {
  by: number
  call: number
}

/** Why a question is not asked, as the result of its call. null: it is asked. */
export function questionRefusal(clarifications: Clarifications, { by, call }: CallRef, recall: Recall): string | null {
  const { settings, locale } = briefOf(recall)
  const words = WORDS[locale]
  const asked = questionIn(callAt(recall, by, call).input)
  if (!asked.ok) return asked.reason
  const earlier_calls = callsAt(recall, by).slice(0, call)
  if (earlier_calls.some(({ name }) => asksUser(name))) return words.together
  const same = clarifications.findLast(([row, index]) =>
    isSameQuestion(questionAt(recall, row, index)?.question ?? '', asked.value.question),
  )
  if (same !== undefined) return words.again(cut(answerAt(recall, same[2]), ANSWER_CHARS))
  return clarifications.length >= settings.max_clarifications ? words.limit(settings.max_clarifications) : null
}

function questionAt(recall: Recall, by: number, call: number): UserQuestion | null {
  const asked = questionIn(callAt(recall, by, call).input)
  return asked.ok ? asked.value : null
}

function answerAt(recall: Recall, row: number): string {
  const { event } = recall(row)
  return event.kind === 'user_answered' ? event.text : ''
}

/** The question of a call, as it is shown to people. null: the call asks nothing that can be shown. */
export function shownQuestion({ by, call }: CallRef, recall: Recall): Question | null {
  const asked = questionAt(recall, by, call)
  return asked === null ? null : { row: by, request_id: `question_${by}`, ...asked, call: { by, call } }
}
