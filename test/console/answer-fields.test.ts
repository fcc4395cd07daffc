/** From a response_schema to the fields of a form, and from what is typed there to the answer that is sent. */
import { describe, expect, it } from 'vitest'
import { normalizeAnswer } from '../../src/core/terms/schema/answer-form.ts'
import { answerShapeOf, type AnswerShape, type Schema } from '../../src/console/views/task/waiting/answer-fields.ts'
import { answerText } from '../../src/console/views/task/waiting/answer-text.ts'

const fieldsOf = (schema: Schema) => {
  const shape = answerShapeOf(null, false, schema)
  return shape.kind === 'fields' ? shape.fields : shape.kind
}
type Typed = Record<string, string>
const typedOf = (typed: Typed) => new Map(Object.entries(typed))
const sent = (schema: Schema | null, typed: Typed) => answerText(answerShapeOf(null, false, schema), typedOf(typed))
/** The errors as a record, to be read beside what was typed. */
const errorsOf = (schema: Schema | null, typed: Typed) => {
  const read = sent(schema, typed)
  return read.ok ? 'none' : Object.fromEntries(read.error)
}
const flight = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', description: 'where to', maxLength: 10 },
    seats: { type: 'integer', minimum: 1, maximum: 9 },
    window: { type: 'boolean' },
    class: { enum: ['economy', 'business'] },
    bags: { type: 'array', items: { type: 'number' }, maxItems: 2 },
    note: { type: ['string', 'null'] },
  },
  required: ['city', 'seats', 'note'],
}

describe('the form of a question', () => {
  it('a question with choices offers these, and another answer if one is taken', () => {
    const options = ['a', 'b']
    expect(answerShapeOf(options, false, null)).toEqual({ kind: 'choices', options, other: false })
    expect(answerShapeOf(options, true, null)).toEqual({ kind: 'choices', options, other: true })
  })
  it('a question without a schema takes a text', () => {
    expect(answerShapeOf(null, false, null)).toEqual({ kind: 'text' })
  })
  it('an object of simple properties has one field for each, in order, with title, help and range', () => {
    expect(fieldsOf(flight)).toMatchObject([
      { name: 'city', title: 'City', help: 'where to', required: true, most: 10, kind: { of: 'text' } },
      { name: 'seats', title: 'seats', required: true, least: 1, most: 9, kind: { of: 'integer' } },
      { name: 'window', required: false, kind: { of: 'boolean' } },
      { name: 'class', kind: { of: 'choice', options: ['economy', 'business'] } },
      { name: 'bags', many: true, most: 2, kind: { of: 'number' } },
      { name: 'note', nullable: true, kind: { of: 'text' } },
    ])
  })
  it.each<[string, Schema]>([
    ['an object in an object', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
    ['a property that may be one of several', { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } }],
    ['an object without properties', { type: 'object' }],
    [
      'an object that counts its properties',
      { type: 'object', properties: { a: { type: 'string' } }, minProperties: 1 },
    ],
    [
      'a property that is needed and not described',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
    ],
    [
      'further properties of a kind',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
    ],
    ['lists of lists', { type: 'array', items: { type: 'array', items: { type: 'string' } } }],
    ['two types', { type: ['string', 'number'] }],
    ['no type', {}],
  ])('%s is written as JSON', (_, schema) => {
    expect(answerShapeOf(null, false, schema)).toEqual({ kind: 'json' })
  })
})

describe('the answer that typed values become', () => {
  it('a field for a text gives the text itself, even when it looks like JSON', () => {
    expect(sent({ type: 'string' }, { '': ' 12 ' })).toEqual({ ok: true, value: '12' })
  })
  it('a choice between texts and numbers keeps their types', () => {
    const schema = { enum: [1, '1'] }
    expect(sent(schema, { '': '1' })).toEqual({ ok: true, value: '1' })
    expect(sent(schema, { '': '"1"' })).toEqual({ ok: true, value: '"1"' })
  })
  it('an object has the typed values, null where null is allowed, and nothing else', () => {
    const typed = { city: 'Rome', seats: '2', window: 'false', class: '"business"', bags: '1.5\n\n20' }
    expect(sent(flight, typed)).toEqual({
      ok: true,
      value: '{"city":"Rome","seats":2,"window":false,"class":"business","bags":[1.5,20],"note":null}',
    })
    expect(sent(flight, { city: 'Rome', seats: '2' })).toEqual({
      ok: true,
      value: '{"city":"Rome","seats":2,"note":null}',
    })
  })
  it('each field with an error says what is wrong', () => {
    expect(errorsOf(flight, { city: 'Constantinople', seats: '2.5', bags: '1\n2\n3' })).toEqual({
      city: { code: 'too_long', most: 10 },
      seats: { code: 'not_whole' },
      bags: { code: 'too_many', most: 2 },
    })
    expect(errorsOf(flight, { seats: '10', bags: 'x' })).toEqual({
      city: { code: 'missing' },
      seats: { code: 'too_high', most: 9 },
      bags: { code: 'not_a_number' },
    })
  })
  it('a number that JSON cannot hold exactly is refused', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } } }
    expect(sent(schema, { a: '9007199254740991' })).toEqual({ ok: true, value: '{"a":9007199254740991}' })
    expect(errorsOf(schema, { a: '9007199254740993' })).toEqual({
      a: { code: 'too_high', most: Number.MAX_SAFE_INTEGER },
    })
    expect(errorsOf(schema, { a: '-9007199254740993' })).toEqual({
      a: { code: 'too_low', least: Number.MIN_SAFE_INTEGER },
    })
  })
  it('an empty list is sent when it is required, and left out when it is optional', () => {
    const list = { type: 'array', items: { type: 'string' } }
    expect(sent(list, {})).toEqual({ ok: true, value: '[]' })
    expect(sent({ type: 'object', properties: { list } }, {})).toEqual({ ok: true, value: '{}' })
  })
  it('a preset counts as typed until it is changed', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer', default: 3 } } }
    expect(sent(schema, {})).toEqual({ ok: true, value: '{"a":3}' })
    expect(sent(schema, { a: '' })).toEqual({ ok: true, value: '{}' })
  })
  it('JSON that is typed has to be JSON, and an answer has to be there', () => {
    expect(errorsOf({}, { '': '{' })).toEqual({ '': { code: 'not_json' } })
    expect(errorsOf(null, { '': '  ' })).toEqual({ '': { code: 'missing' } })
  })
  // As JSON: a literal of TypeScript would set the prototype by one of them.
  it.each(['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'])(
    'a property named %s works like any other: it starts empty, and has an error of its own',
    (name) => {
      const schema: Schema = JSON.parse(
        `{"type":"object","properties":{"${name}":{"type":"string"}},"required":["${name}"]}`,
      )
      const shape = answerShapeOf(null, false, schema)
      const empty = answerText(shape, new Map())
      expect(empty.ok ? 'none' : [...empty.error]).toEqual([[name, { code: 'missing' }]])
      expect(answerText(shape, new Map([[name, 'x']]))).toEqual({ ok: true, value: `{"${name}":"x"}` })
    },
  )
  it('the service reads each answer as the value that was meant', () => {
    const read: [Schema, Typed, unknown][] = [
      [{ type: 'string' }, { '': 'true' }, 'true'],
      [{ type: 'boolean' }, { '': 'true' }, true],
      [{ enum: ['1', 1] }, { '': '"1"' }, '1'],
      [{ type: 'number' }, { '': '1e3' }, 1000],
    ]
    for (const [response_schema, typed, value] of read) {
      const answer = sent(response_schema, typed)
      const seen: unknown[] = []
      normalizeAnswer(
        { choices: null, other_answers: false, response_schema },
        answer.ok ? answer.value : '',
        (_, given) => {
          seen.push(given)
          return null
        },
      )
      expect(seen).toEqual([value])
    }
  })
})

it('a shape without fields takes a text as it is', () => {
  const shape: AnswerShape = { kind: 'choices', options: ['a'], other: false }
  expect(answerText(shape, typedOf({ '': 'a' }))).toEqual({ ok: true, value: 'a' })
})
