/** The parts of a reply that all wires read alike: its text, its calls and its reasoning, each well-formed and bounded. */
import * as z from 'zod'
import { REASONING_BYTES_MAX, REPLY_BYTES_MAX } from '../../core/mode/prompt-bytes.ts'
import type { ToolCall } from '../../core/terms/effect.ts'
import type { WireFailure, WireReply } from './wire.ts'

/** An HTML page or a stream of events is no reply, whatever it holds. */
const JSON_TYPE = /^\s*application\/([^;]+\+)?json\s*(;|$)/i
export const isJsonType = (type: string | null): boolean => JSON_TYPE.test(type ?? '')

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength

/** JSON. null: the value nests deeper than can be written. */
export function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value)
  } catch {
    return null
  }
}

/** A call as a wire found it. */
export interface FoundCall {
  id: string
  name: string
  arguments: string
}
/** Some endpoints answer an object instead of its JSON. What is neither is no JSON, and the model is told so. */
export const CallArguments = z
  .string()
  .or(z.looseObject({}).transform((args) => jsonOf(args) ?? ''))
  .catch('')
export const CallName = z.string().max(200)
export const CallId = z.string().max(200).catch('')

const CALLS_MAX = 32

type Parts = Pick<WireReply, 'text' | 'tool_calls' | 'finish' | 'reasoning'>

/** The parts of a reply, or the reason why it cannot be kept. A lone surrogate would be stored as another text than a mode has read. */
export function boundedParts(found: {
  text: string
  calls: readonly FoundCall[]
  wasCut: boolean
  /** JSON text. */
  reasoning: string | null
}): Parts | Pick<WireFailure, 'reason'> {
  if (found.calls.length > CALLS_MAX) return { reason: 'too many tool calls' }
  const text = found.text.toWellFormed()
  const tool_calls = distinctCalls(found.calls)
  const bytes = bytesOf(tool_calls.length === 0 ? text : text + JSON.stringify(tool_calls))
  if (bytes > REPLY_BYTES_MAX) return { reason: 'reply too large' }
  const reasoning = found.reasoning?.toWellFormed() ?? null
  return {
    text,
    ...(found.wasCut ? { finish: 'length' as const } : {}),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
    ...(reasoning === null || bytesOf(reasoning) > REASONING_BYTES_MAX ? {} : { reasoning }),
  }
}

/** A call without an id, or with the id of another call, gets a new one, because the answer to the call names it. */
function distinctCalls(calls: readonly FoundCall[]): ToolCall[] {
  const taken = new Set<string>()
  return calls.map(({ id, name, arguments: args }, index): ToolCall => {
    const own = id === '' || taken.has(id) ? `call_${index}` : id.toWellFormed()
    taken.add(own)
    return { id: own, name: name.toWellFormed(), arguments: args.toWellFormed() }
  })
}
