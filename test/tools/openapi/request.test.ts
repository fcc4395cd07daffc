/** What the parameters, the body, the servers and the security of an operation become in the request of a tool (docs/tools.md). */
import { describe, expect, it } from 'vitest'
import { openFile } from '../../support/open-file.ts'
import { documentWith, httpCallOf, list, listed, OK_RESPONSE, reasonOf, toolOf } from '../../support/openapi.ts'

const TEXT = { type: 'string' }
const query = (name: string, more: object = {}) => ({ name, in: 'query', schema: TEXT, ...more })
const POST = { operationId: 'create' }

describe('OpenAPI: parameters', () => {
  it('each place and style, with the defaults of the standard', async () => {
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: TEXT },
      query('plain'),
      query('list', { style: 'form', explode: false }),
      query('spaces', { style: 'spaceDelimited' }),
      query('pipes', { style: 'pipeDelimited' }),
      query('deep', { style: 'deepObject', explode: true }),
      query('json', { schema: undefined, content: { 'application/json': { schema: { type: 'object' } } } }),
      { name: 'X-Trace', in: 'header', schema: TEXT },
      { name: 'session', in: 'cookie', schema: TEXT },
    ]
    const { tools } = await listed(documentWith({ '/orders/{id}/lines': { get: { parameters } } }))
    const [tool] = tools
    expect(tool?.url).toBe('https://api.example.com/v1/orders/{id}/lines')
    expect(tool && httpCallOf(tool)).toEqual({
      kind: 'http',
      method: 'GET',
      path: [{ name: 'id', argument: 'id', style: 'simple', explode: false }],
      query: [
        { name: 'plain', argument: 'plain', style: 'form', explode: true },
        { name: 'list', argument: 'list', style: 'form', explode: false },
        { name: 'spaces', argument: 'spaces', style: 'space', explode: false },
        { name: 'pipes', argument: 'pipes', style: 'pipe', explode: false },
        { name: 'deep', argument: 'deep', style: 'deep', explode: true },
        { name: 'json', argument: 'json', style: 'json', explode: false },
      ],
      headers: [{ name: 'X-Trace', argument: 'X-Trace', style: 'simple', explode: false }],
      cookies: [{ name: 'session', argument: 'session', style: 'form', explode: true }],
      body: null,
      answer: null,
      selects: false,
    })
    expect(tool?.parameters?.['required']).toEqual(['id'])
  })

  it('those of the path hold for its operations, which may replace them', async () => {
    const item = {
      parameters: [query('page'), query('size', { description: 'of the path' })],
      get: { parameters: [query('size', { description: 'of the operation' })] },
    }
    const { tools } = await listed(documentWith({ '/a': item }))
    expect(tools[0]?.parameters?.['properties']).toEqual({
      page: TEXT,
      size: { ...TEXT, description: 'of the operation' },
    })
  })

  it('names are made fit for models, and those that are there twice say where they belong', async () => {
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: TEXT },
      query('id'),
      query('filter[name]'),
      query('filter(name)'),
      query('2fa'),
      query('$top'),
      query('body'),
      query('名'),
    ]
    const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }
    const { tools } = await listed(documentWith({ '/o/{id}': { post: { parameters, requestBody } } }))
    const [tool] = tools
    expect(Object.keys(Object(tool?.parameters?.['properties']))).toEqual([
      'path_id',
      'query_id',
      'query_filter_name',
      'query_filter_name_2',
      '_2fa',
      'top',
      'query_body',
      'value',
      'body',
    ])
    expect(tool?.url).toBe('https://api.example.com/v1/o/{path_id}')
    expect(tool && httpCallOf(tool).query.map(({ name }) => name)).toEqual([
      'id',
      'filter[name]',
      'filter(name)',
      '2fa',
      '$top',
      'body',
      '名',
    ])
  })

  it('headers that the service writes itself are no arguments', async () => {
    const names = ['Accept', 'content-type', 'AUTHORIZATION', 'Host', 'Cookie', 'Idempotency-Key', 'X-Own']
    const parameters = names.map((name) => ({ name, in: 'header', required: true, schema: TEXT }))
    const { tool, notes } = await toolOf({ ...POST, parameters })
    expect(tool.parameters).toEqual({ type: 'object', properties: { 'X-Own': TEXT }, required: ['X-Own'] })
    expect(notes).toContain('shop.create: its header Idempotency-Key is no argument: the service writes it itself')
  })

  it('a place of the path that nothing describes is any text, and is told', async () => {
    const { tools, notes } = await listed(documentWith({ '/a/{x y}/b c': { get: { operationId: 'a' } } }))
    expect(tools[0]?.url).toBe('https://api.example.com/v1/a/{x_y}/b%20c')
    expect(tools[0]?.parameters).toEqual({ type: 'object', properties: { x_y: TEXT }, required: ['x_y'] })
    expect(notes).toEqual(['shop.a: it does not describe {x y} of its path, so that is any text'])
  })

  it.each([
    [{ name: 'id', in: 'query', style: 'matrix' }, 'whose style "matrix" is not known in a query'],
    [{ name: 'id', in: 'query', style: 'constructor' }, 'whose style "constructor" is not known in a query'],
    [{ name: 'id', in: 'body' }, 'which is in "body"'],
    [{ name: 'a b', in: 'header' }, 'whose name no header can have'],
  ])('%j is left out where it is optional, and its operation where it is required', async (parameter, why) => {
    const { notes } = await toolOf({ ...POST, parameters: [parameter] })
    expect(notes).toEqual([`shop.create: its parameter "${parameter.name}" is left out: ${why}`])
    const paths = {
      '/a': { post: { ...POST, parameters: [{ ...parameter, required: true }] } },
      '/b': { get: { operationId: 'other' } },
    }
    const { tools, notes: told } = await listed(documentWith(paths))
    expect(tools.map(({ name }) => name)).toEqual(['shop.other'])
    expect(told).toEqual([`create is left out: it needs its parameter "${parameter.name}", ${why}`])
    expect(await reasonOf(documentWith(paths), { operations: ['create'] })).toContain(
      `cannot be used: create needs its parameter "${parameter.name}", ${why}`,
    )
  })

  it('a model may select parts of an answer that is JSON, unless the operation has such an argument', async () => {
    const { tool, call } = await toolOf({ ...POST, ...OK_RESPONSE })
    expect(call.selects).toBe(true)
    expect(tool.parameters?.['properties']).toMatchObject({ fields: { type: 'array', items: TEXT } })
    const own = await toolOf({ ...POST, ...OK_RESPONSE, parameters: [query('fields')] })
    expect([own.call.selects, own.tool.parameters?.['properties']]).toEqual([false, { fields: TEXT }])
    expect((await toolOf(POST)).call.selects).toBe(false)
  })
})

const bodyOf = (content: object, more: object = {}) => ({ ...POST, requestBody: { content, ...more } })
const media = (schema: object = { type: 'object' }) => ({ schema })

describe('OpenAPI: bodies', () => {
  it.each([
    [{ 'text/plain': media(), 'application/xml': media(), 'application/json': media() }, 'application/json'],
    [{ 'application/merge-patch+json': media() }, 'application/merge-patch+json'],
    [{ 'application/vnd.x+json': media(), 'application/json; charset=utf-8': media() }, 'application/json'],
    [{ '*/*': media() }, 'application/json'],
    [
      { 'multipart/form-data': media(), 'application/x-www-form-urlencoded': media() },
      'application/x-www-form-urlencoded',
    ],
    [{ 'multipart/form-data': media(), 'text/csv': media() }, 'multipart/form-data'],
    [{ 'text/csv': media({ type: 'string' }) }, 'text/csv'],
  ])('of %j the type %s is sent', async (content, type) => {
    const { call } = await toolOf(bodyOf(content))
    expect(call.body).toEqual({ type, template: '{body}' })
  })

  it('the body is one argument, required where the document says so', async () => {
    const { tool } = await toolOf(bodyOf({ 'application/json': media() }, { required: true, description: 'An order.' }))
    expect(tool.parameters).toEqual({
      type: 'object',
      properties: { body: { type: 'object', description: 'An order.' } },
      required: ['body'],
    })
  })

  it.each([
    [{ 'application/octet-stream': media() }, 'which has the type application/octet-stream'],
    [
      { 'multipart/form-data': media({ properties: { f: { type: 'string', format: 'binary' } }, required: ['f'] }) },
      'in which "f" is a file',
    ],
  ])('a body that no model can write is left out: %j', async (content, why) => {
    const { call, notes } = await toolOf(bodyOf(content))
    expect([call.body, notes]).toEqual([null, [`shop.create: its body is left out: ${why}`]])
    const required = documentWith({ '/a': { post: bodyOf(content, { required: true }) } })
    expect(await reasonOf(required)).toContain(`create is left out: it needs a body, ${why}`)
  })

  it('files of a form are left out where they are optional', async () => {
    const properties = {
      title: TEXT,
      scan: { $ref: '#/components/schemas/File' },
      scans: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
      text: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
    }
    const { tool, notes } = await toolOf(bodyOf({ 'multipart/form-data': media({ type: 'object', properties }) }), {
      components: { schemas: { File: { type: 'string', format: 'binary' } } },
    })
    expect(tool.parameters?.['properties']).toEqual({
      body: { type: 'object', properties: { title: TEXT, text: TEXT } },
    })
    expect(notes).toContain('shop.create: files of its body are left out: scan, scans')
  })

  it('GET has no body', async () => {
    const { tools, notes } = await listed(documentWith({ '/a': { get: bodyOf({ 'application/json': media() }) } }))
    expect(tools[0] && httpCallOf(tools[0]).body).toBeNull()
    expect(notes).toEqual(['shop.create: its body is left out: which GET cannot have'])
  })
})

describe('OpenAPI: servers', () => {
  const urlOf = async (more: object, source: Parameters<typeof listed>[1] = {}) =>
    (await listed({ ...documentWith({ '/a': { get: { ...more } } }) }, source)).tools[0]?.url

  it.each([
    [{}, {}, 'https://api.example.com/v1/a'],
    [{ servers: [{ url: 'https://other.example.com/' }] }, {}, 'https://other.example.com/a'],
    [{ servers: [{ url: '/v2' }] }, {}, 'https://docs.example.com/v2/a'],
    [{ servers: [{ url: './v3/' }] }, {}, 'https://docs.example.com/v1/v3/a'],
    [
      {
        servers: [
          {
            url: 'https://{region}.example.com/{base}',
            variables: { region: { default: 'eu' }, base: { default: 'v9' } },
          },
        ],
      },
      {},
      'https://eu.example.com/v9/a',
    ],
    [{}, { server: 'https://mine.example.com/base/' }, 'https://mine.example.com/base/a'],
    [{}, { server: 'https://mine.example.com/{x}' }, 'https://mine.example.com/%7Bx%7D/a'],
  ])('%j with %j is called at %s', async (more, source, url) => {
    expect(await urlOf(more, source)).toBe(url)
  })

  it.each([
    [{ servers: [{ url: 'https://' }] }, {}, 'has the server "https://", which is no address'],
    [{ servers: [{ url: 'https://10.0.0.1/' }] }, {}, 'must not name an IP address'],
    [{ servers: [{ url: 'http://api.example.com' }] }, {}, 'must begin with https://'],
    [{ servers: [{ url: 'https://metadata.internal' }] }, {}, 'must not name a host of a private or local network'],
    [{}, { server: 'https://localhost' }, 'must name a host with its domain'],
  ])('U41 %j with %j is refused', async (more, source, reason) => {
    expect(await reasonOf(documentWith({ '/a': { get: more } }), source)).toContain(reason)
  })

  it('a file has no address that a server may be relative to', async () => {
    const document = JSON.stringify(documentWith({ '/a': { get: { servers: [{ url: '/v1' }] } } }))
    const open = async () => ({ ok: true as const, value: openFile(document) })
    const answer = await list('', { document: { file: 'api.json' } }, { files: { open } })
    expect(answer).toMatchObject({ kind: 'tools_unlisted', passing: false })
    expect(answer.kind === 'tools_unlisted' && answer.reason).toContain('say in `server` where it is')
  })

  it('a path that leads elsewhere is none', async () => {
    expect(await reasonOf(documentWith({ '@evil.example.com/a': { get: {} } }))).toContain('does not begin with /')
    expect(await urlOf({})).not.toContain('evil')
    const { tools } = await listed(documentWith({ '//evil.example.com/{a}{b': { get: {} } }))
    expect(tools[0]?.url).toBe('https://api.example.com/v1//evil.example.com/{a}%7Bb')
  })
})

const SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  queryKey: { type: 'apiKey', in: 'query', name: 'key' },
  cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
  token: { type: 'http', scheme: 'Bearer' },
  login: { type: 'http', scheme: 'basic' },
  oauth: { type: 'oauth2', flows: {} },
  mutual: { type: 'mutualTLS' },
}
const secured = (security: unknown) =>
  documentWith({ '/a': { get: { operationId: 'a', security } } }, { components: { securitySchemes: SCHEMES } })
/** Literal credentials go to the host of the document. */
const OWN_HOST = { document: { url: 'https://api.example.com/openapi.json' } }
const callFor = async (requirement: unknown, source: Parameters<typeof listed>[1]) => {
  const { tools, notes } = await listed(secured(requirement), { ...OWN_HOST, ...source })
  if (tools[0] === undefined) throw new Error('no tool')
  const { headers, query: pairs, cookies } = httpCallOf(tools[0])
  return { headers, query: pairs, cookies, notes }
}

describe('OpenAPI: security', () => {
  it.each([
    ['key', { headers: [{ name: 'X-Key', value: 'secret:s' }] }],
    ['queryKey', { query: [{ name: 'key', value: 'secret:s' }] }],
    ['cookieKey', { cookies: [{ name: 'sid', value: 'secret:s' }] }],
    ['token', { headers: [{ name: 'authorization', value: 'Bearer secret:s' }] }],
    ['oauth', { headers: [{ name: 'authorization', value: 'Bearer secret:s' }] }],
    ['login', { headers: [{ name: 'authorization', value: 'secret:s', basic: true }] }],
  ])('%s is sent as the document says', async (name, parts) => {
    expect(await callFor([{ [name]: [] }], { security: { [name]: 'secret:s' } })).toEqual({
      headers: [],
      query: [],
      cookies: [],
      notes: [],
      ...parts,
    })
  })

  it('the first alternative of which everything is given is taken', async () => {
    const alternatives = [{ key: [], token: [] }, { queryKey: [] }, { cookieKey: [] }]
    const one = await callFor(alternatives, { security: { cookieKey: 'c', queryKey: 'q', key: 'k' } })
    expect([one.headers, one.query, one.cookies]).toEqual([[], [{ name: 'key', value: 'q' }], []])
    const both = await callFor(alternatives, { security: { key: 'k', token: 'Bearer t' } })
    expect(both.headers).toEqual([
      { name: 'X-Key', value: 'k' },
      { name: 'authorization', value: 'Bearer t' },
    ])
  })

  it('what is missing is named', async () => {
    expect(await reasonOf(secured([{ key: [], token: [] }, { login: [] }]))).toContain(
      'a needs `security.key` (an API key) and `security.token` (a bearer token) or `security.login` (`user:password`)',
    )
    expect(await reasonOf(secured([{ mutual: [] }]))).toContain(
      'the security scheme mutual, which this service does not know',
    )
    expect(await reasonOf(secured([{ constructor: [] }]))).toContain('the security scheme constructor')
    expect(await reasonOf(secured([]), { security: { tokn: 'x' } })).toContain(
      'has no security scheme "tokn"; did you mean "token"?',
    )
  })

  it('where nothing is needed the operation is offered without it, and that is told', async () => {
    const open = await callFor([{ token: [] }, {}], {})
    expect(open).toMatchObject({
      headers: [],
      notes: ['shop.a: it is called without what it can also take: `security.token` (a bearer token)'],
    })
    expect(await callFor([], {})).toMatchObject({ headers: [], notes: [] })
  })

  it('headers of the source are sent with each request, and count as what a scheme asks for', async () => {
    const { headers } = await callFor([{ token: [] }], {
      headers: { Authorization: 'Bearer secret:s', 'x-app': 'loop' },
    })
    expect(headers).toEqual([
      { name: 'Authorization', value: 'Bearer secret:s' },
      { name: 'x-app', value: 'loop' },
    ])
  })

  it('what a scheme or the source sends is no argument', async () => {
    const parameters = [query('key', { required: true }), { name: 'X-App', in: 'header', required: true, schema: TEXT }]
    const document = documentWith(
      { '/a': { get: { parameters, security: [{ queryKey: [] }] } } },
      { components: { securitySchemes: SCHEMES } },
    )
    const { tools } = await listed(document, { ...OWN_HOST, security: { queryKey: 'k' }, headers: { 'x-app': 'loop' } })
    expect(tools[0]?.parameters).toEqual({ type: 'object', properties: {} })
  })
})
