/** Without what a secure context alone has – over plain http in a LAN: actions go out all the same, and what cannot be copied can be selected. */
import { expect, it } from 'vitest'
import { consoleBench } from './bench.ts'

const bench = consoleBench()

async function insecure(fragment: string) {
  const page = await bench.open('#/tasks')
  await page.context().addInitScript(`
    Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined })
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })`)
  await page.goto(`${bench.url()}/${fragment}`)
  await page.reload()
  expect(await page.evaluate('[typeof crypto.randomUUID, typeof navigator.clipboard].join()')).toBe(
    'undefined,undefined',
  )
  return page
}

it('a step is made', async () => {
  const { id } = await bench.task('POST', '/tasks', { goal: 'buy tea and buy salt', rounds: 0 })
  const page = await insecure(`#/tasks/${id}`)
  await page.getByRole('button', { name: 'Step', exact: true }).click()
  await expect.poll(async () => (await bench.task('GET', `/tasks/${id}`)).step_count).toBeGreaterThan(0)
  await expect
    .poll(() => page.getByRole('button', { name: 'Step', exact: true }).getAttribute('aria-busy'))
    .toBe('false')
})

it('a text that the browser does not copy is shown and selected', async () => {
  const { id } = await bench.task('POST', '/tasks', { goal: 'buy tea', rounds: 0 })
  const page = await insecure(`#/tasks/${id}`)
  await page.getByRole('button', { name: 'Copy the id' }).click()
  const text = page.getByLabel('The browser does not let it be copied.')
  await text.waitFor()
  expect(await text.inputValue()).toBe(id)
  expect(await page.evaluate('getSelection().toString()')).toBe(id)
})
