/** What the tests of chat completions share: a request, a good completion, and answers of a scripted server. */
import type { ModelRequest } from '../../src/shell/ports.ts'
import type { Reply } from '../support/fault-server.ts'

export const KEY = 'sk-canary-0123456789'
export const CALL = { timeout_ms: 5_000, traceparent: null }
export const SCHEMA = { type: 'object', properties: { plan: { type: 'array' } }, additionalProperties: false }

export function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: null,
    temperature: 0,
    reasoning_effort: null,
    messages: [
      { role: 'system', content: 'Plan.' },
      { role: 'user', content: '买牛奶 🥛' },
    ],
    contract: { name: 'plan', schema: SCHEMA },
    tools: [],
    form: 'json_schema',
    max_output_tokens: 4_096,
    metadata: { task: 'tsk_1', mode: 'plan_execute', phase: 'plan', seq: 1 },
    ...change,
  }
}

export const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'gpt-reported',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"plan":["买牛奶"]}', refusal: null } },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
}

/** A 200 with this JSON body. */
export function json(body: unknown, change: Reply = {}): Reply {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...change }
}

/** A completion whose first choice is this message. */
export function message(content: unknown, rest: Record<string, unknown> = {}): Reply {
  return json({ ...COMPLETION, choices: [{ index: 0, message: { role: 'assistant', content, ...rest } }] })
}

/** The refusal of one parameter, as OpenAI words it. */
export function refusal(text: string, change: Reply = {}): Reply {
  const error = { message: text, type: 'invalid_request_error', param: null, code: 'unsupported_parameter' }
  return json({ error }, { status: 400, ...change })
}
