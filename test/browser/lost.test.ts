/** A connection that is lost and comes back, and answers that never arrive: the page says so, keeps what it shows, and does nothing twice. */
import { expect, it } from 'vitest'
import type { Page, Route } from 'playwright-core'
import { consoleBench } from './bench.ts'
import { settled } from './settled.ts'

const bench = consoleBench()
const GOAL = 'buy milk, buy bread and buy eggs'
const LOST = 'connection lost; what you see is from'

/** What the browser says of connections that fail; a page may say nothing else. */
function expectComplaintsOfTheNetworkOnly(): void {
  expect(
    bench.complaints().filter((complaint) => !complaint.startsWith('logged: Failed to load resource: net::ERR_')),
  ).toEqual([])
}
const connection = (page: Page, text: string) => page.locator('.task-connection', { hasText: text }).waitFor()
/** What has happened, as it is told: without when that was. */
const told = (page: Page) =>
  page.evaluate(`document.querySelector('.activity-box').textContent.replace(/\\d\\d:\\d\\d(:\\d\\d)?/g, '')`)
/** As one who comes now is told. */
async function toldAnew(page: Page, id: string): Promise<unknown> {
  const other = await bench.beside(page, `#/tasks/${id}`)
  await settled(other)
  return told(other)
}

/** A page is connected before it has drawn what it is told: the last of three rounds ends an item. */
async function shownOf(page: Page): Promise<string> {
  await settled(page)
  await expect.poll(async () => String(await told(page))).toContain('Item begun')
  await settled(page)
  return String(await told(page))
}

it('offline: the page says that it has no connection, keeps its content, and continues where it was', async () => {
  const { id } = await bench.task('POST', '/tasks', { goal: GOAL, rounds: 3 })
  const page = await bench.open(`#/tasks/${id}`)
  await connection(page, 'live')
  const before = await shownOf(page)
  await page.context().setOffline(true)
  await bench.task('POST', `/tasks/${id}/step`, { rounds: 2 })
  await connection(page, LOST)
  await page.getByRole('heading', { level: 1, name: GOAL }).waitFor()
  expect(String(await told(page)).slice(0, 200)).toBe(String(before).slice(0, 200))
  await page.context().setOffline(false)
  await bench.task('POST', `/tasks/${id}/step`, { rounds: 40 })
  await connection(page, 'ended')
  await expect.poll(async () => await told(page), { timeout: 15_000 }).toBe(await toldAnew(page, id))
  expect(await told(page)).not.toBe(before)
  expectComplaintsOfTheNetworkOnly()
})

it('kill -9 and a restart: the page goes on following the same task, and shows no event twice', async () => {
  const { id } = await bench.task('POST', '/tasks', { goal: GOAL, rounds: 3 })
  const page = await bench.open(`#/tasks/${id}`)
  await connection(page, 'live')
  const before = await shownOf(page)
  const start = await bench.kill()
  await connection(page, LOST)
  expect(await told(page)).toBe(before)
  await start()
  await connection(page, 'live')
  await bench.task('POST', `/tasks/${id}/step`, { rounds: 40 })
  await connection(page, 'ended')
  await expect.poll(async () => await told(page), { timeout: 15_000 }).toBe(await toldAnew(page, id))
  expect(String(await told(page)).length).toBeGreaterThan(before.length)
  await page.locator('.task-header .status', { hasText: 'completed' }).waitFor()
  expectComplaintsOfTheNetworkOnly()
})

/** Lets requests through and drops the answers of the first `drops`; answers with the keys that were sent. */
function droppingAnswers(page: Page, path: RegExp, drops: number): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = []
  const handle = async (route: Route) => {
    if (!['POST', 'PATCH'].includes(route.request().method())) return route.fallback()
    keys.push(route.request().headers()['idempotency-key'])
    await route.fetch({ maxRetries: 2 })
    if (keys.length <= drops) return route.abort('connectionreset')
    return route.fallback()
  }
  return page.route(path, handle).then(() => keys)
}
const NO_ANSWER = 'The service did not answer.'
const tasksOf = async (goal: string) => {
  const page: unknown = await bench.call('GET', '/tasks?limit=100')
  return JSON.stringify(page).split(`"goal":${JSON.stringify(goal)}`).length - 1
}

it('a creation without an answer is sent again under the same key, and makes one task', async () => {
  const page = await bench.open('#/new')
  const keys = await droppingAnswers(page, /\/tasks$/, 2)
  const goal = 'buy exactly one stamp'
  await page.getByRole('textbox', { name: 'Goal', exact: true }).fill(goal)
  const create = page.getByRole('button', { name: 'Create the task', exact: true })
  for (let turn = 0; turn < 2; turn++) {
    await create.click()
    await page.getByText(NO_ANSWER).waitFor()
    await expect.poll(() => keys.length).toBe(turn + 1)
    expect(await page.getByRole('textbox', { name: 'Goal', exact: true }).inputValue()).toBe(goal)
  }
  await create.click()
  await page.getByRole('heading', { level: 1, name: goal }).waitFor()
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(await tasksOf(goal)).toBe(1)
  expectComplaintsOfTheNetworkOnly()
})

it('a repeat from another view is the same request too: the task and the remark are there once', async () => {
  const page = await bench.open('#/new')
  const away = async () => {
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    await page.goBack()
  }
  const twice = async (path: RegExp, press: () => Promise<void>, meanwhile = () => Promise.resolve()) => {
    const keys = await droppingAnswers(page, path, 1)
    await press()
    await page.getByText(NO_ANSWER).waitFor()
    await away()
    await meanwhile()
    await press()
    await expect.poll(() => keys.length).toBe(2)
    await page.getByText(NO_ANSWER).waitFor({ state: 'detached' })
    expect(keys[1]).toBe(keys[0])
  }
  const goal = 'buy exactly one envelope'
  await page.getByRole('textbox', { name: 'Goal', exact: true }).fill(goal)
  await page.getByLabel('Rounds to begin with').fill('0')
  await twice(/\/tasks$/, () => page.getByRole('button', { name: 'Create the task', exact: true }).click())
  await page.getByRole('heading', { level: 1, name: goal }).waitFor()
  expect(await tasksOf(goal)).toBe(1)
  await page.getByLabel('Say something').fill('/todo add only once')
  await twice(
    /\/input$/,
    () => page.getByRole('button', { name: 'Send', exact: true }).click(),
    async () => {
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await page.getByRole('button', { name: 'Resume', exact: true }).waitFor()
    },
  )
  expect(
    JSON.stringify(await bench.call('POST', '/commands', { command: '/todo list' })).split('"only once"'),
  ).toHaveLength(2)
  expectComplaintsOfTheNetworkOnly()
})

it('an edit of a plan without an answer is made once, and its repeat reports no conflict', async () => {
  const { id } = await bench.task('POST', '/tasks', { goal: 'add todo ink; add todo paper', rounds: 0 })
  const page = await bench.open(`#/tasks/${id}`)
  const keys = await droppingAnswers(page, /\/plan$/, 1)
  await page.getByRole('button', { name: 'Edit plan' }).click()
  await page.getByRole('button', { name: '+ Add an item' }).click()
  await page.keyboard.type('added once')
  const save = page.getByRole('button', { name: 'Save plan', exact: true })
  await save.click()
  await page.getByText(NO_ANSWER).waitFor()
  await save.click()
  await page.getByRole('region', { name: 'Items of the plan' }).getByText('added once').waitFor()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  const { plan } = await bench.task('GET', `/tasks/${id}`)
  expect(plan.items.map(({ title }) => title)).toEqual(['Todo: ink', 'Todo: paper', 'added once'])
  expectComplaintsOfTheNetworkOnly()
})

it('another task has another key, although the first got no answer', async () => {
  const page = await bench.open('#/new')
  const keys = await droppingAnswers(page, /\/tasks$/, 1)
  const create = page.getByRole('button', { name: 'Create the task', exact: true })
  await page.getByRole('textbox', { name: 'Goal', exact: true }).fill('buy one pen')
  await create.click()
  await page.getByText(NO_ANSWER).waitFor()
  await page.getByRole('textbox', { name: 'Goal', exact: true }).fill('buy two pens')
  await create.click()
  await page.getByRole('heading', { level: 1, name: 'buy two pens' }).waitFor()
  expect(new Set(keys).size).toBe(2)
  expect([await tasksOf('buy one pen'), await tasksOf('buy two pens')]).toEqual([1, 1])
  expectComplaintsOfTheNetworkOnly()
})

it('a step without an answer is sent again under the same key, and is one step', async () => {
  const { id } = await bench.task('POST', '/tasks', { goal: 'buy tea and buy salt', rounds: 0 })
  const page = await bench.open(`#/tasks/${id}`)
  const keys = await droppingAnswers(page, /\/step$/, 1)
  const step = page.getByRole('button', { name: 'Step', exact: true })
  await step.click()
  await page.getByText(NO_ANSWER).waitFor()
  const after = await bench.task('GET', `/tasks/${id}`)
  expect(after.counters.model_calls).toBeGreaterThan(0)
  await step.click()
  await page.getByText(NO_ANSWER).waitFor({ state: 'detached' })
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  const { version, counters } = await bench.task('GET', `/tasks/${id}`)
  expect({ version, counters }).toEqual({ version: after.version, counters: after.counters })
  // The press did nothing more, and the page says so, until the next one does.
  const note = page.getByText('This had been done already: only its answer was lost.')
  await note.waitFor()
  await step.click()
  await note.waitFor({ state: 'detached' })
  await expect.poll(() => keys.length).toBe(3)
  expect(keys[2]).not.toBe(keys[0])
  expectComplaintsOfTheNetworkOnly()
})
