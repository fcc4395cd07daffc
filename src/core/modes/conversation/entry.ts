/** One message of a conversation, which a mode makes from a row, and its size. */
import type { Brief, EventOf, Fact, Reasoning, Recall, ToolCall } from '../../terms/effect.ts'
import type { ImageRef } from '../../terms/files/images.ts'
import type { Locale } from '../../terms/locale.ts'
import { ASK_USER } from '../../mode/ask-user.ts'
import {
  CHAR_BYTES,
  FRAME_BYTES,
  NESTED_CHAR_BYTES,
  REASONING_BYTES_MAX,
  resultChars,
  TOKEN_BYTES,
} from '../../mode/prompt-bytes.ts'
import { highestOutputCap, type Settings } from '../../terms/settings.ts'
import { utf8Bytes } from '../../terms/text.ts'
import { callAt, callsAt } from './calls.ts'

export type Entry =
  | { kind: 'assistant'; text: string; calls: readonly ToolCall[]; reasoning?: Reasoning | undefined }
  /** `words`: what the user wants instead of the call. `images`: what is shown beside the text. */
  | {
      kind: 'tool'
      by: number
      call: number
      text: string
      words?: string | undefined
      images?: readonly ImageRef[] | undefined
    }
  | { kind: 'user'; text: string }

/** The data from which an entry is made. */
export interface EntryContext {
  recall: Recall
  brief: Brief
}

/** The message of a row. null: the row is no message. It depends on the row alone, so it never changes. */
export type EntryOf = (row: number, context: EntryContext) => Entry | null

/** The result of a call with an unknown outcome. */
const LOST_CALL: Record<Locale, string> = {
  en: 'outcome unknown: the call was lost; it may or may not have had its effect',
  zh: '结果未知：调用已丢失，可能已生效，也可能未生效',
}

const REJECTED = { en: 'rejected by the user', zh: '被用户拒绝' }
export const COLON = { en: ': ', zh: '：' }

/** Why a call was not made. */
export const refusalText = (locale: Locale, verdict: Verdict, text: string): string =>
  verdict === 'changes' ? `${REJECTED[locale]}${COLON[locale]}${text}` : REJECTED[locale]
type Verdict = EventOf<'approval_answered'>['verdict']

/** The outcome of a call. */
export interface CallOutcome {
  kind: 'returned' | 'lost' | 'withheld'
  tool: string
  ok: boolean
  text: string
}

/**
 * The message with the result of a call, from its row. null: the row is no call. `textOf` writes the result within a number of
 * characters. With `keeps_words`, the message also contains what the user wants instead of the call.
 */
export function callEntry(
  { effect, event }: Fact,
  { recall, brief }: EntryContext,
  textOf: (outcome: CallOutcome, chars_max: number) => string,
  keeps_words: boolean,
): Entry | null {
  const room = (by: number) => resultChars(brief.settings, callsAt(recall, by).length)
  if (event.kind === 'approval_answered') {
    const { action, verdict, text } = event
    if (action === null || verdict === 'approved' || !isCalled(action.by)) return null
    const { tool } = callAt(recall, action.by, action.call)
    const outcome = { kind: 'withheld' as const, tool, ok: false, text: refusalText(brief.locale, verdict, text) }
    const words = keeps_words && verdict === 'changes' ? { words: text } : {}
    return { kind: 'tool', ...action, text: textOf(outcome, room(action.by)), ...words }
  }
  if (event.kind === 'user_answered') {
    const outcome = { kind: 'returned' as const, tool: ASK_USER, ok: true, text: event.text }
    return event.asked === undefined
      ? null
      : { kind: 'tool', ...event.asked, text: textOf(outcome, Math.max(ANSWER_CHARS_MAX, room(event.asked.by))) }
  }
  if (effect?.kind !== 'run_tool' || !isCalled(effect.by)) return null
  const { by, call, tool } = effect
  if (event.kind !== 'tool_returned' && event.kind !== 'outcome_unknown') return null
  const outcome: CallOutcome =
    event.kind === 'tool_returned'
      ? { kind: 'returned', tool, ok: event.ok, text: event.text }
      : { kind: 'lost', tool, ok: false, text: LOST_CALL[brief.locale] }
  const images = event.kind === 'tool_returned' ? event.images : undefined
  return { kind: 'tool', by, call, text: textOf(outcome, room(by)), images }
}

/** Whether a reply made the call. Row 1 is the brief, so an action that the program runs on its own has no call. */
const isCalled = (by: number) => by > 1

/** The user's text in a message. null: there is none. */
export function wordsIn(entry: Entry): string | null {
  if (entry.kind === 'user') return entry.text
  return entry.kind === 'tool' ? (entry.words ?? null) : null
}

/** Bytes of the frame of a message or of a call: its role, its id. */
const ENTRY_BYTES = 16

/** The most bytes the window of a conversation has in a request. One round may stand beyond the limit. */
export function windowBytes(settings: Settings): number {
  // One reply asks one question, whose answer is a text of a person.
  return NESTED_CHAR_BYTES * ANSWER_CHARS_MAX + QUOTED_BYTES * REASONING_BYTES_MAX + roundBytes(settings)
}

/** Reasoning is JSON in a text, so each of its quotation marks and backslashes takes two bytes. */
const QUOTED_BYTES = 2

/** Characters of an answer to a question. A person's text is not longer, so it is never cut. */
const ANSWER_CHARS_MAX = 16_000

function roundBytes(settings: Settings): number {
  // An empty message counts ENTRY_BYTES of the limit.
  const bytes_per_counted_byte = Math.max(CHAR_BYTES, Math.ceil(FRAME_BYTES / ENTRY_BYTES))
  return bytes_per_counted_byte * TOKEN_BYTES * (2 * settings.transcript_token_limit + highestOutputCap(settings))
}

/** The estimated tokens of a message. No tokenizer is used. */
export function tokensOf(entry: Entry): number {
  const calls = entry.kind === 'assistant' ? entry.calls : []
  const words = wordsIn(entry)
  const reasoning = entry.kind === 'assistant' && entry.reasoning !== undefined ? [entry.reasoning.items] : []
  const texts = [entry.text, ...reasoning, ...(entry.kind === 'tool' && words !== null ? [words] : [])]
  const bytes = calls.reduce(
    (sum, { name, arguments: args }) => sum + ENTRY_BYTES + utf8Bytes(name) + utf8Bytes(args),
    texts.reduce((sum, text) => sum + ENTRY_BYTES + utf8Bytes(text), 0),
  )
  return Math.ceil(bytes / TOKEN_BYTES)
}
