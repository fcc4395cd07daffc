/**
 * Reads what a model of Workers AI has answered: a chat completion, or the older `{response, tool_calls, usage}`, which says the same in fewer words.
 */
import { isRecord } from '../../../core/terms/plain/is-record.ts'
import { jsonOrNull } from '../../../core/terms/values/parse-json.ts'
import type { ModelRequest } from '../../../shell/ports.ts'
import { readCompletion } from '../chat/reply.ts'
import { isJsonType } from '../reply-parts.ts'
import type { WireFailure, WireReply } from '../wire.ts'

export function readWorkersAi(
  answer: { type: string | null; text: string },
  { tools, max_output_tokens }: ModelRequest,
): WireReply | WireFailure {
  const calls = tools.length > 0
  const output = isJsonType(answer.type) ? jsonOrNull(answer.text) : null
  if (!isRecord(output) || Array.isArray(output.choices) || !isOlder(output)) return readCompletion(answer, calls)
  const text = completionText(output)
  if (text === null) return { reason: 'no content' }
  const reply = readCompletion({ type: answer.type, text }, calls)
  // The older answer does not say why it ended. The runtime ends it at the cap.
  const isFull = 'text' in reply && reply.usage?.output_tokens === max_output_tokens
  return isFull ? { ...reply, finish: 'length' } : reply
}

const isOlder = (output: object): boolean => 'response' in output || 'tool_calls' in output

/** The same as a completion. null: it nests so deep that it cannot be written. */
function completionText({ response, tool_calls, usage }: Record<string, unknown>): string | null {
  try {
    // In JSON mode the response is a value.
    const isText = typeof response === 'string' || response === null || response === undefined
    const content = isText ? response : JSON.stringify(response)
    const made = Array.isArray(tool_calls) ? tool_calls.map(calledFunction) : undefined
    return JSON.stringify({ choices: [{ message: { content, tool_calls: made } }], usage })
  } catch {
    return null
  }
}

/** Older models name no function and give no id. */
const calledFunction = (call: unknown): unknown =>
  isRecord(call) && !isRecord(call.function) ? { id: call.id, function: call } : call
