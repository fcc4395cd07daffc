/** A plan that waits for a person's word. */
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { consoleBench } from './bench.ts'

const bench = consoleBench()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const waiting = () =>
  bench.task('POST', '/tasks', { goal: 'add todo buy milk; add todo call mum', settings: { approve: 'plan' } })

it('U15: half-typed changes are still there after a visit to another view, and are requested once', async () => {
  const { id } = await waiting()
  const page = await bench.open(`#/tasks/${id}`)
  const changes = page.getByLabel('Or say what is to be changed')
  await changes.fill('first call')
  await page.getByRole('link', { name: 'New task' }).click()
  await page.getByRole('heading', { name: 'New task' }).waitFor()
  await page.goBack()
  await expect.poll(() => changes.inputValue()).toBe('first call')
  await button(page, 'Ask for changes').click()
  await expect.poll(() => changes.inputValue()).toBe('')
  const events = JSON.stringify(await bench.call('GET', `/tasks/${id}/events?limit=100`))
  expect(events.match(/"answer":"first call"/g)).toHaveLength(1)
  expect(await page.locator('.waiting[role=alert]').count()).toBe(0)
})

it('half-typed changes are given back when the plan is approved', async () => {
  const { id } = await waiting()
  const page = await bench.open(`#/tasks/${id}`)
  await page.getByLabel('Or say what is to be changed').fill('first call')
  await button(page, 'Approve').click()
  await page.getByText('Your answer has been taken. What else you typed was not sent.').waitFor()
  expect(await page.locator('.waiting pre').textContent()).toBe('first call')
})

it('a slash command in place of changes shows its result, and the plan still waits', async () => {
  await bench.call('POST', '/commands', { command: '/todo add bread' })
  const { id } = await waiting()
  const page = await bench.open(`#/tasks/${id}`)
  const changes = page.getByLabel('Or say what is to be changed')
  await changes.fill('/todo list')
  await button(page, 'Ask for changes').click()
  await page.getByText('That was a command. It has answered, and your answer is still waited for:').waitFor()
  await page.locator('.waiting td', { hasText: 'bread' }).waitFor()
  expect(await changes.inputValue()).toBe('')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Ask for changes')
  expect((await bench.task('GET', `/tasks/${id}`)).pending).toMatchObject({ kind: 'approval' })
  await button(page, 'Approve').click()
  await button(page, 'Run until it waits').waitFor()
  expect((await bench.task('GET', `/tasks/${id}`)).pending).toBeNull()
  expect(await page.locator('.waiting').count()).toBe(0)
})
