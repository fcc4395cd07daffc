/** Reads back what was said in the rows the state refers to: replies of the model, words of the user. */
import { replyReader, wordsAt, type NativeReply } from '../conversation/replies.ts'
import type { Fact, Recall } from '../../terms/effect.ts'
import { readMarkup, type Markup } from '../../mode/markup.ts'
import { briefOf } from '../../mode/mode.ts'

export type MarkedReply = Markup & NativeReply
export const { replyIn, replyAt } = replyReader(readMarkup)

/** Versions of the prompts of side turns begin with it: so their replies are told from those of turns. */
export const ASIDE = 'session/aside'
export const isAside = ({ effect }: Fact): boolean =>
  effect?.kind === 'call_model' && effect.prompt.startsWith(`${ASIDE}@`)

/** What a run was asked for: the goal, or what began it later. */
export const requestAt = (recall: Recall, row: number): string =>
  row === 1 ? briefOf(recall).goal : wordsAt(recall, row)
