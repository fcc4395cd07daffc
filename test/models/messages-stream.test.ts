/** The Messages wire as a stream: a message is read as it would have been without one, whole or not at all. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageEvents, messageStream, writtenEvents } from '../support/stand-ins/streams/messages.ts'
import { CALL, KEY, request } from './chat-support.ts'
import { ASKED, askOver, eventsOf, modelWith, proveStream, streamed, whole } from './stream-laws.ts'

const ask = askOver('messages')
const text = (said: string) => ({ type: 'text', text: said })
const think = (thinking: string, signature = 'c2ln') => ({ type: 'thinking', thinking, signature })
const use = (id: string, input: unknown = { command: '/todo list', more: ['牛奶', null, 1.5] }) => ({
  type: 'tool_use',
  id,
  name: 'todo',
  input,
})
const USAGE = { input_tokens: 12, cache_creation_input_tokens: 3, cache_read_input_tokens: 100, output_tokens: 5 }
const message = (content: unknown[], more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-reported',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: USAGE,
  ...more,
})
const HELLO = message([think('先想一想'), text('买牛奶 🥛'), use('toolu_1')], { stop_reason: 'tool_use' })
const delta = (index: number, one: object) => ({ type: 'content_block_delta', index, delta: one })

// A message is whole when it has said why it stops. Then only the event that ends it may be missing.
proveStream('messages', {
  answer: HELLO,
  stream: messageStream(HELLO),
  more: delta(0, { type: 'text_delta', text: 'more and more ' }),
  wholes: [1, 60],
})

describe('a streamed message', () => {
  const words = fc.string({ unit: 'grapheme', maxLength: 40 })
  const object = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  const block = fc.oneof(
    words.map(text),
    fc.tuple(words, fc.base64String({ minLength: 4 })).map(([thought, signature]) => think(thought, signature)),
    fc.base64String().map((data) => ({ type: 'redacted_thinking', data })),
    fc.tuple(fc.nat(9), object).map(([id, input]) => use(`toolu_${id}`, input)),
    fc.constantFrom('{"n":', 'no json', '[1]', '7').map((input) => use('toolu_x', input)),
    fc.constantFrom<object>(
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
      { type: 'odd', more: [1] },
      { type: 'text', text: 7 },
    ),
  )
  const end = fc.constantFrom<object>(
    { stop_reason: 'end_turn' },
    { stop_reason: 'tool_use' },
    { stop_reason: 'max_tokens' },
    { stop_reason: 'pause_turn' },
    { stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'cyber', explanation: KEY } },
  )
  it('is read as the same message that is not streamed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 6 }), end, async (content, ended) => {
        const one = JSON.parse(JSON.stringify(message(content, ended)))
        expect(await ask(streamed(messageStream(one)))).toEqual(await ask(whole(one)))
      }),
      { numRuns: 400 },
    )
  })
  it('has its thinking to the byte, with its members in the order in which they were signed', async () => {
    const signed = '{"type":"thinking","thinking":"\\u4e2d \\"quoted\\" 🥛","signature":"Zm9v+/=="}'
    const odd = '{"zebra":[1,{"a":null}],"type":"thinking","thinking":"a","signature":"s","10":1.0,"b":2}'
    const sealed = '{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix/LafPsn4a"}'
    const blocks = [signed, odd, sealed].map((json): Record<string, unknown> => JSON.parse(json))
    const reply = await ask(streamed(messageStream(message([...blocks, text('Yes.')]))))
    const items = reply.kind === 'model_replied' ? reply.reasoning?.items : null
    expect(items).toBe(JSON.stringify(blocks))
  })
  it('has thinking that nobody may read, and thinking whose signature has no place yet', async () => {
    const events = messageEvents(message([think('', 'c2lnbmVk'), text('Yes.')]))
    const [start = {}] = events.filter(({ type }) => type === 'content_block_start')
    start.content_block = { type: 'thinking', thinking: '' }
    const reply = await ask(streamed(writtenEvents(events)))
    const items = reply.kind === 'model_replied' ? reply.reasoning?.items : null
    expect(items).toBe('[{"type":"thinking","thinking":"","signature":"c2lnbmVk"}]')
  })
  it('says its text, and neither what is thought, nor arguments, nor pieces of what is no text', async () => {
    const said: string[] = []
    const events = messageEvents(message([think('secret'), use('toolu_1'), text('Yes.')]))
    events.splice(4, 0, delta(0, { type: 'text_delta', text: 'of a block that thinks' }))
    await ask(streamed(writtenEvents(events)), ASKED, { onWords: (more) => said.push(more) })
    expect(said.join('')).toBe('Yes.')
  })

  const START = {
    type: 'message_start',
    message: message([], { stop_reason: null, usage: { ...USAGE, output_tokens: 1 } }),
  }
  const END = [
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
  const begun = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
  const read = (...events: object[]) => ask(streamed(eventsOf([START, ...events, ...END])))

  it('has blocks whose pieces come in turns', async () => {
    const pieces = [
      begun(0, { type: 'text', text: '' }),
      begun(1, { type: 'tool_use', id: 'a', name: 'todo', input: {} }),
      delta(1, { type: 'input_json_delta', partial_json: '{"a"' }),
      delta(0, { type: 'text_delta', text: 'Fi' }),
      delta(1, { type: 'input_json_delta', partial_json: ':1}' }),
      delta(0, { type: 'text_delta', text: 'ne.' }),
    ]
    const tool_calls = [{ id: 'a', name: 'todo', arguments: '{"a":1}' }]
    expect(await read(...pieces)).toMatchObject({ text: 'Fine.', tool_calls })
  })
  it.each<[string, object[], object]>([
    [
      'a text in the start of its block',
      [begun(0, text('Fi')), delta(0, { type: 'text_delta', text: 'ne.' })],
      { text: 'Fine.' },
    ],
    ['a text whose block has no start', [delta(0, { type: 'text_delta', text: 'Fine.' })], { text: 'Fine.' }],
    [
      'a call whose block has no start',
      [delta(0, { type: 'input_json_delta', partial_json: '{}' })],
      { reason: 'content is not readable' },
    ],
    [
      'the arguments in the start of a call',
      [begun(0, use('a', { n: 1 }))],
      { tool_calls: [{ arguments: '{"n":1}' }] },
    ],
    ['two blocks of one index', [begun(0, text('Fi')), begun(0, text('ne.'))], { text: 'Fine.' }],
    [
      'deltas of unknown types',
      [
        begun(0, text('Fine.')),
        delta(0, { type: 'citations_delta', citation: {} }),
        delta(7, { type: 'odd_delta', text: 'x' }),
      ],
      { text: 'Fine.' },
    ],
    [
      'deltas that say nothing',
      [begun(0, text('Fine.')), delta(0, { type: 'text_delta', text: 7 }), { type: 'content_block_delta', index: 0 }],
      { text: 'Fine.' },
    ],
    ['a block that is none', [{ type: 'content_block_start', index: 0 }, begun(1, text('Fine.'))], { text: 'Fine.' }],
    ['content in its start', [{ ...START, message: message([text('Fi')]) }, begun(0, text('ne.'))], { text: 'Fine.' }],
    ['no content', [], { text: '' }],
  ])('may have %s', async (_, events, reply) => {
    expect(await read(...events)).toMatchObject(reply)
  })
  it('has arguments that are no JSON as they came, so that the model is told', async () => {
    const json = (partial_json: string) => [
      begun(0, use('a', {})),
      delta(0, { type: 'input_json_delta', partial_json }),
    ]
    const deep = `${'{"a": '.repeat(5_000)}1${'}'.repeat(5_000)}`
    for (const args of ['{"n":', '[1]', 'null', deep])
      expect(await read(...json(args))).toMatchObject({ tool_calls: [{ arguments: args }] })
    expect(await read(...json('{"__proto__":{"a":1}}'))).toMatchObject({
      tool_calls: [{ arguments: '{"__proto__":{"a":1}}' }],
    })
  })
  it('that starts again is what it says then', async () => {
    const [first = {}, ...events] = messageEvents(HELLO)
    const half = [first, ...events.slice(0, 9)]
    expect(await ask(streamed(writtenEvents([...half, first, ...events])))).toEqual(await ask(whole(HELLO)))
  })
  it('F25 that never began, or never says why it stops, is no reply', async () => {
    const lost = { reason: 'the stream ended before the reply' }
    expect(await ask(streamed(eventsOf([begun(0, text('Fine.')), ...END])))).toMatchObject(lost)
    expect(await ask(streamed(eventsOf([START, begun(0, text('Fine.'))])))).toMatchObject(lost)
    const silent = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 5 } }
    expect(await ask(streamed(eventsOf([START, begun(0, text('Fine.')), silent])))).toMatchObject(lost)
  })

  const usageOf = async (start: unknown, last: unknown) => {
    const events = [
      { ...START, message: message([], { usage: start }) },
      begun(0, text('Fine.')),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last },
      { type: 'message_stop' },
    ]
    const reply = await ask(streamed(eventsOf(events)))
    return reply.kind === 'model_replied' ? reply.usage : reply
  }
  it.each<[string, unknown, unknown, unknown]>([
    ['the input of its start and the output of its end', { ...USAGE, output_tokens: 1 }, { output_tokens: 5 }, 115],
    ['the same counts again', { ...USAGE, output_tokens: 1 }, USAGE, 115],
    ['more input at its end', { ...USAGE, output_tokens: 1 }, { ...USAGE, input_tokens: 20 }, 123],
    ['no input at its start', { input_tokens: 0, output_tokens: 0 }, { input_tokens: 12, output_tokens: 5 }, 12],
    [
      'no input at its end',
      { ...USAGE, output_tokens: 1 },
      { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 5 },
      115,
    ],
    ['all of it at its end', undefined, USAGE, 115],
  ])('has the usage of the whole message: %s', async (_, start, last, input_tokens) => {
    expect(await usageOf(start, last)).toMatchObject({ input_tokens, output_tokens: 5 })
  })
  it.each<[string, unknown, unknown]>([
    ['no usage at the end, where the one at the start is a guess', { ...USAGE, output_tokens: 1 }, undefined],
    ['no output at the end', { ...USAGE, output_tokens: 1 }, { input_tokens: 12 }],
    ['no input at all', undefined, { output_tokens: 5 }],
  ])('has none to report with %s', async (_, start, last) => {
    expect(await usageOf(start, last)).toBe(null)
  })
  it('has what was thought as a part of the output, which its end counts', async () => {
    const start = { ...USAGE, output_tokens: 1, output_tokens_details: { thinking_tokens: 1 } }
    const last = { output_tokens: 50, output_tokens_details: { thinking_tokens: 40 } }
    expect(await usageOf(start, last)).toMatchObject({ output_tokens: 50, reasoning_tokens: 40 })
  })
})

describe('an error in a stream of a message', () => {
  const error = (type: string, told = KEY) => ({ type: 'error', error: { type, message: told }, request_id: KEY })
  const [start = {}] = messageEvents(HELLO)
  const begun = [start, { type: 'content_block_start', index: 0, content_block: text('Well') }]

  it.each([
    ['overloaded_error', 529],
    ['rate_limit_error', 429],
    ['api_error', 500],
    ['timeout_error', 504],
  ])('%s before the first block is the refusal that it would have been without a stream', async (type, status) => {
    for (const events of [[error(type)], [start, { type: 'ping' }, error(type)]])
      expect(await ask(streamed(eventsOf(events)))).toEqual({
        kind: 'model_failed',
        reason: `HTTP ${status} (${type})`,
        status,
        retry_after_ms: null,
      })
  })
  it('U7 that names a part of the request, before the first block, is negotiated', async () => {
    const refusal = error('invalid_request_error', '`temperature` is deprecated for this model.')
    const { model, sent } = modelWith('messages', streamed(eventsOf([start, refusal])), streamed(messageStream(HELLO)))
    expect(await model.complete(ASKED, CALL)).toMatchObject({ kind: 'model_replied', refused: ['temperature'] })
    expect(sent.map((body) => 'temperature' in body)).toEqual([true, false])
  })
  it.each([
    ['after it', [...begun, error('overloaded_error')], ' (overloaded_error)'],
    ['of an unknown type', [start, error('odd_error')], ' (odd_error)'],
    ['without a type of its own', [start, { type: 'error' }], ''],
    ['that is a text', [...begun, { error: KEY }], ''],
    ['with a type that is no word', [...begun, error(`Is ${KEY}`)], ''],
  ])('%s ends the reply, which is one failed attempt', async (_, events, word) => {
    const reason = `the endpoint broke its reply off${word}`
    const reply = await ask(streamed(eventsOf([...events, ...messageEvents(HELLO)])))
    expect(reply).toEqual({ kind: 'model_failed', reason, status: null, retry_after_ms: null })
  })
})

describe('a refusal', () => {
  it.each([
    ['stream: Extra inputs are not permitted'],
    ['Streaming is not supported together with output_config.format'],
    ['This model does not stream with thinking: not supported'],
  ])('U7 that is about the stream takes the stream away, and nothing else: %s', async (told) => {
    const refusal = whole({ type: 'error', error: { type: 'invalid_request_error', message: told } }, 400)
    const { model, sent } = modelWith('messages', refusal, whole(message([text('{"plan":[]}')])))
    const asked = request({ reasoning_effort: 'low' })
    expect(await model.complete(asked, CALL)).toMatchObject({ form: 'json_schema', refused: ['stream'] })
    const [{ stream: _, ...first } = {}, second] = sent
    expect(second).toEqual(first)
  })
})
