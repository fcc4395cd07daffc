/** What is learned from refusals of chat completions: each part once, remembered per endpoint and model, and noted in the event. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Message } from '../../src/core/terms/effect.ts'
import type { ReasoningEffort } from '../../src/core/terms/settings.ts'
import { effortWord } from '../../src/models/wires/chat/effort.ts'
import { refusalText } from '../../src/models/wires/refusal-text.ts'
import type { ModelRequest } from '../../src/shell/ports.ts'
import { chatModel } from '../support/chat-model.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { CALL, COMPLETION, KEY, json, request } from './chat-support.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const Sent = z.looseObject({ messages: z.array(z.looseObject({ role: z.string() })) })
const model = () => chatModel({ api_key: KEY, base_url: `${server.origin}/v1`, model: 'gpt-configured' })
const sent = () => server.received.map(({ body }) => Sent.parse(JSON.parse(body)))
const last = () => sent().at(-1)
const says = (message: string, change: Reply = {}) => json({ error: { message } }, { status: 400, ...change })

/** The same model, asked once with these refusals before its reply, and once more. */
async function learned(refusals: Reply[], change: Partial<ModelRequest> = {}) {
  const once = model()
  server.script(...refusals, json(COMPLETION), json(COMPLETION))
  const first = await once.complete(request(change), CALL)
  expect(server.received).toHaveLength(refusals.length + 1)
  const second = await once.complete(request(change), CALL)
  expect([first.kind, second]).toMatchObject(['model_replied', { kind: 'model_replied' }])
  expect(second).not.toHaveProperty('refused')
  // What was learned is remembered: the last two requests are the same.
  expect(last()).toEqual(sent().at(-2))
  return first
}

const TOOL = { name: 'todo', description: 'A list.', parameters: { type: 'object' } }
const reasoning = { wire: 'chat' as const, endpoint: 'default', model: 'gpt-configured' }
const talk = (items: string | null): Message[] => [
  { role: 'user', content: 'Hello.' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'call_1', name: 'todo', arguments: '{}' }],
    ...(items === null ? {} : { reasoning: { ...reasoning, items } }),
  },
  { role: 'tool', content: 'done', tool_call_id: 'call_1' },
  { role: 'user', content: 'And now?' },
  { role: 'user', content: 'Well?' },
]
const SO = JSON.stringify({ reasoning_content: 'so' })
/** A reply over Responses. */
const SPOKEN = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '{"plan":[]}' }] }
const CHAT = { contract: null, tools: [TOOL] }

describe('a refused part is found in each shape of an error body', () => {
  const words = "Extra inputs are not permitted: 'temperature'"
  it.each<[string, unknown]>([
    ['error.message', { error: { message: words, type: 'invalid_request_error', code: null } }],
    ['error.param', { error: { message: 'Unsupported value.', param: 'temperature' } }],
    ['error as a text', { error: words }],
    ['detail as a text', { detail: words }],
    ['detail as a list', { detail: [{ type: 'extra_forbidden', loc: ['body', 'temperature'], msg: 'Extra inputs' }] }],
    ['message', { object: 'error', message: words, code: 3001 }],
    ['message with a detail', { object: 'error', message: { detail: [{ loc: ['body', 'temperature'] }] } }],
    ['errors', { success: false, errors: [{ code: 5006, message: words }] }],
    ['a list of errors', [{ error: { code: 400, message: words, status: 'INVALID_ARGUMENT' } }]],
    [
      'the body of another endpoint',
      { error: { message: 'Provider returned error', metadata: { raw: `{"error":"${words}"}` } } },
    ],
  ])('in %s', async (_, body) => {
    await learned([json(body, { status: 422 })])
    expect(last()).not.toHaveProperty('temperature')
  })
  it('in a text', async () => {
    await learned([{ status: 400, headers: { 'content-type': 'text/plain' }, body: words }])
    expect(last()).not.toHaveProperty('temperature')
  })
  it.each([
    ['input', { detail: [{ loc: ['body', 'messages'], msg: 'too long', input: 'the temperature in Rome' }] }],
    [
      'failed_generation',
      { error: { message: 'no JSON', code: 'json_validate_failed', failed_generation: '{"temperature":3' } },
    ],
  ])('but not in %s, which repeats what was sent or said', async (_, body) => {
    server.script(json(body, { status: 400 }))
    expect(await model().complete(request(), CALL)).toMatchObject({ kind: 'model_failed', status: 400 })
    expect(server.received).toHaveLength(1)
  })
  it.each([
    ['nests without end', '{"error":'.repeat(20_000)],
    ['nests as far as it can be read', `${'{"error":'.repeat(5_000)}"x"${'}'.repeat(5_000)}`],
    ['is a list of many', JSON.stringify({ errors: Array.from({ length: 90_000 }, () => 'no') })],
    ['is one long text', JSON.stringify({ error: 'x'.repeat(900_000) })],
  ])('and a body that %s is read within bounds', (_, body) => {
    expect(refusalText(body).length).toBeLessThanOrEqual(8_000)
  })
})

describe('the effort of reasoning', () => {
  it('is sent as it is wanted, and not at all where nothing is wanted', async () => {
    server.script(json(COMPLETION), json(COMPLETION))
    await model().complete(request({ reasoning_effort: 'low' }), CALL)
    await model().complete(request(), CALL)
    expect(sent().map((body) => body['reasoning_effort'])).toEqual(['low', undefined])
  })
  it.each<[string, ReasoningEffort, string, string, string]>([
    [
      'OpenAI',
      'minimal',
      "Supported values are: 'none', 'low', 'medium', and 'high'.",
      'none',
      'reasoning_effort minimal',
    ],
    ['Groq', 'none', '`reasoning_effort` must be one of `low`, `medium`, or `high`', 'low', 'reasoning_effort none'],
    [
      'Groq for Qwen',
      'high',
      '`reasoning_effort` must be one of `none` or `default`',
      'default',
      'reasoning_effort high',
    ],
    ['Mistral', 'medium', "reasoning_effort: Input should be 'none' or 'high'", 'none', 'reasoning_effort medium'],
    [
      'DeepSeek',
      'none',
      'reasoning_effort: unknown variant `none`, expected one of `low`, `high`, `max`',
      'low',
      'reasoning_effort none',
    ],
    [
      'Ollama',
      'minimal',
      'invalid reasoning value: "minimal" (must be "high", "medium", "low", "max", or "none")',
      'none',
      'reasoning_effort minimal',
    ],
  ])('is said in the nearest word that %s names', async (_, reasoning_effort, words, word, noted) => {
    const refusal = json({ error: { message: words, param: 'reasoning_effort' } }, { status: 400 })
    expect(await learned([refusal], { reasoning_effort })).toMatchObject({ refused: [noted] })
    expect(last()).toMatchObject({ reasoning_effort: word })
  })
  it.each([
    ['an unknown member', 'Unrecognized request argument supplied: reasoning_effort'],
    ['xAI', 'Model grok-4 does not support parameter reasoningEffort.'],
    ['a model that does not think', '"llama3.2" does not support thinking'],
    ['a model that always thinks', 'Budget 0 is invalid. This model only works in thinking mode.'],
  ])('is left out where it is refused without another word: %s', async (_, words) => {
    expect(await learned([says(words)], { reasoning_effort: 'none' })).toMatchObject({ refused: ['reasoning_effort'] })
    expect(last()).not.toHaveProperty('reasoning_effort')
  })
  it('is left out where the named words are refused as well', async () => {
    const one = says("reasoning_effort: use 'low'")
    const other = says("reasoning_effort: use 'low' or 'medium'")
    expect(await learned([one, other], { reasoning_effort: 'high' })).toMatchObject({ refused: ['reasoning_effort'] })
  })
  it('is no matter of a refusal that names another wire for tools: the call moves there with its effort', async () => {
    const words =
      "Function tools with reasoning_effort are not supported. To use function tools, use /v1/responses or set reasoning_effort to 'none'."
    server.script(says(words), json({ object: 'response', status: 'completed', model: 'm', output: [SPOKEN] }))
    const reply = await model().complete(request({ reasoning_effort: 'low' }), CALL)
    expect(reply).toMatchObject({ kind: 'model_replied', refused: ['chat'] })
    expect(server.received.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/responses'])
    expect(JSON.parse(server.received[1]?.body ?? '')).toMatchObject({ reasoning: { effort: 'low' } })
  })
  const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high'] as const
  it.each<[string[] | null, (string | null)[]]>([
    [null, [...EFFORTS]],
    [
      ['low', 'medium', 'high'],
      ['low', 'low', 'low', 'medium', 'high'],
    ],
    [
      ['none', 'high'],
      ['none', 'none', 'none', 'none', 'high'],
    ],
    [
      ['none', 'default'],
      ['none', 'none', 'none', 'default', 'default'],
    ],
    [
      ['high', 'low', 'max'],
      ['low', 'low', 'low', 'low', 'high'],
    ],
    [['xhigh'], ['xhigh', 'xhigh', 'xhigh', 'xhigh', 'xhigh']],
    [['turbo'], [null, null, null, null, null]],
  ])('of the words %j are said: %j', (accepted, words) => {
    expect(EFFORTS.map((effort) => effortWord(effort, accepted))).toEqual(words)
  })
})

describe('reasoning of earlier replies', () => {
  it.each([
    [
      'Groq',
      says(
        "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
      ),
    ],
    [
      'Mistral',
      json(
        {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
        { status: 422 },
      ),
    ],
    ['OpenAI', says("Unknown parameter: 'messages[1].reasoning_content'.")],
  ])('is left out where %s refuses it', async (_, refusal) => {
    expect(await learned([refusal], { ...CHAT, messages: talk(SO) })).toMatchObject({ refused: ['reasoning'] })
    expect(last()?.messages[1]).not.toHaveProperty('reasoning_content')
  })
  it.each([
    ['DeepSeek', 'The `reasoning_content` in the thinking mode must be passed back to the API.'],
    ['DeepSeek, earlier', 'Missing `reasoning_content` field in the assistant message at message index 1.'],
    ['Kimi', 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1'],
  ])('is a blank where %s demands it and nobody knows it', async (_, words) => {
    const refused = ['a reply without reasoning_content']
    expect(await learned([says(words)], { ...CHAT, messages: talk(null) })).toMatchObject({ refused })
    expect(last()?.messages[1]).toMatchObject({ reasoning_content: ' ' })
  })
  it('is sent in the demanded member where it is known in another one', async () => {
    const messages = talk(JSON.stringify({ reasoning: 'so' }))
    await learned([says('reasoning_content is missing')], { ...CHAT, messages })
    expect(last()?.messages[1]).toMatchObject({ reasoning_content: 'so' })
    expect(last()?.messages[1]).not.toHaveProperty('reasoning')
  })
  it.each([
    ['another model', { ...reasoning, model: 'other', items: SO }],
    ['another endpoint', { ...reasoning, endpoint: 'other', items: SO }],
    ['another wire', { ...reasoning, wire: 'responses' as const, items: SO }],
    ['nobody, because it cannot be read', { ...reasoning, items: '{"reasoning_content":' }],
  ])('is not sent where it is of %s', async (_, kept) => {
    server.script(json(COMPLETION))
    await model().complete(request({ ...CHAT, messages: [{ role: 'assistant', content: 'x', reasoning: kept }] }), CALL)
    expect(sent()[0]?.messages).toEqual([{ role: 'assistant', content: 'x' }])
  })
})

describe('schemas and calls', () => {
  it('are not binding where a schema is none that the endpoint can enforce', async () => {
    const words = "Invalid schema for response_format 'plan': In context=(), 'additionalProperties' is required"
    expect(await learned([says(words)])).toMatchObject({ form: 'json_schema', refused: ['strict'] })
    expect(last()).toMatchObject({ response_format: { json_schema: { strict: false } } })
  })
  it('Kimi is told that parameters are not binding', async () => {
    const words = "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'root': …>"
    expect(await learned([says(words)], CHAT)).toMatchObject({ refused: ['strict'] })
    expect(last()).toMatchObject({ tools: [{ function: { strict: false } }] })
  })
  it('nothing is said of strictness where it is an unknown member', async () => {
    await learned([says("property 'strict' is unsupported")])
    expect(JSON.stringify(last())).not.toContain('strict')
  })
  it.each([
    ['Groq', 'json mode cannot be combined with tool/function calling'],
    ['Qwen', 'Json mode response is not supported when enable_thinking is true'],
    ['Gemini', "Function calling with a response mime type: 'application/json' is unsupported"],
  ])('a form is lowered where %s cannot have it now', async (_, words) => {
    expect(await learned([says(words), says(words)])).toMatchObject({
      form: 'text',
      negotiated: ['json_schema', 'json_object'],
    })
  })
  it('a model that thinks only in a stream is asked not to think where it cannot be streamed', async () => {
    const words = 'parameter.enable_thinking must be set to false for non-streaming calls'
    const refusals = [says('This model does not support streaming.'), says(words)]
    expect(await learned(refusals)).toMatchObject({ refused: ['stream', 'enable_thinking'] })
    expect(last()).toMatchObject({ enable_thinking: false })
  })
  it('one call is asked for where only the first is made, unless the model cannot be asked', async () => {
    server.script(json(COMPLETION), json(COMPLETION))
    await model().complete(request({ ...CHAT, one_call: true }), CALL)
    await model().complete(request({ contract: null, one_call: true }), CALL)
    expect(sent().map((body) => body['parallel_tool_calls'])).toEqual([false, undefined])
    server.reset()
    const words = "Unsupported parameter: 'parallel_tool_calls' is not supported with this model."
    expect(await learned([says(words)], { ...CHAT, one_call: true })).toMatchObject({
      refused: ['parallel_tool_calls'],
    })
    expect(last()).not.toHaveProperty('parallel_tool_calls')
  })
})

describe('the conversation', () => {
  it('has ids of nine letters and digits where Mistral wants them, in calls and in results', async () => {
    const words = 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.'
    expect(await learned([says(words)], { ...CHAT, messages: talk(null) })).toMatchObject({ refused: ['tool_call_id'] })
    const [, called, result] = last()?.messages ?? []
    expect(result?.['tool_call_id']).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(called).toMatchObject({ tool_calls: [{ id: result?.['tool_call_id'] }] })
  })
  it.each([
    ['Mistral', "Unexpected role 'user' after role 'tool'"],
    ['a template', 'Conversation roles must alternate user/assistant/user/assistant/...'],
    ['an old model', 'deepseek-reasoner does not support successive user or assistant messages'],
  ])(
    'has a reply before each word of the user, and no two messages of one role, where %s wants it',
    async (_, words) => {
      const messages: Message[] = [
        ...talk(null),
        { role: 'assistant', content: 'First,' },
        { role: 'assistant', content: 'then.' },
        { role: 'user', content: 'So?' },
      ]
      expect(await learned([says(words)], { ...CHAT, messages })).toMatchObject({ refused: ['the order of roles'] })
      expect(last()?.messages.map(({ role, content }) => [role, content])).toEqual([
        ['user', 'Hello.'],
        ['assistant', null],
        ['tool', 'done'],
        ['assistant', 'OK.'],
        ['user', 'And now?\n\nWell?'],
        ['assistant', 'First,\n\nthen.'],
        ['user', 'So?'],
      ])
    },
  )
})

it('all that a new endpoint refuses is learned within one call', async () => {
  const refusals = [
    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    'reasoning_content is missing',
    "Unsupported value: 'high'. reasoning_effort: 'low'",
    "Unsupported parameter: 'parallel_tool_calls'",
    'temperature',
    'parameter.enable_thinking must be set to false',
    'Tool call id must be a-z, with a length of 9',
    "Unexpected role 'user' after role 'tool'",
  ].map((words) => says(words))
  const first = await learned(refusals, { ...CHAT, messages: talk(null), one_call: true, reasoning_effort: 'high' })
  expect(first).toMatchObject({
    refused: [
      'max_tokens',
      'temperature',
      'a reply without reasoning_content',
      'enable_thinking',
      'parallel_tool_calls',
      'tool_call_id',
      'the order of roles',
      'reasoning_effort high',
    ],
  })
})

it('what one model has refused is no matter of another model at the same endpoint', async () => {
  const once = model()
  server.script(says('temperature'), json(COMPLETION), json(COMPLETION))
  await once.complete(request(), CALL)
  expect(await once.complete(request({ model: 'other' }), CALL)).not.toHaveProperty('refused')
  expect(last()).toMatchObject({ model: 'other', temperature: 0 })
})
