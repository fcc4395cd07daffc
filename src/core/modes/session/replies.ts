/** Reads the texts in the rows that the state names: replies of the model and texts of the user. */
import { callsOf, writtenIn } from '../conversation/calls.ts'
import { replyReader, wordsAt, type NativeReply } from '../conversation/replies.ts'
import type { Brief, EventOf, Fact, Recall } from '../../terms/effect.ts'
import { readMarkup, type Markup } from '../../mode/markup.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'

export type MarkedReply = Markup & NativeReply

const lenient = replyReader((text) => readMarkup(text, { strict_replies: false }))
const strict = replyReader((text) => readMarkup(text, { strict_replies: true }))

/** A reply, whose calls may be written as text. */
export function replyIn(event: EventOf<'model_replied'>, brief: Brief): MarkedReply {
  const reply = (brief.settings.strict_replies ? strict : lenient).replyIn(event)
  const calls = callsOf(event, brief)
  if (calls.length === reply.calls.length) return reply
  const { rest } = writtenIn(event, brief)
  return { ...reply, text: rest, calls, visible_text: readMarkup(rest, brief.settings).visible_text }
}

export const replyAt = (recall: Recall, row: number): MarkedReply =>
  replyIn(expectEvent(recall(row), 'model_replied'), briefOf(recall))

/** The prompt versions of side turns begin with this name, which distinguishes their replies from those of turns. */
export const ASIDE = 'session/aside'
export const isAside = ({ effect }: Fact): boolean =>
  effect?.kind === 'call_model' && effect.prompt.startsWith(`${ASIDE}@`)

/** The request of a run: the goal, or the text that began a later run. */
export const requestAt = (recall: Recall, row: number): string =>
  row === 1 ? briefOf(recall).goal : wordsAt(recall, row)
