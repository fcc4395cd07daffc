/** Answers as a person gives them: to fields with any name, taken back, as a command, and when the reply to them is lost. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { act, ask, planned, replanned } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { consoleBench } from './bench.ts'

// As JSON: a literal of TypeScript would set the prototype by one of them.
const NAMES = `{"type":"object","required":["constructor","valueOf"],"properties":{
  "constructor":{"type":"string"},"toString":{"type":"integer"},"__proto__":{"type":"string"},
  "valueOf":{"enum":["one","two"]},"bed":{"enum":["soft","hard"]},"window":{"type":"boolean"}}}`
const asking = (question: string, response_schema: string | null = null) => ({
  ...ask(question),
  choices: null,
  response_schema,
})

let model: ScriptedOpenai | null = null
/** Each test takes its replies in turn, from the top. */
beforeAll(async () => {
  model = await startScriptedOpenai({
    plan: Array.from({ length: 5 }, () => planned('Do it')),
    thought: [
      asking('Which names?', NAMES),
      asking('Which day?'),
      asking('Which hour?'),
      asking('How many?'),
      act('/todo add bread'),
    ],
    replan: Array.from({ length: 5 }, () => replanned('Do it')),
  })
})
afterAll(async () => {
  await model?.close()
})
const bench = consoleBench(() => openaiAt(model?.base_url))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const answered = async (id: string) => JSON.stringify(await bench.call('GET', `/tasks/${id}/events?limit=100`))
async function asked(goal: string, question: string): Promise<{ id: string; page: Page }> {
  const { id } = await bench.task('POST', '/tasks', { goal, rounds: 2 })
  const page = await bench.open(`#/tasks/${id}`)
  await page.getByText(`Please confirm: ${question}`).waitFor()
  return { id, page }
}
/** The request is done, and its answer never arrives. */
async function losingAnswers(page: Page): Promise<void> {
  await page.route('**/input', async (route) => {
    // The test may be over before the answer is there.
    await route.fetch({ maxRetries: 2 }).catch(() => null)
    await route.abort('connectionreset')
  })
}
/** What the browser says of the answer that was lost, and nothing else. */
function expectComplaintsOfTheNetworkOnly(): void {
  const others = bench.complaints().filter((text) => !text.startsWith('logged: Failed to load resource: net::ERR_'))
  expect(others).toEqual([])
}

it('fields may have any name; a refused answer leads to its first error; an optional value can be removed again', async () => {
  const { id, page } = await asked('name them', 'Which names?')
  const curl = page.getByRole('button', { name: 'Copy the curl line of “Answer”' })
  expect(await curl.count()).toBe(0)
  await button(page, 'Answer').click()
  await expect.poll(() => page.evaluate('document.activeElement.labels[0].textContent')).toBe('constructor')
  await page.getByLabel('constructor').fill('new')
  await button(page, 'Answer').click()
  // The one that is wrong now is a group: its first choice.
  await expect.poll(() => page.evaluate('document.activeElement.labels[0].textContent')).toBe('one')
  await page.getByLabel('two').check()
  await page.getByLabel('__proto__').fill('base')
  await page.getByLabel('hard').check()
  await page.getByLabel('yes', { exact: true }).check()
  await page.getByRole('group', { name: 'bed' }).getByLabel('no answer').check()
  await page.getByRole('group', { name: 'window' }).getByLabel('no answer').check()
  expect(await page.getByRole('group', { name: 'valueOf' }).getByLabel('no answer').count()).toBe(0)
  await curl.waitFor()
  await button(page, 'Answer').click()
  await expect
    .poll(() => answered(id))
    .toContain(JSON.stringify('{"constructor":"new","__proto__":"base","valueOf":"two"}'))
})

it('an answer that was accepted is not called unsent when the reply was lost', async () => {
  const { id, page } = await asked('find a day', 'Which day?')
  await losingAnswers(page)
  await page.getByLabel('Your answer').fill('Monday')
  await button(page, 'Answer').click()
  await page.getByText('Please confirm: Which day?').waitFor({ state: 'detached' })
  // Until the page has been told which answer counts.
  await page.locator('.activity-box', { hasText: 'Monday' }).waitFor()
  await page.locator('.waiting[role=alert]').waitFor({ state: 'detached' })
  expect(await page.getByText('What you typed').count()).toBe(0)
  expect(await answered(id)).toContain('"answer":"Monday"')
  expectComplaintsOfTheNetworkOnly()
})

it('a text that is typed during the sending of an answer is given back when the answer is accepted', async () => {
  const { page } = await asked('find an hour', 'Which hour?')
  const sent = Promise.withResolvers<void>()
  const typed = Promise.withResolvers<void>()
  await page.route('**/input', async (route) => {
    sent.resolve()
    await typed.promise
    await route.continue()
  })
  await page.getByLabel('Your answer').fill('nine')
  await button(page, 'Answer').click()
  await sent.promise
  await page.getByLabel('Your answer').fill('nine, or rather ten')
  typed.resolve()
  await page.getByText('Your answer has been taken. What else you typed was not sent.').waitFor()
  expect(await page.locator('.waiting pre').textContent()).toBe('nine, or rather ten')
})

it('a slash command in place of an answer shows its result, and the question stays open', async () => {
  await bench.call('POST', '/commands', { command: '/todo add milk' })
  const { id, page } = await asked('count them', 'How many?')
  await page.getByLabel('Your answer').fill('/todo list')
  await button(page, 'Answer').click()
  await page.getByText('That was a command. It has answered, and your answer is still waited for:').waitFor()
  await page.locator('.waiting td', { hasText: 'milk' }).waitFor()
  expect(await page.getByLabel('Your answer').inputValue()).toBe('')
  await page.getByLabel('Your answer').fill('seven')
  await button(page, 'Answer').click()
  await expect.poll(() => answered(id)).toContain('"answer":"seven"')
  expect(await page.locator('.waiting[role=alert]').count()).toBe(0)
})

it('a top-up that does not end the pause is confirmed, and its amount field is emptied', async () => {
  const { id } = await bench.task('POST', '/tasks', {
    goal: 'buy bread',
    rounds: 9,
    settings: { max_steps: 2, max_tokens: 500_000 },
  })
  const page = await bench.open(`#/tasks/${id}`)
  await page.getByLabel('More of').selectOption('tokens')
  const curl = page.getByRole('button', { name: 'Copy the curl line of “Top up”' })
  expect(await curl.count()).toBe(0)
  await page.getByLabel('Amount').fill('500')
  await curl.waitFor()
  await button(page, 'Top up').click()
  await page.getByText('It has been added.').waitFor()
  expect(await page.getByLabel('Amount').inputValue()).toBe('')
  await button(page, 'Top up').click()
  await page.getByText('A whole number from 1').waitFor()
  expect((await bench.task('GET', `/tasks/${id}`)).budget.tokens).toMatchObject({ max: 500_500 })
})
