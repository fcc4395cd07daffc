/** A session that has ended in the page, and is told to go on by somebody else. */
import { expect, it } from 'vitest'
import { consoleBench } from './bench.ts'

const bench = consoleBench()

it('the next run that another client starts is shown with all its events', async () => {
  const { id } = await bench.task('POST', '/tasks', { goal: 'add todo buy milk', mode: 'session', rounds: 20 })
  const page = await bench.open('#/tasks')
  await page.clock.install()
  await page.goto(`${bench.url()}/#/tasks/${id}`)
  await page.locator('.task-connection', { hasText: 'this run has ended; a next one will be shown' }).waitFor()
  const before = await page.locator('.activity-entry').count()
  await bench.task('POST', `/tasks/${id}/input`, { input: 'add todo call mum' })
  await bench.task('POST', `/tasks/${id}/step`, { rounds: 20 })
  await page.clock.runFor(15_000)
  await expect.poll(() => page.locator('.activity-entry').count()).toBeGreaterThan(before)
  await page.locator('.activity-entry', { hasText: 'call mum' }).first().waitFor()
})
