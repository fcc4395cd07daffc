/** What the tests of Responses share: requests, a model behind an endpoint of this wire, and its answers. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import * as z from 'zod'
import type { Message, Reasoning, ToolCall } from '../../src/core/terms/effect.ts'
import { endpointModel } from '../../src/models/endpoint-model.ts'
import { FIRST_DIALECT, type Dialect } from '../../src/models/wires/wire.ts'
import type { Model, ModelRequest } from '../../src/shell/ports.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { json, KEY, request as requestOfChat } from './chat-support.ts'

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

const ASKED: Message[] = [
  { role: 'system', content: 'Plan. Answer as JSON.' },
  { role: 'user', content: '买牛奶 🥛' },
]
export const request = (change: Partial<ModelRequest> = {}): ModelRequest =>
  requestOfChat({ messages: ASKED, contract: { name: 'plan', schema: SCHEMA }, ...change })

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

export const answers = (output: unknown, more: object = {}): Reply => json({ ...RESPONSE, output, ...more })

/** A server that the tests of the file script, a model at it, and what has been sent there. */
export function useResponses() {
  let server: FaultServer
  beforeAll(async () => {
    server = await startFaultServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())
  return {
    script: (...replies: Reply[]) => server.script(...replies),
    received: () => server.received,
    model: (more = {}) => responsesModel(`${server.origin}/v1`, more),
    sent: () => server.received.map(({ body }) => Sent.parse(JSON.parse(body))),
  }
}
const Sent = z.looseObject({ input: z.array(z.looseObject({})) })
