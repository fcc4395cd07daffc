/** The body of one request of Responses. */
import type { ReplyForm } from '../../../core/terms/effect.ts'
import type { ToolSpec } from '../../../core/mode/mode.ts'
import type { ModelRequest } from '../../../shell/ports.ts'
import type { WireCall } from '../wire.ts'
import { itemsOf } from './items.ts'

/** A longer key of the cache is refused. */
const CACHE_KEY_CHARS_MAX = 64

/** The body of the request. The dialect leaves out what the endpoint has refused before. */
export function responsesBody(call: WireCall) {
  const { request, model, dialect } = call
  const { tools, temperature, reasoning_effort, max_output_tokens, metadata } = request
  const format = textFormat(request, dialect.form)
  return {
    model,
    input: itemsOf(call),
    ...(tools.length === 0 ? {} : { tools: tools.map(functionTool) }),
    max_output_tokens,
    ...(dialect.temperature ? { temperature } : {}),
    ...(dialect.effort && reasoning_effort !== null ? { reasoning: { effort: reasoning_effort } } : {}),
    ...(format === null ? {} : { text: { format } }),
    // The endpoint keeps nothing, so reasoning comes encrypted and goes back with the conversation.
    store: false,
    ...(dialect.reasoning ? { include: ['reasoning.encrypted_content'] } : {}),
    ...(dialect.stream ? { stream: true } : {}),
    prompt_cache_key: metadata.task.slice(0, CACHE_KEY_CHARS_MAX),
  }
}

/** The schemas of contracts are within the limits of strict ones (core/engine/contracts.ts). */
function textFormat({ contract }: ModelRequest, form: ReplyForm) {
  if (contract === null || form === 'text') return null
  const { name, schema } = contract
  return form === 'json_schema' ? { type: form, name, strict: true, schema } : { type: form }
}

/** Unless it is told otherwise, the endpoint makes each parameter a required one where it can. */
const functionTool = ({ name, description, parameters }: ToolSpec) => ({
  type: 'function',
  name,
  description,
  parameters,
  strict: false,
})
