/** Responses as a stream: a reply is read as it would have been without one, whole or not at all. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { responseEvents, responseStream, writtenEvents } from '../support/stand-ins/streams/responses.ts'
import { startResponses } from '../support/stand-ins/responses.ts'
import { CALL, KEY } from './chat-support.ts'
import { called, RESPONSE, responsesModel, said, thought } from './responses-support.ts'
import { ASKED, askOver, eventsOf, modelWith, proveStream, streamed, whole } from './stream-laws.ts'

const ask = askOver('responses')
const HELLO = {
  ...RESPONSE,
  output: [thought('rs_1'), said('买牛奶 🥛', { phase: 'commentary' }), thought('rs_2'), called('a')],
}
const DELTA = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'more and more ' }

// Only the last event has the reply, so a stream that is cut has it only where the blank line is cut that ends the event.
proveStream('responses', { answer: HELLO, stream: responseStream(HELLO), more: DELTA, wholes: [1, 3] })

describe('a streamed response', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  const item = fc.oneof(
    text.map((one) => said(one)),
    fc.tuple(text, text).map(([one, other]) => ({
      ...said(one),
      content: [
        { type: 'output_text', text: one },
        { type: 'refusal', refusal: other },
      ],
    })),
    fc.nat(99).map((id) => thought(`rs_${id}`)),
    fc.tuple(fc.nat(99), fc.json({ maxDepth: 2 })).map(([id, args]) => called(`c${id}`, 'todo', args)),
    fc.constantFrom<object>(
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'message', content: null },
    ),
  )
  const end = fc.constantFrom<object>(
    { status: 'completed' },
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
    { status: 'failed', error: { code: 'server_error', message: KEY } },
  )
  it('is read as the same response that is not streamed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 6 }), end, async (output, ended) => {
        const response = { ...RESPONSE, output, ...ended }
        expect(await ask(streamed(responseStream(response)))).toEqual(await ask(whole(response)))
      }),
      { numRuns: 300 },
    )
  })
  it('whose last event has no items has those that came before it, in their order', async () => {
    const events = responseEvents(HELLO)
    const last = { type: 'response.completed', response: { ...HELLO, output: [] } }
    const done = events.filter(({ type }) => type === 'response.output_item.done').toReversed()
    for (const output of [[], undefined, null]) {
      const bare = { ...last, response: { ...last.response, output } }
      expect(await ask(streamed(writtenEvents([...done, bare])))).toEqual(await ask(whole(HELLO)))
    }
  })
  it('whose last event has items is what that event says', async () => {
    const other = { type: 'response.output_item.done', output_index: 9, item: said('not this') }
    const events = [...responseEvents(HELLO).slice(0, -1), other, { type: 'response.completed', response: HELLO }]
    expect(await ask(streamed(writtenEvents(events)))).toEqual(await ask(whole(HELLO)))
  })
  it('needs no status in its last event', async () => {
    const { status: _, ...bare } = HELLO
    const failed = { type: 'response.failed', response: { ...bare, error: { code: 'odd', message: KEY } } }
    expect(await ask(streamed(eventsOf([failed])))).toMatchObject({ reason: 'the model failed' })
    const cut = { type: 'response.incomplete', response: bare }
    expect(await ask(streamed(eventsOf([cut])))).toMatchObject({ kind: 'model_replied', finish: 'length' })
  })
  it('says its text, and neither a refusal, nor what is thought, nor arguments', async () => {
    const words: string[] = []
    const refusal = {
      ...said('Well, '),
      content: [
        { type: 'output_text', text: 'Well, ' },
        { type: 'refusal', refusal: 'no.' },
      ],
    }
    const pieces = { type: 'response.reasoning_summary_text.delta', delta: 'secret' }
    const events = [pieces, ...responseEvents({ ...HELLO, output: [thought('rs_1'), refusal, called('a')] })]
    await ask(streamed(writtenEvents(events)), ASKED, { onWords: (more) => words.push(more) })
    expect(words.join('')).toBe('Well, ')
  })
  it('that an account may not have is asked without a stream', async () => {
    const standIn = await startResponses({ plan: ['x', 'y'] }, { streams: false })
    const model = responsesModel(standIn.base_url)
    expect(await model.complete(ASKED, CALL)).toMatchObject({ text: 'x', refused: ['temperature', 'stream'] })
    expect(await model.complete(ASKED, CALL)).toMatchObject({ text: 'y' })
    expect(standIn.asked.map(({ body }) => body['stream'])).toEqual([true, true, undefined, undefined])
    await standIn.close()
  })
})

describe('an error in a stream of a response', () => {
  const created = responseEvents(HELLO).slice(0, 2)
  const flat = (code: string | null, message = KEY) => ({ type: 'error', code, message, param: null })
  const nested = (error: object) => ({ type: 'error', error })
  const failed = (error: object, more: object = {}) => ({
    type: 'response.failed',
    response: { ...RESPONSE, status: 'failed', output: [], usage: null, error, ...more },
  })
  const failing = (...events: object[]) => streamed(eventsOf([...created, ...events]))

  it.each([
    ['flat', flat('server_error'), 'HTTP 500 (server_error)', 500],
    ['flat', flat('rate_limit_exceeded'), 'HTTP 429 (rate_limit_exceeded)', 429],
    [
      'nested',
      nested({ type: 'invalid_request_error', code: 'context_length_exceeded', message: KEY }),
      'HTTP 400 (context_length_exceeded)',
      400,
    ],
    ['nested', nested({ type: 'server_error', code: null, message: KEY }), 'HTTP 500 (server_error)', 500],
    ['the end', failed({ code: 'rate_limit_exceeded', message: KEY }), 'HTTP 429 (rate_limit_exceeded)', 429],
    ['the end', failed({ code: 'server_error', message: KEY }), 'HTTP 500 (server_error)', 500],
  ])(
    'that is %s, before the first item, is the refusal that it would have been without a stream',
    async (_, event, reason, status) => {
      expect(await ask(failing(event))).toEqual({ kind: 'model_failed', reason, status, retry_after_ms: null })
    },
  )
  it.each([
    ['flat', flat('unsupported_parameter', "'temperature' is not supported with this model.")],
    ['the end', failed({ code: 'unsupported_parameter', message: "'temperature' is not supported with this model." })],
  ])('U7 that is %s and names a part of the request is negotiated', async (_, event) => {
    const { model, sent } = modelWith('responses', failing(event), streamed(responseStream(HELLO)))
    expect(await model.complete(ASKED, CALL)).toMatchObject({ kind: 'model_replied', refused: ['temperature'] })
    expect(sent.map((body) => 'temperature' in body)).toEqual([true, false])
  })
  const added = { type: 'response.output_item.added', output_index: 0, item: { ...said(''), content: [] } }
  it.each([
    ['flat, whose code is known', [added, flat('server_error')], 'the endpoint broke its reply off (server_error)'],
    ['flat, after words', [added, DELTA, flat('server_error')], 'the endpoint broke its reply off (server_error)'],
    ['flat, without a code', [added, DELTA, flat(null)], 'the endpoint broke its reply off'],
    [
      'nested',
      [added, DELTA, nested({ type: 'too_many_requests' })],
      'the endpoint broke its reply off (too_many_requests)',
    ],
    ['a text', [added, DELTA, { error: KEY }], 'the endpoint broke its reply off'],
    ['of an unknown code, at the beginning', [flat('odd')], 'the endpoint broke its reply off (odd)'],
    ['the end', [added, DELTA, failed({ code: 'server_error', message: KEY })], 'the model failed'],
    ['the end, with an unknown code', [failed({ code: 'odd', message: KEY })], 'the model failed'],
  ])('that is %s, ends the reply, which is one failed attempt', async (_, events, reason) => {
    expect(await ask(failing(...events))).toEqual({ kind: 'model_failed', reason, status: null, retry_after_ms: null })
  })
  it('U11 that has cost something is charged as reported', async () => {
    const { usage } = RESPONSE
    expect(await ask(failing(failed({ code: 'server_error', message: KEY }, { usage })))).toMatchObject({
      reason: 'the model failed',
      usage: { input_tokens: 12, output_tokens: 5 },
    })
  })
  it('F25 a stream whose items are all there, but not its last event, is a failed attempt', async () => {
    const events = responseEvents(HELLO).slice(0, -1)
    expect(await ask(streamed(`${writtenEvents(events)}data: [DONE]\n\n`))).toMatchObject({
      reason: 'the stream ended before the reply',
    })
  })
  it('a last event that nests deeper than any is read as it is without a stream, or is no reply', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const deepened = (text: string) => text.replaceAll('"summary":[]', () => `"summary":${deep}`)
    const reply = await ask(streamed(deepened(responseStream(HELLO))))
    const headers = { 'content-type': 'application/json' }
    const plain = await ask(() => new Response(deepened(JSON.stringify(HELLO)), { headers }))
    if (reply.kind === 'model_failed') expect(reply.reason).toBe('reply is not a completion')
    else expect(reply).toEqual(plain)
  })
})
