/** A row of the journal as the message of the conversation it is, and its size. Decided by the row alone, so that it never changes. */
import type { Brief, EventOf, Locale, Recall, ToolCall } from '../../effect.ts'
import type { Settings } from '../../settings.ts'
import { TOKEN_BYTES } from '../../prompt-bytes.ts'
import { cut, utf8Bytes } from '../../text.ts'
import { isAside, isEmpty, saidAt, saidIn } from './said.ts'

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

const LOST = {
  en: 'error: outcome unknown: the call was lost; it may or may not have had its effect',
  zh: '错误：结果未知：调用已丢失，可能已生效，也可能未生效',
}
const FAILED = { en: 'error', zh: '错误' }

/** null: nothing was said or done in it. A reply that broke its contract is no part of the conversation. */
export function entryOf(row: number, { recall, brief }: Reading): Entry | null {
  const fact = recall(row)
  const { event, effect } = fact
  switch (event.kind) {
    case 'model_replied': {
      const said = saidIn(event)
      const calls = isAside(fact) ? [] : said.calls
      return isEmpty({ ...said, calls }) ? null : { kind: 'assistant', text: said.text, calls }
    }
    case 'tool_returned':
    case 'outcome_unknown': {
      if (effect?.kind !== 'run_tool') return null
      const { by, call } = effect
      const limit = resultChars(brief.settings, saidAt(recall, by).calls.length)
      const text =
        event.kind === 'outcome_unknown'
          ? LOST[brief.locale]
          : cut(event.ok ? event.text : `${FAILED[brief.locale]}: ${event.text}`, limit)
      return { kind: 'tool', by, call, text }
    }
    case 'approval_answered':
      return withheld(event, { recall, brief })
    case 'user_remarked':
    case 'user_asked_aside':
      return { kind: 'user', text: event.text }
    case 'resumed':
      return event.text === undefined ? null : { kind: 'user', text: event.text }
    default:
      return null
  }
}

const REJECTED = { en: 'rejected by the user', zh: '被用户拒绝' }
const COLON = { en: ': ', zh: '：' }

/** Why a call was not made. */
export const refusalText = (locale: Locale, verdict: Verdict, text: string): string =>
  verdict === 'changes' ? `${REJECTED[locale]}${COLON[locale]}${text}` : REJECTED[locale]
type Verdict = EventOf<'approval_answered'>['verdict']

/** The result of a call that was not approved; what the user wants instead is a message of theirs as well. */
function withheld({ action, verdict, text }: EventOf<'approval_answered'>, { recall, brief }: Reading): Entry | null {
  if (action === null || verdict === 'approved') return null
  const { locale, settings } = brief
  const limit = resultChars(settings, saidAt(recall, action.by).calls.length)
  const result = cut(`${FAILED[locale]}${COLON[locale]}${refusalText(locale, verdict, text)}`, limit)
  return { kind: 'tool', ...action, text: result, ...(verdict === 'changes' ? { words: text } : {}) }
}

const RESULT_CHARS_MIN = 50
/** Of one result; those of one reply together leave room for others within the limit of the transcript. */
function resultChars({ observation_char_limit, transcript_token_limit }: Settings, calls: number): number {
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
