/** A row of the journal as the message of the session it is. */
import { callsAt } from '../conversation/calls.ts'
import { COLON, LOST_CALL, refusalText, resultChars, type Entry, type Reading } from '../conversation/entry.ts'
import type { EventOf } from '../../terms/effect.ts'
import { cut } from '../../terms/text.ts'
import { isAside, isEmpty, saidIn } from './said.ts'

const FAILED = { en: 'error', zh: '错误' }

/** A reply that broke its contract is no part of the conversation. */
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
      const limit = resultChars(brief.settings, callsAt(recall, by).length)
      const text =
        event.kind === 'outcome_unknown'
          ? `${FAILED[brief.locale]}${COLON[brief.locale]}${LOST_CALL[brief.locale]}`
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

/** The result of a call that was not approved; what the user wants instead is a message of theirs as well. */
function withheld({ action, verdict, text }: EventOf<'approval_answered'>, { recall, brief }: Reading): Entry | null {
  if (action === null || verdict === 'approved') return null
  const { locale, settings } = brief
  const limit = resultChars(settings, callsAt(recall, action.by).length)
  const result = cut(`${FAILED[locale]}${COLON[locale]}${refusalText(locale, verdict, text)}`, limit)
  return { kind: 'tool', ...action, text: result, ...(verdict === 'changes' ? { words: text } : {}) }
}
