/** The key: asked for once, tried before it is kept, kept by the tab alone. */
import { expect, it } from 'vitest'
import { consoleBench } from './bench.ts'

const bench = consoleBench()

it('a key is entered once, kept in session storage only, and forgotten when the reader says so', async () => {
  const page = await bench.open('', { key: null })
  await page.getByLabel('API key').fill('dev-key')
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('navigation').waitFor()
  expect(await page.evaluate('sessionStorage.getItem("loop-agent.key")')).toBe('dev-key')
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie + location.href')).not.toContain('dev-key')
  await page.reload()
  await page.getByRole('navigation').waitFor()
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByLabel('API key').waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

it('a key that the service does not know is refused in words, and not kept', async () => {
  const page = await bench.open('', { key: null })
  await page.getByLabel('API key').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The service does not know this key.').waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  expect(await page.getByRole('navigation').count()).toBe(0)
})
