/** What the tests of Responses share: requests, a model behind an endpoint of this wire, and its answers. */
import type { Message, Reasoning, ToolCall } from '../../src/core/terms/effect.ts'
import { endpointModel } from '../../src/models/endpoint-model.ts'
import { FIRST_DIALECT, type Dialect } from '../../src/models/wires/wire.ts'
import type { Model, ModelRequest } from '../../src/shell/ports.ts'
import type { Reply } from '../support/fault-server.ts'

export const KEY = 'sk-canary-0123456789'
export const CALL = { timeout_ms: 5_000, traceparent: null }
export const MODEL = 'gpt-configured'
export const DIALECT: Dialect = { ...FIRST_DIALECT, wire: 'responses', form: 'json_schema' }

export const SCHEMA = {
  type: 'object',
  properties: { plan: { type: 'array', items: { type: 'string' } }, response: { type: ['string', 'null'] } },
  required: ['plan', 'response'],
  additionalProperties: false,
}
export const TODO = {
  name: 'todo',
  description: 'Keeps a list.',
  parameters: { type: 'object', properties: { command: { type: 'string' }, why: { type: 'string' } } },
}

export function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: null,
    temperature: 0,
    reasoning_effort: null,
    messages: [
      { role: 'system', content: 'Plan. Answer as JSON.' },
      { role: 'user', content: '买牛奶 🥛' },
    ],
    contract: { name: 'plan', schema: SCHEMA },
    tools: [],
    form: 'json_schema',
    max_output_tokens: 4_096,
    metadata: { task: 'task_1', mode: 'plan_execute', phase: 'plan', seq: 1 },
    ...change,
  }
}

/** A model at an endpoint of this wire, or at one that may send it there. */
export const responsesModel = (base_url: string, more: { api_key?: string; wire?: 'chat' | 'responses' } = {}): Model =>
  endpointModel({
    name: 'default',
    wire: 'responses',
    base_url,
    api_key: KEY,
    model: MODEL,
    binding: null,
    fetch: globalThis.fetch,
    ...more,
  })

export const call = (id: string, name = 'todo', args = '{"command":"/todo list"}'): ToolCall => ({
  id,
  name,
  arguments: args,
})
/** What was kept of an earlier reply at this endpoint. */
export const kept = (items: unknown, change: Partial<Reasoning> = {}): Reasoning => ({
  wire: 'responses',
  endpoint: 'default',
  model: MODEL,
  items: JSON.stringify(items),
  ...change,
})
export const assistant = (
  content: string,
  more: Partial<Extract<Message, { role: 'assistant' }>> = {},
): Extract<Message, { role: 'assistant' }> => ({ role: 'assistant', content, ...more })
export const result = (tool_call_id: string, content = 'done'): Message => ({ role: 'tool', tool_call_id, content })

export const said = (text: string, more: object = {}) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
})
export const thought = (id: string, more: object = {}) => ({
  id,
  type: 'reasoning',
  summary: [],
  encrypted_content: `sealed ${id}`,
  status: 'completed',
  ...more,
})
/** An item as it goes back. */
export function sealed(item: ReturnType<typeof thought>): object {
  const { status: _, ...kept } = item
  return kept
}
export const called = (call_id: string, name = 'todo', args: unknown = '{"command":"/todo list"}') => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: args,
  status: 'completed',
})
export const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'gpt-reported',
  output: [said('{"plan":["买牛奶"],"response":null}')],
  usage: { input_tokens: 12, output_tokens: 5, total_tokens: 17 },
}

/** A 200 with this JSON body. */
export function json(body: unknown, change: Reply = {}): Reply {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...change }
}
export const answers = (output: unknown, more: object = {}): Reply => json({ ...RESPONSE, output, ...more })
export function refusal(message: string, change: Reply = {}): Reply {
  const error = { message, type: 'invalid_request_error', param: null, code: 'unsupported_parameter' }
  return json({ error }, { status: 400, ...change })
}
