/**
 * Puts the chunks of a streamed chat completion together to the completion. Endpoints differ in more than the standard says: some give no index to a
 * call, some the same one to several calls, some send what was thought in a list or in parts of the content, and some never say that they are done.
 */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { endOfError } from '../event-stream.ts'
import { jsonOf } from '../reply-parts.ts'
import type { Collector } from '../wire.ts'

/** What an endpoint sends last. */
const DONE = '[DONE]'

type Json = Record<string, unknown>

interface CallPieces {
  id: unknown
  name: string[]
  arguments: string[]
}
/** A block of a list whose texts come in pieces: reasoning_details, or the parts of a content. */
interface BlockPieces {
  members: Map<string, unknown>
  texts: Map<string, string[]>
}
interface Pieces {
  first: Json | null
  content: string[]
  parts: BlockPieces[]
  refusal: string[]
  reasoning_content: string[]
  reasoning: string[]
  details: BlockPieces[]
  calls: CallPieces[]
  /** The newest call of each index. */
  call_at: Map<unknown, CallPieces>
  finish_reason: unknown
  usage: unknown
  /** How many characters are in the pieces. */
  kept: number
}

export function collectCompletion(): Collector {
  const pieces: Pieces = {
    first: null,
    content: [],
    parts: [],
    refusal: [],
    reasoning_content: [],
    reasoning: [],
    details: [],
    calls: [],
    call_at: new Map(),
    finish_reason: null,
    usage: null,
    kept: 0,
  }
  let stop: ReturnType<Collector['end']> | null = null
  let isDone = false
  return {
    add(data) {
      if (data.trim() === DONE) {
        isDone = true
        return ''
      }
      const chunk = jsonOrNull(data)
      if (!isRecord(chunk)) return ''
      if (isRecord(chunk.error) || typeof chunk.error === 'string') {
        stop = endOfError(chunk, hasBegun(pieces))
        return ''
      }
      return addChunk(pieces, chunk)
    },
    progress: () => ({ hasBegun: hasBegun(pieces), kept: pieces.kept }),
    end(hasEnded = false) {
      if (stop !== null) return stop
      const isWhole = isDone || (hasEnded && pieces.finish_reason !== null)
      return isWhole && pieces.first !== null
        ? { kind: 'whole', answer: completionOf(pieces, pieces.first) }
        : { kind: 'open' }
    },
  }
}

/** The first chunk has an empty content, and says nothing yet. */
const hasBegun = ({ content, parts, reasoning_content, reasoning, details, calls }: Pieces): boolean =>
  content.findLast((piece) => piece !== '') !== undefined ||
  [parts, reasoning_content, reasoning, details, calls].some((list) => list.length > 0)

/** Adds one chunk, and answers what it adds to the text. The chunk with the usage has no choices. */
function addChunk(pieces: Pieces, chunk: Json): string {
  pieces.first ??= chunk
  if (isRecord(chunk.usage)) pieces.usage = chunk.usage
  const choice = listOf(chunk.choices).find(({ index = 0 }) => index === 0) ?? null
  if (choice === null) return ''
  // Groq and Kimi tell the usage elsewhere.
  if (isRecord(choice.usage)) pieces.usage = choice.usage
  if (choice.finish_reason !== null && choice.finish_reason !== undefined) pieces.finish_reason = choice.finish_reason
  return isRecord(choice.delta) ? addDelta(pieces, choice.delta) : ''
}

function addDelta(pieces: Pieces, delta: Json): string {
  pieces.kept += addText(pieces.refusal, delta.refusal)
  pieces.kept += addText(pieces.reasoning_content, delta.reasoning_content)
  pieces.kept += addText(pieces.reasoning, delta.reasoning)
  for (const block of listOf(delta.reasoning_details)) pieces.kept += addBlock(pieces.details, block)
  for (const call of listOf(delta.tool_calls)) addCall(pieces, call)
  if (isRecord(delta.function_call)) addCall(pieces, { index: 0, function: delta.function_call })
  if (typeof delta.content === 'string') {
    pieces.content.push(delta.content)
    pieces.kept += delta.content.length
    return delta.content
  }
  const parts = listOf(delta.content)
  for (const part of parts) pieces.kept += addBlock(pieces.parts, part)
  return parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('')
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Answers how many characters were added. */
function addText(list: string[], value: unknown): number {
  if (typeof value !== 'string' || value === '') return 0
  list.push(value)
  return value.length
}

/** A piece belongs to the newest call of its index. One that brings another id begins a call of its own, whatever its index. */
function addCall(pieces: Pieces, piece: Json): void {
  const { calls, call_at } = pieces
  const { id, index = null } = piece
  const known = index === null ? calls.at(-1) : call_at.get(index)
  const isNew =
    known === undefined || (typeof id === 'string' && id !== '' && known.id !== undefined && known.id !== id)
  const call: CallPieces = isNew ? { id: undefined, name: [], arguments: [] } : known
  if (isNew) calls.push(call)
  call_at.set(index, call)
  if (typeof id === 'string' && id !== '') call.id = id
  const called = isRecord(piece.function) ? piece.function : {}
  pieces.kept += addText(call.name, called.name)
  pieces.kept += addText(call.arguments, isRecord(called.arguments) ? jsonOf(called.arguments) : called.arguments)
}

/** The members of a block that come in pieces. All others are told whole. */
const PIECEWISE: ReadonlySet<string> = new Set(['text', 'summary', 'data', 'thinking'])

/** Adds a block, or a piece of the newest one if that has its type and its index. Answers how many characters were added. */
function addBlock(blocks: BlockPieces[], piece: Json): number {
  let kept = 0
  const last = blocks.at(-1)
  const isSame =
    last !== undefined && last.members.get('type') === piece.type && last.members.get('index') === piece.index
  const { members, texts } = isSame ? last : { members: new Map<string, unknown>(), texts: new Map<string, string[]>() }
  if (!isSame) blocks.push({ members, texts })
  for (const [name, value] of Object.entries(piece)) {
    const text = PIECEWISE.has(name) ? textOf(value) : null
    if (text === null) {
      if (value !== null || !members.has(name)) members.set(name, value)
      continue
    }
    kept += text.length
    const known = texts.get(name)
    if (known !== undefined) known.push(text)
    else {
      members.set(name, value)
      texts.set(name, [text])
    }
  }
  return kept
}

/** The text of a piece. Mistral writes what was thought as parts with a text. null: it is no text. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  const texts = listOf(value).map(({ text }) => text)
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('') : null
}

function wholeBlock({ members, texts }: BlockPieces): Json {
  const whole = new Map(members)
  for (const [name, pieces] of texts) {
    const text = pieces.join('')
    whole.set(name, Array.isArray(members.get(name)) ? [{ type: 'text', text }] : text)
  }
  return Object.fromEntries(whole)
}

function completionOf(pieces: Pieces, { model }: Json): object {
  const { content, parts, refusal, reasoning_content, reasoning, details, calls, finish_reason, usage } = pieces
  const text = content.join('')
  const spoken = [...parts.map(wholeBlock), ...(text === '' ? [] : [{ type: 'text', text }])]
  const tool_calls = calls.map((call) => ({
    ...(call.id === undefined ? {} : { id: call.id }),
    type: 'function',
    function: { name: call.name.join(''), arguments: call.arguments.join('') },
  }))
  const message = {
    role: 'assistant',
    content: parts.length > 0 ? spoken : content.length > 0 ? text : null,
    ...(refusal.length === 0 ? {} : { refusal: refusal.join('') }),
    ...(reasoning_content.length === 0 ? {} : { reasoning_content: reasoning_content.join('') }),
    ...(reasoning.length === 0 ? {} : { reasoning: reasoning.join('') }),
    ...(details.length === 0 ? {} : { reasoning_details: details.map(wholeBlock) }),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  }
  return { model, choices: [{ index: 0, finish_reason, message }], usage }
}
