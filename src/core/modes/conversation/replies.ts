/** Replies of a model with native calls: their text and their calls. */
import type { EventOf, Recall, ToolCall } from '../../terms/effect.ts'
import { fencedLines } from '../../mode/markup.ts'
import { expectEvent } from '../../mode/mode.ts'
import { removeThinking, spokenText } from '../../mode/reply.ts'

type ReplyEvent = EventOf<'model_replied'>

export interface NativeReply {
  /** The text without think blocks. The model sees its reply like this again. */
  text: string
  calls: readonly ToolCall[]
}

const CLOSE = '</think>'

/**
 * The text of a reply without thinking. Beside native calls half a think block has thinking on one side of it too. In a text without calls
 * an end tag counts only at the beginning of a line, because an answer may speak of the tags.
 */
export function textOfReply({ text, tool_calls }: ReplyEvent): string {
  if (tool_calls !== undefined) return spokenText(text)
  const said = removeThinking(text)
  return said.slice(endOfThinking(said)).trim()
}

/** Where the text begins behind an end tag whose begin tag stands in no reply, because some endpoints put it into the request. */
function endOfThinking(text: string): number {
  let end = 0
  let start = 0
  for (const { text: line, fenced } of fencedLines(text)) {
    const words = line.trimStart()
    if (!fenced && words.toLowerCase().startsWith(CLOSE)) end = start + line.length - words.length + CLOSE.length
    start += line.length + 1
  }
  return end
}

/** A reply is parsed once while its event is in memory, because views and prompts read it many times. */
export function replyReader<T extends object>(read: (text: string) => T) {
  const cache = new WeakMap<ReplyEvent, T & NativeReply>()
  const replyIn = (reply: ReplyEvent): T & NativeReply => {
    const known = cache.get(reply)
    if (known !== undefined) return known
    const text = textOfReply(reply)
    const content = { ...read(text), text, calls: reply.tool_calls ?? [] }
    cache.set(reply, content)
    return content
  }
  const replyAt = (recall: Recall, row: number) => replyIn(expectEvent(recall(row), 'model_replied'))
  return { replyIn, replyAt }
}

/** A reply without text and without calls does not count as a reply. */
export const isEmpty = ({ text, calls }: NativeReply): boolean => text === '' && calls.length === 0
export const EMPTY_REPLY = 'the reply is empty: it neither says anything nor calls a tool'

/** counters.iterations counts every turn of the model, also a failed one. */
export const ONE_ITERATION = { iterations: 1 }

/** Characters that are shown of a reply. The journal has the full reply. */
export const SHOWN_CHARS = 2_000

/** The user's text in a row, or an empty text. */
export function wordsAt(recall: Recall, row: number): string {
  const { event } = recall(row)
  return 'text' in event ? (event.text ?? '') : ''
}
