/** What a callback was not told, seen in the console and sent again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFaultServer, type FaultServer } from '../support/fault-server.ts'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
let receiver: FaultServer
beforeAll(async () => {
  receiver = await startFaultServer()
})
afterAll(async () => {
  await receiver.close()
})

it('an empty list says that every callback was delivered', async () => {
  const page = await bench.open('#/deliveries')
  await page.getByText('every callback was told in time').waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
})

// 410 ends a delivery at once; ten tries in 75 hours would end it the same way.
it('a refused delivery is listed with its reason and its task, sent again by hand, and then delivered', async () => {
  receiver.script({ status: 410 }, { status: 204 })
  const page = await bench.open('#/deliveries')
  const { id } = await bench.task('POST', '/tasks', {
    goal: 'buy milk and buy bread',
    rounds: 50,
    callback_url: `${receiver.origin}/hook`,
  })
  const row = page.getByRole('row').filter({ hasText: id })
  await row.getByText('not wanted').waitFor()
  await row.getByText('HTTP 410').waitFor()
  expect(await row.getByRole('link').getAttribute('href')).toBe(`#/tasks/${id}`)
  await page.getByLabel('Status').selectOption('failed')
  await page.getByText('None with this status.').waitFor()
  await page.getByLabel('Status').selectOption('')
  await row.getByRole('button', { name: /^Send .* again$/ }).click()
  await row.locator('.status.good').getByText('delivered').waitFor({ timeout: 30_000 })
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toHaveLength(2)
  const { violations } = await analyse(page)
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
