/** One message of a conversation as a mode makes it from a row, and its size. */
import type { Brief, EventOf, Fact, Recall, ToolCall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { CHAR_BYTES, FRAME_BYTES, TOKEN_BYTES } from '../../mode/prompt-bytes.ts'
import type { Settings } from '../../terms/settings.ts'
import { utf8Bytes } from '../../terms/text.ts'
import { callAt, callsAt } from './calls.ts'

export type Entry =
  | { kind: 'assistant'; text: string; calls: readonly ToolCall[] }
  /** `words`: of the user, who did not have it made. */
  | { kind: 'tool'; by: number; call: number; text: string; words?: string }
  | { kind: 'user'; text: string }

/** What an entry is made with. */
export interface Reading {
  recall: Recall
  brief: Brief
}

/** null: nothing was said or done in it. Decided by the row alone, so that it never changes. */
export type EntryOf = (row: number, reading: Reading) => Entry | null

/** Of a call whose outcome nobody knows. */
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

const RESULT_CHARS_MIN = 50
/** Of one result; those of one reply together leave room for others within the limit of the transcript. */
export function resultChars({ observation_char_limit, transcript_token_limit }: Settings, calls: number): number {
  const share = Math.floor((transcript_token_limit * TOKEN_BYTES) / (2 * Math.max(1, calls)))
  return Math.min(observation_char_limit, Math.max(RESULT_CHARS_MIN, share))
}

/** A call as it came out. */
export interface CallOutcome {
  kind: 'returned' | 'lost' | 'withheld'
  tool: string
  ok: boolean
  text: string
}

/**
 * The row of a call as the message that answers it; null: it is the row of something else. `textOf` writes the result in so many characters;
 * `heard`: what the user wants instead of the call is a message as well.
 */
export function callEntry(
  { effect, event }: Fact,
  { recall, brief }: Reading,
  textOf: (outcome: CallOutcome, chars_max: number) => string,
  heard: boolean,
): Entry | null {
  const room = (by: number) => resultChars(brief.settings, callsAt(recall, by).length)
  if (event.kind === 'approval_answered') {
    const { action, verdict, text } = event
    if (action === null || verdict === 'approved' || !isCalled(action.by)) return null
    const { tool } = callAt(recall, action.by, action.call)
    const outcome = { kind: 'withheld' as const, tool, ok: false, text: refusalText(brief.locale, verdict, text) }
    const words = heard && verdict === 'changes' ? { words: text } : {}
    return { kind: 'tool', ...action, text: textOf(outcome, room(action.by)), ...words }
  }
  if (effect?.kind !== 'run_tool' || !isCalled(effect.by)) return null
  const { by, call, tool } = effect
  if (event.kind !== 'tool_returned' && event.kind !== 'outcome_unknown') return null
  const outcome: CallOutcome =
    event.kind === 'tool_returned'
      ? { kind: 'returned', tool, ok: event.ok, text: event.text }
      : { kind: 'lost', tool, ok: false, text: LOST_CALL[brief.locale] }
  return { kind: 'tool', by, call, text: textOf(outcome, room(by)) }
}

/** Row 1 is the brief: what the program runs on its own answers no call. */
const isCalled = (by: number) => by > 1

/** What the user said in it; null: nothing. */
export function wordsIn(entry: Entry): string | null {
  if (entry.kind === 'user') return entry.text
  return entry.kind === 'tool' ? (entry.words ?? null) : null
}

/** Of the frame of a message, or of a call: its role, its id. */
const ENTRY_BYTES = 16

/** The most bytes the window of a conversation has in a request. One round may stand beyond the limit. */
export function windowBytes({ transcript_token_limit, max_output_tokens }: Settings): number {
  // A message of nothing counts ENTRY_BYTES of the limit.
  const grown = Math.max(CHAR_BYTES, Math.ceil(FRAME_BYTES / ENTRY_BYTES))
  return grown * TOKEN_BYTES * (2 * transcript_token_limit + max_output_tokens)
}

/** Tokens as they are estimated: no tokenizer is asked. */
export function tokensOf(entry: Entry): number {
  const calls = entry.kind === 'assistant' ? entry.calls : []
  const words = wordsIn(entry)
  const texts = entry.kind === 'tool' && words !== null ? [entry.text, words] : [entry.text]
  const bytes = calls.reduce(
    (sum, { name, arguments: args }) => sum + ENTRY_BYTES + utf8Bytes(name) + utf8Bytes(args),
    texts.reduce((sum, text) => sum + ENTRY_BYTES + utf8Bytes(text), 0),
  )
  return Math.ceil(bytes / TOKEN_BYTES)
}
