/** Plain HTTP tools of a new task: what an entry of `tools` may say, and the tool that it makes (docs/tools.md "Plain HTTP tools"). */
import { describe, expect, it } from 'vitest'
import { Brief } from '../../src/core/terms/effect.ts'
import { LOOPBACK } from '../support/addresses.ts'
import { fixture, problemOf } from '../support/http-fixture.ts'
import { HOSTILE } from '../support/hostile-addresses.ts'

const ORDERS = 'https://api.example.com/orders/{id}'

async function create(tools: unknown, env: Record<string, unknown> = {}) {
  const { post, asked } = fixture({ env })
  return { response: await post('/tasks', { goal: 'x', tools }), asked }
}
async function errorsOf(http: object, env?: Record<string, unknown>) {
  const { response, asked } = await create([{ http }], env)
  expect([response.status, asked]).toEqual([422, []])
  return (await problemOf(response))['errors']
}
async function kept(tools: unknown, env?: Record<string, unknown>) {
  const { response, asked } = await create(tools, env)
  expect(response.status).toBe(201)
  // What a task is made of is the second argument.
  return Brief.pick({ tools: true }).parse(asked.find(({ method }) => method === 'createTask')?.args[1]).tools
}
const at = (place: string, message: string) => [
  { pointer: `/tools/0/http/${place}`, message: `tools.0.http.${place.replaceAll('/', '.')} ${message}` },
]

describe('HTTP tools: the tool of an entry', () => {
  it('a url is enough: it is a GET, named by method and path, with its placeholders as parameters', async () => {
    expect(await kept([{ http: { url: `${ORDERS}/items?state={state}&id={id}` } }])).toEqual([
      {
        name: 'get_orders_items',
        description: 'GET /orders/{id}/items',
        parameters: {
          type: 'object',
          properties: { id: { type: 'string' }, state: { type: 'string' } },
          required: ['id', 'state'],
          additionalProperties: false,
        },
        url: `${ORDERS}/items?state={state}&id={id}`,
        idempotent: true,
        read_only: true,
        call: {
          kind: 'http',
          method: 'GET',
          path: [],
          query: [],
          headers: [],
          cookies: [],
          body: null,
          answer: null,
          selects: false,
        },
      },
    ])
  })

  it('all of it, as it was sent', async () => {
    const parameters = { type: 'object', properties: { id: { type: 'integer' }, note: {}, team: {} }, required: ['id'] }
    const [tool] = await kept([
      {
        http: {
          name: 'close',
          description: 'Closes an order.',
          method: 'PATCH',
          url: ORDERS,
          query: { key: 'secret:orders' },
          headers: { authorization: 'Bearer secret:orders', 'x-team': '{team}' },
          body: { template: { state: 'closed', note: '{note}', keep: null } },
          answer: 'data.order',
          parameters,
          idempotent: true,
        },
      },
    ])
    expect(tool).toMatchObject({
      name: 'close',
      description: 'Closes an order.',
      parameters,
      idempotent: true,
      call: {
        method: 'PATCH',
        query: [{ name: 'key', value: 'secret:orders' }],
        headers: [
          { name: 'authorization', value: 'Bearer secret:orders' },
          { name: 'x-team', value: '{team}' },
        ],
        body: { type: 'application/json', template: { state: 'closed', note: '{note}', keep: null } },
        answer: 'data.order',
      },
    })
    expect(tool).not.toHaveProperty('read_only')
  })

  it.each([
    ['GET', 'https://api.example.com/', 'get_api_example_com'],
    ['DELETE', 'https://api.example.com', 'delete_api_example_com'],
    ['POST', 'https://api.example.com/v1/a.b/{x}/会/c', 'post_v1_a_b___c'],
    ['HEAD', `https://api.example.com/${'x'.repeat(100)}`, `head_${'x'.repeat(59)}`],
  ])('%s %s has the name %s', async (method, url, name) => {
    expect((await kept([{ http: { method, url } }]))[0]?.name).toBe(name)
  })

  it('a tool that acts is not repeated unless the entry says so', async () => {
    const idempotent = async (more: object) => (await kept([{ http: { url: ORDERS, ...more } }]))[0]?.idempotent
    expect([await idempotent({ method: 'HEAD' }), await idempotent({ method: 'PUT' })]).toEqual([true, false])
    expect(await idempotent({ method: 'POST', idempotent: true })).toBe(true)
  })

  it('needs no secret to sign with, unlike a signed tool beside it', async () => {
    expect(await kept([{ http: { url: ORDERS } }], {})).toHaveLength(1)
    const { response } = await create([{ http: { url: ORDERS } }, { name: 'a', url: 'https://example.com/' }])
    expect((await problemOf(response))['errors']).toMatchObject([{ pointer: '/tools/1/url' }])
  })
})

describe('HTTP tools: what an entry is', () => {
  const problems = async (entry: unknown) => (await problemOf((await create([entry])).response))['errors']
  const KINDS = {
    pointer: '/tools/0',
    message: 'tools.0 must have name and url of a signed tool, or one of http, mcp, openapi',
  }
  const DOCUMENT =
    'must be the address of the document, {"url": "https://…"}, or {"file": "api.json"} for a file of the task'
  const wrong = (place: string, message: string) => [
    { pointer: `/tools/0/${place}`, message: `tools.0.${place.replaceAll('/', '.')} ${message}` },
  ]
  const unknown = (place: string, meant?: string) => [
    {
      pointer: `/tools/0/${place}`,
      message: `unknown field "${place.split('/').at(-1)}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
    },
  ]
  it.each<[string, unknown, object[]]>([
    ['nothing', {}, [KINDS]],
    ['nothing that is known', { foo: 1 }, [KINDS]],
    ['a list', [], [KINDS]],
    ['two kinds', { name: 'a', url: 'https://example.com/', http: { url: ORDERS } }, [KINDS]],
    ['two other kinds', { mcp: ORDERS, openapi: ORDERS }, [KINDS]],
    ['two kinds, one of them wrong', { mcp: ORDERS, http: 7 }, [KINDS]],
    ['a kind that is misspelled', { htp: {} }, unknown('htp', 'http')],
    ['a kind whose letters are exchanged', { mpc: ORDERS }, unknown('mpc', 'mcp')],
    ['a field of http beside it', { name: 'a', method: 'GET' }, unknown('method', 'http.method')],
    ['a field of http in a signed tool', { name: 'a', url: ORDERS, method: 'GET' }, unknown('method', 'http.method')],
    ['a field of http beside mcp', { mcp: ORDERS, method: 'GET' }, unknown('method')],
    ['a field of mcp that is misspelled', { mcp: ORDERS, tols: ['a'] }, unknown('tols', 'tools')],
    ['a field of mcp beside openapi', { openapi: ORDERS, tools: ['a'] }, unknown('tools')],
    [
      'a field of openapi that is misspelled',
      { openapi: ORDERS, operation: ['a'] },
      unknown('operation', 'operations'),
    ],
    ['a field of a document that is misspelled', { openapi: { fil: 'a' } }, unknown('openapi/fil', 'file')],
    ['a document that is two', { openapi: { url: ORDERS, file: 'a' } }, wrong('openapi', DOCUMENT)],
    ['a document that is a number', { openapi: 7 }, wrong('openapi', DOCUMENT)],
    [
      'an address that is a number',
      { openapi: { url: 7 } },
      wrong('openapi/url', 'must be a text of 1 to 2000 characters'),
    ],
    ['a server that is none', { mcp: null }, wrong('mcp', 'must be a text of 0 to 2000 characters')],
    ['a name of a source', { mcp: ORDERS, name: 'Tickets' }, wrong('name', 'must be 1 to 24 of a-z 0-9 _ -')],
    ['an empty choice', { mcp: ORDERS, tools: [] }, wrong('tools', 'must be a list of 1 to 128')],
    ['half of OAuth', { mcp: ORDERS, oauth: { client_id: 'a' } }, wrong('oauth/client_secret', 'is required')],
    [
      'a choice',
      { mcp: ORDERS, on_lost: 'skp' },
      wrong('on_lost', 'must be one of ask, skip, not "skp"; did you mean "skip"?'),
    ],
    [
      'a header that is a number',
      { openapi: ORDERS, headers: { a: 7 } },
      wrong('headers/a', 'must be a text of 0 to 4000 characters'),
    ],
    ['the header Accept', { mcp: ORDERS, headers: { Accept: 'a' } }, wrong('headers/Accept', 'is set by the service')],
    ['headers that are a list', { http: { url: ORDERS, headers: [] } }, wrong('http/headers', 'must be an object')],
    ['a text', { http: 'GET /' }, wrong('http', 'must be an object')],
  ])('%s is refused in words that name the kinds', async (_what, entry, errors) => {
    expect(await problems(entry)).toEqual(errors)
  })

  it('names are told apart over all kinds, also those that no entry has written', async () => {
    const { response } = await create([{ http: { url: ORDERS } }, { http: { url: `${ORDERS}?x={x}` } }])
    expect((await problemOf(response))['errors']).toEqual([
      { pointer: '/tools/1/http/name', message: 'tools.1.http.name must differ from those of the other tools' },
    ])
  })
})

describe('HTTP tools: what is refused', () => {
  const post = (more: object) => ({ method: 'POST', url: 'https://api.example.com/', ...more })
  it.each<[string, object, object[]]>([
    ['no url', {}, at('url', 'is required')],
    [
      'a bad method',
      { url: ORDERS, method: 'FETCH' },
      at('method', 'must be one of GET, HEAD, POST, PUT, PATCH, DELETE, not "FETCH"; did you mean "PATCH"?'),
    ],
    [
      'a method in lower case',
      { url: ORDERS, method: 'pst' },
      at('method', 'must be one of GET, HEAD, POST, PUT, PATCH, DELETE, not "pst"; did you mean "POST"?'),
    ],
    [
      'an argument in the host',
      { url: 'https://{host}/x' },
      at('url', 'must have no argument in its host: only path and query may have one'),
    ],
    [
      'an argument in the port',
      { url: 'https://a.example.com:{port}/x' },
      at('url', 'must have no argument in its host: only path and query may have one'),
    ],
    [
      'a secret in the url',
      { url: 'https://api.example.com/?key=secret:orders' },
      at('url', 'must have no secret: name it in headers or in query'),
    ],
    [
      'a brace',
      { url: 'https://api.example.com/{a b}' },
      at('url', 'has a brace that belongs to no {name}: percent-encode it as %7B or %7D'),
    ],
    [
      'a brace that is not closed',
      { url: 'https://api.example.com/{a' },
      at('url', 'has a brace that belongs to no {name}: percent-encode it as %7B or %7D'),
    ],
    [
      'a header of the connection',
      { url: ORDERS, headers: { Host: 'x' } },
      at('headers/Host', 'is set by the service'),
    ],
    [
      'a header twice',
      { url: ORDERS, headers: { 'X-A': 'x', 'x-a': 'y' } },
      [...at('headers/X-A', 'is there twice'), ...at('headers/x-a', 'is there twice')],
    ],
    ['a name of a header', { url: ORDERS, headers: { 'a b': 'x' } }, at('headers/a b', 'is not the name of a header')],
    [
      'a line break in a header',
      { url: ORDERS, headers: { 'x-a': 'a\r\nb: c' } },
      at('headers/x-a', 'must have printable ASCII characters only'),
    ],
    [
      'the content type as a header',
      post({ headers: { 'Content-Type': 'text/csv' } }),
      at('headers/Content-Type', 'is set by body.type'),
    ],
    [
      'a secret in the middle',
      { url: ORDERS, headers: { 'x-a': 'secret:a and more' } },
      at('headers/x-a', 'must name one secret, as its last word: such as "Bearer secret:orders"'),
    ],
    [
      'a secret that an argument would name',
      { url: ORDERS, query: { a: 'secret:{id}' } },
      at('query/a', 'must name a secret as secret:NAME, NAME being 1 to 64 of A-Z a-z 0-9 _ -'),
    ],
    [
      'a header that is no text',
      { url: ORDERS, headers: { 'x-a': 7 } },
      at('headers/x-a', 'must be a text of 0 to 4000 characters'),
    ],
    ['a body of a GET', { url: ORDERS, body: { template: {} } }, at('body', 'must be left out for GET')],
    ['no template', post({ body: {} }), at('body/template', 'is required')],
    [
      'a content type',
      post({ body: { type: 'json', template: {} } }),
      at('body/type', 'must be a content type such as application/json'),
    ],
    [
      'a form of a text',
      post({ body: { type: 'multipart/form-data', template: 'x' } }),
      at('body/template', 'must be an object for a form'),
    ],
    ['a text of an object', post({ body: { type: 'text/csv', template: {} } }), at('body/template', 'must be a text')],
    [
      'a placeholder that parameters lack',
      { url: ORDERS, query: { s: '{stat}' }, parameters: { type: 'object', properties: { id: {}, state: {} } } },
      [
        ...at('query/s', 'has {stat}, which is not in parameters (id, state); did you mean "state"?'),
        ...at('parameters/properties/state', 'is used nowhere: write {state} into url, query, headers or body'),
      ],
    ],
    [
      'a placeholder of a body that parameters lack',
      post({ body: { template: { a: ['x {note}'] } }, parameters: { type: 'object' } }),
      at('body/template', 'has {note}, which is not in parameters'),
    ],
    [
      'parameters that are none',
      { url: ORDERS, parameters: { type: 'text' } },
      at('parameters', 'must have the type "object"'),
    ],
    [
      'the name of asking',
      { url: ORDERS, name: 'askUser' },
      at('name', 'must not be ask_user, by which a model asks the user'),
    ],
    [
      'an unknown field',
      { url: ORDERS, header: {} },
      [{ pointer: '/tools/0/http/header', message: 'unknown field "header"; did you mean "headers"?' }],
    ],
    ['an address that is not public', { url: 'http://10.0.0.1/{id}' }, at('url', 'must begin with https://')],
  ])('%s', async (_what, http, errors) => {
    expect(await errorsOf(http)).toEqual(errors)
  })

  it.each(
    'host connection content-length transfer-encoding keep-alive te trailer upgrade expect idempotency-key traceparent accept-encoding proxy-authorization'.split(
      ' ',
    ),
  )('the header %s', async (name) => {
    expect(await errorsOf({ url: ORDERS, headers: { [name]: 'x' } })).toEqual(
      at(`headers/${name}`, 'is set by the service'),
    )
  })

  it('U24 more than 50 arguments or headers, and no long look at 32 KB of placeholders', async () => {
    const query = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, `{a${index}}`]))
    expect(await kept([{ http: { url: 'https://api.example.com/', query: query(50) } }])).toHaveLength(1)
    expect(await errorsOf({ url: 'https://api.example.com/', query: query(51) })).toMatchObject([
      { pointer: '/tools/0/http/url' },
    ])
    const headers = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x-${index}`, 'x']))
    expect(await errorsOf({ url: ORDERS, headers })).toEqual(at('headers', 'must have at most 50 members'))
    const many = { url: 'https://api.example.com/', query: { a: '{no}'.repeat(900) }, parameters: { type: 'object' } }
    expect(await errorsOf(many)).toHaveLength(1)
  })
})

describe('HTTP tools: where they may be', () => {
  it.each(HOSTILE)('F65 %j is refused', async (url) => {
    expect(await errorsOf({ url })).toEqual([
      { pointer: '/tools/0/http/url', message: expect.stringMatching(/^tools\.0\.http\.url must /) },
    ])
  })

  it.each(LOOPBACK)('%s is taken in development only', async (url) => {
    expect(await kept([{ http: { url: `${url}/{id}` } }], { ENVIRONMENT: 'development' })).toHaveLength(1)
    expect(await errorsOf({ url: `${url}/{id}` })).toMatchObject([{ pointer: '/tools/0/http/url' }])
  })
})
