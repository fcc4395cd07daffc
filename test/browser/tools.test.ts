/** Tools in the console: the tools of a task, and a trial of tools before there is a task. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

const json = (value: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const orderTool = () => ({ http: { name: 'get_order', url: `${server.origin}/orders/{id}` } })

it('TT-08 entries are previewed, a tool is chosen and called, and its result is shown as a text', async () => {
  const page = await bench.open('#/tools')
  await page
    .getByLabel('Entries as JSON')
    .fill(JSON.stringify([orderTool(), { mcp: `${server.origin}/mcp`, name: 'shop' }]))
  server.reset()
  for (let answer = 0; answer < 8; answer++) server.script({ status: 401, body: '' })
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const found = page.getByRole('region', { name: 'What a task would be offered' })
  await found.getByText('not available').waitFor()
  expect(await page.getByLabel('Tool', { exact: true }).inputValue()).toBe('get_order')
  expect(JSON.parse(await page.getByLabel('Arguments as JSON').inputValue())).toEqual({ id: '' })

  server.reset()
  server.script(json({ note: '<img src=x onerror=alert(1)>' }))
  await page.getByLabel('Arguments as JSON').fill('{"id": "7"}')
  await page.getByRole('button', { name: 'Call the tool', exact: true }).click()
  await page.getByText('It succeeded').waitFor()
  await page.getByText('{"note":"<img src=x onerror=alert(1)>"}').waitFor()
  expect(server.received.map(({ path }) => path)).toEqual(['/orders/7'])

  const { violations } = await analyse(page)
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

it('TT-08 what is no JSON is said at its field, a refusal by field, and the entries stay while the view is left', async () => {
  const page = await bench.open('#/tools')
  await page.getByLabel('Entries as JSON').fill('[')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByText('This is no JSON.').waitFor()
  await page.getByRole('button', { name: 'OpenAPI document' }).click()
  await page.getByLabel('Entries as JSON').fill('[{"http": {"url": "https://api.example.com/", "metod": "GET"}}]')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByText('unknown field "metod"').first().waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Secrets' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Tools' }).click()
  expect(await page.getByLabel('Entries as JSON').inputValue()).toContain('metod')
})

it('TT-08 the page of a task shows its tools with origin and schema, and the built-in ones stand in the view of tools', async () => {
  const task = await bench.task('POST', '/tasks', { goal: 'buy milk', rounds: 0, tools: [orderTool()] })
  const page = await bench.open(`#/tasks/${task.id}/tools`)
  const row = page.getByRole('listitem').filter({ hasText: 'get_order' })
  await row.getByText('GET', { exact: true }).waitFor()
  await row.getByText('Arguments').click()
  await row.getByText('"required"').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'internet_search' }).getByText('built in').waitFor()
  expect(await page.content()).not.toContain(server.origin)
  await page.getByRole('navigation').getByRole('link', { name: 'Tools' }).first().click()
  await page.getByRole('listitem').filter({ hasText: 'internet_search' }).waitFor()
})
