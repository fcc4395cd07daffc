/** The activity of a task: live, marked, and smooth with many events. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { act, calling, planned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

/** Each of them is three events. */
const ROUNDS = 166
let model: ScriptedOpenai
beforeAll(async () => {
  model = await startScriptedOpenai({
    plan: Array.from({ length: 4 }, () => planned('look at <b>all</b> of it')),
    thought: Array.from({ length: ROUNDS + 40 }, (_, index) => act(`/todo search ${index}`)),
    turn: [
      calling('<thinking>I have to look first</thinking>', ['todo', { input: '/todo list' }]),
      calling('', ['todo', { input: '/todo list' }]),
    ],
  })
})
const bench = consoleBench(() => openaiAt(model.base_url))
afterAll(() => model.close())

const entries = (page: Page) => page.locator('.activity-entry')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const fromTop = (page: Page) => page.evaluate<number>('document.querySelector(".activity-box").scrollTop')
const fromEnd = (page: Page) =>
  page.evaluate<number>(
    '(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector(".activity-box"))',
  )

async function many(rounds: number): Promise<string> {
  const { id } = await bench.task('POST', '/tasks', { goal: 'g', rounds: 0, settings: { max_steps: 10_000 } })
  for (let left = rounds; left > 0; left -= 50)
    await bench.task('POST', `/tasks/${id}/step`, { rounds: Math.min(left, 50) })
  return id
}

it('500 events: 200 entries are drawn at most, "show earlier" draws more, and the reader stays where they were', async () => {
  const id = await many(ROUNDS)
  const page = await bench.open(`#/tasks/${id}`)
  await button(page, /^Show earlier/).waitFor()
  expect(await entries(page).count()).toBe(200)
  await expect.poll(() => fromEnd(page)).toBeLessThan(2)
  const first = await entries(page).first().getAttribute('data-seq')
  // As a reader does it: what scrolls by itself is held at its end.
  await page.locator('.activity-box').focus()
  // The browser scrolls smoothly and may end a little below the top, because the entries get their real height on the way.
  const goHome = async () => {
    await page.keyboard.press('Home')
    return fromTop(page)
  }
  await expect.poll(goHome, { interval: 400 }).toBe(0)
  await button(page, /^Show earlier/).click()
  await expect.poll(() => entries(page).count()).toBeGreaterThan(300)
  expect(await button(page, /^Show earlier/).count()).toBe(0)
  // What was the first is still in sight, with what came before above it.
  const top = async (of: string) => (await page.locator(of).boundingBox())?.y ?? Number.NaN
  await expect.poll(async () => (await top(`[data-seq="${first}"]`)) - (await top('.activity-box'))).toBeGreaterThan(0)
  expect(await fromEnd(page)).toBeGreaterThan(1_000)
  await button(page, 'Thoughts').click()
  await expect.poll(() => entries(page).count()).toBe(ROUNDS)
  expect(await page.locator('.activity-entry:not(.thought)').count()).toBe(0)
})

it('an event links to its row of the journal, which is shown and gets the focus', async () => {
  const id = await many(10)
  const page = await bench.open(`#/tasks/${id}`)
  const link = page.getByRole('link', { name: /Row \d+ of the journal$/ }).last()
  const row = /Row (\d+)/.exec((await link.textContent()) ?? '')?.[1]
  await link.click()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`row-${row}`)
})

it('the list grows while the task is stepped over HTTP: at its end it follows, further up it counts new entries', async () => {
  const id = await many(10)
  const page = await bench.open(`#/tasks/${id}`)
  await expect.poll(() => entries(page).count()).toBeGreaterThan(20)
  await expect.poll(() => fromEnd(page)).toBeLessThan(2)
  const before = await entries(page).count()
  await bench.task('POST', `/tasks/${id}/step`, {})
  await expect.poll(() => entries(page).count()).toBe(before + 2)
  await expect.poll(() => fromEnd(page)).toBeLessThan(2)
  await page.locator('.activity-box').hover()
  await page.mouse.wheel(0, -400)
  await expect.poll(() => fromEnd(page)).toBeGreaterThan(100)
  await bench.task('POST', `/tasks/${id}/step`, {})
  await button(page, /2 new/).waitFor()
  expect(await fromEnd(page)).toBeGreaterThan(100)
  await button(page, /2 new/).click()
  await expect.poll(() => fromEnd(page)).toBeLessThan(2)
  expect(await button(page, /new$/).count()).toBe(0)
})

it('an action is one entry with folded input and result; texts of a model are plain text, and rows of the journal are linked', async () => {
  const id = await many(1)
  const page = await bench.open(`#/tasks/${id}`)
  const action = page.locator('.activity-entry.action')
  await action.getByText('success').waitFor()
  expect(await action.count()).toBe(1)
  const input = action.locator('details', { hasText: 'Input' })
  expect(await input.locator('pre').isVisible()).toBe(false)
  await input.locator('summary').click()
  expect(await input.locator('pre').innerText()).toContain('/todo search')
  await page.locator('.activity-entry.plan').getByText('look at <b>all</b> of it').waitFor()
  await action.getByRole('link', { name: 'Row 3 of the journal' }).click()
  await expect.poll(() => page.url()).toContain(`#/tasks/${id}/journal`)
})

it.each(['light', 'dark'] as const)(
  'S1-29 S1-54 thoughts are marked as real or synthetic, and accessible in %s',
  async (colorScheme) => {
    const body = { goal: 'g', mode: 'autonomous', rounds: 0 }
    const { id } = await bench.task('POST', '/tasks', body)
    const page = await bench.open(`#/tasks/${id}`, { colorScheme, viewport: { width: 1200, height: 900 } })
    await page.getByText('the model has not written down its first tasks').waitFor()
    if (colorScheme === 'light') {
      await bench.task('POST', `/tasks/${id}/step`, { rounds: 2 })
      const thoughts = page.locator('.activity-entry.thought')
      await expect.poll(() => thoughts.count()).toBe(2)
      expect(await thoughts.nth(0).innerText()).toMatch(/real\s+I have to look first/)
      expect(await thoughts.nth(1).innerText()).toMatch(/synthetic\s+\(no thought given\)/)
    }
    const { violations } = await analyse(page, '.activity', '.task-side')
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  },
)
