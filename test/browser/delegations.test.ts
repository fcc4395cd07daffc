/** What a worker can do, done by a person in the console: the command read, claimed and reported, and the task goes on. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { DelegationView } from '../../src/core/shown/delegation-view.ts'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
const List = z.object({ data: z.array(DelegationView) })
const delegationOf = async (task: string) => {
  const { data } = List.parse(await bench.call('GET', '/delegations?limit=100'))
  const found = data.find(({ task_id }) => task_id === task)
  if (found === undefined) throw new Error('the task has no delegation')
  return found
}
const waiting = async (goal: string) => {
  const task = await bench.task('POST', '/tasks', { goal, mode: 'orchestrator', rounds: 20 })
  expect(task.status).toBe('waiting_external')
  return { task, delegation: await delegationOf(task.id) }
}
const cardOf = (page: Page, command: string) => page.locator('.delegation').filter({ hasText: command })
const opened = async (page: Page, command: string) => {
  const card = cardOf(page, command)
  await card.getByRole('button', { name: `Open ${command}` }).click()
  return card
}

it('a delegation appears by itself, is read, claimed and reported, shows its report, and its task continues', async () => {
  const page = await bench.open('#/delegations')
  await page.getByText('None with this status.').waitFor()
  const { task, delegation } = await waiting('write the story of a tin soldier')
  const card = cardOf(page, delegation.command_id)
  await card.getByText('pending').waitFor()
  await card.getByText(/min.*left/).waitFor()
  await opened(page, delegation.command_id)
  await card.getByRole('heading', { name: '任务描述' }).waitFor()
  await card.getByText('tin soldier').first().waitFor()
  const link = await card.getByRole('textbox', { name: 'Link to report by' }).inputValue()
  expect(link).toContain(`${bench.url()}/reports/`)

  // Nothing typed is lost when it leaves the list: claimed, it is not pending any more.
  const report = card.getByRole('form', { name: 'Report on it' })
  await report.getByLabel('Results').fill('Written: **story.md**')
  const claim = card.getByRole('form', { name: 'Claim it' })
  await claim.getByLabel('Your name').fill('Ada')
  await claim.getByLabel('Minutes').fill('10')
  await claim.getByRole('button', { name: 'Claim', exact: true }).click()
  await card.getByText('by Ada until').waitFor()
  expect((await delegationOf(task.id)).claim?.worker).toBe('Ada')
  expect(await report.getByLabel('Results').inputValue()).toBe('Written: **story.md**')

  await report.getByLabel('The whole report').fill('All is written.')
  await report.getByRole('button', { name: 'Send report', exact: true }).click()
  const recorded = card.getByRole('region', { name: 'The report' })
  await recorded.getByText('SUCCESS').waitFor()
  await recorded.locator('strong').getByText('story.md').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('The report')
  expect(await report.count()).toBe(0)
  expect((await delegationOf(task.id)).report).toMatchObject({ status: 'SUCCESS', text: 'All is written.' })
  expect((await bench.task('POST', `/tasks/${task.id}/step`, { rounds: 20 })).plan.items[0]?.status).toBe('completed')
})

it('POOL-07 the delegations of a pool are shown where it is chosen, with the name of the pool', async () => {
  const body = { goal: 'train the model', mode: 'orchestrator', rounds: 20, settings: { worker_pool: 'gpu' } }
  await bench.task('POST', '/tasks', body)
  const page = await bench.open('#/delegations')
  await page.getByLabel('Pool').selectOption('gpu')
  const card = page.locator('.delegation').first()
  await card.getByText('pending').waitFor()
  await card.locator('dl').getByText('gpu').waitFor()
  await page.getByLabel('Pool').selectOption('')
  await expect.poll(() => page.locator('.delegation dl').getByText('gpu').count()).toBe(0)
})

it('a second report is refused with an explanation, and stays in its form', async () => {
  const { delegation } = await waiting('paint the fence')
  const page = await bench.open('#/delegations')
  const card = await opened(page, delegation.command_id)
  const report = card.getByRole('form', { name: 'Report on it' })
  await report.getByLabel('The whole report').fill('mine')
  await report.getByLabel('Outcome').selectOption('FAILED')
  await bench.call('POST', `/delegations/${delegation.id}/report`, { status: 'SUCCESS', text: 'theirs' })
  await report.getByRole('button', { name: 'Send report', exact: true }).click()
  await report.getByText('already_reported').waitFor()
  await report.getByText('The first report counts').waitFor()
  await card.getByRole('region', { name: 'The report' }).getByText('theirs').first().waitFor()
  expect(await report.getByLabel('The whole report').inputValue()).toBe('mine')
})

it('a report about another command is refused, corrected and sent', async () => {
  const { delegation } = await waiting('sweep the floor')
  const page = await bench.open('#/delegations')
  const card = await opened(page, delegation.command_id)
  const report = card.getByRole('form', { name: 'Report on it' })
  await report.getByLabel('Command').fill('task-another')
  await report.getByRole('button', { name: 'Send report', exact: true }).click()
  await report.getByText('wrong_command').waitFor()
  await report.getByText('Correct the id of the command').waitFor()
  await report.getByLabel('Command').fill(delegation.command_id)
  await report.getByRole('button', { name: 'Send report', exact: true }).click()
  await card.getByRole('region', { name: 'The report' }).waitFor()
  const { report: recorded } = DelegationView.parse(await bench.call('GET', `/delegations/${delegation.id}`))
  expect(recorded?.status).toBe('SUCCESS')
})

it('a report that is no longer awaited is refused with an explanation, and can still be copied', async () => {
  const { task, delegation } = await waiting('catch the train')
  const page = await bench.open('#/delegations')
  const card = await opened(page, delegation.command_id)
  const report = card.getByRole('form', { name: 'Report on it' })
  await report.getByLabel('The whole report').fill('late')
  await bench.task('POST', `/tasks/${task.id}/cancel`)
  await card.getByText('canceled').waitFor()
  await report.getByRole('button', { name: 'Send report', exact: true }).click()
  await report.getByText('delegation_canceled').waitFor()
  await report.getByText('Nobody waits for this report any more').waitFor()
  expect(await report.getByLabel('The whole report').inputValue()).toBe('late')
})

it('a report draft is still there after a visit to another view, and can be discarded', async () => {
  const { delegation } = await waiting('water the plants')
  const page = await bench.open('#/delegations')
  const report = (await opened(page, delegation.command_id)).getByRole('form', { name: 'Report on it' })
  await report.getByLabel('The whole report').fill('half of')
  await page.getByRole('navigation').getByRole('link', { name: 'Tasks' }).click()
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Delegations' }).click()
  await opened(page, delegation.command_id)
  expect(await report.getByLabel('The whole report').inputValue()).toBe('half of')
  await report.getByRole('button', { name: 'Discard it' }).click()
  expect(await report.getByLabel('The whole report').inputValue()).toBe('')
  await expect
    .poll(() => page.evaluate('document.activeElement.id'))
    .toBe(await report.getByLabel('Outcome').getAttribute('id'))
})

it('hostile commands and reports are shown as plain text', async () => {
  const hostile = `<img src=x onerror="document.title='owned'"> [go](javascript:alert(1)) <script>document.title='owned'</script>`
  const { delegation } = await waiting(`write ${hostile}`)
  await bench.call('POST', `/delegations/${delegation.id}/report`, {
    status: 'SUCCESS',
    text: hostile,
    results: hostile,
  })
  const page = await bench.open('#/delegations')
  await page.getByLabel('Status').selectOption('reported')
  const card = await opened(page, delegation.command_id)
  await card.getByRole('region', { name: 'The report' }).waitFor()
  await card.getByRole('heading', { name: '任务描述' }).waitFor()
  expect(
    await page.evaluate('document.querySelectorAll("main img, main script, main a[href^=javascript]").length'),
  ).toBe(0)
  expect(await page.title()).not.toBe('owned')
})

it.each(['light', 'dark'] as const)('axe finds nothing serious, and the view fits a phone, %s', async (colorScheme) => {
  const { delegation } = await waiting(`count the stars in the ${colorScheme}`)
  const page = await bench.open('#/delegations', { colorScheme, viewport: { width: 390, height: 844 } })
  const card = await opened(page, delegation.command_id)
  await card.getByRole('heading', { name: '任务描述' }).waitFor()
  const { violations } = await analyse(page)
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
