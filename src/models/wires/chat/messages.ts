/** The messages of a chat completion. What an endpoint wants of them beyond the common form is in the dialect. */
import * as z from 'zod'
import type { Message, ToolCall } from '../../../core/terms/effect.ts'
import { fingerprint } from '../../../core/terms/values/hash.ts'
import { jsonOrNull, parseJson } from '../../../core/terms/values/parse-json.ts'
import { reasoningFor, sentName } from '../common.ts'
import { dataUrl, imagesBehindResults, labelOf, type ShownImage } from '../images.ts'
import type { Dialect, WireCall } from '../wire.ts'

/** Reasoning as reply.ts has kept it: the member of the message in which it stood, unchanged, or the parts of a content of parts. */
const Kept = z.union([
  z.string().transform((reasoning_content) => ({ reasoning_content })),
  z.strictObject({ reasoning_content: z.string() }),
  z.strictObject({ reasoning: z.string() }),
  z.strictObject({ reasoning_details: z.array(z.unknown()) }),
  z.strictObject({ parts: z.array(z.unknown()) }),
])

type Content = string | null | unknown[]
type Sent =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | unknown[] }
  | { role: 'tool'; content: string; tool_call_id: string }
  | { role: 'assistant'; content: Content; tool_calls?: object[]; [member: string]: unknown }

export function chatMessages(call: WireCall): Sent[] {
  const messages = imagesBehindResults(call.request.messages, call).map(({ message, shown }) =>
    shown.length === 0 ? chatMessage(message, call) : userMessage(message.content, shown),
  )
  return call.dialect.ordered ? inOrder(messages) : messages
}

/** A message of the user with images, each behind its name. */
const userMessage = (content: string, shown: readonly ShownImage[]): Sent => ({
  role: 'user',
  content: [
    ...(content === '' ? [] : partsOf(content)),
    ...shown.flatMap((image) => [
      { type: 'text', text: labelOf(image) },
      { type: 'image_url', image_url: { url: dataUrl(image) } },
    ]),
  ],
})

function chatMessage(message: Message, call: WireCall): Sent {
  const { dialect } = call
  if (message.role === 'tool') return { ...message, tool_call_id: sentId(message.tool_call_id, dialect) }
  if (message.role !== 'assistant') return message
  const { role, content, tool_calls } = message
  const { parts, ...reasoning } = reasoningMembers(message, call)
  // Some endpoints accept only null for a missing text beside calls, and all of them accept null.
  const said = content === '' && tool_calls !== undefined ? null : content
  const text = content === '' ? [] : [{ type: 'text', text: content }]
  return {
    role,
    content: parts === undefined ? said : [...parts, ...text],
    ...reasoning,
    ...(tool_calls === undefined ? {} : { tool_calls: tool_calls.map((made) => functionCall(made, dialect)) }),
  }
}

const functionCall = ({ id, name, arguments: args }: ToolCall, dialect: Dialect) => ({
  id: sentId(id, dialect),
  type: 'function' as const,
  function: { name: sentName(name), arguments: isObject(args) ? args : '{}' },
})

function isObject(json: string): boolean {
  const value = jsonOrNull(json)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Kimi reads an empty text as none, and DeepSeek at times. Both accept a blank. */
const BLANK = ' '

function reasoningMembers(
  message: Extract<Message, { role: 'assistant' }>,
  call: WireCall,
): { parts?: unknown[]; [member: string]: unknown } {
  const items = reasoningFor(message, call)
  const kept = Kept.safeParse(items === null ? null : parseJson(items)).data ?? {}
  if (!call.dialect.blank_reasoning || 'reasoning_content' in kept) return kept
  return 'reasoning' in kept ? { reasoning_content: kept.reasoning } : { ...kept, reasoning_content: BLANK }
}

/** Mistral takes only ids as it gives them. Those of other endpoints, and our own, are replaced. */
const SHORT = /^[a-zA-Z0-9]{9}$/
const sentId = (id: string, { short_ids }: Dialect): string =>
  !short_ids || SHORT.test(id) ? id : fingerprint(id).slice(0, 9)

/** What the model has said between the results of its calls and the next words of the user, where an endpoint wants it to have said something. */
const BETWEEN = 'OK.'

/** Puts a reply between the results of calls and what a user says after them, and joins messages of one role that follow each other. */
function inOrder(messages: readonly Sent[]): Sent[] {
  const ordered: Sent[] = []
  for (const message of messages) {
    const before = ordered.at(-1)
    if (message.role === 'user' && before?.role === 'tool')
      ordered.push({ role: 'assistant', content: BETWEEN }, message)
    else if (message.role === 'user' && before?.role === 'user')
      ordered[ordered.length - 1] = { ...before, content: joined(before.content, message.content) }
    else if (message.role === 'assistant' && before?.role === 'assistant' && before.tool_calls === undefined)
      ordered[ordered.length - 1] = { ...message, content: joined(before.content, message.content) }
    else ordered.push(message)
  }
  return ordered
}

function joined<C extends Content>(one: C, other: C): C | unknown[]
function joined(one: Content, other: Content): Content {
  if (typeof one !== 'string') return one === null ? other : [...one, ...partsOf(other)]
  if (typeof other === 'string') return `${one}\n\n${other}`
  return other === null ? one : [...partsOf(one), ...other]
}

const partsOf = (content: Content): unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
