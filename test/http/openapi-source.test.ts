/** An OpenAPI document as an entry of `tools`: what may be said of it, and the source that it makes (docs/tools.md). */
import { describe, expect, it } from 'vitest'
import { OpenApiEntry, openApiAddresses, openApiSourceOf } from '../../src/http/shapes/tools/openapi-source.ts'
import { sourceName } from '../../src/http/shapes/tools/source-name.ts'

const URL = 'https://api.tickets.example.com/openapi.json'
const sourceOf = (entry: object) => openApiSourceOf(OpenApiEntry.parse(entry))
const messagesOf = (entry: object) =>
  OpenApiEntry.safeParse(entry).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

describe('OpenAPI: an entry of tools', () => {
  it('an address alone is enough', () => {
    expect(sourceOf({ openapi: URL })).toEqual({
      kind: 'openapi',
      name: 'tickets',
      headers: {},
      optional: false,
      document: { url: URL },
      operations: null,
      tags: null,
      methods: null,
      server: null,
      security: {},
    })
    expect(sourceOf({ openapi: { url: URL } })).toEqual(sourceOf({ openapi: URL }))
  })

  it('all of it, as it was given', () => {
    const more = {
      name: 'shop',
      operations: ['createOrder', 'GET /orders/{id}'],
      tags: ['orders'],
      methods: ['GET', 'POST'],
      server: 'https://api.example.com',
      security: { key: 'secret:orders' },
      headers: { 'x-app': 'loop' },
      optional: true,
    }
    expect(sourceOf({ openapi: { file: 'api.json' }, ...more })).toEqual({
      kind: 'openapi',
      document: { file: 'api.json' },
      ...more,
    })
  })

  it.each([
    [{ openapi: 7 }, 'openapi must be the address of the document'],
    [{ openapi: {} }, 'openapi must be the address of the document'],
    [{ openapi: { url: URL, file: 'a.json' } }, 'openapi must be the address of the document'],
    [{ openapi: URL, name: 'Shop' }, 'name must be 1 to 24 of a-z 0-9 _ -'],
    [{ openapi: URL, methods: ['get'] }, 'methods.0'],
    [{ openapi: URL, operations: [] }, 'operations'],
    [{ openapi: URL, headers: { 'a b': 'x' } }, 'headers.a b is not the name of a header'],
    [{ openapi: URL, headers: { Host: 'x' } }, 'headers.Host is set by the service'],
    [{ openapi: URL, headers: { a: 'x', A: 'y' } }, 'headers.a is there twice'],
    [{ openapi: URL, headers: { a: 'x\r\ny: z' } }, 'headers.a must have printable ASCII characters only'],
    [
      { openapi: URL, security: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [index, ''])) },
      'security must have at most 20 members',
    ],
    [{ openapi: URL, operation: ['a'] }, 'operation'],
  ])('a mistake in %j names its place', (entry, message) => {
    expect(messagesOf(entry).join('\n')).toContain(message)
  })

  it('each address has its place, so that a refusal can name it', () => {
    const of = (entry: object) => openApiAddresses(OpenApiEntry.parse(entry))
    expect(of({ openapi: 'a', server: 'b' })).toEqual([
      { path: ['openapi'], url: 'a' },
      { path: ['server'], url: 'b' },
    ])
    expect(of({ openapi: { url: 'a' } })).toEqual([{ path: ['openapi', 'url'], url: 'a' }])
    expect(of({ openapi: { file: 'a' } })).toEqual([])
  })
})

describe('Sources of tools: the default name', () => {
  it.each([
    ['https://api.tickets.example.com/v1', 'tickets'],
    ['https://www.example.com', 'example'],
    ['https://mcp.linear.app/sse', 'linear'],
    ['https://raw.githubusercontent.com/x/y', 'githubusercontent'],
    ['https://docs.api.example.com', 'example'],
    ['https://api.com', 'api'],
    ['http://localhost:3000', 'localhost'],
    ['https://xn--bcher-kva.example', 'xn--bcher-kva'],
    [`https://${'a'.repeat(60)}.example.com`, 'a'.repeat(24)],
    ['not an address', 'api'],
  ])('of %s it is %s', (url, name) => {
    expect(sourceName({ url })).toBe(name)
  })

  it.each([
    ['tickets.json', 'tickets'],
    ['My API v2.yaml', 'my_api_v2'],
    ['查询.json', 'api'],
    ['.json', 'api'],
  ])('of the file %s it is %s', (file, name) => {
    expect(sourceName({ file })).toBe(name)
  })
})
