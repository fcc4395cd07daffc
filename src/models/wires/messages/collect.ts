/**
 * Puts the events of a streamed message together to the message. Its blocks come in pieces. A block of thinking is signed, so its members keep the
 * order in which they came.
 */
import { isTooDeep } from '../../../core/mode/json-text.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { endOfError } from '../event-stream.ts'
import type { Collector } from '../wire.ts'

type Json = Record<string, unknown>
type End = ReturnType<Collector['end']>

interface BlockPieces {
  /** In the order in which they came. */
  members: Map<string, unknown>
  /** The pieces of members that are texts. */
  texts: Map<string, string[]>
  /** The pieces of the JSON of the input of a call. */
  input: string[]
}
interface MessagePieces {
  /** null: the message has not begun. */
  members: Map<string, unknown> | null
  usage: Map<string, unknown>
  blocks: BlockPieces[]
  /** The newest block of each index. */
  at: Map<unknown, BlockPieces>
  hasEnded: boolean
  /** How many characters are in the blocks. */
  kept: number
}

/** By the type of a delta: its member, and the block that it belongs to. In the block the member has the same name. */
const DELTAS = new Map<unknown, { member: string; block: string }>([
  ['text_delta', { member: 'text', block: 'text' }],
  ['thinking_delta', { member: 'thinking', block: 'thinking' }],
  ['signature_delta', { member: 'signature', block: 'thinking' }],
])
const INPUT = { delta: 'input_json_delta', block: 'tool_use' }

export function collectMessage(): Collector {
  const pieces: MessagePieces = { members: null, usage: new Map(), blocks: [], at: new Map(), hasEnded: false, kept: 0 }
  let stop: End | null = null
  return {
    add(data) {
      const event = jsonOrNull(data)
      if (!isRecord(event)) return ''
      if (event.type === 'content_block_start') pieces.kept += data.length
      if (event.type === 'error' || isError(event.error)) stop = endOfError(event, pieces.blocks.length > 0)
      else if (event.type === 'message_stop') stop = wholeMessage(pieces)
      return stop === null ? addEvent(pieces, event) : ''
    },
    progress: () => ({ hasBegun: pieces.blocks.length > 0, kept: pieces.kept }),
    end(hasEnded = false) {
      return stop ?? (hasEnded && pieces.hasEnded ? wholeMessage(pieces) : null) ?? { kind: 'open' }
    },
  }
}

const isError = (value: unknown): boolean => isRecord(value) || typeof value === 'string'

/** Adds one event, and answers what it adds to the text. Events of other types say nothing of the message. */
function addEvent(pieces: MessagePieces, event: Json): string {
  switch (event.type) {
    case 'message_start':
      return isRecord(event.message) ? startMessage(pieces, event.message) : ''
    case 'content_block_start':
      return startBlock(pieces, event.index, isRecord(event.content_block) ? event.content_block : {})
    case 'content_block_delta':
      return isRecord(event.delta) ? addDelta(pieces, event.index, event.delta) : ''
    case 'message_delta':
      return endMessage(pieces, event)
    default:
      return ''
  }
}

/** A message that starts again, such as after another try of a gateway, is the new one. At the start the output is a guess. */
function startMessage(pieces: MessagePieces, { usage, ...members }: Json): string {
  pieces.members = new Map(Object.entries(members))
  pieces.blocks = []
  pieces.at.clear()
  pieces.usage.clear()
  if (isRecord(usage))
    pieces.usage = new Map(Object.entries(usage).filter(([name]) => !name.startsWith('output_tokens')))
  return ''
}

function endMessage(pieces: MessagePieces, { delta, usage }: Json): string {
  const ended = isRecord(delta) ? Object.entries(delta) : []
  for (const [name, value] of ended) pieces.members?.set(name, value)
  pieces.hasEnded ||= isRecord(delta) && typeof delta.stop_reason === 'string'
  for (const [name, value] of isRecord(usage) ? Object.entries(usage) : []) {
    const known = pieces.usage.get(name)
    // The counts are of the whole message and only grow. Some endpoints say at the end that nothing was read.
    const isLess = typeof known === 'number' && (value === null || (typeof value === 'number' && value < known))
    if (!isLess) pieces.usage.set(name, value)
  }
  return ''
}

function startBlock(pieces: MessagePieces, index: unknown, block: Json): string {
  const started: BlockPieces = { members: new Map(Object.entries(block)), texts: new Map(), input: [] }
  pieces.blocks.push(started)
  pieces.at.set(index, started)
  return block.type === 'text' && typeof block.text === 'string' ? block.text : ''
}

/** A block whose start is missing begins with its first piece, so that nothing of the reply is lost. */
function addDelta(pieces: MessagePieces, index: unknown, delta: Json): string {
  const known = DELTAS.get(delta.type)
  const type = delta.type === INPUT.delta ? INPUT.block : known?.block
  if (type === undefined) return ''
  if (!pieces.at.has(index)) startBlock(pieces, index, { type })
  const block = pieces.at.get(index)
  const text = known === undefined ? delta.partial_json : delta[known.member]
  if (block === undefined || typeof text !== 'string') return ''
  pieces.kept += text.length
  if (known === undefined) {
    block.input.push(text)
    return ''
  }
  addText(block, known.member, text)
  return known.member === 'text' && block.members.get('type') === 'text' ? text : ''
}

function addText({ members, texts }: BlockPieces, member: string, text: string): void {
  const list = texts.get(member)
  if (list !== undefined) {
    list.push(text)
    return
  }
  const begun = members.get(member)
  texts.set(member, [...(typeof begun === 'string' ? [begun] : []), text])
  // A member that is new stands behind those that came before it.
  if (!members.has(member)) members.set(member, '')
}

/** null: there is no message. */
function wholeMessage({ members, usage, blocks }: MessagePieces): End | null {
  if (members === null) return null
  const whole = new Map(members)
  const begun: unknown = members.get('content')
  whole.set('content', [...(Array.isArray(begun) ? begun : []), ...blocks.map(wholeBlock)])
  if (usage.size > 0) whole.set('usage', Object.fromEntries(usage))
  return { kind: 'whole', answer: Object.fromEntries(whole) }
}

function wholeBlock({ members, texts, input }: BlockPieces): Json {
  const whole = new Map(members)
  for (const [name, pieces] of texts) whole.set(name, pieces.join(''))
  const json = input.join('')
  // A call without arguments may come without a piece, or with an empty one.
  if (json !== '') whole.set('input', inputOf(json))
  return Object.fromEntries(whole)
}

/** What is no object stays a text, so that the reader tells the model. So does what nests deeper than can be written again. */
function inputOf(json: string): unknown {
  const input = isTooDeep(json) ? null : jsonOrNull(json)
  return isRecord(input) ? input : json
}
