/** Reads back what was said in the rows the state refers to: replies of the model, words of the user. */
import { readOnce, wordsAt } from '../conversation/reading.ts'
import type { Brief, Fact, Recall, ToolCall } from '../../terms/effect.ts'
import { readMarkup, type Markup } from '../../mode/markup.ts'
import { briefOf, expectEvent } from '../../mode/mode.ts'
import { removeThinking } from '../../mode/reply.ts'

export interface MarkedReply extends Markup {
  /** Without think blocks; as the model is shown it again. */
  text: string
  calls: readonly ToolCall[]
}

export const saidIn = readOnce((event): MarkedReply => ({
  ...readMarkup(event.text),
  text: removeThinking(event.text).trim(),
  calls: event.tool_calls ?? [],
}))

export const saidAt = (recall: Recall, row: number): MarkedReply => saidIn(expectEvent(recall(row), 'model_replied'))

/** A reply with neither words nor calls is none. */
export const isEmpty = ({ text, calls }: MarkedReply): boolean => text === '' && calls.length === 0

/** Versions of the prompts of side turns begin with it: so their replies are told from those of turns. */
export const ASIDE = 'session/aside'
export const isAside = ({ effect }: Fact): boolean =>
  effect?.kind === 'call_model' && effect.prompt.startsWith(`${ASIDE}@`)

/** What a run was asked for: the goal, or what began it later. */
export function askedIn(recall: Recall, row: number): string {
  const brief: Brief = briefOf(recall)
  if (row === 1) return brief.goal
  return wordsAt(recall, row)
}
