/**
 * Builds the request of one chat completion, and changes it when an endpoint refuses a part of it. "OpenAI-compatible" endpoints differ in three
 * places: the form of the reply, the name of the output cap, and whether temperature may be set.
 */
import type { Message, ReplyForm } from '../core/terms/effect.ts'
import type { ToolSpec } from '../core/mode/mode.ts'
import { jsonOrNull } from '../core/terms/values/parse-json.ts'
import type { CallContext, ModelRequest } from '../shell/ports.ts'

/** What one endpoint accepts for one model, apart from the form of the reply, which is kept with the task. */
export interface Dialect {
  /** Most endpoints know only `max_tokens`; newer models of OpenAI accept only the other name and say so. */
  cap: 'max_tokens' | 'max_completion_tokens'
  temperature: boolean
}
export type RequestShape = Dialect & { form: ReplyForm }

export const FIRST_DIALECT: Dialect = { cap: 'max_tokens', temperature: true }

/** U7: the same effect is sent again at most this many times. */
export const RESENDS_MAX = 2

const FORMS: readonly ReplyForm[] = ['json_schema', 'json_object', 'text']

/** The body of the request. `shape` leaves out what the endpoint has refused before. */
export function chatBody(request: ModelRequest, model: string, shape: RequestShape) {
  const response_format = responseFormat(request, shape.form)
  return {
    model,
    messages: request.messages.map(chatMessage),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(functionTool) }),
    ...(shape.temperature ? { temperature: request.temperature } : {}),
    ...(shape.cap === 'max_tokens'
      ? { max_tokens: request.max_output_tokens }
      : { max_completion_tokens: request.max_output_tokens }),
    ...(response_format === null ? {} : { response_format }),
  }
}

function responseFormat(request: ModelRequest, form: ReplyForm) {
  if (request.contract === null) return null
  const { name, schema } = request.contract
  switch (form) {
    case 'json_schema':
      return { type: 'json_schema' as const, json_schema: { name, strict: true, schema } }
    case 'json_object':
      return { type: 'json_object' as const }
    case 'text':
      return null
  }
}

const functionTool = ({ name, description, parameters }: ToolSpec) => ({
  type: 'function' as const,
  function: { name, description, parameters },
})

/**
 * Endpoints validate the calls of a conversation as strictly as the request. A call that a model wrote wrong would have every later turn refused,
 * so it is replaced; what the model wrote stands in the answer to the call.
 */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const STRANGE_NAME = 'unknown_tool'

function isObject(json: string): boolean {
  const value = jsonOrNull(json)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function chatMessage(message: Message) {
  if (message.role !== 'assistant') return message
  const { role, content, tool_calls } = message
  if (tool_calls === undefined) return { role, content }
  return {
    role,
    // Some endpoints accept only null for a missing text beside calls, and all of them accept null.
    content: content === '' ? null : content,
    tool_calls: tool_calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function' as const,
      function: { name: NAME.test(name) ? name : STRANGE_NAME, arguments: isObject(args) ? args : '{}' },
    })),
  }
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Sends `cf-aig-metadata` always, and `traceparent` only when it is well-formed, because a malformed one must not cost the call. */
export function callHeaders(request: ModelRequest, call: CallContext): Record<string, string> {
  const headers: Record<string, string> = { 'cf-aig-metadata': asciiJson(request.metadata) }
  if (call.traceparent !== null && TRACEPARENT.test(call.traceparent)) headers.traceparent = call.traceparent
  return headers
}

/** JSON for a header: everything outside printable ASCII is written as `\uXXXX`. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The shape to send after a refusal; null when it is a plain error. Only a 400 or 422 that names the refused part counts as negotiation. */
export function nextShape(shape: RequestShape, status: number, body: string): RequestShape | null {
  if (status !== 400 && status !== 422) return null
  if (shape.cap === 'max_tokens' && body.includes('max_completion_tokens') && body.includes('max_tokens')) {
    return { ...shape, cap: 'max_completion_tokens' }
  }
  if (body.includes('response_format') || body.includes('json_schema')) {
    const lower = FORMS[FORMS.indexOf(shape.form) + 1]
    if (lower !== undefined) return { ...shape, form: lower }
  }
  return shape.temperature && body.includes('temperature') ? { ...shape, temperature: false } : null
}

/** The forms between the requested one and the accepted one. */
export function refusedForms(asked: ReplyForm, accepted: ReplyForm): ReplyForm[] {
  return FORMS.slice(FORMS.indexOf(asked), FORMS.indexOf(accepted))
}
