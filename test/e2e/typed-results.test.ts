/** A typed result through the built service and real HTTP: without a key, and from a model that is asked for it by its schema. */
import { afterEach, expect, it } from 'vitest'
import { closed, done, planned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { callTask, newPlace, type Place } from './support.ts'

let place: Place
let model: ScriptedOpenai | null = null
afterEach(async () => {
  await place.leave()
  await model?.close()
})

const output_schema = {
  type: 'object',
  properties: { title: { type: 'string' }, done: { type: 'boolean' }, note: { type: 'string' } },
  required: ['title', 'done'],
}

it('U54 the built-in model gives it through the built service', async () => {
  place = newPlace()
  const service = await place.start()
  const body = { goal: 'add todo buy milk', output_schema, rounds: 20 }
  const task = await callTask(service, 'POST', '/tasks', body)
  expect(task).toMatchObject({ status: 'completed', result: { data: { title: 'Todo: buy milk', done: true } } })
})

it('U54 U55 a model is sent its schema in the form that is enforced, with the instructions, and a misfit is asked for again', async () => {
  place = newPlace()
  model = await startScriptedOpenai({
    plan: [planned('A')],
    thought: [done('noted')],
    replan: [closed('It is noted.')],
    result: [
      { title: 7, done: true, note: null },
      { title: 'A', done: true, note: null },
    ],
  })
  const service = await place.start(openaiAt(model.base_url))
  const body = { goal: 'note it', instructions: 'Be brief.', output_schema, rounds: 20 }
  const task = await callTask(service, 'POST', '/tasks', body)
  expect(task).toMatchObject({
    status: 'completed',
    result: { text: 'It is noted.', data: { title: 'A', done: true } },
  })
  expect(task.result?.data).not.toHaveProperty('note')
  const sent = JSON.stringify(model.calls.at(-1)?.body)
  expect(sent).toContain('"required":["title","done","note"],"additionalProperties":false')
  expect(sent).toContain('<instructions>\\nBe brief.\\n</instructions>')
})
