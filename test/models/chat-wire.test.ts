/** The wire of chat completions against a server that answers well or refuses parts of the request: what goes over the wire. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { Message } from '../../src/core/terms/effect.ts'
import { chatModel } from '../support/chat-model.ts'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { CALL, COMPLETION, KEY, SCHEMA, json, message, refusal, request } from './chat-support.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const model = (api_key = KEY) => chatModel({ api_key, base_url: `${server.origin}/v1`, model: 'gpt-configured' })
const sent = () => server.received.map(({ body }) => z.record(z.string(), z.unknown()).parse(JSON.parse(body)))

const OFFERED = [{ name: 'x', description: 'An x.', parameters: { type: 'object' } }]
const tool = (id: string, name: string, args: string) => ({ id, name, arguments: args })
const called = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

const NO_FORM = refusal("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.")
const NO_SCHEMA = json({ detail: 'json_schema is unknown here' }, { status: 422 })
const NO_MAX_TOKENS = refusal(
  "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
)
const NO_TEMPERATURE = refusal("Unsupported value: 'temperature' does not support 0 with this model.")

describe('the request', () => {
  it('posts one chat completion below the base address, with model, messages, cap, temperature and schema', async () => {
    server.script(json(COMPLETION))
    await model().complete(request(), CALL)
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/chat/completions'])
    expect(sent()).toEqual([
      {
        model: 'gpt-configured',
        messages: [
          { role: 'system', content: 'Plan.' },
          { role: 'user', content: '买牛奶 🥛' },
        ],
        temperature: 0,
        max_tokens: 4_096,
        stream: true,
        stream_options: { include_usage: true },
        response_format: { type: 'json_schema', json_schema: { name: 'plan', strict: true, schema: SCHEMA } },
      },
    ])
  })
  it.each([
    ['json_object' as const, { type: 'json_object' }],
    ['text' as const, undefined],
  ])('form %s is requested unchanged, never a better one', async (form, response_format) => {
    server.script(json(COMPLETION))
    expect(await model().complete(request({ form }), CALL)).toMatchObject({ kind: 'model_replied', form })
    expect(sent()[0]?.response_format).toEqual(response_format)
  })
  it('a model that the request names replaces the configured one', async () => {
    server.script(json(COMPLETION))
    await model().complete(request({ model: 'small' }), CALL)
    expect(sent()[0]?.model).toBe('small')
  })
  it('a conversation with tools is sent with the calls of the model and the answer to each by its id', async () => {
    server.script(json(COMPLETION))
    const tool_calls = [{ id: 'a', name: 'todo', arguments: '{"command":"/todo list"}' }]
    const tools = [{ name: 'todo', description: 'Keeps a list.', parameters: { type: 'object' } }]
    const messages: Message[] = [
      { role: 'assistant', content: '', tool_calls },
      { role: 'tool', content: 'found', tool_call_id: 'a' },
    ]
    await model().complete(request({ messages, tools, contract: null }), CALL)
    expect(sent()[0]).toMatchObject({
      tools: [{ type: 'function', function: tools[0] }],
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'todo', arguments: '{"command":"/todo list"}' } },
          ],
        },
        { role: 'tool', content: 'found', tool_call_id: 'a' },
      ],
    })
    expect(sent()[0]).not.toHaveProperty('response_format')
  })
  it.each([
    [
      'as the model wrote them, beside its text',
      [called('a', 'todo', '{"command":"/todo list"}'), called('b', 'todo', 'not json')],
      [tool('a', 'todo', '{"command":"/todo list"}'), tool('b', 'todo', 'not json')],
    ],
    [
      'each with an id of its own',
      [called('a', 'x', '{}'), called('a', 'y', '{}'), { function: { name: 'z', arguments: '{}' } }],
      [tool('a', 'x', '{}'), tool('call_1', 'y', '{}'), tool('call_2', 'z', '{}')],
    ],
    [
      'whose arguments came as an object',
      [{ id: 'a', function: { name: 'x', arguments: { n: 1 } } }],
      [tool('a', 'x', '{"n":1}')],
    ],
  ])('tool calls of a request that offers tools are read: %s', async (_, tool_calls, read) => {
    server.script(message('a word', { tool_calls }))
    expect(await model().complete(request({ tools: OFFERED, contract: null }), CALL)).toMatchObject({
      kind: 'model_replied',
      text: 'a word',
      tool_calls: read,
    })
  })
  it('an invalid call of a model is sent back as a call that every endpoint accepts', async () => {
    server.script(json(COMPLETION))
    const wrong: Message[] = [
      { role: 'assistant', content: 'x', tool_calls: [tool('a', 'bad name! ', 'not json'), tool('b', '', '[1]')] },
      { role: 'tool', content: 'error', tool_call_id: 'a' },
    ]
    await model().complete(request({ messages: wrong, tools: OFFERED, contract: null }), CALL)
    const unknown = { name: 'unknown_tool', arguments: '{}' }
    expect(sent()[0]?.messages).toMatchObject([
      {
        tool_calls: [
          { id: 'a', function: unknown },
          { id: 'b', function: unknown },
        ],
      },
      { role: 'tool', tool_call_id: 'a' },
    ])
  })
  it.each([
    ['more than 32', Array.from({ length: 33 }, (_, index) => called(`c${index}`, 'x', '{}')), 'too many tool calls'],
    ['one without a name', [{ id: 'a', function: {} }], 'tool calls are not readable'],
    ['arguments beyond what is kept', [called('a', 'x', 'x'.repeat(70_000))], 'reply too large'],
  ])('tool calls that cannot be stored are a failed attempt: %s', async (_, tool_calls, reason) => {
    server.script(message(null, { tool_calls }))
    expect(await model().complete(request({ tools: OFFERED, contract: null }), CALL)).toMatchObject({
      kind: 'model_failed',
      reason,
    })
  })
  it('cf-aig-metadata is the metadata as JSON in ASCII, traceparent is passed on, and no other header of ours is sent', async () => {
    server.script(json(COMPLETION))
    const metadata = { task: '任务"\n', mode: 'plan_execute' as const, phase: 'plan', seq: 7 }
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    await model().complete(request({ metadata }), { ...CALL, traceparent })
    const headers = server.received[0]?.headers ?? {}
    expect(headers['cf-aig-metadata']).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(String(headers['cf-aig-metadata']))).toEqual(metadata)
    expect(headers).toMatchObject({ traceparent, authorization: `Bearer ${KEY}`, 'user-agent': 'loop-agent' })
    expect(Object.keys(headers).filter((name) => /stainless|openai/.test(name))).toEqual([])
  })
  it.each([[null], ['00-broken'], ['a\nb: c']])(
    'a traceparent of %j is not sent, and the call succeeds all the same',
    async (traceparent) => {
      server.script(json(COMPLETION))
      expect(await model().complete(request(), { ...CALL, traceparent })).toMatchObject({ kind: 'model_replied' })
      expect(server.received[0]?.headers).not.toHaveProperty('traceparent')
    },
  )
  it('an endpoint without a key gets no Authorization', async () => {
    server.script(json(COMPLETION))
    expect(await model('').complete(request(), CALL)).toMatchObject({ kind: 'model_replied' })
    expect(server.received[0]?.headers).not.toHaveProperty('authorization')
  })
})

describe('the reply', () => {
  it('is the text, the usage, the model as reported and the form', async () => {
    server.script(json(COMPLETION))
    expect(await model().complete(request(), CALL)).toEqual({
      kind: 'model_replied',
      text: '{"plan":["买牛奶"]}',
      usage: { input_tokens: 12, output_tokens: 5 },
      model: 'gpt-reported',
      form: 'json_schema',
    })
  })
  it.each([
    ['missing', undefined],
    ['null', null],
    ['negative', { prompt_tokens: -1, completion_tokens: 5 }],
    ['more than any call can use', { prompt_tokens: 9_007_199_254_740_991, completion_tokens: 5 }],
    ['not whole', { prompt_tokens: 1.5, completion_tokens: 5 }],
    ['text', { prompt_tokens: '12', completion_tokens: 5 }],
    ['half missing', { prompt_tokens: 12 }],
  ])('F33 usage that is %s is null', async (_, usage) => {
    server.script(json({ ...COMPLETION, usage }))
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_replied', usage: null })
  })
  it.each([[undefined], [null], [''], [7], ['x'.repeat(201)]])(
    'a reported model of %.9j is replaced by the requested one',
    async (name) => {
      server.script(json({ ...COMPLETION, model: name }))
      expect(await model().complete(request(), CALL)).toMatchObject({ model: 'gpt-configured' })
    },
  )
  it.each([
    ['an empty text', '', ''],
    ['half a text at the output cap', '{"plan":[', '{"plan":['],
    ['a text with a lone surrogate, made storable', 'a\ud83d', 'a\ufffd'],
    ['exactly 64 KiB', 'x'.repeat(65_536), 'x'.repeat(65_536)],
  ])('F19 %s is a completion, which the contract judges later', async (_, content, text) => {
    const choice = { index: 0, finish_reason: 'length', message: { role: 'assistant', content } }
    server.script(json({ ...COMPLETION, choices: [choice] }))
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_replied', text })
  })
  it('F21 a text wins over a refusal in the same reply', async () => {
    server.script(message('text', { refusal: 'and yet' }))
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_replied', text: 'text' })
  })
})

describe('calls at the same time', () => {
  it('get the answer to their own request, in any order and with any outcome of the others', async () => {
    const waiting: (() => void)[] = []
    const fetch = async (_: unknown, init?: RequestInit) => {
      const { model: name } = z.object({ model: z.string() }).parse(JSON.parse(String(init?.body)))
      await new Promise<void>((resolve) => waiting.push(resolve))
      if (name === 'lost') throw new Error('reset')
      return name === 'busy' ? new Response('later', { status: 503 }) : Response.json({ ...COMPLETION, model: name })
    }
    const shared = chatModel({ api_key: KEY, base_url: 'http://model.test/v1', model: 'm' }, { fetch })
    const names = ['one', 'lost', 'two', 'busy', 'three']
    const calls = names.map((name) => shared.complete(request({ model: name }), CALL))
    await vi.waitUntil(() => waiting.length === names.length)
    for (const answer of waiting.toReversed()) answer()
    expect(await Promise.all(calls)).toMatchObject([
      { kind: 'model_replied', model: 'one' },
      { kind: 'model_failed', reason: 'connection failed' },
      { kind: 'model_replied', model: 'two' },
      { kind: 'model_failed', status: 503 },
      { kind: 'model_replied', model: 'three' },
    ])
  })
  it('end at their own deadlines', async () => {
    const signals = new Map<string, AbortSignal | null | undefined>()
    const fetch = async (_: unknown, init?: RequestInit) => {
      signals.set(z.object({ model: z.string() }).parse(JSON.parse(String(init?.body))).model, init?.signal)
      return new Promise<Response>(() => undefined)
    }
    const shared = chatModel({ api_key: KEY, base_url: 'http://model.test/v1', model: 'm' }, { fetch })
    void shared.complete(request({ model: 'patient' }), CALL)
    const hasty = await shared.complete(request({ model: 'hasty' }), { ...CALL, timeout_ms: 50 })
    expect(hasty).toMatchObject({ kind: 'model_failed', reason: 'timed out' })
    expect([signals.get('hasty')?.aborted, signals.get('patient')?.aborted]).toEqual([true, false])
  })
})

describe('negotiation', () => {
  it.each([
    ['one form lower', [NO_FORM], 'json_object', ['json_schema']],
    ['two forms lower', [NO_FORM, NO_SCHEMA], 'text', ['json_schema', 'json_object']],
  ])('U7 a refused form is sent again %s and noted', async (_, refusals, form, negotiated) => {
    server.script(...refusals, json(COMPLETION))
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_replied', form, negotiated })
    expect(server.received).toHaveLength(refusals.length + 1)
  })
  it('U7 each part of a request is left out once, and a form is lowered twice at most', async () => {
    server.script(NO_MAX_TOKENS, NO_FORM, NO_SCHEMA, NO_TEMPERATURE, NO_SCHEMA, json(COMPLETION))
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_failed', status: 422 })
    expect(server.received).toHaveLength(5)
  })
  it('U7 plain text is the lowest form: a refusal of it is a failed attempt', async () => {
    server.script(NO_FORM)
    expect(await model().complete(request({ form: 'text' }), CALL)).toEqual({
      kind: 'model_failed',
      reason: 'HTTP 400 (unsupported_parameter)',
      status: 400,
      retry_after_ms: null,
    })
    expect(server.received).toHaveLength(1)
  })
  it('a refused max_tokens is sent as max_completion_tokens, a refused temperature is left out, and both are remembered', async () => {
    const once = model()
    server.script(NO_MAX_TOKENS, NO_TEMPERATURE, json(COMPLETION), json(COMPLETION))
    const first = await once.complete(request(), CALL)
    expect(first).toMatchObject({ kind: 'model_replied', form: 'json_schema' })
    expect(first).not.toHaveProperty('negotiated')
    await once.complete(request(), CALL)
    const bodies = sent()
    expect(bodies.map((body) => body.max_tokens)).toEqual([4_096, undefined, undefined, undefined])
    expect(bodies.map((body) => body.max_completion_tokens)).toEqual([undefined, 4_096, 4_096, 4_096])
    expect(bodies.map((body) => body.temperature)).toEqual([0, 0, undefined, undefined])
  })
  it('the needs of one model are remembered for this model only', async () => {
    const once = model()
    server.script(NO_MAX_TOKENS, json(COMPLETION), json(COMPLETION), json(COMPLETION))
    for (const name of ['new', 'old', 'new']) await once.complete(request({ model: name }), CALL)
    expect(sent().map((body) => body.max_tokens)).toEqual([4_096, undefined, 4_096, undefined])
  })
  it('a part that was already left out is not negotiated again', async () => {
    server.script(NO_TEMPERATURE, NO_TEMPERATURE, json(COMPLETION))
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_failed', status: 400 })
    expect(server.received).toHaveLength(2)
  })
  it.each([
    ['a 400 that names none of them', refusal('messages: too long')],
    ['a 400 about the size of max_tokens', refusal('max_tokens is too large: 4096')],
    ['a 400 about max_completion_tokens, which was not sent', refusal('max_completion_tokens must be set')],
    ['a 404 that names response_format', { ...NO_FORM, status: 404 }],
    ['a 500 that names response_format', { ...NO_FORM, status: 500 }],
    ['a 429 that names json_schema', { ...NO_SCHEMA, status: 429 }],
  ])('U7 %s is a failed attempt, sent once', async (_, reply) => {
    server.script(reply)
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_failed', status: reply.status })
    expect(server.received).toHaveLength(1)
  })
})
