/** What cannot be shown stays in its place: a part that fails to draw, and texts that take a reader of Markdown its stack or its time. */
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import type { TaskView } from '../../src/core/terms/view.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()
const FAILED = 'This part could not be shown. The rest of the page works as before.'

/** A page of a task that is `changed` on its way. */
async function opened(changed: (task: TaskView) => object): Promise<{ page: Page; id: string }> {
  const { id } = await bench.task('POST', '/tasks', { goal: 'buy milk and buy bread', rounds: 1 })
  const page = await bench.open()
  await page.route(new RegExp(`/tasks/${id}(/step)?$`), async (route) => {
    // A page that is closed meanwhile asks for nothing more.
    const response = await route.fetch({ maxRetries: 2 }).catch(() => null)
    if (response === null) return
    if (response.status() === 304) return route.fulfill({ response })
    // What the service answers to both.
    const task = (await response.json()) as TaskView
    await route.fulfill({ response, json: { ...task, ...changed(task) } })
  })
  await page.evaluate(`location.hash = '#/tasks/${id}'`)
  await page.getByRole('heading', { level: 1, name: 'buy milk' }).waitFor()
  return { page, id }
}

it('a part of a task that cannot be drawn says so, the other parts work, and it is drawn again with new data', async () => {
  const before: TaskView[] = []
  const { page } = await opened((task) => {
    before.push(task)
    return task.version === before[0]?.version ? { handover: { next_steps: null } } : {}
  })
  await page.getByText(FAILED).waitFor()
  expect(await page.getByText(FAILED).count()).toBe(1)
  await page.getByRole('heading', { name: 'Plan' }).waitFor()
  await page.getByRole('button', { name: 'Step', exact: true }).click()
  await page.getByText(FAILED).waitFor({ state: 'detached' })
})

it('a view that cannot be drawn says so, and the links to other views work', async () => {
  const page = await bench.open('#/desk')
  await page.route(/\/tasks\?/, (route) =>
    route.fulfill({ json: { data: [null], has_more: false, next_cursor: null } }),
  )
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByText(FAILED).waitFor()
  await page.getByRole('link', { name: 'Todos & calendar' }).click()
  await page.getByRole('heading', { name: 'Any command' }).waitFor()
  expect(await page.getByText(FAILED).count()).toBe(0)
})

it('the button for a new try says that it is busy until the answer arrives', async () => {
  const page = await bench.open('#/tasks')
  const answered = Promise.withResolvers<void>()
  let reads = 0
  await page.route('**/openapi.json', async (route) => {
    reads += 1
    if (reads === 1) return route.abort()
    await answered.promise
    return route.continue()
  })
  await page.getByRole('navigation').getByRole('link', { name: 'New task' }).click()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect.poll(() => again.getAttribute('aria-busy')).toBe('true')
  bench.complaints()
  answered.resolve()
  await again.waitFor({ state: 'detached' })
  expect(reads).toBe(2)
})

const RESULT = (text: string) => ({
  status: 'completed' as const,
  result: { text, artifacts: [], outcome: 'done' as const, unmet: [] },
})

it.each<[string, string]>([
  ['quotes in quotes', '>'.repeat(3_000)],
  ['what may be an address', `${'a.'.repeat(49_500)}@`],
  ['names with lines below', 'a_'.repeat(49_500)],
  ['emphasis that never ends', '*a'.repeat(49_500)],
  ['emphasis in emphasis', '*a '.repeat(900) + 'a* '.repeat(900)],
])('%s: a result is shown unchanged, and the page keeps working', { timeout: 30_000 }, async (_, text) => {
  const { page } = await opened(() => RESULT(text))
  const result = page.getByRole('region', { name: 'Result' })
  await expect.poll(async () => (await result.textContent())?.includes(text.trim())).toBe(true)
  await page.getByRole('heading', { name: 'Plan' }).waitFor()
  expect(await page.getByText(FAILED).count()).toBe(0)
})

it('all of many slow blocks is shown, rendered or not, and the page keeps working', async () => {
  const { page } = await opened(() => RESULT(`${'*a '.repeat(1_400)}\n\n`.repeat(100) + 'the end'))
  await page.getByRole('region', { name: 'Result' }).getByText('the end').waitFor()
  await page.getByRole('heading', { name: 'Plan' }).waitFor()
  expect(await page.getByText(FAILED).count()).toBe(0)
})

it('a report of a hundred pages is rendered to its end', async () => {
  const { page } = await opened(() => RESULT('## Found\n\nIt is **fine**.\n\n'.repeat(1_500)))
  const result = page.getByRole('region', { name: 'Result' })
  await expect.poll(() => result.locator('.markdown strong').count()).toBe(1_500)
})

it('a long table and long code are drawn with all their lines', async () => {
  const { page } = await opened(() =>
    RESULT(
      `Rows:\n\n|a|b|\n|-|-:|\n${'|one|[two][x]|\n'.repeat(1_500)}\n\`\`\`js\n${'let a = 1\n'.repeat(1_500)}\`\`\`\n\n**after**\n\n[x]: https://x.example`,
    ),
  )
  const result = page.getByRole('region', { name: 'Result' })
  await result.locator('strong', { hasText: 'after' }).waitFor()
  expect(await result.locator('td').count()).toBe(3_000)
  expect(await result.getByRole('link', { name: 'two' }).count()).toBe(1_500)
  expect((await result.locator('pre code').allTextContents()).join('').match(/let a = 1/g)).toHaveLength(1_500)
})

it('a checklist keeps its ticks, and an image becomes a link with its name', async () => {
  const { page } = await opened(() =>
    RESULT(
      '- [x] milk\n- [ ] bread\n\n![a chart](https://x.example/c.png) and [![inner](https://x.example/i.png)](https://x.example/page)',
    ),
  )
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('[x] milk').waitFor()
  await result.getByText('[ ] bread').waitFor()
  expect(await result.getByRole('link', { name: 'a chart' }).getAttribute('href')).toBe('https://x.example/c.png')
  expect(await result.getByRole('link', { name: 'inner' }).getAttribute('href')).toBe('https://x.example/page')
  expect(await result.locator('img, input').count()).toBe(0)
})
