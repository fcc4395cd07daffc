/** Reads the answer of Responses: a list of items, which are messages, calls and reasoning. */
import * as z from 'zod'
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import { ChatUsage } from '../chat/usage.ts'
import { boundedParts, CallArguments, CallId, CallName, isJsonType, type FoundCall } from '../reply-parts.ts'
import type { WireFailure, WireReply } from '../wire.ts'
import { readPhase, writeKept, type KeptItems } from './kept.ts'

/** A member of any type or none; it is checked below. */
const MAYBE = z.unknown().optional()

const Reported = z.object({
  input_tokens: MAYBE,
  output_tokens: MAYBE,
  total_tokens: MAYBE,
  input_tokens_details: MAYBE,
  output_tokens_details: MAYBE,
})
/**
 * The parts of the usage of a chat completion under names of its own: cached tokens are inside the input, and reasoning is inside the output.
 */
const ResponsesUsage = z.preprocess((usage) => {
  const { success, data } = Reported.safeParse(usage)
  if (!success) return null
  return {
    prompt_tokens: data.input_tokens,
    completion_tokens: data.output_tokens,
    total_tokens: data.total_tokens,
    prompt_tokens_details: data.input_tokens_details,
    completion_tokens_details: data.output_tokens_details,
  }
}, ChatUsage)

const Response = z.object({
  output: z.array(z.unknown()),
  status: MAYBE,
  incomplete_details: z.object({ reason: MAYBE }).nullish().catch(null),
  model: z.string().min(1).max(200).nullable().catch(null),
  usage: ResponsesUsage.nullable().catch(null),
})
type Response = z.infer<typeof Response>

const Text = z.object({ type: z.literal('output_text'), text: z.string() })
const Refusal = z.object({ type: z.literal('refusal') })
const Item = z.object({ type: z.string() })
const SpokenMessage = z.object({ content: z.array(z.unknown()), phase: MAYBE })
const FunctionCall = z.object({ call_id: CallId, name: CallName, arguments: CallArguments })

/** Reads the response in a 2xx answer, or the reason why there is none. An empty text is a completion; `calls`: whether tools were offered. */
export function readResponse(
  { type, text }: { type: string | null; text: string },
  calls = false,
): WireReply | WireFailure {
  const response = Response.safeParse(isJsonType(type) ? jsonOrNull(text) : null)
  if (!response.success) return { reason: 'reply is not a completion' }
  const { usage, model } = response.data
  const parts = partsOf(response.data, calls)
  if ('reason' in parts) return usage === null ? parts : { ...parts, usage }
  return { ...parts, model, usage }
}

function partsOf({ output, status, incomplete_details }: Response, calls: boolean): ReturnType<typeof boundedParts> {
  if (status === 'failed') return { reason: 'the model failed' }
  if (typeof status === 'string' && UNFINISHED.has(status)) return { reason: 'response is not finished' }
  if (status === 'incomplete' && incomplete_details?.reason === 'content_filter') return { reason: 'content filter' }
  const found = foundIn(output)
  const wasCut = status === 'incomplete'
  const { texts, spoke, refused, called } = found
  if (calls && called !== found.calls.length) return { reason: 'tool calls are not readable' }
  const offered = calls ? found.calls : []
  const text = texts.join('\n\n')
  if (text === '' && offered.length === 0) {
    if (refused) return { reason: 'refusal' }
    // A model that has used up the cap with reasoning says nothing.
    if (!spoke && !wasCut) return { reason: called > 0 ? 'unexpected tool call' : 'no content' }
  }
  return boundedParts({ text, calls: offered, wasCut, reasoning: writeKept(found) })
}
const UNFINISHED: ReadonlySet<string> = new Set(['cancelled', 'queued', 'in_progress'])

interface Found extends KeptItems {
  texts: string[]
  /** Whether there was a text, which may have been empty. */
  spoke: boolean
  refused: boolean
  /** How many calls there are, and those that can be read. */
  called: number
  calls: FoundCall[]
}

/** Items of other types are left out. */
function foundIn(output: readonly unknown[]): Found {
  const found: Found = { texts: [], spoke: false, refused: false, called: 0, calls: [], before: [[]], phase: null }
  /** The reasoning since the latest item that it may belong to. */
  let reasoning: KeptItems['before'][number] = []
  for (const item of output) {
    switch (Item.safeParse(item).data?.type) {
      case 'reasoning':
        reasoning.push(...keptItem(item))
        break
      case 'message':
        if (!addMessage(found, item)) break
        found.before[0]?.push(...reasoning)
        reasoning = []
        break
      case 'function_call': {
        const call = FunctionCall.safeParse(item).data
        found.called += 1
        if (call === undefined) break
        found.calls.push({ id: call.call_id, name: call.name, arguments: call.arguments })
        found.before.push(reasoning)
        reasoning = []
      }
    }
  }
  return found
}

/** Adds the text of a message. False: it is empty, so it does not go back, and the reasoning belongs to what follows. */
function addMessage(found: Found, item: unknown): boolean {
  const message = SpokenMessage.safeParse(item).data
  const parts = message?.content ?? []
  const texts = parts.flatMap((part) => Text.safeParse(part).data?.text ?? [])
  found.refused ||= parts.some((part) => Refusal.safeParse(part).success)
  found.spoke ||= texts.length > 0
  const text = texts.join('')
  if (text === '') return false
  found.texts.push(text)
  found.phase = readPhase(message?.phase) ?? found.phase
  return true
}

/** A reasoning item as it goes back: without its status, which is only for reading. An item without its content would be looked up in vain. */
function keptItem(item: unknown): KeptItems['before'][number] {
  if (!isRecord(item)) return []
  const { status: _, ...kept } = item
  const { encrypted_content, content } = kept
  const hasContent = Array.isArray(content) && content.length > 0
  return hasContent || (typeof encrypted_content === 'string' && encrypted_content !== '') ? [kept] : []
}
