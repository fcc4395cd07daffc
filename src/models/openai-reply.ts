/**
 * Reads the answer of a chat completion as an event. Reasons are short and in our own words, so neither a raw body nor a key gets into the
 * journal. See F21 to F25.
 */
import * as z from 'zod'
import type { EventOf, ToolCall } from '../core/terms/effect.ts'
import type { Usage } from '../core/terms/values/usage.ts'
import { jsonOrNull } from '../core/terms/values/parse-json.ts'
import { ChatUsage } from './chat-usage.ts'
import { retryAfterMs } from '../shell/network/retry-after.ts'

/** The longest reply that is kept, in bytes of UTF-8 (F22). */
const TEXT_BYTES_MAX = 65_536

const Completion = z.object({
  choices: z.array(z.unknown()),
  model: z.string().min(1).max(200).nullable().catch(null),
  usage: ChatUsage.nullable().catch(null),
})
/** An HTML page or a stream of events is no completion, whatever it holds. */
const JSON_TYPE = /^\s*application\/([^;]+\+)?json\s*(;|$)/i
/** A member of any type or none; it is checked below. */
const MAYBE = z.unknown().optional()
const Choice = z.object({
  message: z.object({ content: MAYBE, refusal: MAYBE, tool_calls: MAYBE }),
  finish_reason: MAYBE,
})
const Refusal = z.object({ error: z.object({ code: MAYBE, type: MAYBE }) })

type ModelReply = {
  text: string
  finish?: 'length'
  tool_calls?: ToolCall[]
  usage: Usage | null
  model: string | null
}

export function modelFailure(reason: string): EventOf<'model_failed'> {
  return { kind: 'model_failed', reason, status: null, retry_after_ms: null }
}

/** Reads the completion in a 2xx answer, or the reason why there is none. An empty text is a completion; `calls`: whether tools were offered. */
export function readCompletion(
  { type, text }: { type: string | null; text: string },
  calls = false,
): ModelReply | { reason: string; usage?: Usage } {
  const completion = Completion.safeParse(JSON_TYPE.test(type ?? '') ? jsonOrNull(text) : null)
  if (!completion.success) return { reason: 'reply is not a completion' }
  const { choices, usage, model } = completion.data
  const read = replyIn(choices, calls)
  if ('reason' in read) return usage === null ? read : { ...read, usage }
  return { ...read, model, usage }
}

type Reply = { text: string; finish?: 'length'; tool_calls?: ToolCall[] } | { reason: string }

function replyIn(choices: unknown[], calls: boolean): Reply {
  if (choices.length === 0) return { reason: 'reply has no choices' }
  const choice = Choice.safeParse(choices[0])
  if (!choice.success) return { reason: 'reply has no message' }
  const { message, finish_reason } = choice.data
  const reply = messageIn(message, calls)
  return finish_reason === 'length' && !('reason' in reply) ? { ...reply, finish: 'length' } : reply
}

function messageIn({ content, refusal, tool_calls }: z.infer<typeof Choice>['message'], calls: boolean): Reply {
  if (calls && Array.isArray(tool_calls) && tool_calls.length > 0) return callsIn(tool_calls, content)
  if (typeof refusal === 'string' && refusal !== '' && !content) return { reason: 'refusal' }
  if (typeof content !== 'string') return { reason: Array.isArray(tool_calls) ? 'unexpected tool call' : 'no content' }
  if (new TextEncoder().encode(content).byteLength > TEXT_BYTES_MAX) return { reason: 'reply too large' }
  // A lone surrogate would be stored as another text than the one the mode has read.
  return { text: content.toWellFormed() }
}

/** Some endpoints answer an object instead of its JSON. */
const Arguments = z.string().or(z.looseObject({}).transform((args) => JSON.stringify(args)))
const CallSchema = z.object({
  id: z.string().max(200).catch(''),
  function: z.object({ name: z.string().max(200), arguments: Arguments.catch('') }),
})
const CALLS_MAX = 32

/** A call without an id, or with the id of another call, gets a new one, because the answer to the call names it. */
function callsIn(tool_calls: unknown[], content: unknown): Reply {
  if (tool_calls.length > CALLS_MAX) return { reason: 'too many tool calls' }
  const read = z.array(CallSchema).safeParse(tool_calls)
  if (!read.success) return { reason: 'tool calls are not readable' }
  const taken = new Set<string>()
  const called = read.data.map(({ id, function: { name, arguments: args } }, index): ToolCall => {
    const own = id === '' || taken.has(id) ? `call_${index}` : id.toWellFormed()
    taken.add(own)
    return { id: own, name: name.toWellFormed(), arguments: args.toWellFormed() }
  })
  const text = typeof content === 'string' ? content.toWellFormed() : ''
  const bytes = new TextEncoder().encode(text + JSON.stringify(called)).byteLength
  return bytes > TEXT_BYTES_MAX ? { reason: 'reply too large' } : { text, tool_calls: called }
}

/** Describes an answer with an error status: the status, a harmless word of the endpoint, and when to try again. */
export function httpFailure(
  answer: { status: number; headers: Headers; text: string },
  secret: string,
  now_ms: number,
): EventOf<'model_failed'> {
  const redirect = answer.status >= 300 && answer.status < 400
  const detail = redirect ? 'redirect' : errorToken(answer.text, secret)
  return {
    kind: 'model_failed',
    reason: detail === null ? `HTTP ${answer.status}` : `HTTP ${answer.status} (${detail})`,
    status: answer.status,
    retry_after_ms: retryAfterMs(answer.headers, now_ms),
  }
}

/** `error.code`, else `error.type`, if it looks like an identifier and does not hold the key. */
function errorToken(body: string, secret: string): string | null {
  const refusal = Refusal.safeParse(jsonOrNull(body))
  if (!refusal.success) return null
  const { code, type } = refusal.data.error
  const fits = (word: unknown): word is string =>
    typeof word === 'string' && /^[a-z0-9_.-]{1,64}$/.test(word) && (secret === '' || !word.includes(secret))
  return [code, type].find(fits) ?? null
}
