/** One plan item as the rules see it: its observations, the answers of the user, and the possible moves. */
import type { Locale } from '../../../core/terms/locale.ts'
import type { Moment } from '../time/clock.ts'
import type { ItemObservation } from '../context.ts'
import { wordsOf } from '../texts.ts'

export type IntentMove =
  | { kind: 'act'; tool: string; input: string }
  | { kind: 'ask'; question: string }
  /** `ok`: observations prove that the item is done. `line` is one fact for the user. */
  | { kind: 'end'; ok: boolean; line: string }

export interface IntentItem {
  title: string
  locale: Locale
  now: Moment
  /** The actions of this item, oldest first. */
  observations: ItemObservation[]
  clarifications: { question: string; answer: string }[]
  /** Questions that may not be asked: all of them in a summary, and those that the engine refused. */
  refuses: (question: string) => boolean
}

type AnswerReading<T> = { kind: 'open' } | { kind: 'known'; value: T } | { kind: 'useless'; skip: boolean }
const SKIP =
  /^(?:no|nope|none|skip(?: it)?|never ?mind|cancel(?: it)?|forget it|leave it(?: out)?|don'?t|不用了?|不要了?|算了|跳过|取消|不是?|否|不需要|略过)[.!。！]*$/iu
const isSkip = (answer: string) => SKIP.test(answer.trim())

/** The answer to `question`, as `read` understands it. It is `useless` also when the question may not be asked. A question is never asked twice. */
export function readAnswer<T>(
  item: IntentItem,
  question: string,
  read: (answer: string) => T | null,
): AnswerReading<T> {
  const clarification = item.clarifications.findLast((entry) => entry.question === question)
  if (!clarification) return item.refuses(question) ? { kind: 'useless', skip: false } : { kind: 'open' }
  const skip = isSkip(clarification.answer)
  const value = skip ? null : read(clarification.answer)
  return value === null ? { kind: 'useless', skip } : { kind: 'known', value }
}

/** A move that has to come first, or what was asked for. */
export type AskResult<T> = { move: IntentMove } | { value: T }

/** Asks `question`, or takes the answer as `read` understands it. Where none is of use, the item ends and says `why`. */
export function askFor<T>(
  item: IntentItem,
  question: string,
  why: string,
  read: (answer: string) => T | null,
): AskResult<T> {
  const reading = readAnswer(item, question, read)
  if (reading.kind === 'open') return { move: ask(question) }
  if (reading.kind === 'known') return { value: reading.value }
  return { move: notDone(item, reading.skip ? wordsOf(item.locale).skipped : why) }
}

export const actsOf = (item: IntentItem, tool: string, start = '') =>
  item.observations.filter((observation) => observation.tool === tool && observation.input.startsWith(start))

export const ask = (question: string): IntentMove => ({ kind: 'ask', question })
/** A tool without a text in its result proves only that it succeeded. */
export const endDone = (item: IntentItem, line: string): IntentMove => ({
  kind: 'end',
  ok: true,
  line: line.trim() === '' ? wordsOf(item.locale).doneBare(item.title) : line,
})
export const notDone = (item: IntentItem, why: string): IntentMove => ({
  kind: 'end',
  ok: false,
  line: wordsOf(item.locale).notDone(item.title, why),
})

const LINE_MAX = 300
const TEXT_MAX = 1_500
const cutTo = (text: string, max: number) =>
  text.length > max ? `${text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max)}…` : text
export const firstLine = (text: string) => cutTo(text.trim().split('\n')[0]?.trim() ?? '', LINE_MAX)
export const shortText = (text: string) => cutTo(text.trim(), TEXT_MAX)
/** The whole text of a failed call on one line. */
export const failureLine = (text: string) => cutTo(text.replace(/\s+/gu, ' ').trim(), LINE_MAX)
