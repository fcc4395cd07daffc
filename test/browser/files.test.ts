/** The files of a task in the browser: put, shown, fetched and deleted; what a model wrote into them does nothing. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TaskView } from '../../src/core/terms/view.ts'
import { calling } from '../support/scripted.ts'
import { openaiAt, startScriptedOpenai, type ScriptedOpenai } from '../support/scripted-openai.ts'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

/** Asks for something of every kind: a script, a handler, a page within the picture, a picture and a font from elsewhere. */
const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" onload="parent.hacked = 1; top.hacked = 1">
<style>@import url("https://evil.example/a.css"); @font-face { font-family: x; src: url(https://evil.example/a.woff) } text { font-family: x }</style>
<script>top.hacked = 2; fetch('https://evil.example/b')</script>
<foreignObject width="40" height="40"><body xmlns="http://www.w3.org/1999/xhtml"><img src="https://evil.example/c.png" onerror="top.hacked = 3"/><iframe src="https://evil.example/d"/></body></foreignObject>
<image href="https://evil.example/e.png" xlink:href="https://evil.example/f.png" width="10" height="10"/>
<a href="javascript:top.hacked=4"><rect width="40" height="40" fill="red"/></a><text>x</text></svg>`
const HOSTILE_MARKDOWN = `# Report
<script>window.hacked = 5</script><img src=x onerror="window.hacked = 6"><svg onload="window.hacked = 7"></svg>

![far](https://evil.example/g.png) ![near](evil.svg) [click](javascript:window.hacked=9)

<iframe srcdoc="<script>top.hacked = 8</script>"></iframe> <form action="https://evil.example/h"><button>Send</button></form>
<a href="data:text/html,<script>top.hacked=10</script>">data</a>
<style>body { background: url(https://evil.example/i.png) }</style><p style="background: url(https://evil.example/j.png)">styled</p>`
const HOSTILE_PAGE = '<!doctype html><script>top.hacked = 11</script><img src="https://evil.example/k.png">'
const HOSTILE_TABLE = 'a,b\n<img src=x onerror=top.hacked=12>,=HYPERLINK("https://evil.example")\n'

let model: ScriptedOpenai
beforeAll(async () => {
  const write = (name: string, content: string) => calling('', ['write_file', { name, content }])
  model = await startScriptedOpenai({
    turn: [
      write('evil.svg', HOSTILE_SVG),
      write('evil.md', HOSTILE_MARKDOWN),
      write('evil.html', HOSTILE_PAGE),
      write('evil.csv', HOSTILE_TABLE),
      'All is written.',
    ],
  })
})
afterAll(() => model.close())
const hostile = consoleBench(() => openaiAt(model.base_url))
const bench = consoleBench()

const CSV = 'date,region,sales\n2026-01-01,north,10\n2026-02-01,south,20\n2026-03-01,north,35\n'
const file = (page: Page, name: string) =>
  page.locator('.file').filter({ has: page.locator('.file-name').getByText(name, { exact: true }) })
const look = (page: Page, name: string) => file(page, name).locator('summary').click()
const serious = async (page: Page) =>
  (await analyse(page)).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)

async function put(page: Page, name: string, text: string): Promise<void> {
  await page.getByLabel('Put a table here').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

it('a hostile SVG, Markdown, page and table of a model are shown, run nothing and send no request', async () => {
  const task = await hostile.task('POST', '/tasks', { goal: 'write', mode: 'session', rounds: 20 })
  expect(model.leftovers()).toEqual({})
  const page = await hostile.open(`#/tasks/${task.id}/files`)
  const asked: string[] = []
  page.context().on('request', (request) => asked.push(request.url()))
  for (const name of ['evil.svg', 'evil.md', 'evil.html', 'evil.csv']) await look(page, name)
  const picture = file(page, 'evil.svg').getByRole('img', { name: 'evil.svg' })
  await picture.waitFor()
  await expect.poll(() => picture.getAttribute('src')).toMatch(/^blob:/)
  await expect.poll(() => page.evaluate('document.querySelector("img").naturalWidth')).toBe(40)
  await page.getByRole('heading', { name: 'Report' }).waitFor()
  await page.getByText('<!doctype html>').waitFor()
  await page.getByRole('cell', { name: '<img src=x onerror=top.hacked=12>' }).waitFor()
  // Of the pictures the Markdown names, that of the task is drawn, below it, and as a picture.
  await expect.poll(() => file(page, 'evil.md').locator('img').count()).toBe(1)
  const dangerous = '.markdown :is(img, svg, script, iframe, form, button, style, [style], [onerror], a[href^="data:"])'
  expect(await page.locator(dangerous).count()).toBe(0)
  await page.getByText('click', { exact: true }).click()
  expect(await page.evaluate('window.hacked ?? null')).toBeNull()
  expect(asked.filter((url) => url.includes('evil.example'))).toEqual([])
  expect(page.context().pages()).toHaveLength(1)
  // The cleaner reads the text in a document of its own, under the same policy: what that forbids there is told, and did not happen.
  expect(hostile.complaints().filter((complaint) => !complaint.includes('The action has been blocked'))).toEqual([])
})

it('the charts of an autonomous task are pictures, and its report shows them', async () => {
  const made = await bench.task('POST', '/tasks', {
    goal: 'Compare the regions by sales',
    mode: 'autonomous',
    rounds: 0,
  })
  const page = await bench.open(`#/tasks/${made.id}/files`)
  await put(page, 'sales.csv', CSV)
  await page.getByText('sales.csv is there.').waitFor()
  // What the task writes elsewhere is shown here as it happens.
  const task: TaskView = await bench.task('POST', `/tasks/${made.id}/step`, { rounds: 20 })
  expect(task.status).toBe('completed')
  await file(page, 'chart-1.svg').waitFor()
  await look(page, 'chart-1.svg')
  const chart = file(page, 'chart-1.svg').getByRole('img', { name: 'chart-1.svg' })
  await chart.waitFor()
  await expect.poll(() => page.evaluate('document.querySelector("img").naturalWidth')).toBeGreaterThan(100)
  await look(page, 'report.md')
  await file(page, 'report.md')
    .getByRole('heading', { name: /Analysis of sales/ })
    .waitFor()
  await look(page, 'sales.csv')
  await page
    .getByRole('region', { name: 'Content of sales.csv' })
    .getByRole('columnheader', { name: 'region' })
    .waitFor()
  expect(await serious(page)).toEqual([])
})

it('a download gives the uploaded bytes, and an upload with a hostile name gets a safe one', async () => {
  const task = await bench.task('POST', '/tasks', { goal: 'buy milk', rounds: 0 })
  const page = await bench.open(`#/tasks/${task.id}/files`)
  const name = '<img src=x onerror=hacked=1> "Ä".csv'
  await page.getByLabel('Put a table here').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(CSV) })
  expect(await page.getByLabel('Its name in the task').inputValue()).toBe('img-src-x-onerror-hacked-1-A.csv')
  await page.getByLabel('Its name in the task').fill('mine.csv')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('mine.csv is there.').waitFor()
  expect(await page.evaluate('document.activeElement.type')).toBe('file')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download mine.csv', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toBe('mine.csv')
  expect(await readFile(await download.path(), 'utf8')).toBe(CSV)
  expect(await page.evaluate('window.hacked ?? null')).toBeNull()
})

it('a refused upload says why, and the chosen file stays', async () => {
  const task = await bench.task('POST', '/tasks', { goal: 'buy milk', rounds: 0 })
  const page = await bench.open(`#/tasks/${task.id}/files`)
  await put(page, 'notes.exe', 'x')
  await page.getByRole('alert').getByText('The name of the file must end with').waitFor()
  expect(await page.getByLabel('Its name in the task').inputValue()).toBe('notes.exe')
  await page.getByLabel('Its name in the task').fill('notes.csv')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await file(page, 'notes.csv').waitFor()
})

it('a file is deleted only after a confirmation, and the focus is not lost', async () => {
  const task = await bench.task('POST', '/tasks', { goal: 'buy milk', rounds: 0 })
  const page = await bench.open(`#/tasks/${task.id}/files`, { viewport: { width: 390, height: 844 } })
  await page.getByText('There are no files yet.').waitFor()
  await put(page, 'sales.csv', CSV)
  const button = page.getByRole('button', { name: 'Delete sales.csv', exact: true })
  await button.click()
  await page
    .getByRole('dialog', { name: 'Delete sales.csv' })
    .getByRole('button', { name: 'Leave it as it is' })
    .click()
  await button.click()
  expect(await serious(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Delete sales.csv', exact: true }).click()
  await page.getByText('There are no files yet.').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Files')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})

/** The first so many of these requests fail on their way. */
async function failing(page: Page, path: RegExp, times: number): Promise<() => number> {
  let failed = 0
  await page.route(path, (route) => {
    if (failed >= times) return route.fallback()
    failed += 1
    return route.abort('connectionreset')
  })
  return () => failed
}
const complaintsBesideTheNetwork = () =>
  bench.complaints().filter((complaint) => !complaint.startsWith('logged: Failed to load resource: net::ERR_'))

it('a list of files that could not be read is read again by itself, also for an ended task', async () => {
  const task = await bench.task('POST', '/tasks', { goal: 'buy milk', rounds: 0 })
  await bench.task('POST', `/tasks/${task.id}/cancel`, {})
  const page = await bench.open('#/tasks')
  const failed = await failing(page, /\/files\?/, 3)
  await page.goto(`${bench.url()}/#/tasks/${task.id}/files`)
  await page.getByText('The service did not answer.').waitFor()
  await page.locator('.task-connection.ended').waitFor()
  await page.getByText('There are no files yet.').waitFor({ timeout: 20_000 })
  expect(failed()).toBe(3)
  expect(await page.getByText('The service did not answer.').count()).toBe(0)
  expect(complaintsBesideTheNetwork()).toEqual([])
})

it('a preview that could not be read can be tried again, and keeps the focus', async () => {
  const task = await bench.task('POST', '/tasks', { goal: 'buy milk', rounds: 0 })
  const page = await bench.open(`#/tasks/${task.id}/files`)
  await put(page, 'sales.csv', CSV)
  await page.getByText('sales.csv is there.').waitFor()
  await failing(page, /\/files\/sales\.csv$/, 1)
  await look(page, 'sales.csv')
  await file(page, 'sales.csv').getByText('The service did not answer.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('region', { name: 'Content of sales.csv' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('SUMMARY')
  expect(complaintsBesideTheNetwork()).toEqual([])
})
