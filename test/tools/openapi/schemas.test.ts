/** How the schemas of OpenAPI become the parameters of a tool, and what is left out of them (docs/tools.md). */
import { describe, expect, it } from 'vitest'
import { appliedSchema } from '../../../src/core/terms/schema/tool-parameters.ts'
import { documentWith, listed, reasonOf, toolOf } from '../../support/openapi.ts'

/** What a schema becomes as the body of an operation, and what is told. */
async function translated(schema: unknown, more: object = {}) {
  const { tool, notes } = await toolOf(
    { operationId: 'a', requestBody: { content: { 'application/json': { schema } } } },
    more,
  )
  const applied = appliedSchema(tool.parameters ?? {})
  expect(applied).toMatchObject({ ok: true })
  return { body: Object(tool.parameters?.['properties'])['body'], notes }
}
const components = (schemas: object) => ({ components: { schemas } })
const V31 = { openapi: '3.1.0' }
const lost = (what: string) => [`shop.a: left out of its parameters: ${what}`]

describe('OpenAPI: schemas', () => {
  it.each([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ allOf: [{ type: 'string' }], nullable: true }, { anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] }],
    [
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      { type: 'integer', exclusiveMinimum: 1 },
    ],
    [
      { type: 'integer', maximum: 9, exclusiveMaximum: false },
      { type: 'integer', maximum: 9 },
    ],
    [
      { type: 'string', example: 'x' },
      { type: 'string', examples: ['x'] },
    ],
    [{ type: 'string', title: 'T', deprecated: true, externalDocs: {}, 'x-order': 1 }, { type: 'string' }],
    [{ description: 'A <b>bold</b>\n word' }, { description: 'A bold word' }],
    [
      { type: 'object', properties: { a: { type: 'string', readOnly: true }, b: {} }, required: ['a', 'b'] },
      { type: 'object', properties: { b: {} }, required: ['b'] },
    ],
    [{ type: 'array', items: true }, { type: 'array' }],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
    [
      { type: 'object', default: {} },
      { type: 'object', default: {} },
    ],
    [true, {}],
  ])('the 3.0 schema %j becomes %j', async (schema, expected) => {
    expect(await translated(schema)).toEqual({ body: expected, notes: [] })
  })

  it.each([
    [
      { type: ['string', 'null'], const: 'a' },
      { type: ['string', 'null'], const: 'a' },
    ],
    [{ exclusiveMinimum: 3 }, { exclusiveMinimum: 3 }],
    [{ examples: ['a', 'b', 'c', 'd'] }, { examples: ['a', 'b', 'c'] }],
    [
      { $ref: '#/components/schemas/Id', description: 'Mine' },
      { type: 'string', description: 'Mine' },
    ],
    [{ $ref: '#/components/schemas/Id', maxLength: 3 }, { allOf: [{ type: 'string' }, { maxLength: 3 }] }],
  ])('the 3.1 schema %j becomes %j', async (schema, expected) => {
    expect(await translated(schema, { ...V31, ...components({ Id: { type: 'string' } }) })).toEqual({
      body: expected,
      notes: [],
    })
  })

  it.each([
    [{ discriminator: { propertyName: 'kind' } }, {}, '`discriminator`'],
    [{ xml: { name: 'a' } }, {}, '`xml`'],
    [{ not: { type: 'string' }, if: {}, type: 'string' }, { type: 'string' }, '`not`, `if`'],
    [{ type: 'file' }, {}, '`type`'],
    [{ minLength: -1, required: 'a', properties: [], items: [] }, {}, '`minLength`, `required`, `properties`, `items`'],
    [{ patternProperties: { a: {} }, additionalProperties: false }, {}, '`patternProperties`'],
    [{ enum: Array.from({ length: 500 }, (_, index) => index) }, { examples: [0, 1, 2] }, 'an `enum` of 500 values'],
    [{ 'no word': 1 }, {}, 'unknown words'],
    [7, {}, 'a schema that is not an object'],
  ])('what is left out of %j is told', async (schema, body, what) => {
    expect(await translated(schema)).toEqual({ body, notes: lost(what) })
  })

  it('names of strangers are names like any other', async () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}')
    const { body } = await translated({ type: 'object', properties })
    expect(JSON.stringify(body.properties)).toBe('{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}')
    expect(Object.getPrototypeOf(body.properties)).toBe(Object.prototype)
  })

  it('a reference to itself is cut there, and named', async () => {
    const Node = {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
    }
    expect(await translated({ $ref: '#/components/schemas/Node' }, components({ Node }))).toEqual({
      body: { type: 'object', properties: { name: { type: 'string' }, next: {} } },
      notes: lost('#/components/schemas/Node within itself'),
    })
  })

  it('what a reference does not find is cut and named', async () => {
    for (const ref of ['#/components/schemas/None', '#Anchor', '#/components/schemas/constructor'])
      expect(await translated({ $ref: ref })).toEqual({
        body: {},
        notes: lost(`${ref}, which the document does not have`),
      })
  })

  it('a reference out of the document is refused by name', async () => {
    const operation = {
      operationId: 'a',
      requestBody: { content: { 'application/json': { schema: { items: { $ref: 'other.yaml#/Pet' } } } } },
    }
    const document = documentWith({ '/a': { post: operation }, '/b': { get: { operationId: 'b' } } })
    expect((await listed(document)).notes).toEqual([
      'a is left out: it refers to other.yaml#/Pet, which is outside the document: bundle the document into one file',
    ])
    expect(await reasonOf(document, { operations: ['a'] })).toContain('refers to other.yaml#/Pet, which is outside')
  })

  it('a schema that is too deep is cut as deep as possible, and told', async () => {
    let deep: object = { type: 'string' }
    for (let level = 0; level < 60; level++) deep = { type: 'object', properties: { a: deep } }
    const { body, notes } = await translated(deep)
    expect(JSON.stringify(body).split('"properties"')).toHaveLength(29)
    expect(notes).toEqual(lost('what is deeper than 28 levels'))
  })

  it('a schema of too many parts is cut where it is wide, and told', async () => {
    const wide = (levels: number): object =>
      levels === 0
        ? { type: 'string' }
        : {
            type: 'object',
            properties: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, wide(levels - 1)])),
          }
    const { body, notes } = await translated(wide(4))
    expect(body.properties.f.properties.f).toMatchObject({ type: 'object', properties: { f: {} } })
    expect(notes).toEqual(lost('what is deeper than 3 levels'))
  })

  it('U24 references that multiply each other end within the bounds of a tool', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `S${index}`,
        {
          type: 'object',
          properties: {
            l: { $ref: `#/components/schemas/S${index + 1}` },
            r: { $ref: `#/components/schemas/S${index + 1}` },
          },
        },
      ]),
    )
    const { body } = await translated(
      { $ref: '#/components/schemas/S0' },
      components({ ...schemas, S40: { type: 'string' } }),
    )
    expect(JSON.stringify(body).length).toBeLessThan(16_384)
  })

  it('what is too wide for a tool becomes anything, and is told', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `p${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    expect(await translated({ type: 'object', properties })).toEqual({
      body: {},
      notes: lost('what is deeper than 0 levels'),
    })
  })
})
