/** The list of tasks: filters in the address, a search, pages, what waits for a person, and a list that lives without moving the reader. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
const empty = consoleBench()
const make = (goal: string, more: object = {}) => bench.task('POST', '/tasks', { goal, rounds: 0, ...more })
const goals = (page: Page) => page.locator('.tasks-goal').allTextContents()
const serious = async (page: Page) =>
  (await analyse(page)).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)

it('an empty list links to the form of a new task', async () => {
  const page = await empty.open()
  await page.getByText('There is no task yet.').waitFor()
  await page.getByText('No task waits for you.').waitFor()
  await page.getByRole('link', { name: 'Post the first goal' }).click()
  expect(page.url()).toContain('#/new')
})

describe('a list of tasks', () => {
  it('is searched by goal, filtered by status and mode, and the way back undoes each of these', async () => {
    await make('Buy milk for the list')
    await make('Write a letter to the list', { mode: 'dynamic' })
    const paused = await make('Paused one of the list')
    await bench.task('POST', `/tasks/${paused.id}/pause`)
    const page = await bench.open()
    await page.getByLabel('Goal or id contains').fill('MILK for')
    await page.keyboard.press('Enter')
    await expect.poll(() => goals(page)).toEqual(['Buy milk for the list'])
    expect(page.url()).toContain('#/tasks?q=MILK+for')
    await page.getByLabel('Goal or id contains').fill('the list')
    await page.getByLabel('Mode').selectOption('dynamic')
    await expect.poll(() => goals(page)).toEqual(['Write a letter to the list'])
    await page.goBack()
    await expect.poll(() => goals(page)).toEqual(['Buy milk for the list'])
    expect(await page.getByLabel('Goal or id contains').inputValue()).toBe('MILK for')
    await page.getByLabel('Status').selectOption('failed')
    await page.getByText('No task matches.').waitFor()
    await page.getByRole('link', { name: 'Show all tasks' }).click()
    await expect.poll(() => page.locator('.tasks-goal').count()).toBeGreaterThan(2)
    await page.getByRole('link', { name: '1 is paused' }).click()
    await expect.poll(() => goals(page)).toEqual(['Paused one of the list'])
    await page.getByRole('link', { name: 'Paused one of the list' }).click()
    expect(page.url()).toContain(`#/tasks/${paused.id}`)
  })

  it('shows a change of the service by itself, and keeps the focus and the typed text', async () => {
    const { id } = await make('Watched from afar')
    // Not by a search, which looks again less often.
    const page = await bench.open('#/tasks')
    const row = page.getByRole('row', { name: /Watched from afar/ })
    await row.getByText('running').waitFor()
    await page.getByRole('link', { name: 'Watched from afar' }).focus()
    await page.evaluate('window.kept = document.activeElement')
    await bench.task('POST', `/tasks/${id}/cancel`)
    await row.getByText('canceled').first().waitFor()
    expect(await page.evaluate('window.kept === document.activeElement')).toBe(true)
  })

  it('is paged forth and back by cursor, also with the Back button of the browser', async () => {
    for (let n = 0; n < 41; n++) await make(`Paged ${n}`, { metadata: { n: String(n) } })
    const page = await bench.open('#/tasks?q=paged')
    const first = () => page.locator('.tasks-goal').first().textContent()
    await expect.poll(first).toBe('Paged 40')
    await page.getByRole('link', { name: 'Older' }).click()
    await expect.poll(first).toBe('Paged 20')
    await page.getByRole('link', { name: 'Older' }).click()
    await expect.poll(() => goals(page)).toEqual(['Paged 0'])
    await page.getByText('Page 3').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('tasks-list')
    await page.getByRole('link', { name: 'Newer' }).click()
    await expect.poll(first).toBe('Paged 20')
    await page.goBack()
    await expect.poll(() => goals(page)).toEqual(['Paged 0'])
    await page.reload()
    await expect.poll(() => goals(page)).toEqual(['Paged 0'])
  })

  it('offers no next page while it still shows an earlier page', async () => {
    const page = await bench.open('#/tasks?q=paged')
    await page.getByRole('link', { name: 'Older' }).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route(/\/tasks\?q=paged&limit=20&after=/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByText('Page 2').waitFor()
    expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0)
    held.resolve()
    await expect.poll(() => page.locator('.tasks-goal').first().textContent()).toBe('Paged 20')
    await page.getByRole('link', { name: 'Older' }).waitFor()
  })

  it('shows the revision of a plan, which every task has, and not the number of finished steps', async () => {
    const { plan } = await make('Planned and read', { rounds: 1 })
    const page = await bench.open('#/tasks?q=planned+and+read')
    await page.getByRole('cell', { name: `revision ${plan.revision}` }).waitFor()
    expect(await page.getByText('done', { exact: false }).count()).toBe(0)
  })

  it('of a slow service is shown too, with one request at a time', async () => {
    await make('Slowly listed')
    const page = await bench.open('#/new')
    await page.clock.install()
    const held: (() => void)[] = []
    await page.route(/\/tasks\?limit=20/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await page.getByRole('navigation').getByRole('link', { name: 'Tasks' }).click()
    await page.getByText('Reading the tasks …').waitFor()
    await expect.poll(() => held.length).toBe(1)
    // A read is given up after 30 s, and asked again then.
    await page.clock.runFor(25_000)
    expect(held).toHaveLength(1)
    held[0]?.()
    await page.getByRole('link', { name: 'Slowly listed' }).waitFor()
  })

  it('is in the language of the page, and marks each goal as a text of its own language', async () => {
    await make('买三次牛奶')
    const page = await bench.open('#/tasks?q=' + encodeURIComponent('三次'))
    await expect.poll(() => page.locator('.tasks-goal').first().getAttribute('lang')).toBe('zh')
    expect(await page.title()).toBe('Tasks · loop-agent')
  })

  it.each(['light', 'dark'] as const)(
    '%s: a phone scrolls it only vertically, and axe finds nothing serious',
    async (colorScheme) => {
      await make(`A goal with a word that is ${'very'.repeat(60)} long, and markup <b>not bold</b>`)
      const page = await bench.open('#/tasks?q=not+bold', { colorScheme, viewport: { width: 390, height: 844 } })
      await page.getByText('not bold').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      expect(await serious(page)).toEqual([])
      await page.setViewportSize({ width: 1200, height: 800 })
      expect(await serious(page)).toEqual([])
    },
  )
})
