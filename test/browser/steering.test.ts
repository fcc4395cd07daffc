/** A task is answered, approved, topped up, stepped and ended from its page. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import type { TaskView } from '../../src/core/terms/view.ts'
import { act, ask, closed, done, planned, replanned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const trip = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City' },
    seats: { type: 'integer', minimum: 1, maximum: 9, title: 'Seats' },
    extras: { type: 'array', items: { enum: ['wifi', 'meal', 'sauna'] }, title: 'Extras' },
    window: { type: 'boolean', title: 'Window seat' },
  },
  required: ['city', 'seats'],
}
const plain = (question: string) => ({ ...ask(question), choices: null, response_schema: null })

let model: ScriptedOpenai | null = null
/** Each test takes its replies in turn, from the top. */
beforeAll(async () => {
  model = await startScriptedOpenai({
    plan: Array.from({ length: 8 }, () => planned('Do it')),
    thought: [
      // forms
      { ...ask('Which class?'), choices: ['economy', 'business'], response_schema: null },
      { ...ask('Where to?'), choices: null, response_schema: JSON.stringify(trip) },
      done('booked'),
      // approval
      act('/todo add milk'),
      act('/todo add honey'),
      done('bought'),
      // limit
      act('/todo add bread'),
      done('bread is there'),
      // elsewhere, late
      plain('How many?'),
      plain('How heavy?'),
      // keyboard
      plain('Whom for?'),
      done('for mum'),
    ],
    // Each answer makes it look at the plan again.
    replan: [
      replanned('Do it'),
      replanned('Do it'),
      closed('A **fine** trip.\n\n3. out\n4. back\n\n|to|\n|-:|\n|Rome|'),
      closed('Milk only.'),
      closed('Bread.'),
      replanned('Do it'),
      replanned('Do it'),
      closed('For mum.'),
    ],
  })
})
afterAll(async () => {
  await model?.close()
})
const bench = consoleBench(() => openaiAt(model?.base_url))

const created = (goal: string, more: object = {}) => bench.task('POST', '/tasks', { goal, rounds: 0, ...more })
const opened = (task: TaskView) => bench.open(`#/tasks/${task.id}`)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const now = (task: TaskView) => bench.task('GET', `/tasks/${task.id}`)
async function title(page: Page, start: string): Promise<void> {
  await expect.poll(() => page.title()).toMatch(new RegExp(`^${start} · `))
}
async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await analyse(page, '.task-head')
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
}

it('S2-23 the page of a task steps it, answers its questions by a choice and by fields, and shows its result', async () => {
  const task = await created('book a trip')
  const page = await opened(task)
  await title(page, 'running')
  await button(page, 'Step').click()
  await title(page, 'needs an answer')
  await page.getByText('Please confirm: Which class?').waitFor()
  await button(page, 'Answer').click()
  await page.getByText('This is needed.').waitFor()
  await page.getByLabel('business').check()
  await expectAccessible(page)
  await button(page, 'Answer').click()
  await button(page, 'Step').click()
  await page.getByLabel('City', { exact: true }).fill('Rome')
  await page.getByLabel('Seats').fill('12')
  await page.getByLabel('sauna').check()
  await page.getByLabel('wifi').check()
  await page.getByLabel('no', { exact: true }).check()
  await button(page, 'Answer').click()
  await page.getByText('It may be 9 at most.').waitFor()
  await page.getByLabel('Seats').fill('2')
  await expectAccessible(page)
  await button(page, 'Answer').click()
  await button(page, 'Run until it waits').click()
  await title(page, 'completed')
  expect(await page.getByLabel('Result', { exact: true }).locator('strong').textContent()).toBe('fine')
  expect(await page.locator('.outcome ol').getAttribute('start')).toBe('3')
  expect(await page.locator('.outcome td').getAttribute('align')).toBe('right')
  await expectAccessible(page)
  const events = JSON.stringify(await bench.call('GET', `/tasks/${task.id}/events?limit=100`))
  expect(events).toContain(JSON.stringify('{"city":"Rome","seats":2,"extras":["wifi","sauna"],"window":false}'))
  expect(await button(page, 'Step').count()).toBe(0)
})

it('U15: an action is approved or rejected, each by its own request', async () => {
  const task = await created('buy milk', { settings: { approve: 'actions' } })
  const page = await opened(task)
  await button(page, 'Step').click()
  await page.getByText('/todo add milk', { exact: true }).waitFor()
  await expectAccessible(page)
  await button(page, 'Approve').click()
  await expect.poll(async () => (await now(task)).counters.successful_actions).toBe(1)
  await page.getByText('/todo add honey', { exact: true }).waitFor()
  await button(page, 'Reject').click()
  await button(page, 'Run until it waits').click()
  await title(page, 'completed')
  expect((await now(task)).counters).toMatchObject({ successful_actions: 1 })
})

it('U12–U14: at its limit a task is topped up on the axis that ran out, and goes on', async () => {
  const task = await created('buy bread', { settings: { max_steps: 2 } })
  const page = await opened(task)
  await button(page, 'Run until it waits').click()
  await title(page, 'paused')
  await page.getByText('its steps are used up').first().waitFor()
  expect(await button(page, 'Step').count()).toBe(0)
  expect(await button(page, 'Resume').count()).toBe(0)
  expect(await page.getByLabel('More of').inputValue()).toBe('steps')
  await expectAccessible(page)
  await button(page, 'Top up').click()
  await page.getByText('A whole number from 1').waitFor()
  await page.getByLabel('Amount').fill('5')
  await button(page, 'Top up').click()
  await button(page, 'Step').waitFor()
  expect((await now(task)).budget).toMatchObject({ used: 2, max: 7 })
  await button(page, 'Run until it waits').click()
  await title(page, 'completed')
})

it('a typed answer is neither lost nor shown as the answer when the question is answered elsewhere', async () => {
  const task = await created('count them', { rounds: 1 })
  const page = await opened(task)
  await page.getByLabel('Your answer').fill('seven')
  // Whoever is in another view meanwhile is told when they are back.
  await page.getByRole('link', { name: 'Deliveries' }).click()
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  await bench.task('POST', `/tasks/${task.id}/input`, { input: 'nine', rounds: 0 })
  await page.goBack()
  await page.getByText('This has been settled elsewhere. What you typed was not sent.').waitFor()
  await page.getByText('The answer that counts: nine').waitFor()
  expect(await page.locator('pre', { hasText: 'seven' }).count()).toBe(1)
  await bench.task('POST', `/tasks/${task.id}/step`, { rounds: 2 })
  await page.getByText('Please confirm: How heavy?').waitFor()
  expect(await page.getByLabel('Your answer').inputValue()).toBe('')
  await button(page, 'Dismiss').click()
  expect(await page.getByText('seven').count()).toBe(0)
  // Somebody is faster by the time that this answer arrives.
  await page.route('**/input', async (route) => {
    await bench.task('POST', `/tasks/${task.id}/input`, { input: 'two pounds', rounds: 0 })
    await route.continue()
  })
  await page.getByLabel('Your answer').fill('three pounds')
  const refused = page.waitForResponse((response) => response.url().endsWith('/input'))
  await button(page, 'Answer').click()
  expect((await refused).status()).toBe(409)
  await page.getByText('The answer that counts: two pounds').waitFor()
  expect(await page.locator('pre', { hasText: 'three pounds' }).count()).toBe(1)
})

it('by keyboard alone a question is answered, the focus moves on to the controls, and the task is stepped', async () => {
  const task = await created('ask me', { rounds: 1 })
  const page = await opened(task)
  await page.getByText('Please confirm: Whom for?').waitFor()
  await tabTo(page, 'Your answer')
  await page.keyboard.type('mum')
  await tabTo(page, 'Answer')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('task-controls')
  await tabTo(page, 'Step')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await now(task)).last_thought?.decision).toBe('done')
  await page.locator('button[aria-busy=false]', { hasText: 'Step' }).waitFor()
  await page.keyboard.press('Enter')
  await title(page, 'completed')
})

/** What the focus is on is named by its label, or by its text. */
const FOCUSED = `(() => {
  const on = document.activeElement
  return (on.labels?.[0]?.textContent ?? on.textContent).trim()
})()`
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await page.evaluate(FOCUSED)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} is not reached by Tab`)
}
