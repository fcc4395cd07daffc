/** Workers AI: what a run is given, how its answers are read, and what its errors become. The stand-in refuses what the published schemas refuse. */
import { describe, expect, it, vi } from 'vitest'
import type { Message } from '../../src/core/terms/effect.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import { base64Of, png } from '../support/pictures.ts'
import { brokenRule, NEWER, OLDER, RULES, SEEING, workersAiStandIn } from '../support/stand-ins/workers-ai.ts'
import { CALL, request, SCHEMA } from './chat-support.ts'
import { workersAiModel } from './workers-ai-support.ts'

const TODO = {
  name: 'todo',
  description: 'A list.',
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
}
const CALLS: Partial<ModelRequest> = { contract: null, tools: [TODO] }

/** A binding that gives these answers in turn, and remembers what it was asked. An Error is thrown. */
function bindingOf(...answers: unknown[]) {
  const runs: [model: string, inputs: object, options: object | undefined][] = []
  const run = async (...asked: (typeof runs)[number]) => {
    runs.push(asked)
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { runs, run: (model: string, inputs: object, options?: object) => run(model, inputs, options) }
}
const raw = (body: unknown, init: ResponseInit = {}) => Response.json(body, init)
const refused = (internalCode: number, description: string, status: number) =>
  raw({ internalCode, description, name: 'AiError', message: 'AiError' }, { status })
const ask = (answers: unknown[], change: Partial<ModelRequest> = {}, model = OLDER) =>
  workersAiModel(bindingOf(...answers), model).complete(request(change), CALL)

describe('a run', () => {
  it('is given the model apart from its inputs, and says which call it is', async () => {
    const binding = bindingOf(raw({ response: 'so' }))
    await workersAiModel(binding, OLDER).complete(request(), {
      ...CALL,
      traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    })
    const [[model, inputs, options] = []] = binding.runs
    expect(model).toBe(OLDER)
    expect(inputs).toEqual({
      messages: request().messages,
      max_tokens: 4_096,
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: SCHEMA },
    })
    expect(options).toEqual({
      returnRawResponse: true,
      extraHeaders: {
        'cf-aig-metadata': JSON.stringify(request().metadata),
        traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
      },
      signal: expect.any(AbortSignal),
    })
  })
  it('has a text in each message, the calls of a reply, and the tools as functions', async () => {
    const binding = bindingOf(raw({ response: 'so' }))
    const call = { id: 'call_1', name: 'todo', arguments: '{}' }
    const messages: Message[] = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: 'done', tool_call_id: 'call_1' },
    ]
    await workersAiModel(binding, OLDER).complete(request({ ...CALLS, messages }), CALL)
    expect(binding.runs[0]?.[1]).toMatchObject({
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'todo' } }],
        },
        { role: 'tool', content: 'done', tool_call_id: 'call_1' },
      ],
      tools: [{ type: 'function', function: TODO }],
    })
    expect(binding.runs[0]?.[1]).not.toHaveProperty('response_format')
  })
})

const CALLED = {
  kind: 'model_replied',
  tool_calls: [{ id: 'call_0', name: 'todo', arguments: '{"command":"/todo list"}' }],
}
const ARGS = { command: '/todo list' }

describe('an answer', () => {
  it.each<[string, unknown, object]>([
    ['a text', raw({ response: '{"plan":[]}' }), { text: '{"plan":[]}', usage: null, model: OLDER }],
    ['a value in JSON mode', raw({ response: { plan: ['牛奶'] } }), { text: '{"plan":["牛奶"]}' }],
    ['a number', raw({ response: 7 }), { text: '7' }],
    [
      'usage',
      raw({ response: 'so', usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 } }),
      { usage: { input_tokens: 12, output_tokens: 5 } },
    ],
    [
      'usage with what came from a cache',
      raw({
        response: 'so',
        usage: { prompt_tokens: 12, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 } },
      }),
      { usage: { input_tokens: 12, output_tokens: 5, cache_read_tokens: 8 } },
    ],
    [
      'as many tokens as it may have',
      raw({ response: 'so', usage: { prompt_tokens: 1, completion_tokens: 4_096 } }),
      { finish: 'length' },
    ],
    [
      'a completion',
      raw({ model: 'm', choices: [{ finish_reason: 'length', message: { content: 'so' } }] }),
      { text: 'so', finish: 'length', model: 'm' },
    ],
    ['a value, from an old binding', { response: 'so' }, { text: 'so' }],
  ])('with %s is read', async (_, answer, reply) => {
    expect(await ask([answer])).toMatchObject({ kind: 'model_replied', ...reply })
  })
  it.each<[string, unknown]>([
    ['without ids', { response: null, tool_calls: [{ name: 'todo', arguments: ARGS }] }],
    ['whose arguments are a text', { tool_calls: [{ name: 'todo', arguments: JSON.stringify(ARGS) }] }],
    [
      'as functions',
      {
        response: '',
        tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'todo', arguments: JSON.stringify(ARGS) } }],
      },
    ],
    [
      'in a completion',
      {
        choices: [
          {
            message: {
              content: null,
              tool_calls: [{ id: 'call_0', function: { name: 'todo', arguments: JSON.stringify(ARGS) } }],
            },
          },
        ],
      },
    ],
  ])('with calls %s is read', async (_, output) => {
    expect(await ask([raw(output)], CALLS)).toMatchObject(CALLED)
  })
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'reply is not a completion'],
    ['null', null, 'reply is not a completion'],
    ['a text', 'so', 'reply is not a completion'],
    ['a stream of nothing', new ReadableStream({ start: (out) => out.close() }), 'the stream ended before the reply'],
    ['the id of a batch', raw({ request_id: 'r1' }), 'reply is not a completion'],
    ['a page of HTML', new Response('<p>', { headers: { 'content-type': 'text/html' } }), 'reply is not a completion'],
    ['a response of null', raw({ response: null }), 'no content'],
    [
      'calls that nobody has asked for',
      raw({ response: null, tool_calls: [{ name: 'todo', arguments: {} }] }),
      'unexpected tool call',
    ],
    ['more than is read', raw({ response: 'x'.repeat(1_100_000) }), 'reply too large'],
    [
      'a response that nests without end',
      new Response(`{"response":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, {
        headers: { 'content-type': 'application/json' },
      }),
      'reply',
    ],
  ])('that is %s is a failed call or a broken reply, and no error of ours', async (_, answer, reason) => {
    const event = await ask([answer])
    if (event.kind === 'model_failed') expect(event.reason).toContain(reason)
    else expect(event.text).toMatch(/^\[+\]+$/)
  })
})

describe('an error', () => {
  const CANARY = 'canary-of-the-body'
  it.each<[string, number, string, number]>([
    ['no such model', 5007, 'HTTP 400 (no_such_model)', 400],
    ['no capacity', 3040, 'HTTP 429 (out_of_capacity)', 429],
    ['the daily allocation', 3036, 'HTTP 429 (daily_allocation_used_up)', 429],
    ['terms of a model', 5016, 'HTTP 403 (terms_not_accepted)', 403],
    ['inputs', 5006, 'HTTP 400 (invalid_input)', 400],
  ])('about %s says so in our words, however the binding tells it', async (_, code, reason, status) => {
    const failure = { kind: 'model_failed', reason, status }
    expect(await ask([refused(code, CANARY, 500)])).toMatchObject(failure)
    expect(await ask([raw({ errors: [{ code, message: CANARY }] }, { status: 500 })])).toMatchObject(failure)
    expect(await ask([new Error(`${code}: ${CANARY}`)])).toMatchObject(failure)
    expect(await ask([new Error(`AiError: ${code}: ${CANARY}`)])).toMatchObject(failure)
  })
  it('that names a time says when to try again', async () => {
    const body = { errors: [{ code: 3040, message: CANARY }] }
    const answer = raw(body, { status: 429, headers: { 'retry-after': '7' } })
    expect(await ask([answer])).toMatchObject({ status: 429, retry_after_ms: 7_000 })
  })
  it.each<[string, unknown, string]>([
    ['with a code that nobody knows', raw({ internalCode: 9999, description: CANARY }, { status: 502 }), 'HTTP 502'],
    ['without a code', raw({ message: CANARY }, { status: 500 }), 'HTTP 500'],
    ['that is no JSON', new Response(CANARY, { status: 503 }), 'HTTP 503'],
    ['that is thrown without a code', new Error(CANARY), 'connection failed'],
    ['that is thrown with a code that nobody knows', new Error(`9999: ${CANARY}`), 'connection failed'],
  ])('%s is a failed call that repeats nothing', async (_, answer, reason) => {
    const event = await ask([answer])
    expect(event).toMatchObject({ kind: 'model_failed', reason })
    expect(JSON.stringify(event)).not.toContain(CANARY)
  })
  it('a service without the binding says so', async () => {
    const reason = 'there is no binding of Workers AI'
    expect(await workersAiModel(null, OLDER).complete(request(), CALL)).toMatchObject({ kind: 'model_failed', reason })
  })
  it('a run that never ends is ended by its deadline, and is told so', async () => {
    vi.useFakeTimers()
    const signals: unknown[] = []
    const run = (_model: string, _inputs: object, options?: object) =>
      new Promise<never>(() => void signals.push(Reflect.get(options ?? {}, 'signal')))
    const reply = workersAiModel({ run }, OLDER).complete(request(), CALL)
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(await reply).toMatchObject({ kind: 'model_failed', reason: 'timed out' })
    expect(signals).toMatchObject([{ aborted: true }])
  })
})

describe('negotiation', () => {
  const SO = { response: '{"plan":[]}' }
  it('a form that a model cannot meet is lowered, and the model is remembered', async () => {
    const binding = bindingOf(
      refused(5024, "JSON Model couldn't be met", 500),
      new Error("5024: JSON Mode couldn't be met"),
      raw(SO),
      raw(SO),
    )
    const model = workersAiModel(binding, OLDER)
    expect(await model.complete(request(), CALL)).toMatchObject({
      form: 'text',
      negotiated: ['json_schema', 'json_object'],
    })
    expect(await model.complete(request(), CALL)).toMatchObject({ form: 'text' })
    expect(binding.runs.map(([, inputs]) => Reflect.get(inputs, 'response_format')?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
      undefined,
    ])
  })
  it('a schema gets its name where a model wants one, and stays a schema', async () => {
    const binding = bindingOf(
      refused(5006, "required properties at '/response_format/json_schema' are 'name'", 400),
      raw(SO),
    )
    const reply = await workersAiModel(binding, NEWER).complete(request(), CALL)
    expect(reply).toMatchObject({ form: 'json_schema', refused: ['a schema without a name'] })
    expect(binding.runs[1]?.[1]).toMatchObject({ response_format: { json_schema: { name: 'plan', schema: SCHEMA } } })
  })
  it.each([
    ['temperature', 'temperature', "Additional or unevaluated properties '/temperature' at '/' not allowed"],
    ['an effort', 'reasoning_effort', "Additional or unevaluated properties '/reasoning_effort' at '/' not allowed"],
  ])('%s is left out where it is refused', async (_, part, words) => {
    const binding = bindingOf(refused(5006, words, 400), raw(SO))
    const reply = await workersAiModel(binding, NEWER).complete(request({ reasoning_effort: 'low' }), CALL)
    expect(reply).toMatchObject({ refused: [part] })
    expect(binding.runs[1]?.[1]).not.toHaveProperty(part)
  })
  it('there is no other wire to move to', async () => {
    expect(await ask([refused(5006, 'To use function tools, use /v1/responses', 400)])).toMatchObject({ status: 400 })
  })
})

const messages = [{ role: 'user', content: 'Go.' }]
const SEEN = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${base64Of(png())}` } }]
const tool = { type: 'function', function: TODO }
const schema = (json_schema: object) => ({ messages, response_format: { type: 'json_schema', json_schema } })
/** For each rule a request that breaks it, and one that is like it and does not, each with its model. */
const BREACHES: [rule: string, broken: [object, string], kept: [object, string]][] = [
  ['the model is one of the catalogue', [{ messages }, 'gpt-4'], [{ messages }, NEWER]],
  ['there are messages', [{ messages: [] }, OLDER], [{ messages }, OLDER]],
  [
    'each message has a content that is a text, or parts where the model sees images',
    [{ messages: [{ role: 'user', content: SEEN }] }, OLDER],
    [{ messages: [{ role: 'user', content: SEEN }] }, SEEING],
  ],
  [
    'a tool has a name, a description and parameters',
    [{ messages, tools: [TODO.parameters] }, OLDER],
    [{ messages, tools: [tool] }, OLDER],
  ],
  [
    'a reply has one of two forms',
    [{ messages, response_format: { type: 'xml' } }, OLDER],
    [{ messages, response_format: { type: 'json_object' } }, OLDER],
  ],
  [
    'a reply in JSON mode is not streamed',
    [{ messages, stream: true, response_format: { type: 'json_object' } }, OLDER],
    [{ messages, stream: true }, OLDER],
  ],
  [
    'newer models take a schema with its name',
    [schema(SCHEMA), NEWER],
    [schema({ name: 'plan', schema: SCHEMA }), NEWER],
  ],
  [
    'newer models have three efforts',
    [{ messages, reasoning_effort: 'minimal' }, NEWER],
    [{ messages, reasoning_effort: 'low' }, NEWER],
  ],
  ['a temperature is within its range', [{ messages, temperature: 3 }, NEWER], [{ messages, temperature: 3 }, OLDER]],
]

describe('the stand-in', () => {
  it.each(BREACHES)('holds that %s', (rule, [broken, at], [kept, there]) => {
    expect(brokenRule({ ...broken }, at)?.rule).toBe(rule)
    expect(brokenRule({ ...kept }, there)).toBe(null)
  })
  it('has each rule once, from a public page', () => {
    expect(RULES.map(({ rule }) => rule)).toEqual(BREACHES.map(([rule]) => rule))
    for (const { source } of RULES) expect(source).toMatch(/^https:\/\/developers\.cloudflare\.com\/workers-ai\//)
  })
  it.each([false, true])(
    'tells a refusal so that its rule can be learned from it (an old binding: %s)',
    async (isOld) => {
      const standIn = workersAiStandIn({ plan: [{ plan: [] }] }, { isOld })
      expect(await workersAiModel(standIn, 'gpt-4').complete(request(), CALL)).toMatchObject({
        reason: 'HTTP 400 (no_such_model)',
      })
      expect(await workersAiModel(standIn, OLDER).complete(request(), CALL)).toMatchObject({ text: '{"plan":[]}' })
    },
  )
})
