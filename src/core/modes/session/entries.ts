/** A row of the journal as a message of the session. */
import { callEntry, COLON, type CallOutcome, type Entry, type EntryContext } from '../conversation/entry.ts'
import { isEmpty } from '../conversation/replies.ts'
import type { Brief } from '../../terms/effect.ts'
import { cut } from '../../terms/text.ts'
import { isAside, replyIn } from './replies.ts'

const FAILED = { en: 'error', zh: '错误' }

/** The result of a thought. Its text stands in the call, so a second time would only fill the conversation. */
const NOTED = { en: 'noted', zh: '已记录' }

/** Whether a tool is the built-in `think`, and not a tool of the client with its name. */
export const isThink = (tool: string, { tools }: Pick<Brief, 'tools'>): boolean =>
  tool === 'think' && !tools.some(({ name }) => name === tool)

/** The message of a row. A reply that broke its contract is not part of the conversation. */
export function entryOf(row: number, context: EntryContext): Entry | null {
  const fact = context.recall(row)
  const { event } = fact
  switch (event.kind) {
    case 'model_replied': {
      // Nobody knows how a reply that was cut goes on.
      if (event.finish === 'length') return null
      const reply = replyIn(event, context.brief)
      const calls = isAside(fact) ? [] : reply.calls
      return isEmpty({ ...reply, calls })
        ? null
        : { kind: 'assistant', text: reply.text, calls, reasoning: event.reasoning }
    }
    case 'user_remarked':
    case 'user_asked_aside':
      return { kind: 'user', text: event.text }
    case 'resumed':
      return event.text === undefined ? null : { kind: 'user', text: event.text }
    case 'user_answered':
      // A text in place of a file answers no call.
      return event.missing === undefined ? outcomeEntry(row, context) : { kind: 'user', text: event.text }
    default:
      return outcomeEntry(row, context)
  }
}

const outcomeEntry = (row: number, context: EntryContext): Entry | null =>
  callEntry(context.recall(row), context, (outcome, chars) => resultText(outcome, chars, context.brief), true)

function resultText({ kind, tool, ok, text }: CallOutcome, chars: number, brief: Brief): string {
  const { locale } = brief
  if (kind === 'returned' && ok && isThink(tool, brief)) return NOTED[locale]
  if (kind === 'returned') return cut(ok ? text : `${FAILED[locale]}: ${text}`, chars)
  const message = `${FAILED[locale]}${COLON[locale]}${text}`
  return kind === 'lost' ? message : cut(message, chars)
}
