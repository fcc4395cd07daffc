/** How `/v1/messages` streams what it would have answered, event by event (https://platform.claude.com/docs/en/build-with-claude/streaming). */
import { isRecord } from '../../../../src/core/terms/plain/is-record.ts'
import { piecesOf } from '../pieces.ts'

type Json = Record<string, unknown>

export function messageEvents(message: Json): Json[] {
  const { content, stop_reason = null, stop_sequence = null, stop_details, usage, ...first } = message
  const blocks = Array.isArray(content) ? content : []
  // At the start the output is a guess.
  const begun = isRecord(usage) ? { ...usage, output_tokens: 1 } : usage
  const delta = { stop_reason, stop_sequence, ...(stop_details === undefined ? {} : { stop_details }) }
  return [
    {
      type: 'message_start',
      message: { ...first, content: [], stop_reason: null, stop_sequence: null, usage: begun },
    },
    { type: 'ping' },
    ...blocks.flatMap(blockEvents),
    { type: 'message_delta', delta, usage },
    { type: 'message_stop' },
  ]
}

/** The body of a stream. */
export const writtenEvents = (events: readonly Json[]): string =>
  events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('')

export const messageStream = (message: Json): string => writtenEvents(messageEvents(message))

function blockEvents(block: unknown, index: number): Json[] {
  const [content_block, deltas] = isRecord(block) ? piecesOfBlock(block) : [block, []]
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

/** A block as it starts, and what is added to it. */
function piecesOfBlock(block: Json): [block: Json, deltas: Json[]] {
  const { type, text, thinking, signature, input } = block
  if (type === 'text' && typeof text === 'string')
    return [{ ...block, text: '' }, piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece }))]
  if (type === 'thinking' && typeof thinking === 'string' && typeof signature === 'string') {
    const thought = piecesOf(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece }))
    return [{ ...block, thinking: '', signature: '' }, [...thought, { type: 'signature_delta', signature }]]
  }
  if (type === 'tool_use' && input !== undefined) {
    // What a model wrote is passed on, also where it is no JSON of an object.
    const json = typeof input === 'string' ? input : JSON.stringify(input)
    const pieces = json === '{}' ? [''] : ['', ...piecesOf(json)]
    return [{ ...block, input: {} }, pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))]
  }
  return [block, []]
}
