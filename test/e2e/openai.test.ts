/** The openai path through real HTTP on both sides: the service as a process, the model as a scripted server. */
import { afterEach, expect, it } from 'vitest'
import { act, closed, done, planned, replanned } from '../support/scripted.ts'
import { startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { call, callTask, journalOf, newPlace, type Place } from './support.ts'

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

it('S3-36 mode dynamic over HTTP: an action fails, a repair step is added, and an action uses the result of an earlier one', async () => {
  place = newPlace()
  const decide = (is_complete: boolean, reason: string, ...add: string[]) => ({
    is_complete,
    reason,
    answer: is_complete ? reason : null,
    add_steps: add.map((name) => ({ name, description: '', expected_output: '' })),
    remove_steps: [],
  })
  const use = (tool: string, input: string, save_as: string | null = null) => ({ tool, input, save_as })
  model = await startScriptedOpenai({
    plan: [{ steps: [{ name: 'tick it off', description: '', expected_output: '' }] }],
    think: Array.from({ length: 5 }, () => ({ thought: 'on with it' })),
    step_decision: [
      decide(false, 'nothing is done'),
      decide(true, 'there is no such todo', 'write it down'),
      decide(false, 'no words yet'),
      decide(false, 'the words are there'),
      decide(true, 'written down'),
    ],
    action: [use('todo', '/todo done 99'), use('think', 'call "mum"', 'words'), use('todo', '/todo add {{words}}')],
  })
  const env = {
    MODEL_PROVIDER: 'openai',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: model.base_url,
    OPENAI_MODEL: 'm',
  }
  const service = await place.start(env)
  const task = await callTask(service, 'POST', '/tasks', { goal: 'tick off mum', mode: 'dynamic', rounds: 9 })
  expect(task).toMatchObject({
    status: 'completed',
    budget: { unit: 'actions', used: 3, max: 100 },
    counters: { successful_actions: 2, failed_actions: 1 },
    result: { text: 'written down' },
  })
  expect(model.leftovers()).toEqual({})
  const rows = await journalOf(service, task.id)
  const runs = rows.filter(({ kind }) => kind === 'run_tool')
  expect(runs.at(-1)?.request).toEqual({ tool: 'todo', input: '/todo add call "mum"' })
  expect(model.calls.map(({ metadata }) => metadata['mode'])).toEqual(model.calls.map(() => 'dynamic'))
})

it('U9 a task goes on at the next endpoint of its fallback list, over a kill, and each endpoint sees its own key and model alone', async () => {
  place = newPlace()
  // Nothing is scripted for thoughts, so that the first endpoint answers them with errors.
  const away = await startScriptedOpenai({ plan: [planned('Buy milk')] })
  model = await startScriptedOpenai({
    thought: [act('/todo add milk'), done('it is on the list')],
    replan: [closed('Done.')],
  })
  try {
    const endpoint = (base_url: string, name: string) => ({
      wire: 'chat',
      base_url,
      key: `sk-${name}`,
      model: `${name}-1`,
    })
    const MODELS = JSON.stringify({
      fast: { ...endpoint(away.base_url, 'fast'), fallback: ['strong'] },
      strong: endpoint(model.base_url, 'strong'),
    })
    const service = await place.start({ MODEL_PROVIDER: undefined, MODELS })
    expect(await call(service, 'GET', '/health')).toMatchObject({
      model: { endpoint: 'fast', wire: 'chat', model: 'fast-1' },
    })
    const { id } = await callTask(service, 'POST', '/tasks', {
      goal: 'buy milk',
      rounds: 0,
      settings: { failure_limit: 1 },
    })
    const first = await callTask(service, 'POST', `/tasks/${id}/step`, {})
    await service.kill()
    const next = await place.start({ MODEL_PROVIDER: undefined, MODELS })
    expect(first).toMatchObject({ status: 'running', retry_after_ms: null })
    const task = await callTask(next, 'POST', `/tasks/${id}/step`, { rounds: 10 })
    expect(task).toMatchObject({ status: 'completed', result: { text: 'Done.' } })
    expect(away.calls.map((one) => [one.phase, one.authorization, one.body['model']])).toEqual([
      ['plan', 'Bearer sk-fast', 'fast-1'],
      ['thought', 'Bearer sk-fast', 'fast-1'],
    ])
    expect(new Set(model.calls.map((one) => `${one.authorization} ${one.body['model']}`))).toEqual(
      new Set(['Bearer sk-strong strong-1']),
    )
    const rows = (await journalOf(next, id)).filter(({ kind }) => kind === 'call_model')
    expect(rows.map(({ endpoint: name }) => name)).toEqual(['fast', 'fast', 'strong', 'strong', 'strong'])
    expect(await call(next, 'POST', `/tasks/${id}/replay`, {})).toMatchObject({ equal: true })
    const { data } = (await call(next, 'GET', '/models')) as { data: { name: string; learned: object | null }[] }
    expect(data.map(({ name, learned }) => [name, learned])).toEqual([
      ['fast', null],
      ['strong', { form: 'json_schema', refused: [] }],
    ])
  } finally {
    await away.close()
  }
})
