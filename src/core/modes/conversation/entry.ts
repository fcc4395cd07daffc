/** One message of a conversation as a mode makes it from a row, and its size. */
import type { Brief, EventOf, Recall, ToolCall } from '../../terms/effect.ts'
import type { Locale } from '../../terms/locale.ts'
import { TOKEN_BYTES } from '../../mode/prompt-bytes.ts'
import type { Settings } from '../../terms/settings.ts'
import { utf8Bytes } from '../../terms/text.ts'

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
export const LOST_CALL: Record<Locale, string> = {
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

/** What the user said in it; null: nothing. */
export function wordsIn(entry: Entry): string | null {
  if (entry.kind === 'user') return entry.text
  return entry.kind === 'tool' ? (entry.words ?? null) : null
}

/** Of the frame of a message, or of a call: its role, its id. */
export const ENTRY_BYTES = 16

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
