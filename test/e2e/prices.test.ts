/** The default prices in the built bundle: the Worker and the object of a task load them before they are asked. */
import { afterEach, expect, it } from 'vitest'
import { callTask, newPlace, type Place } from './support.ts'

let place: Place
afterEach(() => place.leave())

it('U28 D5 with a key for OpenAI alone, a listed model can be bounded by money, and a bound that buys no call pauses before it', async () => {
  place = newPlace()
  const service = await place.start({ MODEL_PROVIDER: undefined, OPENAI_API_KEY: 'sk-test', OPENAI_MODEL: 'gpt-6-sol' })
  // The object of the task has to know the price as well, and asks nobody.
  const settings = { max_cost_usd: '0.000001' }
  const task = await callTask(service, 'POST', '/tasks', { goal: 'buy milk', settings })
  expect(task).toMatchObject({
    status: 'paused',
    stop_reason: 'budget_exhausted:cost_usd',
    counters: { model_calls: 0 },
  })
  const refused = await fetch(`${service.url}/tasks`, {
    method: 'POST',
    headers: { authorization: 'Bearer dev-key', 'content-type': 'application/json' },
    body: JSON.stringify({ goal: 'buy milk', settings: { ...settings, model: 'gpt-6-sol-next' } }),
  })
  expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'model_not_budgetable' }])
})
