/** Secrets in the console: put, replaced and deleted, and no value that stays in the page. */
import { expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
const VALUE = 'canary-typed-into-a-page'
type Open = Awaited<ReturnType<typeof bench.open>>

async function put(page: Open, name: string, value: string, hosts: string) {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Value').fill(value)
  await page.getByLabel('Hosts').fill(hosts)
  await page.getByRole('button', { name: 'Put the secret', exact: true }).click()
}
const names = async () =>
  ((await bench.call('GET', '/secrets')) as { data: { name: string; hosts: string[] }[] }).data.map(
    ({ name, hosts }) => `${name} ${hosts.join(' ')}`,
  )

it('U51 a secret is put, listed with its hosts, replaced and deleted, and its value stays nowhere in the page', async () => {
  const page = await bench.open('#/secrets')
  await page.getByText('There is no secret yet.').waitFor()
  await put(page, 'orders', VALUE, 'API.example.com, auth.example.com:8443')
  await page.getByText('orders is stored.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'orders' })
  await row.getByText('api.example.com auth.example.com:8443').waitFor()
  await row.getByText('never').waitFor()
  expect(await page.getByLabel('Value').inputValue()).toBe('')
  expect(await page.content()).not.toContain(VALUE)

  await row.getByRole('button', { name: 'Replace orders' }).click()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('orders')
  expect(await page.evaluate("document.activeElement.getAttribute('type')")).toBe('password')
  await put(page, 'orders', `${VALUE}-2`, 'b.example')
  await row.getByText('b.example', { exact: true }).waitFor()
  expect(await names()).toEqual(['orders b.example'])

  const { violations } = await analyse(page)
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

  await row.getByRole('button', { name: 'Delete orders' }).click()
  await page.getByRole('button', { name: 'Leave it as it is' }).click()
  expect(await names()).toEqual(['orders b.example'])
  await row.getByRole('button', { name: 'Delete orders' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete orders', exact: true }).click()
  await page.getByText('There is no secret yet.').waitFor()
  expect(await names()).toEqual([])
})

it('U51 a refusal is told by field, and name and hosts stay while the view is left, but not the value', async () => {
  const page = await bench.open('#/secrets')
  await put(page, 'orders', VALUE, 'https://api.example.com/v1')
  await page.getByText('write "api.example.com"').waitFor()
  await page.getByRole('link', { name: 'Deliveries' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Secrets' }).click()
  await page.getByRole('heading', { name: 'Secrets' }).waitFor()
  const typed = await Promise.all(
    ['Name', 'Value', 'Hosts'].map((label) => page.getByLabel(label, { exact: true }).inputValue()),
  )
  expect(typed).toEqual(['orders', '', 'https://api.example.com/v1'])
  expect(await names()).toEqual([])
})

it('U51 the curl line of the form has a sign in place of the value', async () => {
  const page = await bench.open('#/secrets', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByLabel('Name', { exact: true }).fill('orders')
  await page.getByLabel('Value').fill(VALUE)
  await page.getByLabel('Hosts').fill('a.example')
  await page.locator('form').getByRole('button', { name: /curl/i }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`{"value":"…","hosts":["a.example"]}`)
  expect(await page.content()).not.toContain(VALUE)
})
