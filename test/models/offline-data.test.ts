/** The built-in model gives typed results: what the result says, what is empty by the schema, and else that it cannot (U54). */
import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../src/core/terms/schema/json-schema.ts'
import { dataReply } from '../../src/models/offline/data/reply.ts'
import { offlineModel } from '../../src/models/offline/index.ts'
import { ALL, createTask, realBench, replayedEqual, say } from './offline-data-support.ts'

const text = { type: 'string' }
const object = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required })

const FACTS = {
  goal: 'add todo milk',
  locale: 'en' as const,
  result:
    'Done:\n- Added #1: milk\n- Booked 2026-11-25\n\nTotal: 1,240.50 EUR\nState: Open\nContact: ada@example.org.\nPaid: yes',
  items: [
    { title: 'Todo: milk', status: 'completed', result: 'Added #1: milk' },
    { title: 'Book: dentist', status: 'failed', result: null },
  ],
  remarks: [],
}
const reply = (output_schema: JsonSchema, facts: object = {}) => dataReply({ ...FACTS, ...facts, output_schema })

describe('the rules', () => {
  it.each<[string, JsonSchema, unknown]>([
    ['a line with the name', object({ state: text }), { state: 'Open' }],
    ['a number behind its name', object({ total: { type: 'number' } }), { total: 1240.5 }],
    ['a date', object({ day: { type: 'string', format: 'date' } }), { day: '2026-11-25' }],
    ['an address', object({ contact: { type: 'string', format: 'email' } }), { contact: 'ada@example.org' }],
    ['yes or no', object({ paid: { type: 'boolean' } }), { paid: true }],
    ['whether all is done', object({ completed: { type: 'boolean' } }), { completed: false }],
    ['one of some values', object({ state: { enum: ['closed', 'open'] } }), { state: 'open' }],
    ['the whole answer', object({ summary: { type: 'string', maxLength: 5 } }), { summary: 'Done:' }],
    [
      'lines of a list',
      object({ findings: { type: 'array', items: text } }),
      { findings: ['Added #1: milk', 'Booked 2026-11-25'] },
    ],
    [
      'parts of the work',
      object({ steps: { type: 'array', items: object({ title: text, done: { type: 'boolean' }, result: text }) } }),
      {
        steps: [
          { title: 'Todo: milk', done: true, result: 'Added #1: milk' },
          { title: 'Book: dentist', done: false, result: 'Book: dentist' },
        ],
      },
    ],
    [
      'null, an empty text and an empty list for what is not known',
      object({ colour: { type: ['string', 'null'] }, size: text, tags: { type: 'array', items: { enum: ['x'] } } }),
      { colour: null, size: '', tags: [] },
    ],
    ['nothing for what may be left out', object({ colour: text }, []), {}],
    ['a default', object({ colour: { type: 'string', default: 'red' } }), { colour: 'red' }],
    ['an object within', object({ contact: object({ paid: { type: 'boolean' } }) }), { contact: { paid: true } }],
  ])('U54 find %s', (_, schema, data) => {
    expect(reply(schema)).toEqual(data)
    expect(new Validator(schema).validate(data).errors).toEqual([])
  })

  it('U54 say what they cannot find, in the language of the task', () => {
    const schema = object({ age: { type: 'integer' }, state: text, inner: object({ height: { type: 'integer' } }) })
    const bare = { result: 'State: Open' }
    expect(reply(schema, bare)).toEqual({ cannot: 'the result says nothing of age, inner' })
    expect(reply(schema, { ...bare, locale: 'zh' })).toEqual({ cannot: '结果中没有 age, inner' })
    expect(reply(schema, { ...bare, remarks: ['age: 7\nheight: 9'] })).toEqual({
      age: 7,
      state: 'Open',
      inner: { height: 9 },
    })
  })
})

describe('a task without a key', () => {
  it.each(['plan_execute', 'dynamic', 'session'])('U54 of mode %s ends with data', async (mode) => {
    const bench = realBench(offlineModel())
    const output_schema = object({ steps: { type: 'array', items: object({ title: text }) }, summary: text })
    const task = await createTask(bench, {}, ALL, { mode, goal: 'add todo milk; add todo eggs', output_schema })
    expect(task).toMatchObject({ status: 'completed', stop_reason: 'done' })
    expect(task.result?.data).toEqual({
      steps: [{ title: 'Todo: milk' }, { title: 'Todo: eggs' }],
      summary: task.result?.text,
    })
    await replayedEqual(bench, task.id)
  })

  it('U54 pauses where the result does not have the value, and takes it from the user', async () => {
    const bench = realBench(offlineModel())
    const output_schema = object({ price: { type: 'number' } })
    const goal = 'add todo milk'
    const paused = await createTask(bench, {}, ALL, { goal, output_schema })
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'result_unmet' })
    expect(paused.handover?.unfinished_reason).toContain('the result says nothing of price')
    const task = await say(bench, paused.id, 'price: 3.5', ALL)
    expect(task).toMatchObject({ status: 'completed', result: { data: { price: 3.5 } } })
  })
})
