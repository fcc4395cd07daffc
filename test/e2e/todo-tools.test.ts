/** A todo of a model through the built service and real HTTP: by a native call, and in the JSON of a reply. */
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { act, calling, closed, done, planned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { call, callTask, newPlace, type Place } from './support.ts'

let place: Place
let model: ScriptedOpenai
afterEach(async () => {
  await place.leave()
  await model.close()
})

const Todos = z.object({ rows: z.array(z.looseObject({ content: z.string() })) })

it('U32 a todo is added by a native call and by the JSON of a thought, with its text as it is', async () => {
  place = newPlace()
  model = await startScriptedOpenai({
    turn: [
      calling('', ['add_todo', { text: 'call --due "soon"', due: '2099-11-27T15:00', priority: '2' }]),
      'It is noted.',
    ],
    plan: [planned('Note the milk')],
    thought: [act('{"text":"/todo add milk"}', 'add_todo'), done('noted')],
    replan: [closed('It is noted.')],
  })
  const service = await place.start(openaiAt(model.base_url))
  const session = await callTask(service, 'POST', '/tasks', { goal: 'note it', mode: 'session', rounds: 9 })
  expect(session).toMatchObject({ status: 'completed', counters: { successful_actions: 1 } })
  const planning = await callTask(service, 'POST', '/tasks', { goal: 'note it', rounds: 9 })
  expect(planning).toMatchObject({ status: 'completed', counters: { successful_actions: 1 } })
  const listed = await call(service, 'POST', '/commands', { command: '/todo list' })
  const { rows } = Todos.parse(listed)
  expect(rows).toMatchObject([
    { content: '/todo add milk', due: null, priority: 0 },
    { content: 'call --due "soon"', due: '2099-11-27 15:00', priority: 2 },
  ])
  const [offered] = model.calls
  const tools = z.array(z.object({ function: z.looseObject({ name: z.string() }) })).parse(offered?.body['tools'])
  expect(tools.map((tool) => tool.function.name)).toEqual(expect.arrayContaining(['add_todo', 'list_events', 'todo']))
})
