/** Reads the answer of a chat completion (F21 to F25). */
import * as z from 'zod'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { boundedParts, CallArguments, CallId, CallName, isJsonType } from '../reply-parts.ts'
import type { WireFailure, WireReply } from '../wire.ts'
import { ChatUsage } from './usage.ts'

const Completion = z.object({
  choices: z.array(z.unknown()),
  model: z.string().min(1).max(200).nullable().catch(null),
  usage: ChatUsage.nullable().catch(null),
})
/** A member of any type or none; it is checked below. */
const MAYBE = z.unknown().optional()
const Choice = z.object({
  message: z.object({ content: MAYBE, refusal: MAYBE, tool_calls: MAYBE, reasoning_content: MAYBE }),
  finish_reason: MAYBE,
})
type Choice = z.infer<typeof Choice>
const Call = z.object({ id: CallId, function: z.object({ name: CallName, arguments: CallArguments }) })

/** Reads the completion in a 2xx answer, or the reason why there is none. An empty text is a completion; `calls`: whether tools were offered. */
export function readCompletion(
  { type, text }: { type: string | null; text: string },
  calls = false,
): WireReply | WireFailure {
  const completion = Completion.safeParse(isJsonType(type) ? jsonOrNull(text) : null)
  if (!completion.success) return { reason: 'reply is not a completion' }
  const { choices, usage, model } = completion.data
  const parts = partsOf(choices, calls)
  if ('reason' in parts) return usage === null ? parts : { ...parts, usage }
  return { ...parts, model, usage }
}

function partsOf(choices: unknown[], calls: boolean): ReturnType<typeof boundedParts> {
  if (choices.length === 0) return { reason: 'reply has no choices' }
  const choice = Choice.safeParse(choices[0])
  if (!choice.success) return { reason: 'reply has no message' }
  const { message, finish_reason } = choice.data
  const wasCut = finish_reason === 'length'
  const reasoning = reasoningIn(message)
  const { content, refusal, tool_calls } = message
  if (calls && Array.isArray(tool_calls) && tool_calls.length > 0) {
    const read = z.array(Call).safeParse(tool_calls)
    if (!read.success) return { reason: 'tool calls are not readable' }
    const found = read.data.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args }))
    return boundedParts({ text: typeof content === 'string' ? content : '', calls: found, wasCut, reasoning })
  }
  if (typeof refusal === 'string' && refusal !== '' && !content) return { reason: 'refusal' }
  // A model that has used up the cap with reasoning says nothing.
  const silent = wasCut && reasoning !== null && (content === null || content === undefined)
  if (typeof content !== 'string' && !silent)
    return { reason: Array.isArray(tool_calls) ? 'unexpected tool call' : 'no content' }
  return boundedParts({ text: typeof content === 'string' ? content : '', calls: [], wasCut, reasoning })
}

/** What the model has thought, as DeepSeek and Kimi want it back. */
const reasoningIn = ({ reasoning_content }: Choice['message']): string | null =>
  typeof reasoning_content === 'string' && reasoning_content !== ''
    ? JSON.stringify(reasoning_content.toWellFormed())
    : null
