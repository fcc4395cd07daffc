/** The routes of secrets: what may be put, what is answered, and that no error repeats a value. */
import { describe, expect, it } from 'vitest'
import { SECRET_EXAMPLE } from '../../src/http/document/named-examples.ts'
import { ok } from '../../src/core/terms/refusal.ts'
import { callerOf, fixture, problemOf } from '../support/http-fixture.ts'

const PATH = '/secrets/orders'
const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT = { accept: 'text/plain' }
const VALUE = 'canary-of-a-tool'
const put = (body: unknown, path = PATH, app = fixture()) =>
  app.send('PUT', path, typeof body === 'string' ? body : JSON.stringify(body), JSON_TYPE)

describe('PUT /secrets/{name}', () => {
  it('U51 answers 201 with all but the value, and hands on the hosts as they are compared', async () => {
    const app = fixture()
    const response = await put({ value: VALUE, hosts: ['API.Example.com.', 'b.example:8443'] }, PATH, app)
    expect([response.status, response.headers.get('location')]).toEqual([201, PATH])
    expect(await response.json()).toEqual(SECRET_EXAMPLE)
    const sent = { name: 'orders', value: VALUE, hosts: ['api.example.com', 'b.example:8443'] }
    expect(app.asked).toEqual([{ method: 'putSecret', args: [callerOf('alice'), sent] }])
  })

  it('U51 answers 200 where it takes the place of another one', async () => {
    const putSecret = async () => ok({ secret: SECRET_EXAMPLE, created: false })
    const response = await put({ value: VALUE, hosts: ['a.example'] }, PATH, fixture({ answers: { putSecret } }))
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
  })

  it.each(['a', '_', 'O-r_9', 'x'.repeat(64)])('takes the name %s', async (name) => {
    const { send, asked } = fixture()
    await send('PUT', `/secrets/${name}`, JSON.stringify({ value: VALUE, hosts: ['a.example'] }), JSON_TYPE)
    expect(asked[0]?.args[1]).toMatchObject({ name })
  })

  it.each(['a.b', 'a%20b', 'a%2Fb', '%C3%A4', 'a%00', 'x'.repeat(65), 'secret:a'])(
    'the name %s is 422, and nothing happens',
    async (name) => {
      const app = fixture()
      const response = await put({ value: VALUE, hosts: ['a.example'] }, `/secrets/${name}`, app)
      expect(await problemOf(response)).toMatchObject({
        status: 422,
        errors: [{ pointer: '/name', message: 'name must be 1 to 64 of A-Z a-z 0-9 _ -' }],
      })
      expect(app.asked).toEqual([])
    },
  )

  it.each(['x'.repeat(8), 'x'.repeat(8_192), 'with blanks "and" \\signs~!'])('takes a value %#', async (value) => {
    const app = fixture()
    await put({ value, hosts: ['a.example'] }, PATH, app)
    expect(app.asked[0]?.args[1]).toMatchObject({ value })
  })

  const LENGTH = 'value must be a text of 8 to 8192 characters'
  const ASCII = 'value must have printable ASCII only: no line break, no control character, no accent'
  it.each([
    ['canary!', LENGTH],
    [`canary${'x'.repeat(8_187)}`, LENGTH],
    ['canary-canary\n', 'value must not end with a line break: leave it out'],
    ['canary\r\ncanary', ASCII],
    ['canary\tcanary', ASCII],
    ['canary-canäry', ASCII],
    ['canary-\u007fcanary', ASCII],
    [' canary-canary', 'value must not begin or end with a blank, because a header would lose it'],
    ['Bearer secret:canary', 'value must be the value itself, and not name a secret as secret:NAME'],
    [7, LENGTH],
    [['canary-canary'], LENGTH],
    [undefined, 'value is required'],
  ])('U51 the value %j is 422, and not repeated', async (value, message) => {
    const app = fixture()
    const response = await put({ value, hosts: ['a.example'] }, PATH, app)
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ status: 422, errors: [{ pointer: '/value', message }] })
    expect(JSON.stringify(problem)).not.toMatch(/can.?ry/)
    expect(app.asked).toEqual([])
  })

  it.each([
    [
      { hosts: ['https://api.example.com/v1'] },
      '/hosts/0',
      'hosts.0 must be a host, and not a whole address: write "api.example.com"',
    ],
    [
      { hosts: ['a.example', '*.example'] },
      '/hosts/1',
      'hosts.1 must be host or host:port, such as api.example.com: name each host, * stands for none',
    ],
    [{ hosts: [] }, '/hosts', 'hosts must be a list of 1 to 20 hosts'],
    [{ hosts: Array.from({ length: 21 }, (_, n) => `h${n}.example`) }, '/hosts', 'hosts must be at most 20'],
    [{ hosts: 'a.example' }, '/hosts', 'hosts must be a list'],
    [{ host: ['a.example'], hosts: ['a.example'] }, '/host', 'unknown field "host"; did you mean "hosts"?'],
    [{}, '/hosts', 'hosts is required'],
  ])('%j is 422', async (body, pointer, message) => {
    const problem = await problemOf(await put({ value: VALUE, ...body }))
    expect(problem).toMatchObject({ status: 422, errors: [{ pointer, message }] })
    expect(JSON.stringify(problem)).not.toContain(VALUE)
  })

  it.each([
    ['{"value":"canary-of-a-tool"', 400, 'invalid_json'],
    ['canary-of-a-tool', 400, 'invalid_json'],
    ['{"value":"canary-of-a-tool\u0000"}', 400, 'invalid_json'],
    ['', 400, 'invalid_json'],
  ])('U51 the body %j is %i %s, and not repeated', async (body, status, code) => {
    const problem = await problemOf(await put(body))
    expect(problem).toMatchObject({ status, code })
    expect(JSON.stringify(problem)).not.toContain('canary')
  })

  it('U51 as a form or as a text it is not taken', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const response = await fixture().send('PUT', PATH, `value=${VALUE}`, { 'content-type': type })
      const problem = await problemOf(response)
      expect(problem).toMatchObject({ status: 415, code: 'unsupported_media_type' })
      expect(JSON.stringify(problem)).not.toContain(VALUE)
    }
  })

  it('U51 one too many is 409 that says how many there may be', async () => {
    const app = fixture({ behaviour: { refusal: { code: 'too_many_secrets', max: 100 } } })
    expect(await problemOf(await put({ value: VALUE, hosts: ['a.example'] }, PATH, app))).toMatchObject({
      status: 409,
      detail: 'A tenant has at most 100 secrets; delete one first, or put it in place of another.',
    })
  })
})

describe('GET and DELETE', () => {
  it('a secret is shown without its value, as text in one line', async () => {
    expect(await (await fixture().send('GET', PATH)).json()).toEqual(SECRET_EXAMPLE)
    const text = await fixture().send('GET', PATH, null, TEXT)
    expect(await text.text()).toBe('orders  api.example.com  never used\n')
  })

  it.each(['GET', 'DELETE'])(
    '%s of an unknown one is 404 with the nearest name, and repeats nothing',
    async (method) => {
      const hint = '; did you mean "orders"?'
      const app = (given: string) => fixture({ behaviour: { refusal: { code: 'secret_not_found', hint: given } } })
      expect(await problemOf(await app(hint).send(method, '/secrets/ordesr'))).toMatchObject({
        status: 404,
        code: 'secret_not_found',
        detail: 'There is no such secret; did you mean "orders"?',
      })
      expect(await problemOf(await app('').send(method, '/secrets/%00x'))).toMatchObject({
        status: 404,
        detail: 'There is no such secret; GET /secrets lists those there are.',
      })
    },
  )

  it('DELETE is 204', async () => {
    const { send, asked } = fixture()
    expect((await send('DELETE', PATH)).status).toBe(204)
    expect(asked).toEqual([{ method: 'deleteSecret', args: [callerOf('alice'), 'orders'] }])
  })
})

describe('GET /secrets', () => {
  it.each([
    ['', { limit: 20, after: '' }],
    ['?limit=3&after=orders', { limit: 3, after: 'orders' }],
  ])('%s', async (query, paging) => {
    const { send, asked } = fixture()
    const response = await send('GET', `/secrets${query}`)
    expect(await response.json()).toEqual({ data: [SECRET_EXAMPLE], has_more: false, next_cursor: null })
    expect(asked).toEqual([{ method: 'listSecrets', args: [callerOf('alice'), paging] }])
  })

  it('as text one line each', async () => {
    const data = [{ ...SECRET_EXAMPLE, hosts: ['a.example', 'b.example'], last_used_at: '2026-03-02T09:00:00.000Z' }]
    const listSecrets = async () => ok({ data, has_more: true, next_cursor: 'orders' })
    const response = await fixture({ answers: { listSecrets } }).send('GET', '/secrets?limit=1', null, TEXT)
    expect(await response.text()).toBe(
      'orders  a.example b.example  used 2026-03-02T09:00:00.000Z\nmore: ?after=orders\n',
    )
  })

  it('POST is 405: a secret is put under its name', async () => {
    const response = await fixture().post('/secrets', { value: VALUE })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
