/** The request to an address that others name: where it may go, also by redirects, and how much of an answer is taken. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { guardedFetch } from '../../src/shell/network/guarded-fetch.ts'
import { LOOPBACK } from '../support/addresses.ts'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { HARMLESS_LOCATIONS, headerValue, HOSTILE, HOSTILE_LOCATIONS } from '../support/hostile-addresses.ts'

const START = 'https://start.example.com/a/b?c=d'
const PUBLIC = { loopback: false }
const BOUNDS = { reach: PUBLIC, timeout_ms: 30_000, bytes_max: 1_000, redirects: 5 }
type Bounds = Parameters<typeof guardedFetch>[3]
type Asked = Parameters<typeof guardedFetch>[2]

/** A network that answers from a table by address, and says what it was asked. Other addresses answer `ok`. */
function network(table: Record<string, Response | string> = {}) {
  const asked: { url: string; method: string; headers: Record<string, string>; body: unknown }[] = []
  const fetch: typeof globalThis.fetch = async (input, { method = 'GET', headers, body = null } = {}) => {
    const url = String(input)
    asked.push({ url, method, headers: Object.fromEntries(new Headers(headers)), body })
    const answer = table[url] ?? new Response('ok')
    return typeof answer === 'string' ? redirect(answer) : answer
  }
  return { asked, fetch, urls: () => asked.map(({ url }) => url) }
}
const redirect = (location: string | null, status = 302) =>
  new Response('secret of the redirect', { status, headers: location === null ? {} : { location } })
const get = (fetch: typeof globalThis.fetch, address = START, bounds: Partial<Bounds> = {}, request: Asked = {}) =>
  guardedFetch(fetch, address, request, { ...BOUNDS, ...bounds })
const bodyOf = (answer: Awaited<ReturnType<typeof get>>) =>
  answer.kind === 'answered' ? [answer.status, new TextDecoder().decode(answer.body), answer.url.href] : answer

describe('F65 where a request begins', () => {
  it.each(HOSTILE)('%j is refused, and nothing is sent', async (address, why) => {
    const { asked, fetch } = network()
    const reason = expect.stringContaining(why)
    expect(await get(fetch, address)).toEqual({ kind: 'unanswered', failure: 'address', reason })
    expect(asked).toEqual([])
  })

  it('a public address is asked, and answers with its status, its headers and its body', async () => {
    const { fetch, asked } = network({ [START]: new Response('gone', { status: 410, headers: { 'x-a': 'b' } }) })
    const answer = await get(fetch, START, {}, { method: 'POST', headers: { 'x-token': 't' }, body: 'text' })
    expect(bodyOf(answer)).toEqual([410, 'gone', START])
    expect(answer.kind === 'answered' && answer.headers.get('x-a')).toBe('b')
    expect(asked).toEqual([{ url: START, method: 'POST', headers: { 'x-token': 't' }, body: 'text' }])
  })
})

describe('F65 where a redirect may lead', () => {
  it.each(HOSTILE_LOCATIONS)('not to %j: it is not asked', async (location) => {
    const { fetch, urls } = network({ [START]: location })
    expect(await get(fetch)).toMatchObject({ kind: 'unanswered', failure: 'redirect' })
    expect(urls()).toEqual([START])
  })

  it.each(HOSTILE_LOCATIONS)('not to %j at the second hop either', async (location) => {
    const { fetch, urls } = network({ [START]: '/next', 'https://start.example.com/next': location })
    expect(await get(fetch)).toMatchObject({ kind: 'unanswered', failure: 'redirect' })
    expect(urls()).toEqual([START, 'https://start.example.com/next'])
  })

  it.each([...HARMLESS_LOCATIONS])('to %j of a public server at most to a public place', async (location) => {
    const { fetch, urls } = network({ [START]: headerValue(location) ?? '' })
    await get(fetch)
    for (const url of urls()) expect(url).toMatch(/^https:\/\/(?:start\.)?example\.com\//)
  })

  it.each([
    ['/x', 'https://start.example.com/x'],
    ['x?y', 'https://start.example.com/a/x?y'],
    ['../x', 'https://start.example.com/x'],
    ['?q=1', 'https://start.example.com/a/b?q=1'],
    ['//other.example.com/x', 'https://other.example.com/x'],
    ['https://other.example.com./x', 'https://other.example.com/x'],
    ['https://other.example.com:8443/x', 'https://other.example.com:8443/x'],
    ['https://other.example.com/x#part', 'https://other.example.com/x'],
    ['#part', START],
  ])('to %s of the page, which is %s', async (location, url) => {
    const { fetch } = network({ [START]: location, ...(url === START ? { [START]: redirect(location) } : {}) })
    const answer = await get(fetch)
    if (url === START) expect(answer).toMatchObject({ failure: 'redirect', reason: expect.stringContaining('back') })
    else expect(bodyOf(answer)).toEqual([200, 'ok', url])
  })

  it.each(LOOPBACK)('not from a public server to %s, in development either', async (location) => {
    const { fetch, urls } = network({ [START]: location })
    expect(await get(fetch, START, { reach: { loopback: true } })).toMatchObject({ failure: 'redirect' })
    expect(urls()).toEqual([START])
  })

  it('from this machine to this machine in development', async () => {
    const { fetch } = network({ 'http://localhost:9000/': 'http://127.0.0.1:9001/x' })
    const answer = await get(fetch, 'http://localhost:9000/', { reach: { loopback: true } })
    expect(bodyOf(answer)).toEqual([200, 'ok', 'http://127.0.0.1:9001/x'])
  })

  it('from https to http only where the operator allows the host', async () => {
    const reach = { loopback: false, allowed_hosts: new Set(['*.corp.example', 'plain.corp.example']) }
    const location = 'http://plain.corp.example/x'
    const { fetch } = network({ [START]: location })
    expect(bodyOf(await get(fetch, START, { reach }))).toEqual([200, 'ok', location])
    const local = network({ 'https://127.0.0.1:9443/': 'http://127.0.0.1:9000/' })
    expect(await get(local.fetch, 'https://127.0.0.1:9443/', { reach: { loopback: true } })).toMatchObject({
      failure: 'redirect',
      reason: 'it redirects from https to http',
    })
  })

  it('not to a host that the operator denies', async () => {
    const { fetch, urls } = network({ [START]: 'https://a.evil.example.com/' })
    const reach = { loopback: false, denied_hosts: new Set(['*.evil.example.com']) }
    expect(await get(fetch, START, { reach })).toMatchObject({
      failure: 'redirect',
      reason: expect.stringContaining('DENIED_HOSTS'),
    })
    expect(urls()).toEqual([START])
  })

  it.each([301, 302, 303, 307, 308])('a GET and a HEAD follow a %s with the same method', async (status) => {
    for (const method of ['GET', 'HEAD']) {
      const { fetch, asked } = network({ [START]: redirect('/x', status) })
      expect(bodyOf(await get(fetch, START, {}, { method }))).toEqual([200, 'ok', 'https://start.example.com/x'])
      expect(asked.map((one) => one.method)).toEqual([method, method])
    }
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('a %s follows none', async (method) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { fetch, urls } = network({ [START]: redirect('https://other.example.com/x?token=canary', status) })
      expect(await get(fetch, START, {}, { method })).toEqual({
        kind: 'unanswered',
        failure: 'redirect',
        reason: 'it redirects to other.example.com, and only GET and HEAD may follow',
      })
      expect(urls()).toEqual([START])
    }
  })

  it.each([300, 304, 305, 306, 399])('a %s is an answer', async (status) => {
    const { fetch } = network({ [START]: new Response(null, { status, headers: { location: '/x' } }) })
    expect(bodyOf(await get(fetch))).toEqual([status, '', START])
  })
})

describe('what a redirect takes along', () => {
  const SECRET = { authorization: 'Bearer canary', cookie: 'a=canary', 'X-Api-Key': 'canary', referer: 'canary' }

  it.each(['/same-origin', 'https://other.example.com/'])('no header that may be a secret, to %s', async (location) => {
    const { fetch, asked } = network({ [START]: location })
    await get(fetch, START, {}, { headers: { ...SECRET, Accept: 'text/html', 'user-agent': 'me' } })
    expect(JSON.stringify(asked[0]?.headers)).toContain('canary')
    expect(asked[1]?.headers).toEqual({ accept: 'text/html', 'user-agent': 'me' })
  })
})

describe('how many redirects are followed', () => {
  const chain = (hops: number) =>
    network(Object.fromEntries(Array.from({ length: hops }, (_, at) => [at === 0 ? START : hop(at), hop(at + 1)])))
  const hop = (at: number) => `https://h${at}.example.com/`

  it('as many as are allowed, and no more', async () => {
    expect(bodyOf(await get(chain(3).fetch, START, { redirects: 3 }))).toEqual([200, 'ok', hop(3)])
    const { fetch, urls } = chain(4)
    expect(await get(fetch, START, { redirects: 3 })).toMatchObject({
      failure: 'redirect',
      reason: 'it redirects more than 3 times',
    })
    expect(urls()).toEqual([START, hop(1), hop(2), hop(3)])
  })

  it('none, if none is allowed: the failure names the host and nothing else of the address', async () => {
    const { fetch } = network({ [START]: 'https://other.example.com/x?token=canary' })
    expect(await get(fetch, START, { redirects: 0 })).toEqual({
      kind: 'unanswered',
      failure: 'redirect',
      reason: 'it redirects to other.example.com, and redirects are not followed',
    })
  })

  it('a circle ends at once', async () => {
    const { fetch, urls } = network({ [START]: hop(1), [hop(1)]: `${START}#x` })
    expect(await get(fetch, START, { redirects: 50 })).toMatchObject({ failure: 'redirect' })
    expect(urls()).toEqual([START, hop(1)])
  })

  it('one that does not say where is a failure', async () => {
    for (const location of [null, '']) {
      const { fetch } = network({ [START]: redirect(location, 307) })
      expect(await get(fetch)).toMatchObject({ reason: 'it redirects without saying where (HTTP 307)' })
    }
  })
})

describe('how much of an answer is taken', () => {
  let server: FaultServer
  beforeAll(async () => {
    server = await startFaultServer()
  })
  afterAll(() => server.close())
  beforeEach(() => server.reset())
  const ask = (bounds: Partial<Bounds> = {}) =>
    get(globalThis.fetch, server.origin, { reach: { loopback: true }, ...bounds })

  it('a body up to the bound, counted after decompression', async () => {
    const packed = (bytes: number) => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(bytes)) })
    server.script({ body: 'x'.repeat(1_000) }, { body: 'x'.repeat(1_001) }, packed(1_000), packed(50_000_000))
    expect(await ask()).toMatchObject({ kind: 'answered' })
    expect(await ask()).toMatchObject({ kind: 'unanswered', failure: 'too_large' })
    expect(await ask()).toMatchObject({ kind: 'answered' })
    expect(await ask()).toMatchObject({ kind: 'unanswered', failure: 'too_large' })
  })

  it('the beginning of a longer one where that is enough, and it is said to be cut', async () => {
    server.script({ body: 'x'.repeat(1_000) }, { body: 'x'.repeat(1_001) })
    const lengthOf = (answer: Awaited<ReturnType<typeof ask>>) =>
      answer.kind === 'answered' && [answer.body.byteLength, answer.is_cut]
    expect(lengthOf(await ask({ cuts: true }))).toEqual([1_000, false])
    expect(lengthOf(await ask({ cuts: true }))).toEqual([1_000, true])
  })

  it('as much as the media type is worth, and nothing at all of some', async () => {
    const bytes_max = (type: string) => (type === 'image/png' ? 0 : 3)
    server.script(
      { headers: { 'content-type': 'Text/Plain; charset=utf-8' }, body: 'abc' },
      { headers: { 'content-type': 'text/plain' }, body: 'abcd' },
      { headers: { 'content-type': 'image/png' }, body: 'abcd' },
    )
    expect(bodyOf(await ask({ bytes_max }))).toEqual([200, 'abc', `${server.origin}/`])
    expect(await ask({ bytes_max })).toMatchObject({ failure: 'too_large' })
    expect(bodyOf(await ask({ bytes_max }))).toEqual([200, '', `${server.origin}/`])
  })

  it.each([
    ['application/json; charset=utf-8', ['application/json'], true],
    ['Text/HTML', ['text/*'], true],
    ['application/problem+json', ['+json'], true],
    ['application/jsonp', ['application/json', 'text/*', '+json'], false],
    ['image/png', ['text/*'], false],
    ['textual/x', ['text/*'], false],
    ['', ['text/*'], false],
  ])('a body of type %j where %j are wanted: %s', async (type, content_types, isTaken) => {
    server.script({ headers: { 'content-type': type }, body: 'x' })
    expect(await ask({ content_types })).toMatchObject(isTaken ? { status: 200 } : { failure: 'content_type' })
  })

  it('an error of any type, because its status says enough', async () => {
    server.script({ status: 404, headers: { 'content-type': 'image/png' }, body: 'x' })
    expect(await ask({ content_types: ['text/*'] })).toMatchObject({ status: 404 })
  })

  it.each(['before_headers', 'after_headers', 'after_body'] as const)(
    '%s silence ends at the deadline',
    async (fault) => {
      server.script({ fault, body: 'x', headers: { 'content-length': '10' } })
      expect(await ask({ timeout_ms: 50 })).toEqual({ kind: 'unanswered', failure: 'timed_out', reason: 'timed out' })
    },
  )

  it('the deadline holds for all hops together', async () => {
    vi.useFakeTimers()
    try {
      const asked: string[] = []
      const fetch = (input: RequestInfo | URL) => {
        asked.push(String(input))
        return new Promise<Response>((resolve) => setTimeout(() => resolve(redirect(`/${asked.length}`)), 20_000))
      }
      const answer = get(fetch)
      await vi.advanceTimersByTimeAsync(30_000)
      expect(await answer).toMatchObject({ failure: 'timed_out' })
      expect(asked).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('a lost connection and one that was never made are told apart', async () => {
    server.script({ fault: 'reset' }, { fault: 'cut', body: 'x', headers: { 'content-length': '10' } })
    expect(await ask()).toMatchObject({ failure: 'connection_failed' })
    expect(await ask()).toMatchObject({ failure: 'connection_lost' })
  })

  it('a stop ends it', async () => {
    server.script({ fault: 'before_headers' })
    expect(await ask({ stop: AbortSignal.abort() })).toMatchObject({ failure: 'stopped' })
  })
})
