/** An edit of a plan that meets a running effect (U2). */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, planned } from '../support/scripted.ts'
import { consoleBench } from './bench.ts'
import { startHeldModel, type HeldModel } from './held-model.ts'

let model: HeldModel
beforeAll(async () => {
  model = await startHeldModel(planned('one', 'two'), ask('Which?'))
})
const bench = consoleBench(() => ({
  MODEL_PROVIDER: 'openai',
  OPENAI_API_KEY: 'sk-test',
  OPENAI_BASE_URL: model.base_url,
  OPENAI_MODEL: 'held-1',
}))
afterAll(() => model.close())

it('U2: an edit that was accepted during an effect is shown as still to come until it is applied', async () => {
  const { id } = await bench.task('POST', '/tasks', { goal: 'g', rounds: 0 })
  const page = await bench.open(`#/tasks/${id}`)
  const stepping = bench.task('POST', `/tasks/${id}/step`, {})
  await model.asked
  await page.getByRole('button', { name: 'Edit plan' }).click()
  await page.getByRole('textbox', { name: 'Title of item 2' }).fill('two by hand')
  await page.getByRole('button', { name: 'Save plan', exact: true }).click()
  const follows = page.getByText('Your edit follows when the running effect is done.')
  await follows.waitFor()
  // Nothing is shown before the service says so.
  const items = page.getByRole('region', { name: 'Items of the plan' })
  expect(await items.getByText('two', { exact: true }).count()).toBe(1)
  model.release()
  await items.getByText('two by hand').waitFor()
  await follows.waitFor({ state: 'detached' })
  await stepping
})
