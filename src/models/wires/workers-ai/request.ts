/**
 * The inputs of one run, in the words of chat completions. Older models of Workers AI take the schema of a reply bare, and want a text in each message.
 */
import type { ModelRequest } from '../../../shell/ports.ts'
import { chatBody } from '../chat/request.ts'
import { nextChatDialect } from '../chat/dialect.ts'
import { refusalText } from '../refusal-text.ts'
import type { Dialect, WireCall, WireRefusal } from '../wire.ts'

/** The inputs with the model, which the binding takes apart from them. */
export function workersAiBody(call: WireCall) {
  const response_format = responseFormat(call)
  // In JSON mode there is no stream. Elsewhere a stream ends with the usage, and not every model knows the options.
  const stream = call.dialect.stream && response_format === null
  const asked = { ...call, dialect: { ...call.dialect, stream } }
  const { response_format: _, stream_options: __, messages, ...inputs } = chatBody(asked)
  return {
    ...inputs,
    messages: messages.map((message) => (message.content === null ? { ...message, content: '' } : message)),
    ...(response_format === null ? {} : { response_format }),
  }
}

function responseFormat({ request: { contract }, dialect: { form, named_schema } }: WireCall) {
  if (contract === null || form === 'text') return null
  const { name, schema } = contract
  if (form === 'json_object') return { type: form }
  return { type: form, json_schema: named_schema ? { name, schema } : schema }
}

/** The dialect after a refusal. There is no other wire behind the binding. */
export function nextWorkersAiDialect(dialect: Dialect, refusal: WireRefusal, request: ModelRequest): Dialect | null {
  const said = refusalText(refusal.text)
  const wantsName = said.includes('json_schema') && said.includes("'name'")
  if (refusal.status === 400 && dialect.form === 'json_schema' && !dialect.named_schema && wantsName)
    return { ...dialect, named_schema: true }
  const next = nextChatDialect(dialect, refusal, request)
  return next?.wire === dialect.wire ? next : null
}
