/** Replies of a model with native calls: their text and their calls. */
import type { EventOf, Recall, ToolCall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { removeThinking } from '../../mode/reply.ts'

type ReplyEvent = EventOf<'model_replied'>

export interface NativeReply {
  /** The text without think blocks. The model sees its reply like this again. */
  text: string
  calls: readonly ToolCall[]
}

/** A reply is parsed once while its event is in memory, because views and prompts read it many times. */
export function replyReader<T extends object>(read: (text: string) => T) {
  const cache = new WeakMap<ReplyEvent, T & NativeReply>()
  const replyIn = (reply: ReplyEvent): T & NativeReply => {
    const content = cache.get(reply) ?? {
      ...read(reply.text),
      text: removeThinking(reply.text).trim(),
      calls: reply.tool_calls ?? [],
    }
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
