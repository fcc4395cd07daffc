/** Requests with the key, to a server that answers anything: an answer, a refusal and no answer at all are values. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { clientOf, isOutcomeUnknown } from '../../src/console/api/client.ts'
import { keyCredential } from '../../src/console/api/credential.ts'
import { get, taskPath, post, queryText } from '../../src/console/api/request.ts'
import { startFaultServer, type FaultServer, type Reply } from '../support/fault-server.ts'

let server: FaultServer
const realFetch = fetch
beforeAll(async () => {
  server = await startFaultServer()
})
// A page knows where it is from; here its requests are told.
beforeEach(() => vi.stubGlobal('fetch', (path: string, init: RequestInit) => realFetch(server.origin + path, init)))
afterEach(() => {
  vi.unstubAllGlobals()
  server.reset()
})
afterAll(() => server.close())

const json = (status: number, body: object, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const refused = vi.fn<() => void>()
const client = clientOf(keyCredential('secret'), refused)
afterEach(() => refused.mockClear())

const problem = (status: number, code: string) => ({
  type: 'about:blank',
  status,
  code,
  title: 'A title',
  detail: 'What it is.',
  instance: '/tasks',
})
const STRANGE = { title: '', detail: '', errors: [], retry_after_s: null }

describe('a request', () => {
  it('carries the key and nothing else about a person: no cookie of another site, no cache', async () => {
    const said: RequestInit[] = []
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      said.push(init)
      return Promise.resolve(new Response('{}'))
    })
    await client.send(get('/tasks'))
    expect(said).toMatchObject([{ method: 'GET', body: null, cache: 'no-store', credentials: 'same-origin' }])
    const headers = new Headers(said[0]?.headers)
    expect(Object.fromEntries(headers)).toEqual({ accept: 'application/json', authorization: 'Bearer secret' })
  })
  it('sends JSON as JSON, with its own headers', async () => {
    server.script(json(201, { id: 'task_1' }))
    const request = { ...post('/tasks', { goal: '买"牛奶"' }), headers: { 'idempotency-key': 'k' } }
    expect(await client.send(request)).toMatchObject({ ok: true, status: 201, value: { id: 'task_1' } })
    const { method, path, headers, body } = server.received[0] ?? { headers: {} }
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/tasks', body: '{"goal":"买\\"牛奶\\""}' })
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k' })
  })
  it('sends a file unchanged, with its own type', async () => {
    server.script(json(201, {}))
    const file = new File(['a,b\n1,2\n'], 'a.csv', { type: 'text/csv' })
    await client.send({ method: 'PUT', path: '/tasks/t/files/a.csv', file })
    expect(server.received[0]).toMatchObject({
      method: 'PUT',
      body: 'a,b\n1,2\n',
      headers: { 'content-type': 'text/csv' },
    })
  })
  it('never replaces the key by one of its headers', async () => {
    server.script(json(200, {}))
    await client.send(get('/tasks', { authorization: 'Bearer other' }))
    expect(server.received[0]?.headers).toMatchObject({ authorization: 'Bearer secret' })
  })
})

describe('an answer', () => {
  it.each([204, 304])('with %d has no value and is not a refusal', async (status) => {
    server.script({ status, headers: { etag: '"3"' } })
    const answer = await client.send(get('/tasks/t'))
    expect(answer).toMatchObject({ ok: true, status, value: null })
    expect(answer.ok && answer.headers.get('etag')).toBe('"3"')
  })
  it('with 422 says which field has which error', async () => {
    const errors = [{ pointer: '/goal', message: 'is missing' }]
    server.script(json(422, { ...problem(422, 'validation_failed'), errors }))
    expect(await client.send(post('/tasks'))).toEqual({
      ok: false,
      problem: { ...problem(422, 'validation_failed'), errors, retry_after_s: null },
    })
  })
  it.each([
    [409, 'busy', { 'retry-after': '7' }, 7],
    [429, 'over_capacity', { 'retry-after': '0' }, 0],
    [429, 'over_capacity', {}, null],
    [503, 'over_capacity', { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }, null],
  ])('with %d %s %j may be tried again after %s s', async (status, code, headers, retry_after_s) => {
    server.script(json(status, problem(status, code), { ...headers }))
    expect(await client.send(post('/tasks'))).toEqual({
      ok: false,
      problem: { ...problem(status, code), errors: [], retry_after_s },
    })
    expect(refused).not.toHaveBeenCalled()
  })
  it('with 401 is reported once, and is a refusal too', async () => {
    server.script(json(401, problem(401, 'unauthorized')))
    expect(await client.send(get('/tasks'))).toMatchObject({ ok: false, problem: { code: 'unauthorized' } })
    expect(refused).toHaveBeenCalledTimes(1)
  })
  it('with 401 to the fetch of a file is reported too', async () => {
    server.script(json(401, problem(401, 'unauthorized')))
    await client.fetchFile('/tasks/t/files/a')
    expect(refused).toHaveBeenCalledTimes(1)
  })
})

describe('an answer that is not from the service', () => {
  it.each<[string, Reply]>([
    ['a page of a proxy', { status: 502, body: '<h1>Bad gateway</h1>' }],
    ['JSON of a proxy', json(502, { error: 'bad gateway' })],
    ['JSON that is no object', { status: 502, body: '"no"' }],
    ['an empty refusal', { status: 502 }],
  ])('with %s instead of a refusal is unreadable', async (_, reply) => {
    server.script(reply)
    expect(await client.send(get('/tasks'))).toEqual({
      ok: false,
      problem: { ...STRANGE, code: 'unreadable', status: 502 },
    })
  })
  it('with 200 and the page of a proxy is unreadable', async () => {
    server.script({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Log in to the hotel</h1>' })
    expect(await client.send(get('/tasks'))).toEqual({
      ok: false,
      problem: { ...STRANGE, code: 'unreadable', status: 200 },
    })
  })
  it.each<[string, Reply]>([
    ['a connection that is closed', { fault: 'reset' }],
    ['a body that is cut', { headers: { 'content-length': '100' }, body: '{"id"', fault: 'cut' }],
  ])('with %s counts as unreachable or unreadable', async (_, reply) => {
    server.script(reply)
    const answer = await client.send(get('/tasks'))
    expect(!answer.ok && answer.problem.code).toBe('unreachable')
  })
  it.each<[Reply, boolean]>([
    [{ fault: 'reset' }, true],
    [{ status: 502, body: 'Bad gateway' }, true],
    [json(409, problem(409, 'request_in_progress')), true],
    [json(500, problem(500, 'internal_error')), true],
    [json(503, problem(503, 'unavailable')), true],
    [json(409, problem(409, 'task_busy')), false],
    [json(429, problem(429, 'rate_limited')), false],
    [json(200, {}), false],
  ])('after %j it is %s that the service may have done the request', async (reply, may) => {
    server.script(reply)
    expect(isOutcomeUnknown(await client.send(post('/tasks')))).toBe(may)
  })
  it('without any content is unreachable, and says nothing about the key', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const unreachable = { ok: false, problem: { ...STRANGE, code: 'unreachable', status: 0 } }
    expect(await client.send(post('/tasks'))).toEqual(unreachable)
    expect(await client.fetchFile('/tasks/t/files/a')).toEqual(unreachable)
    expect(refused).not.toHaveBeenCalled()
  })
})

describe('an answer that never comes', () => {
  const forever = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  it('is abandoned after 30 s for a read, and after 5 minutes for a change', async () => {
    const silence = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(silence.signal)
    vi.stubGlobal('fetch', forever)
    const read = client.send(get('/tasks'))
    await vi.waitFor(() => expect(timeout.mock.calls).toEqual([[30_000]]))
    silence.abort()
    expect(await read).toMatchObject({ ok: false, problem: { code: 'unreachable' } })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}')))
    await client.send(post('/tasks/t/step'))
    await client.send({ ...post('/commands'), isReadOnly: true })
    expect(timeout.mock.calls).toEqual([[30_000], [300_000], [30_000]])
  })
  it('is abandoned after 30 s when a file does not begin', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('fetch', forever)
    const told = vi.fn<(answer: unknown) => void>()
    void client.fetchFile('/tasks/t/files/a').then(told)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(told).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(told).toHaveBeenCalledWith({ ok: false, problem: { ...STRANGE, code: 'unreachable', status: 0 } })
  })
  it('may take as long as the connection needs once a file has begun', async () => {
    vi.useFakeTimers()
    let signal: AbortSignal | null | undefined = null
    const slow = new TransformStream<Uint8Array, Uint8Array>()
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      signal = init.signal
      return Promise.resolve(new Response(slow.readable))
    })
    const file = client.fetchFile('/tasks/t/files/a')
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(signal).toMatchObject({ aborted: false })
    const writer = slow.writable.getWriter()
    void writer.write(Uint8Array.of(1, 2)).then(() => writer.close())
    const answer = await file
    expect(answer.ok && answer.value.size).toBe(2)
  })
})

it('the bytes of a file come as they are', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  server.script({ headers: { 'content-type': 'image/png' }, body: bytes })
  const answer = await client.fetchFile('/tasks/t/files/a.png')
  expect(answer.ok && [...new Uint8Array(await answer.value.arrayBuffer())]).toEqual([...bytes])
})

describe('requests as data', () => {
  it.each([
    [taskPath('task_1'), '/tasks/task_1'],
    [taskPath('task_1', 'files', 'a b/报告#1?.md'), '/tasks/task_1/files/a%20b%2F%E6%8A%A5%E5%91%8A%231%3F.md'],
    [queryText({}), ''],
    [queryText({ status: null, q: '', limit: 0 }), '?limit=0'],
    [queryText({ status: 'paused', q: 'a&b=c 牛' }), '?status=paused&q=a%26b%3Dc+%E7%89%9B'],
  ])('%s', (made, expected) => expect(made).toBe(expected))
  it('a GET without headers has none', () => {
    expect(get('/tasks')).toEqual({ method: 'GET', path: '/tasks' })
    expect(get('/tasks', { a: 'b' })).toEqual({ method: 'GET', path: '/tasks', headers: { a: 'b' } })
  })
  it('a POST always has a body, which may be an empty object', () => {
    expect(post('/tasks/t/step')).toEqual({ method: 'POST', path: '/tasks/t/step', json: {} })
  })
})
