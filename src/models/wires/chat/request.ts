/**
 * The body of one chat completion. "OpenAI-compatible" endpoints differ in the form of the reply, the name of the output cap, and whether temperature,
 * an effort or earlier reasoning may be sent. The dialect leaves out what an endpoint has refused before.
 */
import type { ReplyForm } from '../../../core/terms/effect.ts'
import type { ToolSpec } from '../../../core/mode/mode.ts'
import type { ModelRequest } from '../../../shell/ports.ts'
import type { Dialect, WireCall } from '../wire.ts'
import { effortWord } from './effort.ts'
import { chatMessages } from './messages.ts'

export function chatBody(call: WireCall) {
  const { request, model, dialect } = call
  const response_format = responseFormat(request, dialect)
  const effort = effortOf(request, dialect)
  return {
    model,
    messages: chatMessages(call),
    ...(request.tools.length === 0 ? {} : offered(request, dialect)),
    ...(dialect.temperature ? { temperature: request.temperature } : {}),
    ...(dialect.cap === 'max_tokens'
      ? { max_tokens: request.max_output_tokens }
      : { max_completion_tokens: request.max_output_tokens }),
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...streamMembers(dialect),
    ...(dialect.stream || dialect.unstreamed_thinking ? {} : { enable_thinking: false }),
    ...(response_format === null ? {} : { response_format }),
  }
}

/** Without the options most endpoints tell no usage. */
function streamMembers({ stream, stream_options }: Dialect) {
  if (!stream) return {}
  return stream_options ? { stream: true, stream_options: { include_usage: true } } : { stream: true }
}

function effortOf({ reasoning_effort }: ModelRequest, { effort, efforts }: Dialect): string | null {
  return effort && reasoning_effort !== null ? effortWord(reasoning_effort, efforts) : null
}

const offered = ({ tools, one_call }: ModelRequest, dialect: Dialect) => ({
  tools: tools.map((tool) => functionTool(tool, dialect)),
  // By itself most endpoints let a model make several calls.
  ...(one_call === true && dialect.one_call ? { parallel_tool_calls: false } : {}),
})

function responseFormat(request: ModelRequest, { form, strict }: { form: ReplyForm; strict: Dialect['strict'] }) {
  if (request.contract === null) return null
  const { name, schema } = request.contract
  switch (form) {
    case 'json_schema':
      return {
        type: 'json_schema' as const,
        json_schema: { name, ...(strict === null ? {} : { strict }), schema },
      }
    case 'json_object':
      return { type: 'json_object' as const }
    case 'text':
      return null
  }
}

/** Arguments are checked here, so nothing is said of it. Kimi takes that for a wish that they be enforced, and refuses what it cannot enforce. */
const functionTool = ({ name, description, parameters }: ToolSpec, { strict }: Dialect) => ({
  type: 'function' as const,
  function: { name, description, parameters, ...(strict === false ? { strict } : {}) },
})
