/** What the form of a trial fills in: examples of entries, and arguments by the schema of a tool. */
import { describe, expect, it } from 'vitest'
import { Tools } from '../../src/http/shapes/tools/entries.ts'
import { argumentsFor } from '../../src/console/parts/tools/arguments-for.ts'
import { ENTRY_KINDS, withExample } from '../../src/console/views/tools/trial.ts'

describe('examples of entries', () => {
  it.each(ENTRY_KINDS)('TT-08 the example of %s is an entry that the service takes', (kind) => {
    expect(Tools.safeParse(JSON.parse(withExample('', kind))).error).toBeUndefined()
  })

  it('TT-08 all of them together are a list that the service takes', () => {
    const all = ENTRY_KINDS.reduce((entries, kind) => withExample(entries, kind), '')
    const read = Tools.safeParse(JSON.parse(all))
    expect(read.data).toHaveLength(ENTRY_KINDS.length)
  })

  it('TT-08 an example goes behind what is there, and replaces what is no list', () => {
    expect(JSON.parse(withExample('[{"a":1}]', 'mcp'))).toEqual([
      { a: 1 },
      expect.objectContaining({ mcp: expect.any(String) }),
    ])
    for (const text of ['', '{', '{"a":1}', 'null']) expect(JSON.parse(withExample(text, 'mcp'))).toHaveLength(1)
  })
})

describe('arguments', () => {
  const filled = (schema: unknown): unknown => JSON.parse(argumentsFor(schema))

  it('TT-08 hold what the schema requires, each with a value of its type', () => {
    const properties = {
      text: { type: 'string' },
      count: { type: 'integer', minimum: 1 },
      share: { type: ['number', 'null'] },
      isOpen: { type: 'boolean' },
      tags: { type: 'array' },
      colour: { enum: ['red', 'blue'] },
      unit: { type: 'string', default: 'kg' },
      kind: { const: 'a' },
      day: { type: 'string', examples: ['2026-11-27'] },
      place: { type: 'object', properties: { city: {}, zip: { type: 'string' } }, required: ['city'] },
      other: { type: 'string' },
    }
    const required = Object.keys(properties).filter((name) => name !== 'other')
    expect(filled({ type: 'object', properties, required })).toEqual({
      text: '',
      count: 1,
      share: 0,
      isOpen: false,
      tags: [],
      colour: 'red',
      unit: 'kg',
      kind: 'a',
      day: '2026-11-27',
      place: { city: '' },
    })
  })

  it('TT-08 hold all that the schema names where it requires nothing', () => {
    expect(filled({ type: 'object', properties: { a: { type: 'string' } } })).toEqual({ a: '' })
  })

  it.each([undefined, null, 7, [], {}, { properties: 7 }, { properties: { a: true }, required: ['b', 7, 'toString'] }])(
    'TT-08 are {} for %j, whatever a server sends as a schema',
    (schema) => expect(filled(schema)).toEqual({}),
  )

  it('TT-08 of a schema without an end are cut', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } }
    expect(argumentsFor(nested(1_000)).length).toBeLessThan(200)
  })
})
