/**
 * The messages of a conversation as items: each call and each result is an item of its own, and the reasoning of a reply stands before the item
 * that it led to.
 */
import type { Message } from '../../../core/terms/effect.ts'
import { reasoningFor, sentArguments, sentName } from '../common.ts'
import { dataUrl, imagesBehindResults, labelOf, type ShownImage } from '../images.ts'
import type { WireCall } from '../wire.ts'
import { readKept, type KeptItems } from './kept.ts'

export const itemsOf = (call: WireCall): object[] =>
  imagesBehindResults(withSentIds(call.request.messages), call).flatMap(({ message, shown }) =>
    shown.length === 0 ? messageItems(message, call) : [userItem(message.content, shown)],
  )

/** An item of the user with images, each behind its name. */
const userItem = (content: string, shown: readonly ShownImage[]): object => ({
  role: 'user',
  content: [
    ...(content === '' ? [] : [{ type: 'input_text', text: content }]),
    ...shown.flatMap((image) => [
      { type: 'input_text', text: labelOf(image) },
      { type: 'input_image', detail: 'auto', image_url: dataUrl(image) },
    ]),
  ],
})

/** Instructions are an item too: some endpoints look for the word "json" in the items alone, before they answer a JSON object. */
function messageItems(message: Message, call: WireCall): object[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [message]
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }]
    case 'assistant':
      return assistantItems(message, readKept(reasoningFor(message, call)))
  }
}

/** What was kept of a reply stands before its text and its calls, as it came. */
function assistantItems(
  { role, content, tool_calls = [] }: Extract<Message, { role: 'assistant' }>,
  kept: KeptItems | null,
): object[] {
  const { before = [], phase = null } = kept ?? {}
  // Every endpoint reads a plain text. Beside reasoning the text is sent as the endpoint has written it.
  const parts = kept === null ? { content } : { type: 'message', content: [{ type: 'output_text', text: content }] }
  const text = { role, ...parts, ...(phase === null ? {} : { phase }) }
  const calls = tool_calls.map(({ id, name, arguments: args }, index) => [
    ...(before[index + 1] ?? []),
    { type: 'function_call', call_id: id, name: sentName(name), arguments: sentArguments(args) },
  ])
  const first = content === '' ? [] : [text]
  // Reasoning that nothing follows would be refused.
  return first.length + calls.length === 0 ? [] : [...(before[0] ?? []), ...first, ...calls.flat()]
}

/** A longer id is refused. */
const ID_CHARS_MAX = 64

/**
 * The messages with ids that are short enough and that differ. Models number their calls anew in each reply, and a conversation may have begun at
 * an endpoint with other rules. Only earlier messages decide about an id, so that a longer conversation begins like a shorter one.
 */
function withSentIds(messages: readonly Message[]): Message[] {
  const taken = new Set<string>()
  /** The id that was sent for the latest call of an id. */
  const sent = new Map<string, string>()
  let made = 0
  const sentId = (id: string) => {
    let own = id
    while (taken.has(own) || own.length > ID_CHARS_MAX) own = `call_${(made += 1)}`
    taken.add(own)
    sent.set(id, own)
    return own
  }
  return messages.map((message) => {
    if (message.role === 'tool')
      return { ...message, tool_call_id: sent.get(message.tool_call_id) ?? message.tool_call_id }
    if (message.role !== 'assistant' || message.tool_calls === undefined) return message
    return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: sentId(call.id) })) }
  })
}
