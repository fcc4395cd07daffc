/** The wire of chat completions against a server that misbehaves: every failure is one event after one request (F21 to F26). */
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { chatModel } from '../support/chat-model.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'
import { CALL, COMPLETION, KEY, json, message, request } from './chat-support.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
  // Loads the package, so that no short deadline below has to pay for it.
  await model().complete(request(), CALL)
})
beforeEach(() => server.reset())
afterEach(() => vi.useRealTimers())
afterAll(() => server.close())

const model = () => chatModel({ api_key: KEY, base_url: `${server.origin}/v1`, model: 'gpt-configured' })
const failed = (reason: string, status: number | null = null) => ({
  kind: 'model_failed',
  reason,
  status,
  retry_after_ms: null,
})
/** Short enough for a test, long enough for a request on this machine. */
const SHORT = { ...CALL, timeout_ms: 200 }
const HTML = '<!doctype html><title>Sign in</title>'
const EVENTS = `data: ${JSON.stringify(COMPLETION)}\n\ndata: [DONE]\n\n`

it.each<[string, Reply, string]>([
  ['a page of HTML', { headers: { 'content-type': 'text/html' }, body: HTML }, 'reply is not a completion'],
  ['HTML that says it is JSON', json(null, { body: HTML }), 'reply is not a completion'],
  ['an empty body', json(null, { body: '' }), 'reply is not a completion'],
  ['no content', { status: 204 }, 'reply is not a completion'],
  ['null', json(null), 'reply is not a completion'],
  ['an object without choices', json({ id: 'x' }), 'reply is not a completion'],
  ['an error with status 200', json({ error: { message: KEY } }), 'reply is not a completion'],
  ['choices that are no list', json({ choices: 'none' }), 'reply is not a completion'],
  [
    'a completion under another type',
    { ...json(COMPLETION), headers: { 'content-type': 'text/plain' } },
    'reply is not a completion',
  ],
  [
    'a stream of events that are no chunks',
    { headers: { 'content-type': 'text/event-stream' }, body: EVENTS },
    'no content',
  ],
  ['an empty list of choices', json({ ...COMPLETION, choices: [] }), 'reply has no choices'],
  ['a choice that is null', json({ choices: [null] }), 'reply has no message'],
  ['a choice without a message', json({ choices: [{ text: 'old style' }] }), 'reply has no message'],
  ['a message without content', message(null), 'no content'],
  ['content in parts without a text', message([{ type: 'image_url' }]), 'no content'],
  ['a refusal', message(null, { refusal: 'I cannot help with that.' }), 'refusal'],
  ['a tool call', message(null, { tool_calls: [{ id: 'c1', function: { name: 'rm' } }] }), 'unexpected tool call'],
])('F21 a 200 with %s is a failed attempt', async (_, reply, reason) => {
  server.script(reply)
  // What the endpoint says it used is kept beside it.
  expect(await model().complete(request(), CALL)).toMatchObject(failed(reason))
  expect(server.received).toHaveLength(1)
})

it.each<[string, Reply]>([
  ['a text of 64 KiB and one byte', message('x'.repeat(65_537))],
  ['a text of 64 KiB in other than ASCII characters', message('牛'.repeat(21_846))],
  ['a body of 10 MB', json({ ...COMPLETION, padding: 'x'.repeat(10_000_000) })],
  ['a body of 2 MiB that never ends', { ...json(null), body: 'x'.repeat(2 ** 21), fault: 'after_body' }],
  [
    'a small body that unpacks to 10 MB',
    json(null, {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('x'.repeat(10_000_000)),
    }),
  ],
])('F22 %s is cut and failed', async (_, reply) => {
  server.script(reply)
  expect(await model().complete(request(), CALL)).toMatchObject(failed('reply too large'))
  expect(server.received).toHaveLength(1)
})

describe('HTTP errors', () => {
  it.each([400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529, 599])(
    'F26 HTTP %i is one request and one failed attempt with its status',
    async (status) => {
      server.script({ status, headers: { 'x-should-retry': 'true' }, body: `Bearer ${KEY}` }, json(COMPLETION))
      const reason =
        status === 401 || status === 403 ? `HTTP ${status}: the endpoint refused the key` : `HTTP ${status}`
      expect(await model().complete(request(), CALL)).toEqual(failed(reason, status))
      expect(server.received).toHaveLength(1)
    },
  )
  it.each([301, 302, 303, 307, 308])('F21 a redirect (%i) is a failure and is not followed', async (status) => {
    server.script({ status, headers: { location: `${server.origin}/elsewhere` } }, json(COMPLETION))
    expect(await model().complete(request(), CALL)).toEqual(failed(`HTTP ${status} (redirect)`, status))
    expect(server.received).toHaveLength(1)
  })
  it.each([
    ['a code', { code: 'rate_limit_exceeded', type: 'requests' }, 'HTTP 429 (rate_limit_exceeded)'],
    ['a type where the code is no word', { code: 429, type: 'requests' }, 'HTTP 429 (requests)'],
    ['nothing of a sentence', { code: 'Key sk-x is wrong', type: 'Bad Thing' }, 'HTTP 429'],
    ['nothing that repeats the key', { code: `bad.${KEY}`, type: null }, 'HTTP 429'],
    ['nothing of an endless word', { code: 'x'.repeat(65) }, 'HTTP 429'],
    ['nothing of an error that is text', 'slow down', 'HTTP 429'],
  ])('F66 the reason of an HTTP error contains %s', async (_, error, reason) => {
    server.script(json({ error }, { status: 429 }))
    expect(await model().complete(request(), CALL)).toEqual(failed(reason, 429))
  })
  it.each([
    ['7', 7_000],
    ['3600', 3_600_000],
    ['Wed, 04 Nov 2026 12:02:00 GMT', 120_000],
  ])('F23 a 429 with Retry-After: %s says when to try again', async (value, retry_after_ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 4, 12, 0, 0) })
    server.script({ status: 429, headers: { 'retry-after': value } })
    expect(await model().complete(request(), CALL)).toEqual({ ...failed('HTTP 429', 429), retry_after_ms })
    expect(server.received).toHaveLength(1)
  })
})

describe('the connection', () => {
  it.each<[string, Reply]>([
    ['before the headers', { fault: 'before_headers' }],
    ['after the headers', { ...json(COMPLETION), fault: 'after_headers' }],
    ['in the middle of the body', { ...json(null), body: '{"choices":[', fault: 'after_body' }],
    ['in the middle of an error', { status: 500, body: '{"error":', fault: 'after_body' }],
  ])('F24 a model that hangs %s times out once', async (_, reply) => {
    server.script(reply)
    expect(await model().complete(request(), SHORT)).toEqual(failed('timed out'))
    expect(server.received).toHaveLength(1)
  })
  it('F24 all sends of a negotiation share one deadline', async () => {
    server.script(json({ error: { message: 'no response_format' } }, { status: 400 }), { fault: 'before_headers' })
    expect(await model().complete(request(), SHORT)).toEqual(failed('timed out'))
    expect(server.received).toHaveLength(2)
  })
  it.each([0, -1, Number.NaN])('F24 nothing is sent when no time is left (%d ms)', async (timeout_ms) => {
    expect(await model().complete(request(), { ...CALL, timeout_ms })).toEqual(failed('timed out'))
    expect(server.received).toHaveLength(0)
  })
  it('F26 a reset before the answer is one failed attempt', async () => {
    server.script({ fault: 'reset' }, json(COMPLETION))
    expect(await model().complete(request(), CALL)).toEqual(failed('connection failed'))
    expect(server.received).toHaveLength(1)
  })
  it('F21 an endpoint that does not exist is a failed attempt', async () => {
    const gone = await startFaultServer()
    await gone.close()
    const lost = chatModel({ api_key: KEY, base_url: `${gone.origin}/v1`, model: 'm' })
    expect(await lost.complete(request(), CALL)).toEqual(failed('connection failed'))
  })
})

describe('F25 a reply cut at any byte is a failed attempt, never half a reply', () => {
  const body = new TextEncoder().encode(JSON.stringify(COMPLETION))
  const headers = { 'content-type': 'application/json' }
  const points = [...body.keys()]
  const outcomes = async (reply: (bytes: Uint8Array) => Reply) => {
    server.script(...points.map((point) => reply(body.subarray(0, point))), reply(body))
    const seen: string[] = []
    for (const _ of [...points, body.length]) seen.push((await model().complete(request(), CALL)).kind)
    expect(server.received).toHaveLength(points.length + 1)
    return { cut: new Set(seen.slice(0, -1)), whole: seen.at(-1) }
  }
  it('with a length', async () => {
    const length = { ...headers, 'content-length': String(body.length) }
    const reply = (bytes: Uint8Array): Reply => ({ headers: length, body: bytes, fault: 'cut' })
    expect(await outcomes(reply)).toEqual({ cut: new Set(['model_failed']), whole: 'model_replied' })
  })
  it('in chunks, where a whole reply without its last chunk counts as cut', async () => {
    const reply = (bytes: Uint8Array): Reply => ({ headers, body: bytes, fault: 'cut' })
    expect(await outcomes(reply)).toEqual({ cut: new Set(['model_failed']), whole: 'model_failed' })
  })
  it('until the connection ends', async () => {
    const reply = (bytes: Uint8Array): Reply => ({ headers, body: bytes, unframed: true })
    expect(await outcomes(reply)).toEqual({ cut: new Set(['model_failed']), whole: 'model_replied' })
  })
})

describe('a call never rejects', () => {
  it.each(['', 'not a url', 'ftp://x/v1', '//host/v1', 'http://'])('with the base URL %j', async (base_url) => {
    const broken = chatModel({ api_key: KEY, base_url, model: 'm' })
    expect(await broken.complete(request(), CALL)).toEqual(failed('base URL is not valid'))
  })
  it('with a key that is invalid in a header', async () => {
    const broken = chatModel({ api_key: 'a\nb', base_url: `${server.origin}/v1`, model: 'm' })
    expect(await broken.complete(request(), CALL)).toEqual(failed('the request could not be made'))
    expect(server.received).toHaveLength(0)
  })
  it.each<[string, typeof fetch, string]>([
    [
      'throws',
      () => {
        throw new Error(KEY)
      },
      'connection failed',
    ],
    ['rejects with no error', () => Promise.reject(KEY), 'connection failed'],
    ['never settles', () => new Promise(() => undefined), 'timed out'],
    [
      'answers with a body that never ends and ignores its signal',
      async () => new Response(new ReadableStream()),
      'timed out',
    ],
    [
      'answers with a broken body',
      async () => new Response(new ReadableStream({ start: (c) => c.error(KEY) })),
      'connection lost',
    ],
  ])('with a fetch that %s', async (_, fetch, reason) => {
    const broken = chatModel({ api_key: KEY, base_url: 'http://model.test/v1', model: 'm' }, { fetch })
    expect(await broken.complete(request(), SHORT)).toEqual(failed(reason))
  })
  it('with a request that cannot be written as JSON', async () => {
    const schema: Record<string, unknown> = {}
    schema.self = schema
    const outcome = await model().complete(request({ contract: { name: 'plan', schema } }), CALL)
    expect(outcome).toMatchObject({ kind: 'model_failed', status: null })
    expect(server.received).toHaveLength(0)
  })
})

it('F22 an error with a body of 2 MiB keeps its status', async () => {
  server.script({ status: 500, body: 'x'.repeat(2 ** 21) })
  const failure = { kind: 'model_failed', reason: 'HTTP 500', status: 500, retry_after_ms: null }
  expect(await model().complete(request(), CALL)).toEqual(failure)
})
