/**
 * What a model has thought, as the endpoint wants it back: its blocks unchanged, in the order in which they stood among the texts and calls of
 * the reply. Stored is a list of the blocks, and between two of them how many characters of text (a number) and which calls (null each) stood there.
 */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { jsonOf } from '../reply-parts.ts'
import { textBlocks, type Block, type CallBlock, type ThinkingBlock } from './blocks.ts'

/** A block of a reply. Of calls only their place matters here. */
export type FoundBlock<Call = unknown> =
  | { kind: 'thinking'; block: ThinkingBlock }
  | { kind: 'text'; text: string }
  | { kind: 'call'; call: Call }

/** The thinking of a reply as JSON. null: there is none, or it cannot be written. */
export function thinkingIn(found: readonly FoundBlock[]): string | null {
  const last = found.findLastIndex(({ kind }) => kind === 'thinking')
  if (last === -1) return null
  const items = found.slice(0, last + 1).map((one) => {
    if (one.kind === 'thinking') return one.block
    return one.kind === 'text' ? one.text.length : null
  })
  return jsonOf(items)
}

/** The blocks of a reply with its thinking among them. Thinking alone is refused as a message. */
export function blocksOf(thinking: string | null, text: string, calls: readonly CallBlock[]): Block[] {
  const stored = thinking === null ? [] : jsonOrNull(thinking)
  const rest = { text, calls: [...calls] }
  const before = (Array.isArray(stored) ? stored : []).flatMap((item) => placed(item, rest))
  const behind = [...textBlocks(rest.text), ...rest.calls]
  const last = before.findLastIndex(({ type }) => !isThinking(type))
  return behind.length > 0 ? [...before, ...behind] : before.slice(0, last + 1)
}

/** The blocks of one stored item. `rest` is what has no place yet. A text that was shortened since then may not have so many characters. */
function placed(item: unknown, rest: { text: string; calls: CallBlock[] }): Block[] {
  if (isRecord(item)) return [item]
  if (typeof item === 'number') {
    const text = rest.text.slice(0, item).toWellFormed()
    rest.text = rest.text.slice(item)
    return textBlocks(text)
  }
  const call = rest.calls.shift()
  return call === undefined ? [] : [call]
}

export const isThinking = (type: unknown): boolean => type === 'thinking' || type === 'redacted_thinking'
