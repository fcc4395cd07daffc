/** The schemas of typed results: what is taken, what is refused and where, and what endpoints are sent (U54). */
import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { readOutputSchema } from '../../../src/core/terms/schema/output-schema.ts'
import type { JsonSchema } from '../../../src/core/terms/schema/json-schema.ts'
import { wireSchema, withoutNulls } from '../../../src/core/terms/schema/wire-schema.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const place = object({ city: text }, { required: ['city'] })

describe('readOutputSchema', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    [
      'plain words stay',
      object({ a: { type: ['string', 'null'], maxLength: 3 } }),
      object({ a: { type: ['string', 'null'], maxLength: 3 } }),
    ],
    [
      'a reference becomes its target',
      { ...object({ a: { $ref: '#/$defs/place' } }), $defs: { place } },
      object({ a: place }),
    ],
    [
      'as libraries write it',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'T',
        ...object({ a: { $ref: '#/definitions/p', description: 'where' } }),
        definitions: { p: place },
      },
      { title: 'T', ...object({ a: { ...place, description: 'where' } }) },
    ],
    [
      'words beside a reference are joined',
      { ...object({ a: { $ref: '#/$defs/t', maxLength: 3 } }), $defs: { t: text } },
      object({ a: { maxLength: 3, allOf: [text] } }),
    ],
    ['the top may be a reference', { $ref: '#/$defs/p', $defs: { p: place } }, place],
  ])('U54 %s', (_, schema, applied) => {
    expect(readOutputSchema(schema)).toEqual({ ok: true, schema: applied })
  })

  it.each<[JsonSchema, string, string]>([
    [{ type: 'array', items: text }, '', 'must have the type "object" at its top'],
    [{}, '', 'must have the type "object" at its top'],
    [
      object({ a: { type: 'string', pattern: '^x' } }),
      'properties/a/pattern',
      'is a word that is not applied to results',
    ],
    [object({ a: { type: 'string', minLenght: 1 } }), 'properties/a/minLenght', 'did you mean "minLength"?'],
    [object({ a: { type: 'strng' } }), 'properties/a/type', 'is not what this word takes'],
    [object({ a: { type: 'string', format: 'uri' } }), 'properties/a/format', 'date'],
    [object({ a: 'string' }), 'properties/a', 'must be a JSON Schema, which is an object'],
    [
      object({ a: { type: 'array', items: [text] } }),
      'properties/a/items',
      'must be a JSON Schema, which is an object',
    ],
    [object({ a: { anyOf: [text, { not: text }] } }), 'properties/a/anyOf/1/not', 'is a word that is not applied'],
    [object({ a: { $ref: 'https://example.com/x' } }), 'properties/a/$ref', 'must name a part of the same schema'],
    [object({ a: { $ref: '#/$defs/none' } }), 'properties/a/$ref', 'must name a part of the same schema'],
    [
      { ...object({ a: { $ref: '#/$defs/n' } }), $defs: { n: object({ n: { $ref: '#/$defs/n' } }) } },
      'properties/a/$ref/properties/n/$ref',
      'must not lead back to itself',
    ],
    [object({ a: { description: 'x'.repeat(17_000) } }), '', 'must have at most 16384 bytes'],
    [
      object(Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`a${at}`, {}]))),
      'properties/a499',
      'must have at most 500 parts',
    ],
    [JSON.parse('{"type":"object","properties":{"__proto__":{}}}'), 'properties/__proto__', 'must have another name'],
  ])('U54 %j is refused', (schema, path, message) => {
    const read = readOutputSchema(schema)
    if (read.ok) throw new Error('it was taken')
    expect(read.problem.path.join('/')).toBe(path)
    expect(read.problem.message).toContain(message)
  })

  it('U54 one that nests too deep, or grows by its references, is refused in linear time', () => {
    let deep: JsonSchema = text
    for (let depth = 0; depth < 16; depth++) deep = object({ a: deep })
    expect(readOutputSchema(deep)).toMatchObject({ ok: false, problem: { message: 'must nest no deeper than 16' } })
    const names = Array.from({ length: 20 }, (_, at) => `t${at}`)
    const doubled = Object.fromEntries(
      names.map((name, at) => [name, object({ a: { $ref: `#/$defs/t${at + 1}` }, b: { $ref: `#/$defs/t${at + 1}` } })]),
    )
    const grown = { ...object({ a: { $ref: '#/$defs/t0' } }), $defs: { ...doubled, t20: text } }
    expect(readOutputSchema(grown).ok).toBe(false)
    const long = { enum: ['x'.repeat(8_000)] }
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a${at}`, { $ref: '#/$defs/long' }]))
    const message = 'must have at most 65536 bytes with each reference replaced by its target'
    expect(readOutputSchema({ ...object(many), $defs: { long } })).toMatchObject({ ok: false, problem: { message } })
  })
})

/** Schemas that endpoints can enforce, and values that fit. */
const ENFORCED: [JsonSchema, unknown][] = [
  [object({ a: text, b: { type: 'integer' } }, { required: ['a'] }), { a: 'x' }],
  [object({ a: { enum: ['x', 'y', null] }, b: { const: 3 } }), { a: null, b: 3 }],
  [object({ a: { anyOf: [text, { type: 'null' }], default: null } }), { a: null }],
  [
    object({ a: { type: 'array', items: object({ b: text, c: { type: 'number' } }, { required: ['b'] }) } }),
    { a: [{ b: 'x' }] },
  ],
  [object({ a: { type: ['object', 'null'], properties: { b: text }, required: [] } }), { a: {} }],
]

describe('wireSchema', () => {
  it('U54 names all members, each as required, and leaves out what only the validator knows', () => {
    expect(
      wireSchema(
        object({ a: { ...text, minLength: 2, description: 'why' }, b: { type: 'integer' } }, { required: ['b'] }),
      ),
    ).toEqual({
      type: 'object',
      properties: { a: { anyOf: [{ type: 'string', description: 'why' }, { type: 'null' }] }, b: { type: 'integer' } },
      required: ['a', 'b'],
      additionalProperties: false,
    })
  })

  it.each(ENFORCED)('U54 a reply by the schema sent for %j fits the schema itself', (schema, value) => {
    const wire = wireSchema(schema)
    if (wire === null) throw new Error('it is not sent')
    const filled = withNulls(wire, value)
    expect(new Validator(wire).validate(filled).errors).toEqual([])
    const taken = withoutNulls(schema, filled)
    expect(new Validator(schema).validate(taken).errors).toEqual([])
    expect(taken).toEqual(value)
  })

  it.each<JsonSchema>([
    object({ a: {} }),
    object({ a: object({}) }),
    object({ a: { type: 'object', additionalProperties: text } }),
    object({ a: { type: 'array' } }),
    object({ a: { allOf: [text, { minLength: 2 }] } }),
    object({ a: { anyOf: [object({ b: text }), object({ c: text })] } }),
    object({ a: text }, { required: ['b'] }),
    object({ a: { enum: [{ b: 1 }] } }),
  ])('U54 %j is told in the prompt alone', (schema) => expect(wireSchema(schema)).toBeNull())

  it('U54 a null that the schema takes stays', () => {
    const schema = object({ a: { type: ['string', 'null'] }, b: text, c: text }, { required: ['c'] })
    expect(withoutNulls(schema, { a: null, b: null, c: null, d: null })).toEqual({ a: null, c: null, d: null })
  })
})

/** The value as a model has to give it: with null for every member that is left out. */
function withNulls(wire: unknown, value: unknown): unknown {
  const { anyOf, properties, items } = Object(wire)
  if (Array.isArray(anyOf)) return value === null ? null : withNulls(anyOf[0], value)
  if (Array.isArray(value)) return value.map((one) => withNulls(items, one))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const members = new Map<string, unknown>(Object.entries(value))
  return Object.fromEntries(
    Object.keys(properties).map((name) => [name, withNulls(properties[name], members.get(name) ?? null)]),
  )
}
