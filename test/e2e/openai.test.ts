/** The openai path through real HTTP on both sides: the service as a process, the model as a scripted server. */
import { afterEach, expect, it } from 'vitest'
import { act, closed, done, planned, replanned } from '../support/scripted.ts'
import { startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { callTask, journalOf, newPlace, type Place } from './support.ts'

let place: Place
let model: ScriptedOpenai
afterEach(async () => {
  await place.leave()
  await model.close()
})

it('T1 two items, one tool: completed with 6, each phase as often as the trace says', async () => {
  place = newPlace()
  model = await startScriptedOpenai({
    plan: [planned('Buy milk', 'Say so')],
    thought: [act('/todo add milk'), done('milk is on the list'), done('said')],
    replan: [replanned('Say so'), closed('Milk is on your list.')],
  })
  const env = {
    MODEL_PROVIDER: undefined,
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: model.base_url,
    OPENAI_MODEL: 'scripted-1',
  }
  const service = await place.start(env)
  const created = await callTask(service, 'POST', '/tasks', { goal: 'buy milk', rounds: 0 })
  expect(created).toMatchObject({ status: 'running', step_count: 0, plan: { cursor: 0 } })
  const counts: number[] = []
  let task = created
  for (let request = 0; request < 5 && task.status === 'running'; request += 1) {
    task = await callTask(service, 'POST', `/tasks/${created.id}/step`, {})
    counts.push(task.step_count)
  }
  expect(counts).toEqual([2, 3, 4, 5, 6])
  expect(task).toMatchObject({ status: 'completed', stop_reason: 'done', result: { text: 'Milk is on your list.' } })
  expect(task.counters).toMatchObject({
    model_calls: 6,
    actions: 1,
    successful_actions: 1,
    failed_actions: 0,
    replans: 2,
  })
  expect(model.leftovers()).toEqual({})
  expect(model.calls.map(({ phase }) => phase)).toEqual(['plan', 'thought', 'thought', 'replan', 'thought', 'replan'])
  expect(new Set(model.calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer sk-test']))
  const rows = await journalOf(service, created.id)
  const seqs = rows.filter(({ kind }) => kind === 'call_model').map(({ seq }) => seq)
  expect(model.calls.map(({ metadata }) => metadata)).toEqual(
    seqs.map((seq, index) => ({ task: created.id, mode: 'plan_execute', phase: model.calls[index]?.phase, seq })),
  )
})
