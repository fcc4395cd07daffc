/** The models in the form of a new task: which one answers, and the choice of another by its name. */
import { describe, expect, it } from 'vitest'
import type { Request } from 'playwright-core'
import { consoleBench } from './bench.ts'

// Nothing listens there, so that a task pauses at its first call.
const NOWHERE = 'http://127.0.0.1:9/v1'
const MODELS = JSON.stringify({
  fast: { wire: 'chat', model: 'small-1', base_url: NOWHERE, key: 'sk-canary', fallback: ['strong'] },
  strong: { wire: 'chat', model: 'large-1', base_url: NOWHERE },
})
const bench = consoleBench(() => ({ MODELS, MODEL_PROVIDER: undefined }))

describe('the models of a new task', () => {
  it('are offered by their names, and the chosen one is sent', async () => {
    const page = await bench.open('#/new')
    await page.getByText('small-1 answers, at the endpoint fast, unless you name another model.').waitFor()
    const choice = page.getByLabel('Model', { exact: true })
    expect(await choice.locator('option').allTextContents()).toEqual([
      'as configured: fast',
      'fast (small-1)',
      'strong (large-1)',
    ])
    await page.getByLabel('Goal', { exact: true }).fill('Buy milk')
    await choice.selectOption('strong')
    await page.getByText('More settings').click()
    const setting = page.getByLabel('model', { exact: true })
    expect(await setting.inputValue()).toBe('strong')
    const offered = `document.getElementById(document.getElementById('${await setting.getAttribute('id')}').getAttribute('list'))`
    expect(await page.evaluate(`[...${offered}.options].map((option) => option.value)`)).toEqual(['fast', 'strong'])
    const sent = page.waitForRequest((request: Request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Create the task', exact: true }).click()
    expect((await sent).postDataJSON()).toMatchObject({ settings: { model: 'strong' } })
    await page.waitForURL(/#\/tasks\/task_/)
    await page.getByText('The model is unavailable (strong)').first().waitFor()
    expect(await page.content()).not.toContain('canary')
  })

  it('that are not there are refused at the field, with the nearest name', async () => {
    const page = await bench.open('#/new')
    await page.getByLabel('Goal', { exact: true }).fill('Buy milk')
    await page.getByText('More settings').click()
    await page.getByLabel('model', { exact: true }).fill('strng')
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('strng')
    await page.getByRole('button', { name: 'Create the task', exact: true }).click()
    await page.getByText('did you mean "strong"?').first().waitFor()
  })
})
