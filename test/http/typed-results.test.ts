/** Typed results over HTTP: what may be asked for, and where the data is shown (U54). */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { benchOf, closed, done, planned } from '../support/scripted.ts'
import { fixture, problemOf } from '../support/http-fixture.ts'

const SCHEMA = { type: 'object', properties: { milk: { type: 'boolean' } }, required: ['milk'] }
const SCRIPT = { plan: [planned('A')], thought: [done()], replan: [closed()], result: [{ milk: true }] }
const served = () => fixture({ answers: benchOf(SCRIPT).service })
const Answer = z.looseObject({
  id: z.string().nullable(),
  status: z.string(),
  output_schema: z.unknown().optional(),
  result: z.looseObject({ data: z.unknown().optional() }).nullable(),
})

async function errorsOf(output_schema: unknown) {
  const { post, asked } = fixture()
  const response = await post('/tasks', { goal: 'x', output_schema })
  expect([response.status, asked]).toEqual([422, []])
  return (await problemOf(response))['errors']
}

describe('output_schema', () => {
  it('U54 the data is in the result of the task, in lists, in events and in plain text', async () => {
    const { post, send } = served()
    const made = Answer.parse(await (await post('/tasks', { goal: 'x', output_schema: SCHEMA, rounds: 9 })).json())
    expect(made).toMatchObject({ status: 'completed', output_schema: SCHEMA, result: { data: { milk: true } } })
    const list = z.object({ data: z.array(Answer) }).parse(await (await send('GET', '/tasks')).json())
    expect(list.data[0]?.result?.data).toEqual({ milk: true })
    expect(list.data[0]).not.toHaveProperty('output_schema')
    const events = await (await send('GET', `/tasks/${made.id}/events?limit=100`)).text()
    expect(events).toContain('"data":{"milk":true}')
    const plain = await send('GET', `/tasks/${made.id}`, null, { accept: 'text/plain' })
    expect(await plain.text()).toContain('{\n  "milk": true\n}')
  })

  it('U54 a dry run counts the closing call, which is not made', async () => {
    const Planned = Answer.extend({ forecast: z.object({ worst_case: z.object({ tokens: z.int() }) }) })
    const steps = { plan: [{ steps: [{ name: 'A', description: '', expected_output: '' }] }] }
    const bench = () => fixture({ answers: benchOf(steps).service })
    const [plain, typed] = await Promise.all(
      [{}, { output_schema: SCHEMA }].map(async (more) =>
        Planned.parse(
          await (await bench().post('/tasks?dry_run=true', { goal: 'x', mode: 'dynamic', ...more })).json(),
        ),
      ),
    )
    expect(typed?.output_schema).toEqual(SCHEMA)
    expect(typed?.forecast.worst_case.tokens).toBeGreaterThan(plain?.forecast.worst_case.tokens ?? Infinity)
  })

  it.each([
    ['a list', [], '/output_schema', 'output_schema must be an object or null'],
    [
      'no object at the top',
      { type: 'array' },
      '/output_schema',
      'output_schema must have the type "object" at its top; a list or a text can be a member of it',
    ],
    [
      'a place within it',
      { type: 'object', properties: { a: { items: [] } } },
      '/output_schema/properties/a/items',
      'output_schema.properties.a.items must be a JSON Schema, which is an object',
    ],
  ])('U54 %s is refused with its place', async (_, schema, pointer, message) => {
    expect(await errorsOf(schema)).toEqual([{ pointer, message }])
  })

  it('U54 a word that is not applied is named, with the nearest one and all that are taken', async () => {
    const [error] = z
      .array(z.object({ pointer: z.string(), message: z.string() }))
      .parse(await errorsOf({ type: 'object', properties: { a: { type: 'number', maximun: 3 } } }))
    expect(error?.pointer).toBe('/output_schema/properties/a/maximun')
    expect(error?.message).toContain('did you mean "maximum"?')
    expect(error?.message).toContain('Taken are title, description')
  })

  it('U54 null means that the result is text', async () => {
    const { post } = fixture({ answers: benchOf({ ...SCRIPT, result: [] }).service })
    const made = Answer.parse(await (await post('/tasks', { goal: 'x', output_schema: null, rounds: 9 })).json())
    expect(made.status).toBe('completed')
    expect(made.result).not.toHaveProperty('data')
  })

  it('U54 the model of the closing call can be another one', async () => {
    const bench = benchOf(SCRIPT)
    const { post } = fixture({ answers: bench.service })
    await post('/tasks', { goal: 'x', output_schema: SCHEMA, rounds: 9, settings: { models: { result: 'small' } } })
    expect(bench.requests.map(({ model }) => model)).toEqual([null, null, null, 'small'])
  })
})
