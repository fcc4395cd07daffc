/** The key: asked for once, tried before it is kept, kept by the tab alone. */
import { expect, it } from 'vitest'
import { consoleBench } from './bench.ts'

const bench = consoleBench()

it('a key is entered once, kept in session storage only, and forgotten when the reader says so', async () => {
  const page = await bench.open('', { key: null })
  await page.getByLabel('API key').fill('dev-key')
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('navigation').waitFor()
  expect(await page.evaluate('sessionStorage.getItem("loop-agent.key")')).toBe('dev-key')
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie + location.href')).not.toContain('dev-key')
  await page.reload()
  await page.getByRole('navigation').waitFor()
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByLabel('API key').waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

it('an unknown key is refused with an explanation, and not kept', async () => {
  const page = await bench.open('', { key: null })
  await page.getByLabel('API key').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The service does not know this key.').waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  expect(await page.getByRole('navigation').count()).toBe(0)
})

it('a key that no request can carry is an error of its field, and no request is sent', async () => {
  const page = await bench.open('', { key: null })
  const asked: string[] = []
  // How one can sign in is asked when the page opens.
  page.on('request', (request) => request.url().endsWith('/auth') || asked.push(request.url()))
  const field = page.getByLabel('API key')
  await field.fill('密钥')
  await page.keyboard.press('Enter')
  await page.getByText('No key has such characters').waitFor()
  expect([await field.getAttribute('aria-invalid'), asked]).toEqual(['true', []])
})

it('a late refusal of an old key does not delete the key that was entered since', async () => {
  const page = await bench.open('#/new', { key: null })
  // The form of a new task asks for the models. Only the list of tasks is to be refused here, and late.
  await page.route(/\/models$/, (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer dev-key' } }),
  )
  const refused = Promise.withResolvers<void>()
  await page.route(/\/tasks\?/, async (route) => {
    if (route.request().headers()['authorization'] !== 'Bearer old-key') return route.continue()
    await refused.promise
    await route.continue()
  })
  await page.evaluate(() => sessionStorage.setItem('loop-agent.key', 'old-key'))
  await page.reload()
  const answered = page.waitForResponse((response) => response.status() === 401)
  await page.getByRole('navigation').getByRole('link', { name: 'Tasks' }).click()
  await page.getByText('Reading the tasks …').waitFor()
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByLabel('API key').fill('dev-key')
  await page.keyboard.press('Enter')
  await page.getByText('There is no task yet.').waitFor()
  refused.resolve()
  await (await answered).finished()
  await page.getByRole('navigation').getByRole('link', { name: 'Deliveries' }).click()
  await page.getByText('every callback was told in time').waitFor()
  expect(await page.evaluate('sessionStorage.getItem("loop-agent.key")')).toBe('dev-key')
})

it('each view has a title of its own', async () => {
  const page = await bench.open('', { key: null })
  await expect.poll(() => page.title()).toBe('See and steer every task · loop-agent')
  await page.getByLabel('API key').fill('dev-key')
  await page.keyboard.press('Enter')
  for (const view of ['New task', 'Schedules', 'Agents', 'Todos & calendar', 'Delegations', 'Deliveries', 'Tasks']) {
    await page.getByRole('navigation').getByRole('link', { name: view }).click()
    await expect.poll(() => page.title()).toBe(`${view} · loop-agent`)
  }
})

it('the focus moves to the content when the key is entered, and again when it is forgotten', async () => {
  const page = await bench.open('', { key: null })
  await page.getByLabel('API key').fill('dev-key')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByLabel('API key').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
})

it('the console works without storage until its tab is closed', async () => {
  const page = await bench.open('', { key: null })
  await page.addInitScript(
    `for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('denied') } })`,
  )
  await page.reload()
  await page.getByLabel('API key').fill('dev-key')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  await page.getByLabel('Theme').selectOption('dark')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
})
