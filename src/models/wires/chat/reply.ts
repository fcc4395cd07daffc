/** Reads the answer of a chat completion (F21 to F25). */
import * as z from 'zod'
import { isTooDeep } from '../../../core/mode/json-text.ts'
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
  message: z.object({
    content: MAYBE,
    refusal: MAYBE,
    tool_calls: MAYBE,
    function_call: MAYBE,
    reasoning_content: MAYBE,
    reasoning: MAYBE,
    reasoning_details: MAYBE,
  }),
  finish_reason: MAYBE,
})
type ChatMessage = z.infer<typeof Choice>['message']
const CalledFunction = z.object({ name: CallName, arguments: CallArguments })
const Call = z.object({ id: CallId, function: CalledFunction })
const Calls = z.array(Call)

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

/** The endpoint has ended the reply at the cap of its tokens. `model_length`: at the end of the model's context. */
const CUTS: readonly unknown[] = ['length', 'model_length']
/** What the model has said before such an end is not its reply. */
const BROKEN: readonly unknown[] = ['content_filter', 'error', 'insufficient_system_resource']

function partsOf(choices: unknown[], calls: boolean): ReturnType<typeof boundedParts> {
  if (choices.length === 0) return { reason: 'reply has no choices' }
  const choice = Choice.safeParse(choices[0])
  if (!choice.success) return { reason: 'reply has no message' }
  const { message, finish_reason } = choice.data
  if (typeof finish_reason === 'string' && BROKEN.includes(finish_reason)) return { reason: finish_reason }
  const content = contentOf(message.content)
  const reasoning = reasoningIn(message, content?.thinking ?? [])
  const end = { wasCut: CUTS.includes(finish_reason), reasoning }
  const made = callsIn(message)
  if (calls && made.length > 0) {
    const read = Calls.safeParse(made)
    if (!read.success) return { reason: 'tool calls are not readable' }
    const found = read.data.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args }))
    return boundedParts({ text: content?.text ?? '', calls: found, ...end })
  }
  if (content !== null) {
    const hasText = content.text !== '' || !isRefused(message)
    return hasText ? boundedParts({ text: content.text, calls: [], ...end }) : { reason: 'refusal' }
  }
  return silence(message, end)
}

const RefusalPart = z.looseObject({ type: z.literal('refusal') })

/** The model has said that it will not reply, in a member of its own or in a part of the content. */
const isRefused = ({ refusal, content }: ChatMessage): boolean =>
  (typeof refusal === 'string' && refusal !== '') ||
  (Array.isArray(content) && content.some((part) => RefusalPart.safeParse(part).success))

/** The parts of a reply without a text. A model that has used up the cap with reasoning says nothing. */
function silence(message: ChatMessage, end: { wasCut: boolean; reasoning: string | null }) {
  if (isRefused(message)) return { reason: 'refusal' }
  if (message.content !== null && message.content !== undefined) return { reason: 'no content' }
  if (callsIn(message).length > 0) return { reason: 'unexpected tool call' }
  const hasThought = end.wasCut || end.reasoning !== null
  return hasThought ? boundedParts({ text: '', calls: [], ...end }) : { reason: 'no content' }
}

/** The calls of a message. Old endpoints have one, without an id. */
function callsIn({ tool_calls, function_call }: ChatMessage): unknown[] {
  if (Array.isArray(tool_calls) && tool_calls.length > 0) return tool_calls
  return typeof function_call === 'object' && function_call !== null ? [{ function: function_call }] : []
}

const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }).transform(({ text }) => ({ text, thinking: null })),
  z.looseObject({ type: z.literal('thinking') }).transform((thinking) => ({ text: '', thinking })),
])

/** The text of a content, and its parts of thinking where it has parts. null: it is no content. */
function contentOf(content: unknown): { text: string; thinking: unknown[] } | null {
  if (typeof content === 'string') return { text: content, thinking: [] }
  if (!Array.isArray(content)) return null
  const parts = content.flatMap((part) => Part.safeParse(part).data ?? [])
  if (parts.length === 0) return null
  const thinking = parts.flatMap((part) => (part.thinking === null ? [] : [part.thinking]))
  return { text: parts.map(({ text }) => text).join(''), thinking }
}

/**
 * What the model has thought, in the member in which it goes back. DeepSeek, Kimi and Qwen have `reasoning_content`, vLLM, Ollama and Groq
 * `reasoning`, OpenRouter beside it a list that it wants back unchanged, Mistral parts of the content.
 */
function reasoningIn(
  { reasoning_content, reasoning, reasoning_details }: ChatMessage,
  parts: unknown[],
): string | null {
  if (parts.length > 0) return keptText({ parts })
  if (Array.isArray(reasoning_details) && reasoning_details.length > 0) return keptText({ reasoning_details })
  if (typeof reasoning_content === 'string' && reasoning_content !== '') return keptText({ reasoning_content })
  return typeof reasoning === 'string' && reasoning !== '' ? keptText({ reasoning }) : null
}

/** JSON that can be written again. null: it nests so deep that it could not. */
function keptText(reasoning: object): string | null {
  try {
    const text = JSON.stringify(reasoning, (_name, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    )
    return isTooDeep(text) ? null : text
  } catch {
    return null
  }
}
