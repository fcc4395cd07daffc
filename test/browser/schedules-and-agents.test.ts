/** Schedules and agents in the console: put, listed, run, paused and deleted, with errors at their fields, in both languages. */
import { expect, it } from 'vitest'
import type { Request } from 'playwright-core'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
type Open = Awaited<ReturnType<typeof bench.open>>

const namesAt = async (path: string) =>
  ((await bench.call('GET', path)) as { data: { name: string }[] }).data.map(({ name }) => name)

async function expectNoViolation(page: Open) {
  const { violations } = await analyse(page)
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
  ).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.setViewportSize({ width: 1200, height: 800 })
}

async function fillSchedule(page: Open, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Put the schedule', exact: true }).click()
}

/** This field has an error, and no other has one. */
async function expectErrorAt(page: Open, label: string) {
  await expect.poll(() => page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true')
  expect(await page.locator('[aria-invalid=true]').count()).toBe(1)
}

it('U62 a schedule is put after an error at its field, run once for each click, paused, changed and deleted', async () => {
  const page = await bench.open('#/schedules')
  await page.getByText('There is no schedule yet.').waitFor()
  await fillSchedule(page, { Name: 'morning', Cron: '0 9 * * NODAY', Goal: 'buy milk', Zone: 'Mars/Base' })
  await expectErrorAt(page, 'Zone')
  await fillSchedule(page, { Zone: 'Europe/Berlin' })
  await expectErrorAt(page, 'Cron')
  await fillSchedule(page, { 'More members as JSON': '[]' })
  await page.getByText('This is no JSON object.').waitFor()
  expect(await namesAt('/schedules')).toEqual([])
  await fillSchedule(page, {
    Cron: '0 9 * * MON-FRI',
    'More members as JSON': '{"missed": "once", "task": {"drive": "manual"}}',
  })
  await page.getByText('morning is stored.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'morning' })
  for (const text of ['0 9 * * MON-FRI', 'Europe/Berlin', 'active']) await row.getByText(text).waitFor()
  await expectNoViolation(page)

  await row.getByRole('link', { name: 'morning' }).click()
  await page.getByRole('heading', { name: 'morning', level: 1 }).waitFor()
  await page.getByText('No run yet.').waitFor()
  expect(await page.locator('.facts time').count()).toBe(6)
  const keys: (string | undefined)[] = []
  page.on('request', (request: Request) => {
    if (request.url().endsWith('/run')) keys.push(request.headers()['idempotency-key'])
  })
  const runs = page.getByRole('region', { name: 'Runs' })
  for (const count of [1, 2]) {
    await page.getByRole('button', { name: 'Run now', exact: true }).click()
    await expect.poll(() => runs.getByRole('link').count()).toBe(count)
  }
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(2)
  await runs.getByText('created').first().waitFor()
  await runs.getByText('on request').first().waitFor()

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.locator('.status', { hasText: 'paused' }).waitFor()
  expect(await bench.call('GET', '/schedules/morning')).toMatchObject({ paused: true, missed: 'once' })
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.locator('.status', { hasText: 'active' }).waitFor()
  await expectNoViolation(page)

  await page.getByText('Change the schedule').click()
  await fillSchedule(page, { Cron: '', 'Interval (s)': '3600' })
  await page.locator('.facts').getByText('every 3600 s').waitFor()
  expect(await bench.call('GET', '/schedules/morning')).toMatchObject({
    every_s: 3600,
    missed: 'once',
    task: { goal: 'buy milk', drive: 'manual' },
  })

  await runs.getByRole('link').first().click()
  await page.locator('.task-header').getByRole('link', { name: 'morning' }).click()
  await page.getByRole('button', { name: 'Delete morning' }).click()
  await page.getByRole('button', { name: 'Leave it as it is' }).click()
  expect(await namesAt('/schedules')).toEqual(['morning'])
  await page.getByRole('button', { name: 'Delete morning' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete morning', exact: true }).click()
  await page.getByText('There is no schedule yet.').waitFor()
  expect(await namesAt('/schedules')).toEqual([])
})

it('U62 a run whose answer is lost goes out again under its key, and makes no second task', async () => {
  await bench.call('PUT', '/schedules/evening', { every_s: 86_400, task: { goal: 'buy tea', drive: 'manual' } })
  const page = await bench.open('#/schedules/evening')
  await page.route('**/schedules/evening/run', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Run now', exact: true }).click()
  await page.getByText('The service did not answer.').waitFor()
  await page.unroute('**/schedules/evening/run')
  await page.getByRole('button', { name: 'Run now', exact: true }).click()
  await page.getByText('This had been done already').waitFor()
  expect(((await bench.call('GET', '/schedules/evening/runs')) as { data: unknown[] }).data).toHaveLength(1)
  expect(bench.complaints().every((complaint) => complaint.includes('ERR_FAILED'))).toBe(true)
})

const DEFINITION = {
  description: 'Puts what is missing on the list',
  goal: 'Add the todo "buy {{what}}"',
  mode: 'plan_execute',
  input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
}

async function putAgent(page: Open, definition: object) {
  await page.getByLabel('Definition as JSON').fill(JSON.stringify(definition))
  await page.getByRole('button', { name: 'Put the agent', exact: true }).click()
}

it('U62 an agent is put after an error at its field, makes a task, and is deleted by force while that is open', async () => {
  const page = await bench.open('#/agents')
  await page.getByText('There is no agent yet.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('shopper')
  await putAgent(page, { ...DEFINITION, settings: { max_step: 5 } })
  await page.locator('.field-error', { hasText: 'max_steps' }).waitFor()
  expect(await page.getByLabel('Definition as JSON').getAttribute('aria-invalid')).toBe('true')
  await putAgent(page, DEFINITION)
  await page.getByText('shopper@1 is stored.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'shopper' })
  for (const text of ['1', 'plan_execute', DEFINITION.description]) await row.getByText(text, { exact: true }).waitFor()
  await expectNoViolation(page)

  await row.getByRole('link', { name: 'shopper' }).click()
  await page.getByText('Put the next version').click()
  await putAgent(page, { ...DEFINITION, description: 'Another one' })
  await page.getByRole('link', { name: 'shopper@2' }).waitFor()
  await page.getByRole('link', { name: 'shopper@1' }).click()
  await page.getByRole('heading', { name: 'shopper@1' }).waitFor()
  const input = page.getByLabel('Input as JSON')
  expect(JSON.parse(await input.inputValue())).toEqual({ what: '' })
  await expectNoViolation(page)
  await input.fill('{"what": 7}')
  await page.getByRole('button', { name: 'Make a task', exact: true }).click()
  await page.locator('.field-error', { hasText: 'what' }).waitFor()
  await input.fill('{"what": "stamps"}')
  await page.getByRole('button', { name: 'Make a task', exact: true }).click()
  await page.getByRole('heading', { name: 'Add the todo "buy stamps"' }).waitFor()
  await page.locator('.task-header').getByRole('link', { name: 'shopper@1' }).click()

  await page.getByRole('button', { name: 'Delete shopper' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete shopper', exact: true }).click()
  await dialog.getByText('agent_in_use').waitFor()
  expect(await namesAt('/agents')).toEqual(['shopper'])
  await expectNoViolation(page)
  await dialog.getByRole('button', { name: 'Delete it although tasks are open', exact: true }).click()
  await page.getByText('There is no agent yet.').waitFor()
  expect(await namesAt('/agents')).toEqual([])
})

it('U62 both views speak Chinese', async () => {
  const page = await bench.open('#/schedules', { locale: 'zh-CN' })
  await page.getByRole('heading', { name: '定时任务', level: 1 }).waitFor()
  await page.getByRole('button', { name: '写入定时任务', exact: true }).waitFor()
  await expectNoViolation(page)
  await page.getByRole('navigation').getByRole('link', { name: '智能体' }).click()
  await page.getByRole('heading', { name: '智能体', level: 1 }).waitFor()
  await page.getByText('还没有智能体。').waitFor()
  await expectNoViolation(page)
})
