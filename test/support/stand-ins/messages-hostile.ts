/**
 * The table of hostile replies on the Messages wire. A request is shown to the hostile endpoint of chat completions as one of its own, and its
 * answer is translated: what is a completion becomes a message with the same fault, and what is none stays as it is.
 */
import { isRecord } from '../../../src/core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../src/core/terms/values/parse-json.ts'
import { always, BROKEN, FINE, lost, refused, type Hostile } from '../hostile-kit.ts'
import { messagesModel } from '../messages-model.ts'
import { recordsIn, type Json } from './messages-asked.ts'

/** A model of the Messages wire whose endpoint misbehaves as one of chat completions does. */
export const hostileMessagesModel = (
  config: { api_key: string; base_url: string; model: string },
  { fetch }: { fetch: typeof globalThis.fetch },
) =>
  messagesModel(config, {
    fetch: async (input, init) => {
      const body = chatBody(String(init?.body))
      const answer = await fetch(input, { ...init, body })
      return new Response(answer.body === null ? null : answer.body.pipeThrough(translation()), answer)
    },
  })

/** As long as the request itself, so that the bench counts the bytes that were sent. */
function chatBody(text: string): string {
  const body = jsonOrNull(text)
  if (!isRecord(body)) throw new Error('the request is no JSON')
  const tools = recordsIn(body.tools).map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name, description, parameters: input_schema },
  }))
  const form = formOf(body)
  const chat = {
    max_tokens: body.max_tokens,
    ...(tools.length === 0 ? {} : { tools }),
    ...(form === 'text' ? {} : { response_format: { type: form } }),
    pad: '',
  }
  const missing = bytesIn(text) - bytesIn(JSON.stringify(chat))
  return JSON.stringify({ ...chat, pad: 'x'.repeat(Math.max(0, missing)) })
}
const bytesIn = (text: string): number => new TextEncoder().encode(text).byteLength

function formOf({ output_config, system }: Json): string {
  if (isRecord(output_config) && output_config.format !== undefined) return 'json_schema'
  return String(recordsIn(system).at(-1)?.text).startsWith('Reply with one JSON object') ? 'json_object' : 'text'
}

/** More than this is no answer that is read, so it is passed on as it comes. */
const BYTES_MAX = 1_200_000

/** Translates a body that ends. One that never ends, or breaks, does so here too. */
function translation(): TransformStream<Uint8Array, Uint8Array> {
  let chunks: Uint8Array[] | null = []
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (chunks === null) return controller.enqueue(chunk)
      chunks.push(chunk)
      if (bytes <= BYTES_MAX) return
      for (const held of chunks) controller.enqueue(held)
      chunks = null
    },
    flush(controller) {
      if (chunks === null || bytes === 0) return
      controller.enqueue(translatedBytes(Buffer.concat(chunks)))
    },
  })
}

function translatedBytes(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  const body = jsonOrNull(text)
  if (!isRecord(body)) return bytes
  const other = 'choices' in body ? messageOf(body) : 'error' in body ? errorOf(body) : null
  return other === null ? bytes : new TextEncoder().encode(other)
}

const errorOf = (body: Json): string =>
  JSON.stringify({ type: 'error', ...body }).replaceAll('response_format', 'output_config.format')

function messageOf({ choices, usage, model, ...more }: Json): string {
  const [choice] = Array.isArray(choices) ? choices : [undefined]
  const message = isRecord(choice) && isRecord(choice.message) ? choice.message : null
  const content = choice === undefined ? undefined : message === null ? [choice] : contentOf(message)
  const end = isRecord(choice) ? (choice.finish_reason ?? 'stop') : 'stop'
  const isRefused = message !== null && typeof message.refusal === 'string' && !message.content
  return JSON.stringify({
    ...more,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: isRefused || end === 'content_filter' ? 'refusal' : end === 'stop' ? 'end_turn' : end,
    usage: isRecord(usage) ? usageOf(usage) : usage,
  })
}

const usageOf = ({ prompt_tokens, completion_tokens }: Json) => ({
  input_tokens: prompt_tokens,
  output_tokens: completion_tokens,
})

/** Content that is no text stands where the blocks belong. */
function contentOf({ content, reasoning_content, tool_calls, refusal }: Json): unknown {
  const calls = recordsIn(tool_calls).map(({ id, function: called }) => ({ type: 'tool_use', id, ...callOf(called) }))
  const thinking =
    reasoning_content === undefined ? [] : [{ type: 'thinking', thinking: reasoning_content, signature: 'signed' }]
  const texts = typeof content === 'string' ? [{ type: 'text', text: content }] : []
  const isNothing = calls.length === 0 && typeof content !== 'string' && typeof refusal !== 'string'
  return isNothing ? content : [...thinking, ...texts, ...calls]
}

function callOf(called: unknown): Json {
  if (!isRecord(called)) return {}
  const { name, arguments: args } = called
  const input = typeof args === 'string' ? jsonOrNull(args) : args
  // What is no object is written where the object belongs.
  return { name, input: isRecord(input) ? input : args }
}

const NOT_ONE = always(lost('reply is not a completion'))
const UNREADABLE = always(lost('content is not readable'))

/** Where this wire leads to something else than chat completions. */
const FATES: Record<string, Hostile['fate']> = {
  'an empty list of choices': NOT_ONE,
  'a choice of null': UNREADABLE,
  'a choice in the old style': always({ outcome: 'contract_error', charge: 'reservation' }),
  'a message that is a text': always({ outcome: 'contract_error', charge: 'reservation' }),
  'content of null': NOT_ONE,
  'no content': NOT_ONE,
  'content that is a number': NOT_ONE,
  'content that is the object itself': NOT_ONE,
  'content in parts without a text': UNREADABLE,
  'content that is an empty list': always({ ...BROKEN, charge: 'reservation' }),
  // A filter refuses, and no error ends a message.
  'a reply that a filter has ended': always(lost('refusal')),
  'a reply that an error has ended': always({ ...FINE, charge: 'reservation' }),
  // The lowest form is an instruction, which is not refused.
  'HTTP 400 that names response_format': always(refused(400, { sends: 2 })),
  'HTTP 422 that names json_schema': always(refused(422, { sends: 2 })),
  'HTTP 400 that names every parameter': always(refused(400, { sends: 3 })),
  // There is one name for the cap.
  'HTTP 400 that names the cap, once': always(refused(400)),
  'HTTP 400 that names the cap': always(refused(400)),
}

const fateOf = ({ name, fate }: Hostile): Hostile['fate'] => FATES[name] ?? fate

/** The same reply with its fate on this wire. */
export const onMessages = (hostile: Hostile): Hostile => ({ ...hostile, fate: fateOf(hostile) })

/** The names of the replies with another fate, so that a test can hold them to the table. */
export const CHANGED: readonly string[] = Object.keys(FATES)
