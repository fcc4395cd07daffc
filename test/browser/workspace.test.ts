/** Todos and calendar in the console: done by the slash commands, shown as they answered. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

/** The wall clock of the commands stands still: a Thursday. */
const bench = consoleBench(() => ({ TEST_CLOCK: '2030-01-10T09:00:00Z', TIMEZONE: 'Asia/Shanghai' }))
const Result = z.object({
  kind: z.string(),
  data: z.looseObject({ id: z.int().optional() }),
  rows: z.array(z.record(z.string(), z.unknown())),
})
const told = async (command: string) => Result.parse(await bench.call('POST', '/commands', { command }))
/** The id of what was added. */
const added = async (command: string) => (await told(command)).data.id ?? 0
const todos = (page: Page) => page.getByRole('region', { name: 'Todos' })
const schedule = (page: Page) => page.getByRole('region', { name: 'Schedule' })
const dayOf = (page: Page, name: RegExp) => schedule(page).getByRole('button', { name })
const violations = async (page: Page) =>
  (await analyse(page)).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)

describe('todos', () => {
  it('a todo is added with tag, priority, due time and reminder, marked as done, and deleted after a confirmation', async () => {
    const page = await bench.open('#/desk')
    const form = page.getByRole('form', { name: 'Add todo' })
    await form.getByLabel('What is to be done').fill('buy "milk" -- today')
    await form.getByLabel('Tag').fill('#Home')
    await form.getByLabel('Priority').fill('2')
    await form.getByLabel('Due').fill('2030-01-12T18:00')
    await form.getByLabel('Remind').fill('2030-01-12T17:00')
    await form.getByRole('button', { name: 'Add todo', exact: true }).click()
    await todos(page).getByText('buy "milk" -- today').waitFor()
    expect((await told('/todo list')).rows).toMatchObject([
      { content: 'buy "milk" -- today', tag: 'home', priority: 2, due: '2030-01-12 18:00', remind: '2030-01-12 17:00' },
    ])
    // Only what was taken is cleared.
    expect(await form.getByLabel('What is to be done').inputValue()).toBe('')
    await todos(page).getByText('due 2030-01-12 18:00').waitFor()

    await page.getByRole('button', { name: 'Tick todo #1 as done' }).click()
    await todos(page).getByText('Nothing here.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Todos')
    await page.getByLabel('Show').selectOption('done')
    await todos(page).getByText('done at 2030-01-10 17:00:00').waitFor()

    await page.getByRole('button', { name: 'Delete: todo #1' }).click()
    expect((await told('/todo list')).rows).toHaveLength(1)
    await page.getByRole('button', { name: 'Keep: todo #1' }).click()
    await page.getByRole('button', { name: 'Delete: todo #1' }).click()
    await page.getByRole('button', { name: 'Yes, delete: todo #1' }).click()
    await todos(page).getByText('Nothing here.').waitFor()
    expect((await told('/todo list')).kind).toBe('empty_result')
  })

  it('a todo is edited in place; an empty field changes nothing; a refusal shows the words of the service and loses no text', async () => {
    const id = await added('/todo add old --tag work')
    const page = await bench.open('#/desk')
    await page.getByRole('button', { name: `Edit todo #${id}` }).click()
    const form = page.getByRole('form', { name: `Save #${id}` })
    await form.getByLabel('What is to be done').fill('new text')
    await form.getByLabel('Remind').fill('2030-01-12T17:00')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByText('remind_requires_due').waitFor()
    expect(await form.getByLabel('What is to be done').inputValue()).toBe('new text')
    await form.getByLabel('Due').fill('2030-01-12T18:00')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await todos(page).getByText('new text').waitFor()
    expect((await told(`/todo get ${id}`)).rows).toMatchObject([{ content: 'new text', tag: 'work' }])
    await told(`/todo delete ${id}`)
  })

  it('a text that a command would read as an option is not sent, and the page says why', async () => {
    const page = await bench.open('#/desk')
    const form = page.getByRole('form', { name: 'Add todo' })
    await form.getByLabel('What is to be done').fill('milk --tag secret')
    await page.keyboard.press('Enter')
    await form.getByText('Commands read --tag as an option').waitFor()
    expect((await told('/todo list')).kind).toBe('empty_result')
  })

  it('todos are filtered by tag and by text', async () => {
    const ids = [await added('/todo add bread --tag home'), await added('/todo add report --tag work')]
    const page = await bench.open('#/desk')
    const search = page.getByRole('search')
    await todos(page).getByText('bread').waitFor()
    await search.getByLabel('Tag').fill('work')
    await todos(page).getByText('bread').waitFor({ state: 'detached' })
    await todos(page).getByText('report').waitFor()
    await search.getByLabel('Tag').fill('')
    await search.getByLabel('Contains').fill('REA')
    await todos(page).getByText('bread').waitFor()
    await todos(page).getByText('report').waitFor({ state: 'detached' })
    await expect.poll(() => todos(page).getByRole('listitem').count()).toBe(1)
    for (const id of ids) await told(`/todo delete ${id}`)
  })
})

describe('the schedule', () => {
  it('a repeating event is shown on each of its days of the month, or on its first day only', async () => {
    const id = await added('/schedule add 2030-01-07 10:00 standup --duration 30 --interval 2880')
    const page = await bench.open('#/desk')
    await dayOf(page, /January 9, 2030, 1 event$/).waitFor()
    expect(
      await schedule(page)
        .getByRole('button', { name: /January \d+, 2030, 1 event$/ })
        .count(),
    ).toBe(13)
    expect(await schedule(page).getByRole('columnheader').count()).toBe(7)
    await dayOf(page, /January 7, 2030, 1 event$/).click()
    await schedule(page).getByText('every 2 days').waitFor()
    await page.getByRole('button', { name: `Stop repeating: event #${id}` }).click()
    await schedule(page).getByText('repetition switched off').waitFor()
    await dayOf(page, /January 9, 2030, no events$/).waitFor()
    await page.getByRole('button', { name: `Repeat again: event #${id}` }).click()
    await dayOf(page, /January 9, 2030, 1 event$/).waitFor()
    await told(`/schedule delete ${id}`)
  })

  it('an event that would overlap another one is not saved: the conflict names the other, and the form stays open', async () => {
    const id = await added('/schedule add 2030-01-07 10:00 standup --duration 30 --interval 2880')
    const page = await bench.open('#/desk')
    await dayOf(page, /January 11, 2030, 1 event$/).click()
    await schedule(page).getByRole('button', { name: 'Add an event' }).click()
    const form = page.getByRole('form', { name: 'Add event' })
    await form.getByLabel('Title').fill('call')
    expect(await form.getByLabel('Start').inputValue()).toBe('2030-01-11T09:00')
    await form.getByLabel('Minutes').fill('90')
    await form.getByRole('button', { name: 'Add event', exact: true }).click()
    await form.getByRole('alert').getByText(`#${id} 2030-01-11 10:00 standup`).waitFor()
    expect((await told('/schedule view day 2030-01-11')).rows).toHaveLength(1)
    // What is in the way can be looked at, and what was typed is there again after it.
    await form.getByRole('button', { name: `Edit event #${id}` }).click()
    const other = page.getByRole('form', { name: `Save #${id}` })
    expect(await other.getByLabel('Start').inputValue()).toBe('2030-01-07T10:00')
    await other.getByRole('button', { name: 'Cancel' }).click()
    expect(await form.getByLabel('Title').inputValue()).toBe('call')
    await form.getByLabel('Minutes').fill('60')
    await form.getByRole('button', { name: 'Add event', exact: true }).click()
    await dayOf(page, /January 11, 2030, 2 events$/).waitFor()
    expect((await told('/schedule view day 2030-01-11')).rows).toMatchObject([
      { title: 'call', start: '2030-01-11 09:00', duration: 60 },
      { title: 'standup' },
    ])
  })

  it('by keyboard alone: a day is reached by arrow keys, and a repeating event is added and deleted', async () => {
    for (const { id } of (await told('/schedule view month 2030-02')).rows) await told(`/schedule delete ${String(id)}`)
    const page = await bench.open('#/desk')
    await dayOf(page, /January 10, 2030/).focus()
    // Faster than any hand: none of the keys waits for a day to be painted.
    await page.evaluate(`(async () => {
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowRight']) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
        await new Promise((drawn) => setTimeout(drawn))
      }
    })()`)
    await schedule(page).getByRole('heading', { name: 'February 2030', exact: true }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('1Friday, February 1, 2030, no events')
    // The next button after the month is that of the day.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.labels[0].textContent')).toBe('Title')
    await page.keyboard.type('yoga 瑜伽')
    const form = page.getByRole('form', { name: 'Add event' })
    await form.getByLabel('Start').fill('2030-02-01T18:00')
    await form.getByLabel('Repeats').focus()
    await page.keyboard.type('weeks')
    await form.getByLabel('Times in all').fill('2')
    await page.keyboard.press('Enter')
    await dayOf(page, /February 8, 2030, 1 event$/).waitFor()
    const { rows } = await told('/schedule view month 2030-02')
    const yoga = rows.filter(({ title }) => title === 'yoga 瑜伽')
    const id = String(yoga[0]?.['id'])
    expect(yoga).toMatchObject([
      { start: '2030-02-01 18:00', interval: 10_080, times: 2 },
      { start: '2030-02-08 18:00' },
    ])
    await page.getByRole('button', { name: `Delete: event #${id}` }).focus()
    await page.keyboard.press('Enter')
    await schedule(page).getByText('Delete it with every repetition?').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await dayOf(page, /February 8, 2030, no events$/).waitFor()
    expect((await told(`/schedule get ${id}`)).kind).toBe('not_found')
  })

  it('on a phone the month is a list of the days with events, and nothing is wider than the page', async () => {
    await told('/schedule add 2030-01-20 10:00 standup')
    const page = await bench.open('#/desk', { viewport: { width: 390, height: 844 } })
    await schedule(page).getByRole('list', { name: 'Days with events' }).getByText('standup').first().waitFor()
    expect(await schedule(page).getByRole('table').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})

it('an addition by another client appears by itself; a half-typed todo survives a visit to another view', async () => {
  const page = await bench.open('#/desk')
  await page.clock.install()
  await todos(page).getByLabel('What is to be done').fill('water the')
  await page.getByRole('link', { name: 'Deliveries' }).click()
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  await page.goBack()
  await expect.poll(() => todos(page).getByLabel('What is to be done').inputValue()).toBe('water the')
  await todos(page)
    .getByText('1 todo')
    .or(todos(page).getByText(/\d+ todos/))
    .waitFor()
  await told('/todo add added by a task')
  await page.clock.runFor(16_000)
  await todos(page).getByText('added by a task').waitFor()
  expect(await todos(page).getByLabel('What is to be done').inputValue()).toBe('water the')
})

it('any command can be given; its answer is shown with kind, text and rows, and its change appears', async () => {
  const page = await bench.open('#/desk')
  const line = page.getByRole('textbox', { name: 'Command' })
  await line.fill('/todo add from the line')
  await page.keyboard.press('Enter')
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await answer.getByText('todo_added', { exact: true }).waitFor()
  await todos(page).getByText('from the line').waitFor()
  expect(await answer.getByRole('cell', { name: 'from the line' }).count()).toBe(1)
  await line.fill('/todo nonsense')
  await page.keyboard.press('Enter')
  await answer.getByText('unknown_command', { exact: true }).waitFor()
  await answer.getByText('not done').waitFor()
})

it('the calendar address is shown only on request, works without a key, and comes with a warning that it is a key', async () => {
  const page = await bench.open('#/desk')
  expect(await page.getByRole('textbox', { name: 'Address to subscribe to' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Show the address' }).click()
  const address = await page.getByRole('textbox', { name: 'Address to subscribe to' }).inputValue()
  expect(await (await fetch(address)).text()).toContain('BEGIN:VCALENDAR')
  await page.getByText('This address is a key').waitFor()
})

it('hostile texts in todos, events and answers are shown as plain text', async () => {
  const text = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>[x](javascript:alert(1))`
  await told(`/todo add ${text}`)
  await told(`/schedule add 2030-01-10 20:00 ${text}`)
  const page = await bench.open('#/desk')
  await todos(page).getByText(text).waitFor()
  await schedule(page).getByRole('listitem').filter({ hasText: text }).last().waitFor()
  await page.getByRole('textbox', { name: 'Command' }).fill(text)
  await page.keyboard.press('Enter')
  await page
    .getByRole('region', { name: 'Answer', exact: true })
    .getByText('unknown_command', { exact: true })
    .waitFor()
  expect(await page.evaluate('document.querySelectorAll("main img, main script").length')).toBe(0)
  expect(await page.title()).not.toBe('owned')
})

it.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async (colorScheme) => {
  const page = await bench.open('#/desk', { colorScheme })
  await schedule(page).getByRole('button', { name: 'Add an event' }).click()
  await page.getByRole('textbox', { name: 'Command' }).fill('/schedule list')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Answer', exact: true }).waitFor()
  expect(await violations(page)).toEqual([])
})
