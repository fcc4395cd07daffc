/**
 * The body of one chat completion, and what an endpoint refuses of it. "OpenAI-compatible" endpoints differ in the form of the reply, the
 * name of the output cap, and whether temperature, an effort or earlier reasoning may be sent.
 */
import type { Message, ReplyForm } from '../../../core/terms/effect.ts'
import type { ToolSpec } from '../../../core/mode/mode.ts'
import { jsonOrNull, parseJson } from '../../../core/terms/values/parse-json.ts'
import type { ModelRequest } from '../../../shell/ports.ts'
import { lowerForm, reasoningFor, sentName } from '../common.ts'
import type { Dialect, WireCall } from '../wire.ts'

/** The body of the request. The dialect leaves out what the endpoint has refused before. */
export function chatBody(call: WireCall) {
  const { request, model, dialect } = call
  const response_format = responseFormat(request, dialect.form)
  return {
    model,
    messages: request.messages.map((message) => chatMessage(message, call)),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(functionTool) }),
    ...(dialect.temperature ? { temperature: request.temperature } : {}),
    ...(dialect.cap === 'max_tokens'
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

function isObject(json: string): boolean {
  const value = jsonOrNull(json)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function chatMessage(message: Message, call: WireCall) {
  if (message.role !== 'assistant') return message
  const { role, content, tool_calls } = message
  const items = reasoningFor(message, call)
  const reasoning = items === null ? {} : { reasoning_content: parseJson(items) }
  if (tool_calls === undefined) return { role, content, ...reasoning }
  return {
    role,
    // Some endpoints accept only null for a missing text beside calls, and all of them accept null.
    content: content === '' ? null : content,
    ...reasoning,
    tool_calls: tool_calls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function' as const,
      function: { name: sentName(name), arguments: isObject(args) ? args : '{}' },
    })),
  }
}

/** Some models call tools, or answer at all, only over Responses. The errors that say so name `reasoning_effort` too, so this comes first. */
const RESPONSES = 'v1/responses'

/** The dialect after a refusal. Only a 400 or 422 that names the refused part counts as negotiation, and a 404 that names the other wire. */
export function nextChatDialect(dialect: Dialect, { status, text }: { status: number; text: string }): Dialect | null {
  if ([400, 404, 422].includes(status) && text.includes(RESPONSES)) return { ...dialect, wire: 'responses' }
  if (status !== 400 && status !== 422) return null
  if (dialect.cap === 'max_tokens' && text.includes('max_completion_tokens') && text.includes('max_tokens')) {
    return { ...dialect, cap: 'max_completion_tokens' }
  }
  if (text.includes('response_format') || text.includes('json_schema')) {
    const form = lowerForm(dialect.form)
    if (form !== null) return { ...dialect, form }
  }
  return dialect.temperature && text.includes('temperature') ? { ...dialect, temperature: false } : null
}
