/** The journal in the browser: it grows as the task does, a row can be forked from, and a replay says whether all is as it was decided. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()

const GOAL = { goal: 'buy milk and call mum', rounds: 0 }
const rows = (page: Page) => page.locator('.journal-row')
const serious = async (page: Page) =>
  (await analyse(page)).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)

it('the journal of a running task grows by the rows of other clients, and closed rows are not read again', async () => {
  const task = await bench.task('POST', '/tasks', GOAL)
  const page = await bench.open(`#/tasks/${task.id}/journal`)
  await expect.poll(() => rows(page).count()).toBe(2)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/journal?')) asked.push(new URL(request.url()).search)
  })
  await bench.task('POST', `/tasks/${task.id}/step`, {})
  await expect.poll(() => rows(page).count()).toBe(4)
  expect(await rows(page).nth(3).innerText()).toMatch(/act\s+todo[\s\S]*ok[\s\S]*counted/)
  expect(new Set(asked.map((search) => Number(new URLSearchParams(search).get('after')) >= 2))).toEqual(new Set([true]))
  expect(asked.every((search) => search.includes('redact=true'))).toBe(true)
  // Only those that are counted: the plan and the making of the task are not.
  await page.getByRole('button', { name: 'Counted only' }).click()
  await expect.poll(() => rows(page).count()).toBe(2)
})

it('an opened row shows its request and its reply, which are drawn only then', async () => {
  const task = await bench.task('POST', '/tasks', { ...GOAL, rounds: 20 })
  const page = await bench.open(`#/tasks/${task.id}/journal`)
  await expect.poll(() => rows(page).count()).toBe(10)
  expect(await page.getByText('"messages"').count()).toBe(0)
  await rows(page).nth(2).locator('summary').click()
  await rows(page).nth(2).getByText('Request', { exact: true }).click()
  await page.getByRole('region', { name: 'Request' }).getByText('"messages"').waitFor()
  await rows(page).nth(2).getByText('Reply', { exact: true }).click()
  await page.getByRole('region', { name: 'Reply' }).getByText('next_action').waitFor()
  expect(await serious(page)).toEqual([])
})

it('U26: a fork from a row makes a task in the state after that row, with other settings, and opens it', async () => {
  const task = await bench.task('POST', '/tasks', { ...GOAL, rounds: 20 })
  const page = await bench.open(`#/tasks/${task.id}/journal`)
  await rows(page).nth(3).locator('summary').click()
  await page.getByRole('button', { name: 'Fork from here' }).click()
  const dialog = page.getByRole('dialog', { name: 'Fork after row 4' })
  // Fewer steps than the rows took are refused, and what was typed stays.
  await dialog.getByLabel('Steps at most').fill('0')
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('Steps at most').inputValue()).toBe('0')
  await dialog.getByLabel('Steps at most').fill('9')
  expect(await serious(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click()
  await page.waitForURL((url) => !url.hash.includes(task.id))
  const id = decodeURIComponent(new URL(page.url()).hash.replace('#/tasks/', ''))
  const fork = await bench.task('GET', `/tasks/${id}`)
  expect(fork).toMatchObject({ status: 'running', step_count: 2, budget: { max: 9 } })
  await page.goto(`${bench.url()}/#/tasks/${id}/journal`)
  await expect.poll(() => rows(page).count()).toBe(4)
})

it('U26: the outcome of the last row can be replaced; a text that is not JSON is not sent', async () => {
  const task = await bench.task('POST', '/tasks', { ...GOAL, rounds: 20 })
  const page = await bench.open(`#/tasks/${task.id}/journal`)
  await rows(page).nth(3).locator('summary').click()
  await page.getByRole('button', { name: 'Fork from here' }).click()
  await page.getByLabel('Have the row say something else').check()
  const outcome = page.getByLabel('Its outcome, as JSON')
  await expect.poll(() => outcome.inputValue()).toContain('Added todo')
  await outcome.fill('{')
  await page.getByText('This is no JSON.').waitFor()
  expect(await page.getByRole('button', { name: 'Fork', exact: true }).isDisabled()).toBe(true)
  await outcome.fill(JSON.stringify({ ok: false, code: 'conflict', text: 'the list is locked' }))
  await page.getByRole('button', { name: 'Fork', exact: true }).click()
  await page.waitForURL((url) => !url.hash.includes(task.id))
  const id = decodeURIComponent(new URL(page.url()).hash.replace('#/tasks/', ''))
  const { data } = (await bench.call('GET', `/tasks/${id}/journal?after=3`)) as { data: { reply: unknown }[] } // as the contract has it
  expect(data[0]?.reply).toEqual({ ok: false, code: 'conflict', text: 'the list is locked' })
})

it('Escape closes the dialog, and the focus goes back to the button that opened it', async () => {
  const task = await bench.task('POST', '/tasks', GOAL)
  const page = await bench.open(`#/tasks/${task.id}/journal`)
  await rows(page).nth(1).locator('summary').focus()
  await page.keyboard.press('Enter')
  const opener = page.getByRole('button', { name: 'Fork from here' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Fork from here')
})

it('a replay confirms that all rows are as decided', async () => {
  const task = await bench.task('POST', '/tasks', { ...GOAL, rounds: 20 })
  const page = await bench.open(`#/tasks/${task.id}/journal`)
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await expect.poll(() => page.getByText('Equal: 10 rows').count()).toBe(1)
})

it('an address that names a row leads to it: the row is visible and has the focus', async () => {
  const task = await bench.task('POST', '/tasks', { ...GOAL, rounds: 20 })
  const page = await bench.open(`#/tasks/${task.id}/journal?seq=9`)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('row-9')
  await page.goto(`${bench.url()}/#/tasks/${task.id}/journal?seq=2`)
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('row-2')
})

it('the whole journal can be downloaded as JSON and as CSV', async () => {
  const task = await bench.task('POST', '/tasks', { ...GOAL, rounds: 20 })
  const page = await bench.open(`#/tasks/${task.id}/journal`)
  const fetched = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
  }
  const json = await fetched('Download JSON')
  expect(json.name).toBe(`${task.id}-journal.json`)
  const entries: unknown = JSON.parse(json.text)
  expect(entries).toHaveLength(10)
  expect(entries).toMatchObject({
    0: { seq: 1 },
    1: { seq: 2, request: { prompt: expect.stringMatching(/^plan_execute\/plan@\d+$/) } },
    9: { seq: 10 },
  })
  const csv = await fetched('Download CSV')
  expect(csv.text).toMatch(/^seq,kind,phase/)
  expect(csv.text.match(/^\d+,/gm)).toHaveLength(10)
})

it('the cost of each effect is shown as a chart and a table, with a sum for each item of the plan', async () => {
  const task = await bench.task('POST', '/tasks', { ...GOAL, rounds: 20, settings: { max_tokens: 40_000 } })
  const page = await bench.open(`#/tasks/${task.id}/journal`, { viewport: { width: 390, height: 844 } })
  await page.locator('.journal-chart rect').nth(8).waitFor()
  await page.getByText('limit 40000').waitFor()
  expect(await page.locator('.journal-chart line.limit').count()).toBe(1)
  await page.getByText('As a table').click()
  const { tokens } = task.budget
  await page
    .getByRole('region', { name: 'As a table' })
    .getByRole('cell', { name: String(tokens.used) })
    .waitFor()
  await page.getByText('By item of the plan').click()
  const items = page.getByRole('region', { name: 'By item of the plan' }).getByRole('rowheader')
  await expect
    .poll(() => items.allInnerTexts())
    .toEqual(['Todo: buy milk', 'Todo: call mum', 'of no item (planning and the like)'])
  await page.getByRole('button', { name: 'Seconds' }).click()
  await page.getByRole('columnheader', { name: 'Seconds' }).first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(await serious(page)).toEqual([])
})

it('U26: the outcome of a row can be edited once it is read, and a failure to read it is reported', async () => {
  const task = await bench.task('POST', '/tasks', { ...GOAL, rounds: 20 })
  const page = await bench.open(`#/tasks/${task.id}/journal`)
  await rows(page).nth(3).locator('summary').click()
  await rows(page).nth(3).getByText('Reply', { exact: true }).waitFor()
  let fails = true
  await page.route(/\/journal\?limit=1&after=3/, (route) => (fails ? route.abort('connectionreset') : route.fallback()))
  await page.getByRole('button', { name: 'Fork from here' }).click()
  const dialog = page.getByRole('dialog', { name: 'Fork after row 4' })
  await dialog.getByText('The service did not answer.').waitFor()
  expect(await dialog.getByLabel('Have the row say something else').count()).toBe(0)
  fails = false
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByLabel('Have the row say something else').check()
  expect(await dialog.getByLabel('Its outcome, as JSON').inputValue()).not.toBe('{}')
  expect(
    bench.complaints().filter((complaint) => !complaint.startsWith('logged: Failed to load resource: net::ERR_')),
  ).toEqual([])
})
