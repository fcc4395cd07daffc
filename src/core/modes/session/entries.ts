/** A row of the journal as the message of the session it is. */
import { callEntry, COLON, type CallOutcome, type Entry, type Reading } from '../conversation/entry.ts'
import { isEmpty } from '../conversation/replies.ts'
import type { Locale } from '../../terms/locale.ts'
import { cut } from '../../terms/text.ts'
import { isAside, replyIn } from './replies.ts'

const FAILED = { en: 'error', zh: '错误' }

/** A reply that broke its contract is no part of the conversation. */
export function entryOf(row: number, reading: Reading): Entry | null {
  const fact = reading.recall(row)
  const { event } = fact
  switch (event.kind) {
    case 'model_replied': {
      const said = replyIn(event)
      const calls = isAside(fact) ? [] : said.calls
      return isEmpty({ ...said, calls }) ? null : { kind: 'assistant', text: said.text, calls }
    }
    case 'user_remarked':
    case 'user_asked_aside':
      return { kind: 'user', text: event.text }
    case 'resumed':
      return event.text === undefined ? null : { kind: 'user', text: event.text }
    default:
      return callEntry(fact, reading, (outcome, chars) => resultText(outcome, chars, reading.brief.locale), true)
  }
}

function resultText({ kind, ok, text }: CallOutcome, chars: number, locale: Locale): string {
  if (kind === 'returned') return cut(ok ? text : `${FAILED[locale]}: ${text}`, chars)
  const failed = `${FAILED[locale]}${COLON[locale]}${text}`
  return kind === 'lost' ? failed : cut(failed, chars)
}
