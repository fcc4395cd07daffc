/** How answers of the Messages wire are read: replies, calls, thinking, ends, usage, and failures (F21 to F26). */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readMessage } from '../../src/models/wires/messages/reply.ts'
import { MessageUsage } from '../../src/models/wires/messages/usage.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { messagesModel } from '../support/messages-model.ts'
import { CALL, json, KEY, request } from './chat-support.ts'

const text = (said: unknown) => ({ type: 'text', text: said })
const use = (id: unknown, name: unknown = 'todo', input: unknown = {}) => ({ type: 'tool_use', id, name, input })
const thinking = (more: object = {}) => ({ type: 'thinking', thinking: 'Hm.', signature: 'sig', ...more })
const USAGE = { input_tokens: 12, output_tokens: 5 }
const message = (content: unknown, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-reported',
  content,
  stop_reason: 'end_turn',
  usage: USAGE,
  ...more,
})
const read = (body: unknown, calls = true, type: string | null = 'application/json') =>
  readMessage({ type, text: JSON.stringify(body) }, calls)

describe('a reply', () => {
  it('is its texts, with the model and the usage', () => {
    expect(read(message([text('A '), text('word.')]))).toEqual({
      text: 'A word.',
      model: 'claude-reported',
      usage: USAGE,
    })
  })
  it('has its calls beside its text, each with an id of its own and its arguments as JSON', () => {
    const calls = [use('toolu_1', 'todo', { n: 1 }), use('toolu_1', 'x'), use(7, 'y', '{"n":'), use('d', 'z', [1])]
    expect(read(message([text('I look.'), ...calls], { stop_reason: 'tool_use' }))).toMatchObject({
      text: 'I look.',
      tool_calls: [
        { id: 'toolu_1', name: 'todo', arguments: '{"n":1}' },
        { id: 'call_1', name: 'x', arguments: '{}' },
        { id: 'call_2', name: 'y', arguments: '{"n":' },
        { id: 'd', name: 'z', arguments: '' },
      ],
    })
  })
  it('may be empty, and may have blocks of kinds that nobody asked for', () => {
    expect(read(message([]))).toMatchObject({ text: '' })
    expect(read(message([{ type: 'server_tool_use', id: 's' }, text('A word.')]))).toMatchObject({ text: 'A word.' })
  })
  it('without tools offered is its text, whatever it calls', () => {
    expect(read(message([text('A word.'), use('a')]), false)).not.toHaveProperty('tool_calls')
    expect(read(message([use('a')]), false)).toEqual({ reason: 'unexpected tool call', usage: USAGE })
  })
  it('keeps its thinking as it came, whatever else stands in the blocks, and where it stood', () => {
    const blocks = [thinking({ more: [1] }), { type: 'redacted_thinking', data: 'x\ud800' }, text('ab'), use('a')]
    const reply = read(message([...blocks, thinking(), use('b')]))
    const items = 'reasoning' in reply ? JSON.parse(reply.reasoning ?? '') : null
    expect(items).toEqual([
      thinking({ more: [1] }),
      { type: 'redacted_thinking', data: 'x\ud800' },
      2,
      null,
      thinking(),
    ])
  })
  it('that is too long is a failure, and thinking that is too long is left out', () => {
    expect(read(message([text('x'.repeat(65_537))]))).toMatchObject({ reason: 'reply too large' })
    expect(read(message([thinking({ thinking: 'x'.repeat(131_072) }), text('A word.')]))).not.toHaveProperty(
      'reasoning',
    )
  })
  it('has no half of a surrogate pair', () => {
    expect(read(message([text('a\ud800'), use('b\ud800', 'c\ud800', 'd\ud800')]))).toMatchObject({
      text: 'a\ufffd',
      tool_calls: [{ id: 'b\ufffd', name: 'c\ufffd', arguments: 'd\ufffd' }],
    })
  })
  it.each([1_000, 10_000, 100_000])(
    'with blocks that nest %i levels deep is read or refused, and nothing throws',
    (levels) => {
      const deep = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
      for (const block of [use('a', 'todo', '@'), thinking({ more: '@' })]) {
        const body = JSON.stringify(message([block, text('A word.')])).replaceAll('"@"', deep)
        const reply = readMessage({ type: 'application/json', text: body }, true)
        expect('reason' in reply ? reply.reason : reply.text).toMatch(/^(A word\.|reply too large)$/)
      }
    },
  )
})

describe('the end of a reply', () => {
  it.each(['max_tokens', 'model_context_window_exceeded'])(
    '%s has cut it, also where only thinking came',
    (stop_reason) => {
      expect(read(message([text('A wo')], { stop_reason }))).toMatchObject({ text: 'A wo', finish: 'length' })
      expect(read(message([thinking()], { stop_reason }))).toMatchObject({ text: '', finish: 'length' })
      expect(read(message([], { stop_reason }))).toMatchObject({ text: '', finish: 'length' })
    },
  )
  it.each(['end_turn', 'tool_use', 'stop_sequence', 'whatever', null, 7])('%j has not', (stop_reason) => {
    expect(read(message([text('A word.')], { stop_reason }))).not.toHaveProperty('finish')
  })
  it.each([
    [{ category: 'cyber', explanation: KEY }, 'refusal (cyber)'],
    [{ category: `is ${KEY}` }, 'refusal'],
    [null, 'refusal'],
    [undefined, 'refusal'],
  ])('a refusal (%j) is a failure with its name, which keeps its usage', (stop_details, reason) => {
    const refused = message([text('half')], { stop_reason: 'refusal', stop_details })
    expect(read(refused)).toEqual({ reason, usage: USAGE })
  })
  it('a turn that the endpoint has paused is a failure', () => {
    expect(read(message([text('half')], { stop_reason: 'pause_turn' }))).toEqual({
      reason: 'paused turn',
      usage: USAGE,
    })
  })
})

it.each<[string, unknown, string]>([
  ['null', null, 'reply is not a completion'],
  [
    'an error with status 200',
    { type: 'error', error: { type: 'api_error', message: KEY } },
    'reply is not a completion',
  ],
  ['no content', message(undefined), 'reply is not a completion'],
  ['content that is a text', message('A word.'), 'reply is not a completion'],
  ['content of null', message([null]), 'content is not readable'],
  ['a text that is a number', message([text(7)]), 'content is not readable'],
  ['a call without a name', message([use('a', null)]), 'content is not readable'],
  ['too many calls', message(Array.from({ length: 33 }, (_, index) => use(`a${index}`))), 'too many tool calls'],
])('F21 a 200 with %s is a failed attempt', (_, body, reason) => {
  expect(read(body)).toMatchObject({ reason })
})
it.each(['text/html', 'text/event-stream', null])('F21 a message under the type %s is a failed attempt', (type) => {
  expect(read(message([text('A word.')]), true, type)).toEqual({ reason: 'reply is not a completion' })
})

describe('usage', () => {
  it.each([
    ['two totals', USAGE, USAGE],
    [
      'what came from the cache and what went into it, beside the rest',
      { ...USAGE, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 200, cache_creation: null },
      { input_tokens: 1_212, output_tokens: 5, cache_read_tokens: 1_000, cache_write_tokens: 200 },
    ],
    [
      'what was thought, as a part of the output',
      { input_tokens: 12, output_tokens: 500, output_tokens_details: { thinking_tokens: 480 } },
      { input_tokens: 12, output_tokens: 500, reasoning_tokens: 480 },
    ],
    [
      'parts that cannot be read',
      { ...USAGE, cache_read_input_tokens: null, cache_creation_input_tokens: -1, output_tokens_details: 'x' },
      USAGE,
    ],
  ])('is a partition: %s', (_, reported, usage) => {
    expect(MessageUsage.parse(reported)).toEqual(usage)
  })
  it.each([undefined, null, {}, { input_tokens: 1 }, { ...USAGE, input_tokens: -1 }, { ...USAGE, output_tokens: '5' }])(
    'of %j is not reported',
    (usage) => {
      expect(read(message([text('A word.')], { usage }))).toMatchObject({ usage: null })
    },
  )
})

describe('a failed call', () => {
  let server: FaultServer
  beforeAll(async () => {
    server = await startFaultServer()
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())
  const model = () => messagesModel({ base_url: `${server.origin}/v1`, model: 'claude-configured', api_key: KEY })
  const error = (type: string, told = 'Overloaded') => ({
    type: 'error',
    error: { type, message: told },
    request_id: KEY,
  })
  const failed = (reason: string, status: number, retry_after_ms: number | null = null) => ({
    kind: 'model_failed',
    reason,
    status,
    retry_after_ms,
  })

  it.each<[number, string, Reply['headers'], number | null]>([
    [529, 'overloaded_error', {}, null],
    [529, 'overloaded_error', { 'retry-after': '3' }, 3_000],
    [429, 'rate_limit_error', { 'retry-after': '20' }, 20_000],
    [401, 'authentication_error', {}, null],
    [403, 'permission_error', {}, null],
    [404, 'not_found_error', {}, null],
    [413, 'request_too_large', {}, null],
    [500, 'api_error', { 'x-should-retry': 'true' }, null],
  ])(
    'F26 HTTP %i %s is one request, with the word of the endpoint and when to try again',
    async (status, type, headers, after) => {
      server.script(json(error(type, KEY), { status, headers: { 'content-type': 'application/json', ...headers } }))
      const ofKey = status === 401 || status === 403 ? ': the endpoint refused the key' : ''
      expect(await model().complete(request(), CALL)).toEqual(failed(`HTTP ${status} (${type})${ofKey}`, status, after))
      expect(server.received).toHaveLength(1)
    },
  )
  it('F23 a date says when to try again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 4, 12, 0, 0) })
    server.script({ status: 429, headers: { 'retry-after': 'Wed, 04 Nov 2026 12:02:00 GMT' } })
    expect(await model().complete(request(), CALL)).toEqual(failed('HTTP 429', 429, 120_000))
    vi.useRealTimers()
  })
  it.each([
    ['messages: too long', 400],
    ['prompt is too long: 250000 tokens > 200000 maximum', 400],
    ['max_tokens: 131072 > 64000, which is the maximum allowed number of output tokens', 400],
    ['`temperature` is deprecated for this model.', 500],
    ['output_config.format: Extra inputs are not permitted', 429],
    ['I was thinking of the effort', 404],
  ])('U7 %j (HTTP %i) is a failed attempt, sent once', async (told, status) => {
    server.script(json(error('invalid_request_error', told), { status }))
    expect(await model().complete(request({ contract: null }), CALL)).toMatchObject({ kind: 'model_failed', status })
    expect(server.received).toHaveLength(1)
  })
  it.each([
    ['`temperature` is deprecated for this model.', 'temperature'],
    ['Temperature is fixed; remove temperature', 'temperature'],
    ['This model does not support the effort parameter.', 'output_config'],
    ['output_config: Extra inputs are not permitted', 'output_config'],
    ['thinking: Extra inputs are not permitted', 'thinking'],
  ])('U7 a 400 in any of the forms of an error names what is left out: %s', async (told, member) => {
    for (const body of [error('invalid_request_error', told), { error: told }, { detail: told }, { message: told }]) {
      server.reset()
      server.script(...Array.from({ length: 2 }, () => json(body, { status: 400 })), json(message([text('A word.')])))
      const effort = member === 'temperature' ? null : ('low' as const)
      const asked = request({ contract: null, reasoning_effort: effort })
      await model().complete(asked, CALL)
      const first = JSON.parse(server.received[0]?.body ?? '{}')
      const last = JSON.parse(server.received.at(-1)?.body ?? '{}')
      expect(first).toHaveProperty(member)
      expect(last).not.toHaveProperty(member)
    }
  })
  it('F21 a connection that is refused is a failed attempt', async () => {
    const gone = await startFaultServer()
    await gone.close()
    const lost = messagesModel({ base_url: `${gone.origin}/v1`, model: 'm' })
    expect(await lost.complete(request(), CALL)).toMatchObject({ reason: 'connection failed', status: null })
  })
  it('a request that cannot be written as JSON is a failed attempt', async () => {
    const schema: Record<string, unknown> = {}
    schema.self = schema
    const outcome = await model().complete(request({ contract: { name: 'plan', schema } }), CALL)
    expect(outcome).toMatchObject({ kind: 'model_failed', reason: 'the request could not be made' })
    expect(server.received).toHaveLength(0)
  })
})
