/** Chat completions as a stream: a reply is read as it would have been without one, whole or not at all, and within bounds. */
import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallContext } from '../../src/shell/tool-ports.ts'
import { completionStream, USUAL, type StreamStyle } from '../support/stand-ins/chat-stream.ts'
import { CALL, KEY, request } from './chat-support.ts'
import { bodyOf, EVENTS, modelWith as modelOver, streamed, whole } from './stream-laws.ts'

const STYLES: StreamStyle[] = [
  USUAL,
  { usage: 'with the end', wholeCalls: true, index: (n) => n },
  { usage: 'in the choice', wholeCalls: false, index: (n) => n },
  // Gemini gives each call the same index, and some servers give none.
  { usage: 'asked', wholeCalls: true, index: () => 0 },
  { usage: 'asked', wholeCalls: true, index: () => undefined },
]
const TOOL = { name: 'todo', description: 'Keeps a list.', parameters: { type: 'object' } }
const WITH_TOOLS = request({ contract: null, tools: [TOOL], form: 'text' })

type Completion = Parameters<typeof completionStream>[0]
const completion = (message: Completion['choices'][number]['message'], change: object = {}): Completion => ({
  model: 'gpt-reported',
  choices: [{ finish_reason: 'stop', message }],
  usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
  ...change,
})
const HELLO = completion({ role: 'assistant', content: '买牛奶 🥛, and more of it' })
const streamOf = (whole: Completion, style = USUAL) => completionStream(whole, style, true)

const modelWith = (...answers: (() => Response)[]) => modelOver('chat', ...answers)
const ask = (answer: () => Response, asked = request(), call: Partial<CallContext> = {}) =>
  modelWith(answer).model.complete(asked, { ...CALL, ...call })

afterEach(() => {
  vi.useRealTimers()
})

describe('a streamed reply', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  const call = fc.record({
    id: fc.string({ unit: fc.constantFrom('a', '1', '_'), minLength: 3, maxLength: 8 }),
    type: fc.constant('function'),
    function: fc.record({ name: fc.constantFrom('todo', 'read_file'), arguments: fc.json({ maxDepth: 2 }) }),
  })
  const message = fc.record(
    {
      role: fc.constant('assistant'),
      content: fc.oneof(text, fc.constant(null)),
      tool_calls: fc.uniqueArray(call, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
      reasoning_content: fc.string({ minLength: 1, maxLength: 40 }),
    },
    { requiredKeys: ['role', 'content'] },
  )

  it('U47 is read as the same reply that is not streamed, however the endpoint sends it', async () => {
    const finish = fc.constantFrom('stop', 'tool_calls', 'length', 'content_filter')
    await fc.assert(
      fc.asyncProperty(message, finish, fc.constantFrom(...STYLES), async (said, finish_reason, style) => {
        // A stream cannot say that there is no content: it begins with an empty one.
        fc.pre(said.content !== null || said.tool_calls !== undefined || said.reasoning_content !== undefined)
        const one = completion(said, { choices: [{ finish_reason, message: said }] })
        const plain = await ask(whole(one), WITH_TOOLS)
        expect(await ask(streamed(streamOf(one, style)), WITH_TOOLS)).toEqual(plain)
      }),
      { numRuns: 300 },
    )
  })
  it('has its parts of thinking put together, as Mistral and OpenRouter send them', async () => {
    const parts = completion({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'I think of milk, 想一想' }], closed: true },
        { type: 'text', text: 'Milk.' },
      ],
    })
    expect(await ask(streamed(streamOf(parts, STYLES[1])), WITH_TOOLS)).toEqual(await ask(whole(parts), WITH_TOOLS))
    const detail = (more: object) => ({ type: 'reasoning.text', index: 0, format: 'unknown', ...more })
    const deltas = [
      detail({ text: 'I th' }),
      detail({ text: 'ink.' }),
      detail({ text: null, signature: 'sig' }),
      { type: 'reasoning.encrypted', index: 1, data: 'xyz' },
    ]
    const events = deltas.map((one) => ({ choices: [{ delta: { content: null, reasoning_details: [one] } }] }))
    const last = { choices: [{ delta: { content: 'Milk.' }, finish_reason: 'stop' }], usage: HELLO.usage }
    const body = [...events, last].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    const reasoning_details = [
      detail({ text: 'I think.', signature: 'sig' }),
      { type: 'reasoning.encrypted', index: 1, data: 'xyz' },
    ]
    const reply = await ask(streamed(body), WITH_TOOLS)
    expect(reply.kind === 'model_replied' && JSON.parse(reply.reasoning?.items ?? '')).toEqual({ reasoning_details })
    expect(reply).toMatchObject({ text: 'Milk.', usage: { input_tokens: 12 } })
  })
  it('is understood with other line ends, comments, unknown fields and one byte at a time', async () => {
    const plain = await ask(whole(HELLO))
    const events = streamOf(HELLO)
    for (const text of [
      events.replaceAll('\n', '\r\n'),
      events.replaceAll('\n', '\r'),
      `: OPENROUTER PROCESSING\n\n${events.replaceAll('data: ', 'id: 1\nevent: message\ndata:')}`,
      events.replaceAll('}\n\n', '}\n\n: keep-alive\n\n'),
      events.replace('data: [DONE]\n\n', ''),
    ]) {
      const bytes = [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte))
      expect(await ask(() => new Response(bodyOf(bytes), { headers: EVENTS }))).toEqual(plain)
    }
  })
  it('gives its words as they come, and nothing of what was thought', async () => {
    const words: string[] = []
    const said = completion({ role: 'assistant', content: 'Milk and bread', reasoning_content: 'secret thought' })
    const reply = await ask(streamed(streamOf(said)), request(), { onWords: (more) => words.push(more) })
    expect(words.length).toBeGreaterThan(1)
    expect(words.join('')).toBe('Milk and bread')
    expect(reply).toMatchObject({ kind: 'model_replied', text: 'Milk and bread' })
  })
})

it('a reply that is all there is taken, although its endpoint keeps the connection open', async () => {
  vi.useFakeTimers()
  const all = new TextEncoder().encode(streamOf(HELLO).replace('data: [DONE]\n\n', ''))
  const reply = ask(() => new Response(bodyOf([all], 'hang'), { headers: EVENTS }), request(), { silence_ms: 3_000 })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await reply).toMatchObject({ kind: 'model_replied', usage: { input_tokens: 12 } })
})
it('a second choice is no part of the reply', async () => {
  const other = { model: 'gpt-reported', choices: [{ index: 1, delta: { content: 'OTHER' }, finish_reason: 'length' }] }
  const both = `data: ${JSON.stringify(other)}\n\n${streamOf(HELLO)}`
  expect(await ask(streamed(both))).toEqual(await ask(whole(HELLO)))
})

describe('F25 a stream cut half way', () => {
  it('is a failed attempt or the whole reply, never half of one, at every byte', async () => {
    const bytes = new TextEncoder().encode(streamOf(HELLO))
    const plain = await ask(whole(HELLO))
    let replied = 0
    for (let length = 0; length <= bytes.length; length += 1) {
      const reply = await ask(() => new Response(bodyOf([bytes.slice(0, length)], 'break'), { headers: EVENTS }))
      if (reply.kind === 'model_replied') {
        replied += 1
        expect(reply).toEqual(plain)
      } else expect(reply).toMatchObject({ kind: 'model_failed', reason: 'connection lost', status: null })
    }
    expect(replied).toBeGreaterThan(0)
    expect(replied).toBeLessThan(10)
  })
  it('has no usage, so that its whole reservation is charged', async () => {
    const [half = ''] = streamOf(HELLO).split('"finish_reason":"stop"')
    expect(await ask(streamed(half))).not.toHaveProperty('usage')
  })
})

describe('an error in a stream', () => {
  const failing = (...events: object[]) =>
    streamed(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  const begun = { choices: [{ index: 0, delta: { content: 'Mil' }, finish_reason: null }] }
  it('before the first word is the refusal that it would have been without a stream', async () => {
    expect(await ask(failing({ error: { code: 429, message: 'slow down', type: 'rate_limit' } }))).toMatchObject({
      kind: 'model_failed',
      reason: 'HTTP 429 (rate_limit)',
      status: 429,
    })
    const opening = { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }
    expect(await ask(failing({ error: { code: '429', message: 'slow down' } }))).toMatchObject({ status: 429 })
    expect(await ask(failing(opening, { error: { code: 503, message: 'later' } }))).toMatchObject({ status: 503 })
    const { model, sent } = modelWith(
      failing({ error: { code: 400, message: "'temperature' is not supported", type: 'bad' } }),
      streamed(streamOf(HELLO)),
    )
    expect(await model.complete(request(), CALL)).toMatchObject({ kind: 'model_replied', refused: ['temperature'] })
    expect(sent[1]).not.toHaveProperty('temperature')
  })
  it('after it ends the reply, and is charged as one whose outcome is unknown', async () => {
    const reply = await ask(failing(begun, { error: { code: 502, message: KEY, type: 'upstream_error' } }))
    expect(reply).toEqual({
      kind: 'model_failed',
      reason: 'the endpoint broke its reply off (upstream_error)',
      status: null,
      retry_after_ms: null,
    })
  })
  it('that names the key names nothing', async () => {
    const leak = { error: { code: KEY, type: KEY, message: KEY } }
    expect(await ask(failing(begun, leak))).toMatchObject({ reason: 'the endpoint broke its reply off' })
    expect(JSON.stringify(await ask(failing(leak)))).not.toContain(KEY)
  })
  it('that is no object is one all the same', async () => {
    expect(await ask(failing({ error: 'overloaded' }))).toMatchObject({ reason: 'the endpoint broke its reply off' })
  })
})

describe('what is learnt of streams', () => {
  const says = (message: string, param: string | null = null) => whole({ error: { message, param, code: null } }, 400)
  const [plain, events] = [whole(HELLO), streamed(streamOf(HELLO))]
  it.each([
    [
      'a model that does not stream',
      says('Your organization must be verified to stream this model.', 'stream'),
      'stream',
    ],
    ['a form that is not streamed', says('Streaming is not supported with response_format json_schema'), 'stream'],
    ['options that are not known', says('Extra inputs are not permitted', 'stream_options'), 'stream_options'],
  ])('%s is asked without that from then on', async (_, refusal, part) => {
    const { model, sent } = modelWith(refusal, plain, plain)
    expect(await model.complete(request(), CALL)).toMatchObject({ form: 'json_schema', refused: [part] })
    await model.complete(request(), CALL)
    expect(sent.map((body) => part in body)).toEqual([true, false, false])
    expect(model.learned()).toMatchObject([{ refused: [part] }])
  })
  it('an endpoint whose stream tells no usage is asked without one from then on', async () => {
    const silent = streamed(completionStream(HELLO, USUAL, false))
    const { model, sent } = modelWith(silent, plain, events)
    expect(await model.complete(request(), CALL)).toMatchObject({ kind: 'model_replied', usage: null })
    expect(await model.complete(request(), CALL)).toMatchObject({ usage: { input_tokens: 12, output_tokens: 5 } })
    expect(sent.map(({ stream }) => stream)).toEqual([true, undefined])
    expect(model.learned()).toMatchObject([{ refused: ['stream'] }])
  })
  it('an endpoint that labels its stream as something else is asked without one from then on', async () => {
    const labelled = () => new Response(streamOf(HELLO), { headers: { 'content-type': 'text/html' } })
    const { model, sent } = modelWith(labelled, plain)
    expect(await model.complete(request(), CALL)).toMatchObject({ reason: 'reply is not a completion' })
    expect(await model.complete(request(), CALL)).toMatchObject({ kind: 'model_replied' })
    expect(sent.map(({ stream }) => stream)).toEqual([true, undefined])
  })
  it('one connection that breaks off teaches nothing of an endpoint that has streamed to its end before', async () => {
    const half = streamed(streamOf(HELLO).slice(0, 400))
    const { model, sent } = modelWith(events, half, events)
    await model.complete(request(), CALL)
    expect(await model.complete(request(), CALL)).toMatchObject({ reason: 'the stream ended before the reply' })
    await model.complete(request(), CALL)
    expect(sent.map(({ stream }) => stream)).toEqual([true, true, true])
  })
  it('an endpoint that answers without a stream is asked for one again', async () => {
    const { model, sent } = modelWith(plain, events)
    await model.complete(request(), CALL)
    await model.complete(request(), CALL)
    expect(sent.map(({ stream }) => stream)).toEqual([true, true])
  })
})

describe('the bounds of a stream', () => {
  const endless = (event: string) => () => {
    const bytes = new TextEncoder().encode(event.repeat(1_000))
    return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(bytes) }), { headers: EVENTS })
  }
  it('a reply that goes on beyond its cap is not read to its end', async () => {
    const said = endless(`data: ${JSON.stringify({ choices: [{ delta: { content: 'more and more ' } }] })}\n\n`)
    expect(await ask(said, request({ max_output_tokens: 64 }))).toMatchObject({ reason: 'reply longer than its cap' })
  })
  it.each([
    ['comments', ': nothing\n\n'],
    ['events without words', 'data: {"choices":[]}\n\n'],
    [
      'thoughts',
      `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: 'on and on '.repeat(99) } }] })}\n\n`,
    ],
    [
      'arguments',
      `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '['.repeat(999) } }] } }] })}\n\n`,
    ],
    ['one line', 'x'],
    ['one event', 'data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n'],
    ['line ends of both kinds', '\n\r'],
  ])('%s without an end are not read for ever', async (_, event) => {
    expect(await ask(endless(event), request({ max_output_tokens: 64 }))).toMatchObject({ reason: 'reply too large' })
  })
  it('U47 a model that falls silent in its reply fails after model_silence_s, and one that thinks first does not', async () => {
    vi.useFakeTimers()
    const [opening = '', said = ''] = streamOf(HELLO).split('\n\n')
    const silent = (text: string) =>
      ask(() => new Response(bodyOf([new TextEncoder().encode(text)], 'hang'), { headers: EVENTS }), request(), {
        timeout_ms: 600_000,
        silence_ms: 30_000,
      })
    const fallsSilent = silent(`${opening}\n\n${said}\n\n`)
    // An empty beginning and a comment are no reply yet.
    const thinks = silent(`: processing\n\n${opening}\n\n`)
    const ended: string[] = []
    void fallsSilent.then(() => ended.push('silent'))
    void thinks.then(() => ended.push('thinks'))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(ended).toEqual(['silent'])
    expect(await fallsSilent).toMatchObject({ reason: 'silent for 30 s in the middle of a reply', status: null })
    await vi.advanceTimersByTimeAsync(570_000)
    expect(await thinks).toMatchObject({ reason: 'timed out' })
  })
  it('a call that is stopped ends at once, and so does its request', async () => {
    const stop = new AbortController()
    const { model, signals } = modelWith(() => new Response(bodyOf([], 'hang'), { headers: EVENTS }))
    const reply = model.complete(request(), { ...CALL, stop: stop.signal })
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    stop.abort()
    expect(await reply).toMatchObject({ kind: 'model_failed', reason: 'stopped', status: null })
    expect(signals[0]?.aborted).toBe(true)
  })
})
