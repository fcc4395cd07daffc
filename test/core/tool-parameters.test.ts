/** The JSON Schemas of arguments: which are taken, and what of them is applied. */
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../src/core/terms/schema/json-schema.ts'
import { appliedSchema } from '../../src/core/terms/schema/tool-parameters.ts'
import { fits } from '../../src/store/fits.ts'

const object = (properties: object, more: object = {}): JsonSchema => ({ type: 'object', properties, ...more })

function applied(parameters: JsonSchema): JsonSchema {
  const read = appliedSchema(parameters)
  if (!read.ok) throw new Error(read.error)
  return read.schema
}
const takes = (parameters: JsonSchema, args: object) => fits(applied(parameters), args) === null

/** `{$ref}` to a definition that holds two of the next, so many times. */
function doubling(levels: number): JsonSchema {
  const two = (next: number) => ({ anyOf: [{ $ref: `#/$defs/d${next}` }, { $ref: `#/$defs/d${next}` }] })
  const defs = Array.from({ length: levels }, (_, level) => [`d${level}`, two(level + 1)] as const)
  return object({ a: { $ref: '#/$defs/d0' } }, { $defs: { ...Object.fromEntries(defs), [`d${levels}`]: {} } })
}
const nested = (levels: number): JsonSchema => (levels === 0 ? {} : object({ a: nested(levels - 1) }))
const SELF = 'must not contain itself: #/$defs/node'
const PARTS = 'must refer to parts of itself only, such as "#/$defs/place"'

describe('refused', () => {
  it.each<[string, JsonSchema, string]>([
    ['no type', {}, 'must have the type "object"'],
    ['a list', { type: 'array' }, 'must have the type "object"'],
    ['an object or nothing', { type: ['object', 'null'] }, 'must have the type "object"'],
    ['a type nobody knows', object({ a: { type: 'text' } }), 'must be a JSON Schema: properties.a.type Invalid input'],
    ['properties that are a list', { type: 'object', properties: [] }, 'must be a JSON Schema: properties '],
    ['a part that is no schema', object({ a: 7 }), 'must be a JSON Schema: properties.a '],
    ['required that is no list', object({}, { required: 'a' }), 'must be a JSON Schema: required '],
    ['an empty anyOf', object({ a: { anyOf: [] } }), 'must be a JSON Schema: properties.a.anyOf '],
    ['a bound that is no number', object({ a: { minimum: '1' } }), 'must be a JSON Schema: properties.a.minimum '],
    [
      'allOf that is a text beside a reference',
      object({ a: { $ref: '#/$defs/x', allOf: 'y' } }, { $defs: { x: {} } }),
      'must be a JSON Schema: properties.a.allOf.1 ',
    ],
    ['a reference elsewhere', object({ a: { $ref: 'https://example.com/place.json' } }), PARTS],
    ['a reference to a file', object({ a: { $ref: 'place.json#/x' } }), PARTS],
    ['a reference to an anchor', object({ a: { $ref: '#place' } }), PARTS],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/place' } }), PARTS],
    ['a reference that is no text', object({ a: { $ref: 7 } }), PARTS],
    ['a reference into a prototype', object({ a: { $ref: '#/constructor/prototype' } }), PARTS],
    ['a reference to the whole', object({ a: { $ref: '#' } }), 'must not contain itself: #'],
    [
      'a definition of itself',
      object({ a: { $ref: '#/$defs/node' } }, { $defs: { node: object({ next: { $ref: '#/$defs/node' } }) } }),
      SELF,
    ],
    [
      'definitions in a circle',
      object(
        { a: { $ref: '#/$defs/node' } },
        { $defs: { node: { $ref: '#/$defs/other' }, other: { items: { $ref: '#/$defs/node' } } } },
      ),
      SELF,
    ],
    [
      'two to the power of twelve parts',
      doubling(12),
      'must not have more than 500 parts, each counted where it is referred to',
    ],
    ['forty levels', nested(40), 'must not nest deeper than 32'],
  ])('%s', (_what, parameters, flaw) => {
    const read = appliedSchema(parameters)
    expect(read).toEqual({ ok: false, error: expect.stringContaining(flaw) })
  })
})

describe('taken', () => {
  const $defs = { place: object({ city: { type: 'string' } }, { required: ['city'] }) }
  it.each<[string, JsonSchema, object, object | null]>([
    ['types', object({ n: { type: 'integer' } }), { n: 1 }, { n: '1' }],
    ['required', object({}, { required: ['n'] }), { n: 1 }, {}],
    ['no others', object({ n: {} }, { additionalProperties: false }), { n: 1 }, { m: 1 }],
    ['a form of others', object({}, { additionalProperties: { type: 'number' } }), { a: 1 }, { a: 'x' }],
    ['a choice', object({ n: { enum: ['a', 'b'] } }), { n: 'a' }, { n: 'c' }],
    [
      'a format that is known',
      object({ on: { type: 'string', format: 'date' } }),
      { on: '2026-11-21' },
      { on: 'soon' },
    ],
    [
      'lists',
      object({ l: { type: 'array', items: { type: 'number' }, maxItems: 2 } }),
      { l: [1, 2] },
      { l: [1, 2, 3] },
    ],
    ['a reference', object({ at: { $ref: '#/$defs/place' } }, { $defs }), { at: { city: 'Bonn' } }, { at: {} }],
    [
      'two references to one part',
      object({ a: { $ref: '#/$defs/place' }, b: { $ref: '#/$defs/place' } }, { $defs }),
      { a: { city: 'x' } },
      { b: {} },
    ],
    ['the whole by a reference', { $ref: '#/$defs/place', $defs }, { city: 'Bonn' }, {}],
    [
      'a reference and more',
      object({ at: { $ref: '#/$defs/place', title: 'Place', required: ['zip'] } }, { $defs }),
      { at: { city: 'x', zip: 1 } },
      { at: { city: 'x' } },
    ],
    [
      'a reference to where it lies',
      object({ from: { type: 'string' }, to: { $ref: '#/properties/from' } }),
      { to: 'x' },
      { to: 1 },
    ],
    [
      'escapes in a reference',
      object({ a: { $ref: '#/definitions/x~1y%20z' } }, { definitions: { 'x/y z': { type: 'number' } } }),
      { a: 1 },
      { a: 'x' },
    ],
  ])('%s', (_what, parameters, good, wrong) => {
    expect(takes(parameters, good)).toBe(true)
    expect(wrong !== null && takes(parameters, wrong)).toBe(false)
  })

  it.each<[string, JsonSchema, object]>([
    [
      'a pattern that takes for ever',
      object({ a: { type: 'string', pattern: '^(a+)+$' } }),
      { a: `${'a'.repeat(60)}!` },
    ],
    [
      'a pattern that two of oneOf differ by',
      object({
        a: {
          oneOf: [
            { type: 'string', pattern: '^a' },
            { type: 'string', pattern: '^b' },
          ],
        },
      }),
      { a: 'a' },
    ],
    [
      'names by pattern beside no others',
      object({}, { patternProperties: { '^x-': {} }, additionalProperties: false }),
      { 'x-a': 1 },
    ],
    ['first items beside no others', object({ l: { prefixItems: [{}, {}], items: { type: 'null' } } }), { l: [1, 2] }],
    ['items of a draft before', object({ l: { items: [{ type: 'string' }] } }), { l: [7] }],
    [
      'not, if and else',
      object({ a: { not: {} }, b: { if: { type: 'null' }, else: { type: 'null' } } }),
      { a: 1, b: 1 },
    ],
    ['a format nobody here knows', object({ a: { format: 'iban' } }), { a: 'x' }],
    [
      'words of others',
      object(
        { a: { discriminator: { propertyName: 'k' }, 'x-order': 1 } },
        { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'urn:x', title: 'T' },
      ),
      { a: 1 },
    ],
    ['parts that say yes or no', object({ a: true, b: false }), { a: 1, b: 2 }],
    ['oneOf beside anyOf', object({ a: { anyOf: [{ type: 'string' }], oneOf: [{ type: 'number' }] } }), { a: 'x' }],
  ])('what is not applied makes it laxer, never stricter: %s', (_what, parameters, args) => {
    expect(takes(parameters, args)).toBe(true)
  })
})
