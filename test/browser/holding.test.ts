/** A task is spoken to, held, ended and deleted from its page; what cannot be taken back is asked for first. */
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import type { TaskView } from '../../src/core/terms/view.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
const created = () => bench.task('POST', '/tasks', { goal: 'write down to buy milk', rounds: 0 })
const opened = (task: TaskView) => bench.open(`#/tasks/${task.id}`)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const statusOf = async ({ id }: TaskView) => (await bench.task('GET', `/tasks/${id}`)).status

it('a cancellation that is not confirmed leaves the focus in place, and the task continues', async () => {
  const task = await created()
  const page = await opened(task)
  await button(page, 'Cancel the task …').click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel the task …')
  await page.keyboard.press('Enter')
  await button(page, 'Leave it as it is').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel the task …')
  expect(await statusOf(task)).toBe('running')
})

it('a task is canceled after a confirmation, and then only its deletion is offered', async () => {
  const task = await created()
  const page = await opened(task)
  await button(page, 'Cancel the task …').click()
  await button(page, 'Cancel the task').click()
  await expect.poll(() => page.title()).toMatch(/^canceled · /)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('task-controls')
  expect(await button(page, 'Cancel the task …').count()).toBe(0)
  expect(await button(page, 'Pause').count()).toBe(0)
  await button(page, 'Delete …').click()
  await button(page, 'Delete the task').click()
  await page.waitForURL('**/#/tasks')
  await expect(bench.call('GET', `/tasks/${task.id}`)).rejects.toThrow('404')
})

it('a task is paused, says why, and is resumed by its own button', async () => {
  const task = await created()
  const page = await opened(task)
  await button(page, 'Pause').click()
  await page.getByText('somebody paused it').first().waitFor()
  await button(page, 'Resume').click()
  await button(page, 'Step').waitFor()
  expect(await statusOf(task)).toBe('running')
})

it('S0-25 a slash command shows its rows, and the task stays unchanged', async () => {
  const task = await created()
  const page = await opened(task)
  await page.getByLabel('Say something').fill('/todo add tea --tag home')
  await button(page, 'Send').click()
  await page.getByText('todo_added').waitFor()
  expect(await page.getByLabel('Say something').inputValue()).toBe('')
  await page.getByLabel('Say something').fill('/todo list')
  await button(page, 'Send').click()
  await page.getByRole('columnheader', { name: 'content' }).waitFor()
  await page.getByRole('cell', { name: 'tea' }).waitFor()
  expect((await bench.task('GET', `/tasks/${task.id}`)).version).toBe(task.version)
})

it('an input that is refused stays in its field', async () => {
  const task = await created()
  const page = await opened(task)
  await page.getByLabel('Say something').fill('x'.repeat(16_001))
  await button(page, 'Send').click()
  await page.getByText('input must have at most 16000 characters.').waitFor()
  expect((await page.getByLabel('Say something').inputValue()).length).toBe(16_001)
})

it('R18 the page says that a task was deleted elsewhere', async () => {
  const task = await created()
  const page = await opened(task)
  await page.getByText('live', { exact: true }).waitFor()
  await fetch(`${bench.url()}/tasks/${task.id}`, { method: 'DELETE', headers: { authorization: 'Bearer dev-key' } })
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('task_not_found')
  await page.getByText('It has been deleted. This is what the page knew of it last.').waitFor()
  // Nothing is offered that could not be done.
  expect(await page.locator('main button').count()).toBe(0)
  await page.getByRole('link', { name: 'Back to the tasks' }).click()
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
})

it('a half-typed remark is still there after a visit to another view, and text typed during the sending stays', async () => {
  const task = await created()
  const page = await opened(task)
  const field = page.getByLabel('Say something')
  await field.fill('remember oat milk')
  await page.getByRole('link', { name: 'New task' }).click()
  await page.getByRole('heading', { name: 'New task' }).waitFor()
  await page.goBack()
  await expect.poll(() => field.inputValue()).toBe('remember oat milk')
  let send = () => undefined as void
  const held = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route('**/input', async (route) => {
    await held
    await route.continue()
  })
  await button(page, 'Send').click()
  await field.fill('remember oat milk and the eggs')
  send()
  await page.getByText('The service has taken it.').waitFor()
  expect(await field.inputValue()).toBe('remember oat milk and the eggs')
})

it('half-typed texts for a task that is deleted elsewhere are given back, and ask for no confirmation later', async () => {
  const task = await created()
  const page = await opened(task)
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByLabel('Say something').fill('and the eggs')
  await fetch(`${bench.url()}/tasks/${task.id}`, { method: 'DELETE', headers: { authorization: 'Bearer dev-key' } })
  await page.getByText('What you typed for it was not sent:').waitFor()
  await page.locator('pre', { hasText: 'and the eggs' }).first().waitFor()
  await button(page, 'Dismiss').click()
  expect(await page.getByText('What you typed for it was not sent:').count()).toBe(0)
  await button(page, 'Forget the key').click()
  await page.getByLabel('API key').waitFor()
})

it('a half-typed remark is given back when its task ends', async () => {
  const task = await created()
  const page = await opened(task)
  await page.getByLabel('Say something').fill('and the eggs')
  await bench.task('POST', `/tasks/${task.id}/cancel`)
  await page.getByText('The task has ended. What you typed was not sent:').waitFor()
  await page.locator('pre', { hasText: 'and the eggs' }).waitFor()
  await button(page, 'Dismiss').click()
  expect(await page.getByText('and the eggs').count()).toBe(0)
})

it('U12–U14: a running task is granted more budget before it runs out', async () => {
  const task = await created()
  const page = await opened(task)
  await page.getByText('Top up', { exact: true }).click()
  await page.getByLabel('Amount').fill('7')
  await button(page, 'Top up').click()
  await page.getByText('It has been added.').waitFor()
  expect((await bench.task('GET', `/tasks/${task.id}`)).budget.max).toBe((task.budget.max ?? 0) + 7)
})

it('the focus is not lost when a task is run to its end by keyboard', async () => {
  const page = await opened(await created())
  await button(page, 'Run until it waits').focus()
  await page.keyboard.press('Enter')
  await page.locator('.task-header .status', { hasText: 'completed' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('task-controls')
})

it('during a lost connection the page says how old it is, and it continues afterwards', async () => {
  const task = await created()
  const page = await bench.open('#/tasks')
  await page.route('**/events**', (route) => route.abort())
  await page.goto(`${bench.url()}/#/tasks/${task.id}`)
  await page.getByText(/connection lost; what you see is from \d\d:\d\d:\d\d, trying again/).waitFor()
  expect(await page.locator('.task-connection time').getAttribute('datetime')).toMatch(/Z$/)
  await page.unroute('**/events**')
  await page.getByText('live', { exact: true }).waitFor()
  // The browser logs each try that was cut off.
  expect(bench.complaints().every((line) => line.includes('ERR_FAILED'))).toBe(true)
})

it('a long goal is folded, and the id and the JSON can be copied', async () => {
  const goal = `write down to buy ${'milk and honey and '.repeat(40)}tea`
  const task = await bench.task('POST', '/tasks', { goal, rounds: 0, metadata: { team: 'kitchen' } })
  const page = await opened(task)
  await button(page, 'Show all of the goal').click()
  await button(page, 'Show less').waitFor()
  await page.getByText('kitchen').waitFor()
  await button(page, 'Copy the id').waitFor()
  await page.getByRole('link', { name: 'JSON' }).click()
  await expect.poll(() => page.locator('.task-body pre').textContent()).toContain(`"id": "${task.id}"`)
})
