/** Workers AI as a stream: newer models stream chat completions, older ones pieces of their own answer. Both are read as without a stream. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/shell/ports.ts'
import { NEWER, OLDER, workersAiStandIn } from '../support/stand-ins/workers-ai.ts'
import { newerStream, olderEvents, olderStream, writtenEvents } from '../support/stand-ins/streams/workers-ai.ts'
import { calling } from '../support/scripted.ts'
import { CALL, KEY, request } from './chat-support.ts'
import { ASKED, askOver, eventsOf, modelWith, proveStream, streamed, whole } from './stream-laws.ts'
import { workersAiModel } from './workers-ai-support.ts'

const ask = askOver('workers_ai')
const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 }
const CALLED = { name: 'todo', arguments: { command: '/todo list' } }
const OLD = { response: '买牛奶 🥛', tool_calls: [CALLED], usage: USAGE }
const completion = (message: object, finish_reason = 'stop') => ({
  model: 'reported',
  choices: [{ finish_reason, message: { role: 'assistant', ...message } }],
  usage: USAGE,
})
const NEW = completion({
  content: '买牛奶 🥛',
  reasoning_content: '先想一想',
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'todo', arguments: '{"command":"/todo list"}' } }],
})

describe('of an older model', () => {
  // Nothing but its last line says that the reply is whole.
  proveStream('workers_ai', {
    answer: OLD,
    stream: olderStream(OLD),
    more: { response: 'more and more ' },
    wholes: [1, 3],
  })
})
describe('of a newer model', () => {
  const more = { choices: [{ index: 0, delta: { content: 'more and more ' } }] }
  proveStream('workers_ai', { answer: NEW, stream: newerStream(NEW), more, wholes: [1, 120] })
})

describe('a streamed run', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  const args = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  const calls = fc.array(fc.record({ name: fc.constantFrom('todo', 'read_file'), arguments: args }), {
    minLength: 1,
    maxLength: 3,
  })
  const older = fc.record(
    {
      response: fc.oneof(text, fc.constant(null), fc.nat(99_999).map(String)),
      tool_calls: calls,
      usage: fc.constant(USAGE),
    },
    { requiredKeys: ['response', 'usage'] },
  )
  it('is read as the same older answer that is not streamed', async () => {
    await fc.assert(
      fc.asyncProperty(older, async (answer) => {
        const one = JSON.parse(JSON.stringify(answer))
        expect(await ask(streamed(olderStream(one)))).toEqual(await ask(whole(one)))
      }),
      { numRuns: 300 },
    )
  })
  it('is read as the same completion that is not streamed', async () => {
    const made = calls.map((list) =>
      list.map((call, at) => ({
        id: `c${at}`,
        type: 'function',
        function: { ...call, arguments: JSON.stringify(call.arguments) },
      })),
    )
    const message = fc.record(
      { content: text, reasoning_content: text, tool_calls: made },
      { requiredKeys: ['content'] },
    )
    const finish = fc.constantFrom('stop', 'tool_calls', 'length', 'content_filter')
    await fc.assert(
      fc.asyncProperty(message, finish, async (said, finish_reason) => {
        const one = completion(said, finish_reason)
        expect(await ask(streamed(newerStream(one)))).toEqual(await ask(whole(one)))
      }),
      { numRuns: 300 },
    )
  })
  it.each<[string, unknown[], object]>([
    ['numbers', [{ response: 'It is ' }, { response: 4 }, { response: 2 }, { response: '.' }], { text: 'It is 42.' }],
    [
      'other values',
      [{ response: true }, { response: ' ' }, { response: [] }, { response: {} }, { response: null }],
      { text: 'true []{}' },
    ],
    [
      'padding',
      [
        { response: 'Fi', p: 'abcdef' },
        { response: 'ne.', p: '' },
      ],
      { text: 'Fine.' },
    ],
    [
      'calls in pieces',
      [
        { response: '', tool_calls: [{ id: 'a', type: 'function', index: 0, function: { name: 'todo' } }] },
        { tool_calls: [{ id: 'b', type: 'function', index: 1, function: { name: 'todo', arguments: '' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
        { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
        { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
        { tool_calls: [{ id: null, type: null, index: 0, function: { name: null, arguments: '' } }] },
      ],
      {
        tool_calls: [
          { id: 'a', arguments: '{"a":1}' },
          { id: 'b', arguments: '{}' },
        ],
      },
    ],
    [
      'calls in events of their own',
      [{ tool_calls: [CALLED] }, { tool_calls: [CALLED] }],
      { tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
    ],
    [
      'calls among those that say nothing',
      [{ tool_calls: [{ id: null, name: null }, CALLED] }, { tool_calls: [CALLED] }],
      { tool_calls: [{ name: 'todo' }, { name: 'todo' }] },
    ],
    ['nothing', [{ response: '' }], { text: '' }],
    [
      'a reason for its end',
      [{ response: 'Fine.' }, { response: '', finish_reason: 'length' }],
      { text: 'Fine.', finish: 'length' },
    ],
  ])('of an older model may consist of %s', async (_, events, reply) => {
    expect(await ask(streamed(writtenEvents([...events, { response: '', usage: USAGE }])))).toMatchObject(reply)
  })
  it('of an older model that says nothing is no reply', async () => {
    expect(await ask(streamed(writtenEvents([{ response: null }])))).toMatchObject({ reason: 'no content' })
  })
  it('of an older model that has as many tokens as it may have was cut', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 4_096 }
    expect(await ask(streamed(olderStream({ response: 'so', usage })))).toMatchObject({ finish: 'length' })
  })
  it('of a newer model has the usage that comes last', async () => {
    const events = [
      { choices: [{ delta: { content: 'Fine.' }, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } },
      { response: '', usage: USAGE },
    ]
    expect(await ask(streamed(writtenEvents(events)))).toMatchObject({ text: 'Fine.', usage: { input_tokens: 12 } })
  })
  it('F25 of an older model without its last line is a failed attempt, whatever came before', async () => {
    expect(await ask(streamed(eventsOf(olderEvents(OLD))))).toMatchObject({
      reason: 'the stream ended before the reply',
    })
  })
  it('with arguments that nest deeper than can be written is a failed attempt, or a call that the model is told about', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const body = writtenEvents([{ response: '', tool_calls: [{ name: 'todo', arguments: '@' }] }]).replace(
      '"@"',
      () => deep,
    )
    const reply = await ask(streamed(body))
    expect(reply.kind === 'model_failed' ? reply.reason : 'told').toMatch(
      /^(the stream ended before the reply|reply too large|told)$/,
    )
  })
})

describe('the binding', () => {
  const talk: Partial<ModelRequest> = { contract: null, tools: ASKED.tools }
  it.each([
    [OLDER, false],
    [OLDER, true],
    [NEWER, false],
    [NEWER, true],
  ])('of model %s (an old binding: %s) streams a text with calls', async (name, isOld) => {
    const words: string[] = []
    const standIn = workersAiStandIn({ plan: [calling('I look.', ['todo', { n: 1 }])] }, { isOld })
    const reply = await workersAiModel(standIn, name).complete(request(talk), {
      ...CALL,
      onWords: (more) => words.push(more),
    })
    expect(reply).toMatchObject({
      text: 'I look.',
      tool_calls: [{ name: 'todo', arguments: '{"n":1}' }],
      usage: { input_tokens: 100 },
    })
    expect(words.length).toBeGreaterThan(1)
    expect(standIn.answered).toMatchObject([{ stream: true }])
    expect(standIn.answered[0]).not.toHaveProperty('stream_options')
    expect(standIn.broken).toEqual([])
  })
  it.each([OLDER, NEWER])(
    'of model %s is not asked for a stream in JSON mode, and is asked for one again',
    async (name) => {
      const standIn = workersAiStandIn({ plan: [{ plan: [] }, 'Fine.'] })
      const model = workersAiModel(standIn, name)
      expect(await model.complete(request(), CALL)).toMatchObject({ text: '{"plan":[]}', form: 'json_schema' })
      expect(await model.complete(request(talk), CALL)).toMatchObject({ text: 'Fine.' })
      expect(standIn.answered.map(({ stream }) => stream)).toEqual([undefined, true])
      expect(standIn.broken).not.toContain('a reply in JSON mode is not streamed')
    },
  )
  it('that does not stream what it is asked for is asked without one', async () => {
    const told = '5023: JSON Schema mode is not supported with stream mode'
    const thrown = () => {
      throw new Error(told)
    }
    const refused = whole({ internalCode: 5023, description: told.slice(6), name: 'AiError' }, 400)
    for (const refusal of [thrown, refused]) {
      const { model, sent } = modelWith('workers_ai', refusal, whole(OLD))
      expect(await model.complete(ASKED, CALL)).toMatchObject({ kind: 'model_replied', refused: ['stream'] })
      expect(sent.map(({ stream }) => stream)).toEqual([true, undefined])
    }
  })
})

describe('an error in a stream of a run', () => {
  const failing = (...events: unknown[]) => streamed(eventsOf(events))
  const native = { internalCode: 3040, name: 'AiError', description: KEY }
  const listed = { errors: [{ code: 3040, message: KEY }], success: false }
  it.each([
    ['of the binding', native],
    ['in a list', listed],
  ])('%s, before the first piece, is the refusal that it would have been without a stream', async (_, event) => {
    const failure = { kind: 'model_failed', reason: 'HTTP 429 (out_of_capacity)', status: 429, retry_after_ms: null }
    expect(await ask(failing(event))).toEqual(failure)
    expect(await ask(whole(event, 429))).toEqual(failure)
  })
  it.each([
    ['of the binding, after a piece', [{ response: 'Fi' }, native], ' (out_of_capacity)'],
    ['of the binding, after a chunk', [{ choices: [{ delta: { content: 'Fi' } }] }, listed], ' (out_of_capacity)'],
    [
      'of chat completions',
      [{ choices: [{ delta: { content: 'Fi' } }] }, { error: { code: 502, type: 'upstream' } }],
      ' (upstream)',
    ],
    ['that is a text', [{ response: 'Fi' }, { error: KEY }], ''],
  ])('%s ends the reply, which is one failed attempt', async (_, events, word) => {
    const reason = `the endpoint broke its reply off${word}`
    const rest = [{ response: 'ne.' }, { response: '', usage: USAGE }]
    expect(await ask(streamed(writtenEvents([...events, ...rest])))).toMatchObject({ kind: 'model_failed', reason })
  })
  it('U7 that names a part of the request is negotiated', async () => {
    const refusal = { errors: [{ code: 5006, message: "'/temperature' at '/' not allowed" }] }
    const { model, sent } = modelWith('workers_ai', failing(refusal), streamed(olderStream(OLD)))
    expect(await model.complete(ASKED, CALL)).toMatchObject({ kind: 'model_replied', refused: ['temperature'] })
    expect(sent.map((body) => 'temperature' in body)).toEqual([true, false])
  })
})
