/** Replies of a model with native calls: what they say, and the calls they make. */
import type { EventOf, Recall, ToolCall } from '../../terms/effect.ts'
import { expectEvent } from '../../mode/mode.ts'
import { removeThinking } from '../../mode/reply.ts'

type Replied = EventOf<'model_replied'>

export interface NativeReply {
  /** Without think blocks; the model is shown it like this again. */
  text: string
  calls: readonly ToolCall[]
}

/** A reply is read once for as long as its event is in memory: views and prompts look at it many times. */
export function replyReader<T extends object>(read: (text: string) => T) {
  const known = new WeakMap<Replied, T & NativeReply>()
  const replyIn = (reply: Replied): T & NativeReply => {
    const said = known.get(reply) ?? {
      ...read(reply.text),
      text: removeThinking(reply.text).trim(),
      calls: reply.tool_calls ?? [],
    }
    known.set(reply, said)
    return said
  }
  const replyAt = (recall: Recall, row: number) => replyIn(expectEvent(recall(row), 'model_replied'))
  return { replyIn, replyAt }
}

/** A reply with neither words nor calls is none. */
export const isEmpty = ({ text, calls }: NativeReply): boolean => text === '' && calls.length === 0
export const EMPTY_REPLY = 'the reply is empty: it neither says anything nor calls a tool'

/** counters.iterations has every turn of the model, whatever came of it. */
export const COUNTED = { iterations: 1 }

/** Characters that are shown of a reply; the journal has it whole. */
export const SHOWN_CHARS = 2_000

/** What the user said in a row; empty where it was nothing. */
export function wordsAt(recall: Recall, row: number): string {
  const { event } = recall(row)
  return 'text' in event ? (event.text ?? '') : ''
}
