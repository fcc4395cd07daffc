/** What a plain HTTP tool sends for its arguments (docs/tools.md "Plain HTTP tools"). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HttpPart } from '../../../src/core/terms/tools/client-tools.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts'
import { callOnce, jsonAnswer, toolOf, type OneCall } from '../../support/http-call.ts'
import { HOSTILE } from '../../support/hostile-addresses.ts'

const ORDERS = 'https://api.example.com/orders/{id}'
const OK = jsonAnswer({ a: 1 })
/** The one request of a call, and the result of a call that sent none. */
async function sent(entry: object, args: unknown, more: OneCall = {}) {
  const { asked, result } = await callOnce(toolOf(entry), OK, { args, ...more })
  expect(asked).toHaveLength(1)
  expect(result).toMatchObject({ ok: true, code: 'http_ok' })
  // The length was just judged.
  return asked[0] as (typeof asked)[number]
}
async function refused(entry: object, args: unknown, more: OneCall = {}) {
  const { asked, result } = await callOnce(toolOf(entry), OK, { args, ...more })
  expect([asked, result.ok]).toEqual([[], false])
  return result
}
const anyText = { parameters: { type: 'object', properties: { id: {} } } }

describe('HTTP tools: the path', () => {
  it.each([
    ['42', '42'],
    ['a b', 'a%20b'],
    ['../admin', '..%2Fadmin'],
    ['a/b', 'a%2Fb'],
    ['a?b=c', 'a%3Fb%3Dc'],
    ['a#b', 'a%23b'],
    ['a\\b', 'a%5Cb'],
    ['%2e%2e', '%252e%252e'],
    ['%2F', '%252F'],
    ['...', '...'],
    ['.a', '.a'],
    ['a;b', 'a%3Bb'],
    ['@evil.example.com', '%40evil.example.com'],
    ['会议室', '%E4%BC%9A%E8%AE%AE%E5%AE%A4'],
    ['{id}', '%7Bid%7D'],
    ['\ud800', '%EF%BF%BD'],
  ])('an argument %j is %s, and changes nothing else', async (id, written) => {
    expect((await sent({ url: ORDERS }, { id })).url).toBe(`https://api.example.com/orders/${written}`)
  })

  it.each(['', '.', '..'])('an argument %j would name another place, so nothing is sent', async (id) => {
    expect(await refused({ url: ORDERS }, { id })).toEqual({
      ok: false,
      code: 'usage_error',
      text: 'not called: with this "id" the address would be another one; it must not be empty, "." or ".."',
    })
  })

  it('two arguments in one segment cannot make `..` together', async () => {
    const url = 'https://api.example.com/x/{a}{b}/y'
    expect(await refused({ url }, { a: '.', b: '.' })).toMatchObject({ code: 'usage_error' })
    expect((await sent({ url }, { a: '.', b: 'c' })).url).toBe('https://api.example.com/x/.c/y')
  })

  it('whatever an argument says, host and number of segments stay as they are', async () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE.map(([address]) => address)))
    await fc.assert(
      fc.asyncProperty(texts, texts, async (id, q) => {
        const entry = { url: 'https://api.example.com/v1/{id}/items?q={q}&z=1' }
        const { asked, result } = await callOnce(toolOf(entry), OK, { args: { id, q } })
        expect(asked.length === 0 ? ['usage_error', 'not_called'] : ['http_ok']).toContain(result.code)
        if (asked.length === 0) return
        const url = new URL(asked[0]?.url ?? '')
        expect([url.host, url.pathname.split('/').length, url.hash]).toEqual(['api.example.com', 4, ''])
        expect([url.searchParams.size, url.searchParams.get('q'), url.searchParams.get('z')]).toEqual([
          2,
          q.toWellFormed(),
          '1',
        ])
        expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(id.toWellFormed())
      }),
      { numRuns: 500 },
    )
  })

  it('an argument that is needed and not given is named', async () => {
    expect(await refused({ url: ORDERS, ...anyText }, {})).toMatchObject({
      code: 'usage_error',
      text: 'not called: the argument "id" is needed for the address',
    })
    expect(await refused({ url: ORDERS, ...anyText }, { id: null })).toMatchObject({ code: 'usage_error' })
    expect(
      await refused(
        { url: 'https://a.example.com/{constructor}', parameters: { type: 'object', properties: { constructor: {} } } },
        {},
      ),
    ).toMatchObject({ code: 'usage_error' })
  })

  it('numbers and truth values are written as text, parts as JSON', async () => {
    const write = async (id: unknown) => (await sent({ url: ORDERS, ...anyText }, { id })).url.slice(31)
    expect([await write(7), await write(true), await write([1, 'a'])]).toEqual(['7', 'true', '%5B1%2C%22a%22%5D'])
  })
})

describe('F65 the address of an HTTP tool', () => {
  it.each(HOSTILE)('%j is never called', async (url, why) => {
    const tool = { ...toolOf({ url: 'https://api.example.com/' }), url }
    const { asked, result } = await callOnce(tool, OK)
    expect([asked, result]).toEqual([[], { ok: false, code: 'not_called', text: expect.any(String) }])
    // A url without a path has no place for a query, so what is refused may be told of the part before it.
    if (!/[?#]/.test(url)) expect(result.text).toContain(why)
  })

  it.each([
    'https://{id}/x',
    'https://{id}.example.com/',
    'https://a.example.com:{id}/',
    '{id}',
    '{id}://a.example.com/',
  ])('%s has an argument in its host, and is never called', async (url) => {
    const tool = { ...toolOf({ url: ORDERS }), url }
    const { asked, result } = await callOnce(tool, OK, { args: { id: 'evil.example.com' } })
    expect([asked, result.code]).toEqual([[], 'not_called'])
    expect(result.text).toBe('not called: its address must have no argument in its host')
  })

  it('an address that becomes too long is not called', async () => {
    expect(await refused({ url: ORDERS }, { id: 'x'.repeat(2_000) })).toMatchObject({
      code: 'not_called',
      text: 'not called: its address must have at most 2000 characters',
    })
  })
})

describe('HTTP tools: the query', () => {
  it('pairs of the url and of `query` follow each other, and one without its argument is left out', async () => {
    const properties = { a: {}, b: {}, c: {} }
    const entry = {
      url: 'https://api.example.com/?fixed=1&a={a}&b={b}',
      query: { c: 'x-{c}', d: 'é &' },
      parameters: { type: 'object', properties },
    }
    expect((await sent(entry, { a: '1&2' })).url).toBe('https://api.example.com/?fixed=1&a=1%262&d=%C3%A9%20%26')
    expect((await sent(entry, { b: '#', c: 'y' })).url).toBe(
      'https://api.example.com/?fixed=1&b=%23&c=x-y&d=%C3%A9%20%26',
    )
  })

  const ARRAY = ['a', 'b c']
  const OBJECT = { r: 1, 'g&': 'x,y' }
  type Row = [style: Extract<HttpPart, { argument: string }>['style'], explode: boolean, value: unknown, query: string]
  it.each<Row>([
    ['form', true, 'x y', '?p=x%20y'],
    ['form', true, ARRAY, '?p=a&p=b%20c'],
    ['form', false, ARRAY, '?p=a,b%20c'],
    ['form', true, OBJECT, '?r=1&g%26=x%2Cy'],
    ['form', false, OBJECT, '?p=r,1,g%26,x%2Cy'],
    ['space', false, ARRAY, '?p=a%20b%20c'],
    ['pipe', false, ARRAY, '?p=a%7Cb%20c'],
    ['deep', true, { a: { b: 1, c: [2, 3] } }, '?p%5Ba%5D%5Bb%5D=1&p%5Ba%5D%5Bc%5D=2&p%5Ba%5D%5Bc%5D=3'],
    ['json', false, OBJECT, '?p=%7B%22r%22%3A1%2C%22g%26%22%3A%22x%2Cy%22%7D'],
    ['form', true, [], ''],
    ['form', false, {}, ''],
    ['form', true, false, '?p=false'],
    ['form', true, [{ a: 1 }], '?p=%7B%22a%22%3A1%7D'],
    ['form', true, undefined, ''],
    ['form', true, null, ''],
  ])('style %s, explode %s: %j is %s', async (style, explode, value, query) => {
    const http = { query: [{ name: 'p', argument: 'v', style, explode }] }
    const { url } = await sent(
      { url: 'https://api.example.com/', parameters: { type: 'object' } },
      { v: value },
      { http },
    )
    expect(url).toBe(`https://api.example.com/${query}`)
  })

  it.each<[boolean, unknown, string]>([
    [false, ['a', 'b/c'], 'a,b%2Fc'],
    [true, { a: 1, b: 'x y' }, 'a=1,b=x%20y'],
    [false, { a: 1, b: 2 }, 'a,1,b,2'],
  ])('a path with style simple, explode %s: %j is %s', async (explode, value, text) => {
    const http = { path: [{ name: 'id', argument: 'v', style: 'simple' as const, explode }] }
    const tool = { url: ORDERS, parameters: { type: 'object', properties: { id: {} } } }
    expect((await sent(tool, { v: value }, { http })).url).toBe(`https://api.example.com/orders/${text}`)
  })
})

describe('HTTP tools: headers and cookies', () => {
  const entry = { url: 'https://api.example.com/', headers: { 'X-Team': 'team {team}', accept: 'text/csv' } }

  it('an argument stands in a header, and the headers of the tool replace those of the service', async () => {
    const { headers } = await sent(entry, { team: 'a' })
    expect(headers).toMatchObject({ 'x-team': 'team a', accept: 'text/csv', 'user-agent': 'loop-agent/0.1 (tool)' })
  })

  it.each(['a\r\nx-evil: 1', 'a\nb', 'a\0', 'a\u0085b', 'é', '会', 'a\u2028b'])(
    'a header with %j is not sent',
    async (team) => {
      expect(await refused(entry, { team })).toEqual({
        ok: false,
        code: 'usage_error',
        text: 'not called: the header "X-Team" may have printable ASCII characters only, without line breaks',
      })
    },
  )

  it('cookies are one header, whose arguments are encoded', async () => {
    const cookies: HttpPart[] = [
      { name: 'a', value: 'x={v}' },
      { name: 'b', argument: 'w', style: 'form', explode: false },
      { name: 'c', value: 'secret:orders' },
    ]
    const more = { url: 'https://api.example.com/', parameters: { type: 'object' } }
    const { headers } = await sent(more, { v: '1; d=2', w: ['3', '4;'] }, { http: { cookies } })
    expect(headers['cookie']).toBe('a=x=1%3B%20d%3D2; b=3,4%3B; c=k-canary-1')
  })

  it('the key of the effect goes with every method that may act, and the trace with all', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { headers, ...request } = await sent(
        { url: 'https://api.example.com/', method },
        {},
        { call: { traceparent } },
      )
      expect(request.method).toBe(method)
      expect(headers['traceparent']).toBe(traceparent)
      expect(headers['idempotency-key']).toBe(method === 'GET' || method === 'HEAD' ? undefined : 'task_1:4')
    }
  })
})

describe('HTTP tools: the body', () => {
  const post = (
    type: string | undefined,
    template: unknown,
    parameters: unknown = { type: 'object', properties: { a: {}, b: {} } },
  ) => ({
    url: 'https://api.example.com/',
    method: 'POST',
    body: { ...(type === undefined ? {} : { type }), template },
    parameters,
  })

  it('in JSON `{name}` alone is the argument as it is, and in a text it is written into it', async () => {
    const template = { title: '{a}', note: 'see {a}', list: ['{b}', 'x'], deep: { b: '{b}' }, fixed: 1 }
    const { headers, body } = await sent(post(undefined, template), { a: 7, b: { c: null } })
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toEqual({
      title: 7,
      note: 'see 7',
      list: [{ c: null }, 'x'],
      deep: { b: { c: null } },
      fixed: 1,
    })
  })

  it('a member whose argument is not given is left out, and null stays null', async () => {
    const template = { a: '{a}', note: 'see {b}', list: ['{b}', 1], deep: { b: '{b}' } }
    expect(JSON.parse((await sent(post(undefined, template), { a: null })).body)).toEqual({
      a: null,
      list: [1],
      deep: {},
    })
  })

  it('no argument can write JSON, another argument or a secret', async () => {
    const { body } = await sent(post(undefined, { a: 'x {a}', b: '{b}' }), {
      a: '", "admin": true, "c": "{b}',
      b: 'secret:orders',
    })
    expect(JSON.parse(body)).toEqual({ a: 'x ", "admin": true, "c": "{b}', b: 'secret:orders' })
  })

  it('a body whose one argument is not given is none', async () => {
    const { headers, body } = await sent(post(undefined, '{a}', { type: 'object', properties: { a: {} } }), {})
    expect([body, headers['content-type']]).toEqual(['', undefined])
  })

  it('a form has the members as fields, and a list comes several times', async () => {
    const type = 'application/x-www-form-urlencoded'
    const { headers, body } = await sent(post(type, { a: '{a}', b: '{b}' }), { a: 'x&y=z', b: ['1', '2'] })
    expect([headers['content-type'], body]).toEqual([type, 'a=x%26y%3Dz&b=1&b=2'])
  })

  it('multipart/form-data names its boundary', async () => {
    const { headers, body } = await sent(post('multipart/form-data', { a: '{a}', b: '{b}' }), { a: 'é', b: ['1', '2'] })
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
    expect([form.get('a'), form.getAll('b')]).toEqual(['é', ['1', '2']])
  })

  it('a text is sent as it is', async () => {
    const { headers, body } = await sent(post('text/plain; charset=utf-8', 'Hello {a}, {b}!'), { a: '{b}', b: 'ü' })
    expect([headers['content-type'], body]).toEqual(['text/plain; charset=utf-8', 'Hello {b}, ü!'])
  })

  it('a form that is made of no object is not sent', async () => {
    const tool = toolOf(post('multipart/form-data', { a: '{a}', b: '{b}' }))
    const http = { body: { type: 'multipart/form-data', template: '{a}' } }
    const { asked, result } = await callOnce(tool, OK, { args: { a: 'x' }, http })
    expect([asked, result.code]).toEqual([[], 'usage_error'])
  })
})

describe('F50 HTTP tools: arguments', () => {
  it.each([
    ['[]', 'must be one JSON object'],
    ['x', 'must be one JSON object'],
    [`{"id":${'['.repeat(40)}${']'.repeat(40)}}`, 'nest too deep'],
    ['{"id":7}', 'do not fit the parameters'],
    ['{"id":"x","other":1}', 'do not fit the parameters'],
  ])('%s is told, and nothing is sent', async (args, why) => {
    expect(await refused({ url: ORDERS }, args)).toMatchObject({
      code: 'usage_error',
      text: expect.stringContaining(why),
    })
  })

  it('no arguments at all are an empty object', async () => {
    expect((await sent({ url: 'https://api.example.com/' }, '')).url).toBe('https://api.example.com/')
  })
})

describe('F66 HTTP tools: secrets', () => {
  const entry = {
    url: 'https://api.example.com/{id}',
    query: { key: 'secret:orders' },
    headers: { authorization: 'Bearer secret:orders', 'x-id': '{id}' },
  }

  it('a header and a pair of the query get the value of the secret that their fixed text names', async () => {
    const { url, headers } = await sent(entry, { id: '1' })
    expect([url, headers['authorization']]).toEqual(['https://api.example.com/1?key=k-canary-1', 'Bearer k-canary-1'])
  })

  it('an argument names no secret, whatever it says', async () => {
    const { url, headers } = await sent({ ...entry, query: { q: '{id}', r: 'Bearer {id}' } }, { id: 'secret:orders' })
    expect([headers['x-id'], new URL(url).search]).toEqual([
      'secret:orders',
      '?q=secret%3Aorders&r=Bearer%20secret%3Aorders',
    ])
    expect(JSON.stringify([url, headers['x-id']])).not.toContain('canary')
  })

  it('one that there is not, or that may not go to this host, is told without a value, and nothing is sent', async () => {
    expect(await refused({ ...entry, query: { key: 'secret:other' } }, { id: '1' })).toEqual({
      ok: false,
      code: 'not_called',
      text: 'not called: there is no secret "other"',
    })
    const elsewhere = await refused({ ...entry, url: 'https://a.other.example.com/{id}' }, { id: '1' })
    expect(elsewhere.text).toBe('not called: the secret "orders" may not be sent to a.other.example.com')
    expect(await refused(entry, { id: '1' }, { call: { tenant: 'other' } })).toMatchObject({ code: 'not_called' })
  })

  it.each([
    ['in JSON, under any name', () => Response.json({ a: ['Bearer k-canary-1'], 'k-canary-1': { b: 'k-canary-1' } })],
    [
      'in JSON that spells it in another way',
      () => new Response('{"a":"\\u006b-canary-1"}', { headers: { 'content-type': 'application/json' } }),
    ],
    ['in a text', () => new Response('the key k-canary-1 is wrong')],
    ['in HTML', () => new Response('<p>k-canary-1', { headers: { 'content-type': 'text/html' } })],
    ['in an error', () => Response.json({ error: 'bad key k-canary-1' }, { status: 401 })],
    [
      'in the host of a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://k-canary-1.example.com/' } }),
    ],
    [
      'in a content type',
      () => new Response(new Uint8Array([0, 1]), { headers: { 'content-type': 'image/k-canary-1' } }),
    ],
  ])('a value that comes back %s is not shown', async (_where, answer) => {
    const { result } = await callOnce(toolOf(entry), answer, { args: { id: '1' } })
    expect(result.text).not.toContain('canary')
    expect(result.text).toContain('[secret:orders]')
  })

  it('a value is not shown either where a cut goes through it, or where it is spelled as an address or as JSON', async () => {
    const headers = { authorization: 'secret:pass' }
    const limit = 60
    for (let before = 40; before < 70; before++) {
      const answer = jsonAnswer({ a: `${'x'.repeat(before)}p w/"canary"` })
      const call = { settings: { ...DEFAULT_SETTINGS, observation_char_limit: limit } }
      const { result } = await callOnce(toolOf({ ...entry, headers }), answer, { args: { id: '1' }, call })
      expect(result.text).not.toMatch(/p w/)
    }
    const spelled = () => new Response('p%20w%2F%22canary%22 p w/\\"canary\\"')
    const { result } = await callOnce(toolOf({ ...entry, headers: { ...headers, 'x-id': '{id}' } }), spelled, {
      args: { id: '1' },
    })
    expect(result.text).toBe('[secret:pass] [secret:pass]')
  })

  it('HEAD shows no secret of a header', async () => {
    const answer = () => new Response(null, { headers: { etag: '"k-canary-1"', 'last-modified': 'x' } })
    const { result } = await callOnce(toolOf({ ...entry, method: 'HEAD' }), answer, { args: { id: '1' } })
    expect(result).toEqual({
      ok: true,
      code: 'http_ok',
      text: 'HTTP 200, without a body. last-modified: x; etag: "[secret:orders]"',
    })
  })
})
