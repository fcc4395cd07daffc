/** Reads the answer of the Messages wire (F21 to F25). */
import * as z from 'zod'
import type { ToolCall } from '../../../core/terms/effect.ts'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { boundedParts, CallId, CallName, isJsonType, jsonOf } from '../reply-parts.ts'
import type { WireFailure, WireReply } from '../wire.ts'
import { isThinking, thinkingIn, type FoundBlock } from './thinking.ts'
import { MessageUsage } from './usage.ts'

/** A member of any type or none; it is checked below. */
const MAYBE = z.unknown().optional()
const Answer = z.object({
  content: z.array(z.unknown()),
  stop_reason: MAYBE,
  stop_details: MAYBE,
  model: z.string().min(1).max(200).nullable().catch(null),
  usage: MessageUsage.nullable().catch(null),
})
type Answer = z.infer<typeof Answer>
type Failure = Pick<WireFailure, 'reason'>

/** Reads the message in a 2xx answer, or the reason why there is none. An empty text is a reply; `calls`: whether tools were offered. */
export function readMessage(
  { type, text }: { type: string | null; text: string },
  calls: boolean,
): WireReply | WireFailure {
  const answer = Answer.safeParse(isJsonType(type) ? jsonOrNull(text) : null)
  if (!answer.success) return { reason: 'reply is not a completion' }
  const { usage, model } = answer.data
  const parts = partsOf(answer.data, calls)
  if ('reason' in parts) return usage === null ? parts : { ...parts, usage }
  return { ...parts, model, usage }
}

/** What the answer ended with, where that is no reply. A turn is paused only for tools of the endpoint, which are never offered. */
function failureOf({ stop_reason, stop_details }: Answer): Failure | null {
  if (stop_reason === 'pause_turn') return { reason: 'paused turn' }
  if (stop_reason !== 'refusal') return null
  const category = isRecord(stop_details) ? stop_details.category : null
  return { reason: typeof category === 'string' && WORD.test(category) ? `refusal (${category})` : 'refusal' }
}
const WORD = /^[a-z_]{1,40}$/

/** The reply has used up its cap, or the model has no room for more. */
const CUT: readonly unknown[] = ['max_tokens', 'model_context_window_exceeded']

function partsOf(answer: Answer, calls: boolean): ReturnType<typeof boundedParts> {
  const failure = failureOf(answer)
  if (failure !== null) return failure
  const found = answer.content.map(foundBlock)
  if (found.includes('unreadable')) return { reason: 'content is not readable' }
  const blocks = found.filter((block) => block !== 'unreadable' && block !== null)
  const text = blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('')
  const made = blocks.flatMap((block) => (block.kind === 'call' ? [block.call] : []))
  if (!calls && made.length > 0 && text === '') return { reason: 'unexpected tool call' }
  const kept = calls ? blocks : blocks.filter(({ kind }) => kind !== 'call')
  const wasCut = CUT.includes(answer.stop_reason)
  return boundedParts({ text, calls: calls ? made : [], wasCut, reasoning: thinkingIn(kept) })
}

/** A block that the reply needs. null: it is of a kind that only tools of the endpoint have. */
function foundBlock(block: unknown): FoundBlock<ToolCall> | 'unreadable' | null {
  if (!isRecord(block)) return 'unreadable'
  if (block.type === 'text') return typeof block.text === 'string' ? { kind: 'text', text: block.text } : 'unreadable'
  if (block.type === 'tool_use') {
    const name = CallName.safeParse(block.name)
    if (!name.success) return 'unreadable'
    return {
      kind: 'call',
      call: { id: CallId.parse(block.id), name: name.data, arguments: argumentsOf(block.input) },
    }
  }
  return isThinking(block.type) ? { kind: 'thinking', block } : null
}

/** Some endpoints write the JSON of the arguments where the object belongs. What is neither is no JSON, and the model is told so. */
function argumentsOf(input: unknown): string {
  if (typeof input === 'string') return input
  return isRecord(input) ? (jsonOf(input) ?? '') : ''
}
