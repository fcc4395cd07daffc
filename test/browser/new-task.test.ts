/** A new task: every setting by the service's document, refusals at their fields, a dry run, files that are put before it begins. */
import { describe, expect, it } from 'vitest'
import type { Page, Request } from 'playwright-core'
import type { TaskView } from '../../src/core/terms/view.ts'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
const create = (page: Page) => page.getByRole('button', { name: 'Create the task', exact: true }).click()
const shownTask = async (page: Page) => {
  await page.waitForURL(/#\/tasks\/task_/)
  return bench.task('GET', `/tasks/${page.url().split('/tasks/')[1]}`)
}
const csv = (name: string, text = 'region,amount\nnorth,1\nsouth,2\n') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})
const focused = (page: Page) => page.evaluate('document.activeElement.id')
const serious = async (page: Page) =>
  (await analyse(page)).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)

describe('a new task', () => {
  it('is made as the form was filled in, and sends only the settings that were changed', async () => {
    const page = await bench.open('#/new')
    await fill(page, 'Goal', 'Buy milk')
    await page.getByRole('radio', { name: /^dynamic/ }).check()
    await fill(page, 'Rounds to begin with', '0')
    await fill(page, 'max_steps', '7')
    await page.getByText('More settings').click()
    await page.getByLabel('approve', { exact: true }).selectOption('plan')
    await fill(page, 'models', '{"plan": "offline-rules"}')
    await page.getByLabel('max_tokens: no value (null)').check()
    await page.getByText('Language, callback').click()
    await page.getByRole('button', { name: 'Add a label' }).click()
    await fill(page, 'Name of label 1', 'team')
    await fill(page, 'Value of label 1', 'red')
    const sent = page.waitForRequest((request: Request) => request.method() === 'POST')
    await create(page)
    expect((await sent).postDataJSON()).toEqual({
      goal: 'Buy milk',
      mode: 'dynamic',
      drive: 'manual',
      rounds: 0,
      metadata: { team: 'red' },
      settings: { max_steps: 7, max_tokens: null, approve: 'plan', models: { plan: 'offline-rules' } },
    })
    expect(await shownTask(page)).toMatchObject({ goal: 'Buy milk', mode: 'dynamic', settings: { max_steps: 7 } })
  })

  it('a refusal is shown at its field, which gets the focus even in a folded part; the typed texts stay', async () => {
    const page = await bench.open('#/new')
    await fill(page, 'Goal', 'Buy milk')
    await page.getByText('More settings').click()
    await fill(page, 'failure_limit', '1000')
    await page.getByText('More settings').click()
    await create(page)
    const field = page.getByLabel('failure_limit', { exact: true })
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.isVisible()).toBe(true)
    expect(await focused(page)).toBe(await field.getAttribute('id'))
    expect(await field.inputValue()).toBe('1000')
    expect(await page.getByLabel('Goal', { exact: true }).inputValue()).toBe('Buy milk')
    await field.fill('3')
    await fill(page, 'models', '{')
    await create(page)
    await page.getByText('This is no JSON.').waitFor()
    expect(page.url()).toMatch(/#\/new$/)
    await fill(page, 'models', '')
    await create(page)
    expect(await shownTask(page)).toMatchObject({ settings: { failure_limit: 3 } })
  })

  it('a dry run shows plan and forecast, and makes no task', async () => {
    const page = await bench.open('#/new')
    await fill(page, 'Goal', 'Tried and never made')
    await page.getByRole('button', { name: 'Dry run' }).click()
    const shown = page.getByRole('region', { name: 'Dry run' })
    await shown.getByText('Nothing was made.').waitFor()
    expect(await shown.getByRole('listitem').count()).toBeGreaterThan(0)
    expect(await shown.getByRole('row', { name: /^Steps/ }).textContent()).toMatch(/^Steps\d+$/)
    await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('new-dry')
    expect(await bench.call('GET', '/tasks?q=tried+and+never')).toMatchObject({ data: [] })
    await fill(page, 'Goal', 'Another one')
    await expect.poll(() => shown.count()).toBe(0)
  })

  it('the curl line is the request that would be sent', async () => {
    const page = await bench.open('#/new', { permissions: ['clipboard-read', 'clipboard-write'] })
    await fill(page, 'Goal', "Say 'hello'")
    await page.getByRole('button', { name: /curl line of “Create the task”/ }).click()
    await page.getByText('copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      String.raw`--data-raw '{"goal":"Say '\''hello'\''","mode":"plan_execute","drive":"manual","rounds":1}'`,
    )
  })
})

describe('texts that are typed in the form', () => {
  const goal = (page: Page) => page.getByLabel('Goal', { exact: true })
  const leave = async (page: Page) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  }
  const comeBack = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'New task' }).click()

  it('are still there after a visit to another view, with the files, until the task is made', async () => {
    const page = await bench.open('#/new')
    await goal(page).fill('Typed and left')
    await fill(page, 'max_steps', '7')
    await page.getByLabel('Files', { exact: true }).setInputFiles(csv('kept.csv'))
    await leave(page)
    await comeBack(page)
    expect(await goal(page).inputValue()).toBe('Typed and left')
    expect(await page.getByLabel('max_steps', { exact: true }).inputValue()).toBe('7')
    await page.getByRole('button', { name: 'Remove kept.csv' }).click()
    await create(page)
    expect(await shownTask(page)).toMatchObject({ goal: 'Typed and left', settings: { max_steps: 7 } })
    await comeBack(page)
    expect(await goal(page).inputValue()).toBe('')
  })

  it('lead to a question before the tab closes, and no longer once they are discarded', async () => {
    const page = await bench.open('#/new')
    await goal(page).click()
    await page.keyboard.type('Nearly lost')
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect(await goal(page).inputValue()).toBe('Nearly lost')
    await page.getByRole('button', { name: 'Empty the form' }).click()
    expect(await goal(page).inputValue()).toBe('')
    expect(await focused(page)).toBe(await goal(page).getAttribute('id'))
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
  })

  it('survive a refusal of the key for the same key only, and are deleted with the key', async () => {
    const page = await bench.open('#/new')
    await goal(page).fill('Typed under this key')
    await page.route('**/tasks/dry-run', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"unauthorized"}' }),
    )
    const enter = async () => {
      await page.getByLabel('API key').fill('dev-key')
      await page.keyboard.press('Enter')
      await goal(page).waitFor()
    }
    await page.getByRole('button', { name: 'Dry run' }).click()
    await enter()
    expect(await goal(page).inputValue()).toBe('Typed under this key')
    const forget = page.getByRole('button', { name: 'Forget the key' })
    const dialog = page.getByRole('dialog', { name: 'Forget the key' })
    await forget.click()
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect(await goal(page).inputValue()).toBe('Typed under this key')
    await forget.click()
    await dialog.getByRole('button', { name: 'Forget the key' }).click()
    await enter()
    expect(await goal(page).inputValue()).toBe('')
  })
})

it('retention and the time of the first slice are sent as numbers; the help of settings is in the language of the page', async () => {
  const page = await bench.open('#/new', { locale: 'zh-CN' })
  await fill(page, '目标', '买牛奶')
  await page.getByLabel('max_steps', { exact: true }).waitFor()
  await page.getByText('语言、回调').click()
  await fill(page, '结束后保留（秒）', '3600')
  await fill(page, '首次推进的时限（毫秒）', '5000')
  expect(
    await page.evaluate(`document.getElementById(
      document.querySelector('.new-group input[aria-describedby]').getAttribute('aria-describedby')).lang`),
  ).toBe('zh-Hans')
  const sent = page.waitForRequest((request: Request) => request.method() === 'POST')
  await page.getByRole('button', { name: '创建任务', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({ idle_ttl_s: 3600, max_ms: 5000 })
  await shownTask(page)
})

describe('files of a new task', () => {
  it('are uploaded under safe names before it starts; the file of an analysis is its dataset', async () => {
    const page = await bench.open('#/new')
    await fill(page, 'Goal', 'Analyse the sales')
    await page.getByRole('radio', { name: /^autonomous/ }).check()
    await page.getByLabel('Files', { exact: true }).setInputFiles(csv('Umsätze 2026.csv'))
    await page.getByText('put as Umsatze-2026.csv').waitFor()
    expect(await page.getByRole('radio', { name: /^By the service/ }).isDisabled()).toBe(true)
    expect(
      await page
        .getByLabel(/dataset/)
        .first()
        .isChecked(),
    ).toBe(true)
    await create(page)
    const task: TaskView = await shownTask(page)
    expect(task).toMatchObject({ drive: 'manual', step_count: 0, settings: { dataset: 'Umsatze-2026.csv' } })
    expect(await bench.call('GET', `/tasks/${task.id}/files`)).toMatchObject({ data: [{ name: 'Umsatze-2026.csv' }] })
  })

  it('are uploaded while the reader is in another view, and refused ones wait in the form', async () => {
    const page = await bench.open('#/new')
    await fill(page, 'Goal', 'Read tables unseen')
    await page.getByLabel('Files', { exact: true }).setInputFiles([csv('a.csv'), csv('b.csv')])
    const made = Promise.withResolvers<void>()
    await page.route(/\/tasks$/, async (route) => {
      if (route.request().method() === 'POST') await made.promise
      await route.continue()
    })
    let cut = true
    await page.route('**/files/b.csv', (route) => (cut ? route.abort() : route.continue()))
    await create(page)
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/files/b.csv'))
    made.resolve()
    await refused
    expect(page.url()).toMatch(/#\/deliveries$/)
    await page.getByRole('link', { name: 'New task' }).click()
    await page.getByText('1 of 2 files are there').waitFor()
    bench.complaints()
    cut = false
    await page.getByRole('button', { name: 'Try again' }).click()
    const { id } = await shownTask(page)
    expect(await bench.call('GET', `/tasks/${id}/files`)).toMatchObject({
      data: [{ name: 'a.csv' }, { name: 'b.csv' }],
    })
    await page.getByRole('link', { name: 'New task' }).click()
    expect(await page.getByLabel('Goal', { exact: true }).inputValue()).toBe('')
  })

  it('a file that is always refused can be left out, and the next task can be made', async () => {
    const page = await bench.open('#/new')
    await fill(page, 'Goal', 'Without its table')
    await page.getByLabel('Files', { exact: true }).setInputFiles(csv('a.csv', ''))
    await create(page)
    await page.getByRole('button', { name: 'Go on without them' }).click()
    const { id } = await shownTask(page)
    expect(await bench.call('GET', `/tasks/${id}/files`)).toMatchObject({ data: [] })
    await page.getByRole('link', { name: 'New task' }).click()
    expect(await page.getByLabel('Goal', { exact: true }).inputValue()).toBe('')
  })

  it('a refused file leaves the task, which is named and linked, and the file can be tried again', async () => {
    const page = await bench.open('#/new')
    await fill(page, 'Goal', 'With files')
    await page.getByLabel('Files', { exact: true }).setInputFiles([csv('a.csv'), csv('b.csv')])
    let cut = true
    await page.route('**/files/b.csv', (route) => (cut ? route.abort() : route.continue()))
    await create(page)
    await page.getByText('Not every file was taken.').waitFor()
    await page.getByText('1 of 2 files are there').waitFor()
    expect(await page.getByRole('link', { name: 'Go to the task' }).getAttribute('href')).toMatch(/^#\/tasks\/task_/)
    bench.complaints()
    cut = false
    await page.getByRole('button', { name: 'Try again' }).click()
    const { id } = await shownTask(page)
    expect(await bench.call('GET', `/tasks/${id}/files`)).toMatchObject({
      data: [{ name: 'a.csv' }, { name: 'b.csv' }],
    })
    expect(await bench.call('GET', '/tasks?q=with+files')).toMatchObject({ data: [{ id }] })
  })

  it('cannot be added to a task that the service drives, and the form says so', async () => {
    const page = await bench.open('#/new')
    await page.getByRole('radio', { name: /^By the service/ }).check()
    expect(await page.getByLabel('Files', { exact: true }).isDisabled()).toBe(true)
    await page.getByText('begins at once, before any file could be there').waitFor()
    expect(await page.getByLabel('Rounds to begin with').count()).toBe(0)
  })
})

it.each(['light', 'dark'] as const)('%s: the form fits a phone, and axe finds nothing serious', async (colorScheme) => {
  const page = await bench.open('#/new', { colorScheme, viewport: { width: 390, height: 844 } })
  await page.getByText('More settings').click()
  await page.getByText('Language, callback').click()
  await page.getByRole('button', { name: 'Add a label' }).click()
  await page.getByLabel('Files', { exact: true }).setInputFiles(csv(`${'long'.repeat(40)} ä.csv`))
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(await serious(page)).toEqual([])
})
