/** Whatever a document says, an import ends within its bounds, with tools or with a reason (docs/tools.md). */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looseName, type ClientTool } from '../../../src/core/terms/tools/client-tools.ts'
import { appliedSchema } from '../../../src/core/terms/schema/tool-parameters.ts'
import { readAddress } from '../../../src/shell/network/address.ts'
import { documentWith, httpCallOf, list, listed, OK_RESPONSE, reasonOf } from '../../support/openapi.ts'

const AGENTS = readFileSync('test/fixtures/openapi/agent-protocol.json', 'utf8')

/** What has to hold of each tool of any document. */
function expectSound(tool: ClientTool): void {
  expect(tool.name).toMatch(/^shop\.[A-Za-z0-9_-]+$/)
  expect(tool.name.length).toBeLessThanOrEqual(64)
  expect(tool.description.length).toBeLessThanOrEqual(1_000)
  expect(appliedSchema(tool.parameters ?? {})).toMatchObject({ ok: true })
  expect(JSON.stringify(tool).length).toBeLessThan(40_000)
  // JSON escapes a lone surrogate, which no row can hold.
  expect(JSON.stringify(tool)).not.toMatch(/\\ud[89a-f]/)
  expect(readAddress(tool.url.replaceAll(/[{}]/g, ''), { loopback: false })).toMatchObject({ ok: true })
  const known = Object.keys(Object(tool.parameters?.['properties']))
  const { path, query, headers, cookies } = httpCallOf(tool)
  for (const part of [...path, ...query, ...headers, ...cookies])
    if ('argument' in part) expect(known).toContain(part.argument)
  const places = Array.from(tool.url.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
  for (const name of places) expect(known).toContain(name)
}

async function expectAnswered(document: object | string, source: Parameters<typeof list>[1] = {}) {
  const answer = await list(document, source)
  if (answer.kind === 'tools_unlisted') {
    expect(answer.reason.length).toBeLessThan(3_000)
    return answer
  }
  expect(answer.tools.length).toBeGreaterThan(0)
  expect(new Set(answer.tools.map(({ name }) => looseName(name))).size).toBe(answer.tools.length)
  expect(answer.notes.length).toBeLessThanOrEqual(41)
  for (const tool of answer.tools) expectSound(tool)
  return answer
}

const TEXTS = [
  '',
  'x',
  '__proto__',
  'constructor',
  '{',
  '}',
  '{a}',
  '../..',
  '//evil.test',
  '\ud800',
  '\u202e',
  '查询',
  '#/paths',
  '#/components/schemas/Loop',
  'other.json#/x',
  'secret:s',
  'x'.repeat(5_000),
  '\r\nx: y',
  '%2e%2e',
  '?a=b#c',
]
const VALUES: unknown[] = [
  ...TEXTS,
  null,
  true,
  false,
  0,
  -1,
  1e308,
  [],
  {},
  [[]],
  [null],
  { $ref: '#/components/schemas/Loop' },
  { $ref: 7 },
  { $ref: '#' },
  { $ref: '#/' },
  { type: 'string' },
  { enum: [{}] },
  { '': '' },
]

/** All places of a value: the object or list, and the name in it. */
function placesIn(
  value: unknown,
  places: [Record<string, unknown>, string][] = [],
): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return places
  // A list is read by positions as an object is by names.
  const holder = value as Record<string, unknown>
  for (const name of Object.keys(holder)) {
    places.push([holder, name])
    placesIn(holder[name], places)
  }
  return places
}

const small = () =>
  documentWith(
    {
      '/orders/{id}': {
        parameters: [{ $ref: '#/components/parameters/Id' }],
        get: {
          operationId: 'getOrder',
          tags: ['orders'],
          summary: 'Gets one',
          parameters: [{ name: 'q', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } }],
          security: [{ key: [] }, {}],
          ...OK_RESPONSE,
        },
        put: {
          operationId: 'putOrder',
          deprecated: false,
          servers: [{ url: 'https://{r}.example.com', variables: { r: { default: 'eu' } } }],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Loop' } } },
          },
        },
        post: {
          requestBody: {
            content: { 'multipart/form-data': { schema: { type: 'object', properties: { f: { format: 'binary' } } } } },
          },
        },
      },
    },
    {
      components: {
        parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } } },
        schemas: {
          Loop: {
            type: 'object',
            required: ['a'],
            properties: { a: { enum: ['x', null] }, next: { $ref: '#/components/schemas/Loop' } },
          },
        },
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      },
    },
  )

describe('OpenAPI: hostile documents', () => {
  it('U24 a document with wrong values anywhere is answered with sound tools or a reason', async () => {
    const size = placesIn(small()).length
    let listed_count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(VALUES.length - 1), fc.boolean()), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('3.0.3', '3.1.0'),
        async (changes, openapi) => {
          const document: Record<string, unknown> = structuredClone({ ...small(), openapi })
          for (const [place, value, is_name] of changes) {
            const [holder, name] = placesIn(document)[place] ?? [document, 'x']
            if (!is_name || Array.isArray(holder)) holder[name] = structuredClone(VALUES[value])
            else
              Object.defineProperty(holder, TEXTS[value % TEXTS.length] ?? '', {
                value: holder[name],
                enumerable: true,
                configurable: true,
                writable: true,
              })
          }
          const answer = await expectAnswered(document)
          if (answer.kind === 'tools_listed') listed_count += 1
        },
      ),
      { numRuns: 600, seed: 7 },
    )
    // Most changes leave something to offer, so that the property is about tools too.
    expect(listed_count).toBeGreaterThan(100)
  })

  it('a real document that is cut or changed anywhere is answered too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(AGENTS.length),
        fc.constantFrom('', '"', '{', ']', ',', ': *a', '\n- '),
        fc.nat(200),
        async (at, text, skip) => {
          const changed = AGENTS.slice(0, at) + text + AGENTS.slice(at + skip)
          await expectAnswered(changed, { server: 'https://api.example.com' })
          await expectAnswered(`openapi: 3.1.0\n${changed.slice(1)}`, {})
        },
      ),
      { numRuns: 60, seed: 7 },
    )
  })

  it('of ten thousand paths the named operation is found, and a missing one is told', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `/p${index}`,
        { get: { operationId: `op${index}`, ...OK_RESPONSE } },
      ]),
    )
    const document = JSON.stringify(documentWith(paths))
    expect((await listed(document, { operations: ['op9999'] })).tools.map(({ name }) => name)).toEqual(['shop.op9999'])
    expect(await reasonOf(document, { operations: ['opx'] })).toContain('has no operation "opx"')
    expect(await reasonOf(document)).toContain('has 10000 of them')
  })

  it('a reference that leads to itself by others ends', async () => {
    const components = {
      parameters: { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } },
    }
    const paths = {
      '/a': { $ref: '#/paths/~1b' },
      '/b': { $ref: '#/paths/~1a' },
      '/c': { get: { parameters: [{ $ref: '#/components/parameters/A' }] } },
    }
    expect(await reasonOf(documentWith(paths, { components }))).toContain('has references that lead in a circle')
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'the name %s of strangers is a name like any other',
    async (name) => {
      const text = JSON.stringify(
        documentWith(
          {
            '/NAME/{NAME}': { get: { operationId: 'NAME', tags: ['NAME'], security: [{ NAME: [] }], ...OK_RESPONSE } },
          },
          { components: { securitySchemes: { NAME: { type: 'apiKey', in: 'query', name: 'NAME' } } } },
        ),
      ).replaceAll('NAME', name)
      const security = Object.fromEntries([[name, 'secret:s']])
      const { tools } = await listed(text, { security, tags: [name] })
      expect(tools.map((tool) => [tool.name, httpCallOf(tool).query, tool.url])).toEqual([
        [`shop.${name}`, [{ name, value: 'secret:s' }], `https://api.example.com/v1/${name}/{${name}}`],
      ])
      expect(Object.prototype).not.toHaveProperty('type')
    },
  )

  it('a lone surrogate, which JSON can escape, is replaced wherever it stands', async () => {
    const schema = { type: 'object', properties: { 'a\uD800': { enum: ['\uDFFF'], pattern: '\uD800' } } }
    const operation = {
      operationId: 'a',
      description: '\uD800b',
      requestBody: { content: { 'application/json': { schema } } },
    }
    const { tools } = await listed(JSON.stringify(documentWith({ '/a': { post: operation } })))
    expect(tools[0]?.parameters?.['properties']).toEqual({
      body: { type: 'object', properties: { 'a\uFFFD': { enum: ['\uFFFD'], pattern: '\uFFFD' } } },
    })
  })

  it('a document names no secret: only the source does', async () => {
    const { tools } = await listed(
      documentWith(
        {
          '/secret:s/{x}': {
            get: {
              parameters: [{ name: 'secret:s', in: 'query', schema: { default: 'secret:s' } }],
              security: [{ k: [] }],
            },
          },
        },
        { components: { securitySchemes: { k: { type: 'apiKey', in: 'query', name: 'secret:s' } } } },
      ),
      { security: { k: 'plain' }, server: 'https://api.example.com' },
    )
    const fixed = tools.flatMap((tool) => httpCallOf(tool).query.flatMap((part) => ('value' in part ? part.value : [])))
    expect(fixed).toEqual(['plain'])
  })
})
