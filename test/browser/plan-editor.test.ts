/** The plan edited in the page, while others edit it and the task goes on. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { analyse } from './analyse.ts'
import { consoleBench } from './bench.ts'

const bench = consoleBench()

const GOAL = 'add todo buy milk; add todo call mum; add todo water plants'
const made = () => bench.task('POST', '/tasks', { goal: GOAL, rounds: 0 })
const titlesOf = async (id: string) => (await bench.task('GET', `/tasks/${id}`)).plan.items.map(({ title }) => title)
const title = (page: Page, place: number) => page.getByRole('textbox', { name: `Title of item ${place}` })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function edit(page: Page): Promise<void> {
  await button(page, 'Edit plan').click()
  await title(page, 1).waitFor()
}

const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement?.ariaLabel ?? document.activeElement?.textContent')

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await analyse(page, '.plan')
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
}

it('an item is renamed, one is added with its details, one is removed, and the page shows the answer of the service', async () => {
  const { id } = await made()
  const page = await bench.open(`#/tasks/${id}`)
  await edit(page)
  await title(page, 1).fill('buy oat milk')
  await button(page, 'Remove “Todo: water plants”').click()
  await button(page, '+ Add an item').click()
  await page.keyboard.type('bake a cake')
  await page.getByLabel('Description and expected output: bake a cake').click()
  await page.getByRole('textbox', { name: 'Description' }).fill('with the oat milk')
  await page.getByRole('textbox', { name: 'Expected output' }).fill('one cake')
  await expectAccessible(page)
  await button(page, 'Save plan').click()
  await page.getByRole('region', { name: 'Items of the plan' }).getByText('bake a cake').waitFor()
  expect(await focused(page)).toBe('Edit plan')
  const { plan } = await bench.task('GET', `/tasks/${id}`)
  expect(plan.items.map(({ title, description, expected_output }) => [title, description, expected_output])).toEqual([
    ['buy oat milk', '', null],
    ['Todo: call mum', '', null],
    ['bake a cake', 'with the oat milk', 'one cake'],
  ])
  await page.getByRole('region', { name: 'Activity' }).getByText('Plan edited by hand').waitFor()
})

it('by keyboard alone: an item is moved, the focus stays with it, and its new place is announced', async () => {
  const { id } = await made()
  const page = await bench.open(`#/tasks/${id}`)
  await button(page, 'Edit plan').focus()
  await page.keyboard.press('Enter')
  await title(page, 1).waitFor()
  await button(page, 'Move “Todo: water plants” up').focus()
  await page.keyboard.press('Enter')
  await page.getByText('“Todo: water plants” is now 2 of 3.').waitFor()
  expect(await focused(page)).toBe('Move “Todo: water plants” up')
  await page.keyboard.press('Enter')
  await page.getByText('“Todo: water plants” is now 1 of 3.').waitFor()
  // It cannot go up any more: the focus is at the button beside.
  expect(await focused(page)).toBe('Move “Todo: water plants” down')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Remove “Todo: water plants”')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Title of item 1')
  await page.keyboard.press('End')
  await page.keyboard.type(' today')
  await page.keyboard.press('Enter')
  await expect.poll(() => titlesOf(id)).toEqual(['Todo: buy milk today', 'Todo: call mum'])
  await expect.poll(() => focused(page)).toBe('Edit plan')
})

it('an unsent edit is still there after a visit to another view; an editor without changes is closed', async () => {
  const { id } = await made()
  const page = await bench.open(`#/tasks/${id}`)
  const away = async () => {
    await page.getByRole('link', { name: 'New task' }).click()
    await page.getByRole('heading', { name: 'New task' }).waitFor()
    await page.goBack()
  }
  await edit(page)
  await away()
  await button(page, 'Edit plan').click()
  await title(page, 2).fill('call mum and dad')
  await away()
  await expect.poll(() => title(page, 2).inputValue()).toBe('call mum and dad')
  expect(await title(page, 1).inputValue()).toBe('Todo: buy milk')
  await button(page, 'Discard my changes').click()
  await away()
  await button(page, 'Edit plan').click()
  expect(await title(page, 2).inputValue()).toBe('Todo: call mum')
  await title(page, 2).fill('call dad')
  await button(page, 'Save plan').click()
  await page.getByRole('region', { name: 'Items of the plan' }).getByText('call dad').waitFor()
  await away()
  await button(page, 'Edit plan').waitFor()
})

it('an item without a title is not sent: the page says so and goes to it', async () => {
  const { id } = await made()
  const page = await bench.open(`#/tasks/${id}`)
  await edit(page)
  await title(page, 2).fill(' ')
  await button(page, 'Save plan').click()
  await page.getByText('Each item needs a title.').waitFor()
  expect(await focused(page)).toBe('Title of item 2')
  expect(await titlesOf(id)).toHaveLength(3)
})

describe('two tabs edit one plan', () => {
  async function conflicting() {
    const { id } = await made()
    const first = await bench.open(`#/tasks/${id}`, { viewport: { width: 1200, height: 900 } })
    const second = await bench.beside(first, `#/tasks/${id}`)
    await edit(first)
    await edit(second)
    await title(second, 1).fill('mine')
    await button(second, '+ Add an item').click()
    await second.keyboard.type('mine too')
    await title(first, 2).fill('theirs')
    await button(first, 'Save plan').click()
    await button(first, 'Edit plan').waitFor()
    // The second one is told before it sends, and what it has typed stays.
    await second.getByText('The plan has changed since you began:').waitFor()
    expect(await second.locator('.plan-meanwhile').innerText()).toContain('Renamed: Todo: call mum')
    expect(await title(second, 1).inputValue()).toBe('mine')
    await button(second, 'Save plan').click()
    await second.getByText('Somebody was faster').waitFor()
    return { id, second }
  }
  const listed = (page: Page, name: string) =>
    page.getByRole('region', { name, exact: true }).getByRole('listitem').allInnerTexts()

  it('the second sees both versions side by side, and can apply its own on top', async () => {
    const { id, second } = await conflicting()
    expect(await titlesOf(id)).toEqual(['Todo: buy milk', 'theirs', 'Todo: water plants'])
    expect(await listed(second, 'Mine')).toEqual(['mine', 'theirs', 'Todo: water plants', 'mine too (new)'])
    expect((await listed(second, 'Theirs')).map((text) => text.split(/\s+[▸·✓]/)[0])).toEqual([
      'Todo: buy milk',
      'theirs',
      'Todo: water plants',
    ])
    const [mine, theirs] = await Promise.all(
      ['Mine', 'Theirs'].map((name) => second.getByRole('region', { name, exact: true }).boundingBox()),
    )
    expect(mine?.y).toBe(theirs?.y)
    await expectAccessible(second)
    await button(second, 'Keep mine on top of theirs').click()
    await expect.poll(() => titlesOf(id)).toEqual(['mine', 'theirs', 'Todo: water plants', 'mine too'])
    await expect.poll(() => focused(second)).toBe('Edit plan')
  })

  it('the second can take the other version, and then sends nothing', async () => {
    const { id, second } = await conflicting()
    await button(second, 'Take theirs').click()
    await second.getByRole('region', { name: 'Items of the plan' }).getByText('theirs').waitFor()
    expect(await titlesOf(id)).toEqual(['Todo: buy milk', 'theirs', 'Todo: water plants'])
  })

  it('the second can go on editing its own, and a phone shows the versions one below the other', async () => {
    const { id, second } = await conflicting()
    await second.setViewportSize({ width: 390, height: 844 })
    const [mine, theirs] = await Promise.all(
      ['Mine', 'Theirs'].map((name) => second.getByRole('region', { name, exact: true }).boundingBox()),
    )
    expect(mine?.x).toBe(theirs?.x)
    expect(await second.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await button(second, 'Go on editing mine').click()
    expect(await title(second, 1).inputValue()).toBe('mine')
    expect(await title(second, 2).inputValue()).toBe('theirs')
    await title(second, 1).fill('mine in the end')
    await button(second, 'Save plan').click()
    await expect.poll(() => titlesOf(id)).toContain('mine in the end')
  })
})

it('removals and additions of the other tab stay when I have changed another item only', async () => {
  const { id } = await made()
  const second = await bench.open(`#/tasks/${id}`)
  await edit(second)
  await title(second, 1).fill('mine')
  const first = await bench.beside(second, `#/tasks/${id}`)
  await edit(first)
  await button(first, 'Remove “Todo: call mum”').click()
  await button(first, '+ Add an item').click()
  await first.keyboard.type('theirs')
  await button(first, 'Save plan').click()
  await button(first, 'Edit plan').waitFor()
  await second.locator('.plan-meanwhile').getByText('Todo: call mum').waitFor()
  await button(second, 'Save plan').click()
  await button(second, 'Keep mine on top of theirs').click()
  await expect.poll(() => titlesOf(id)).toEqual(['mine', 'Todo: water plants', 'theirs'])
})

it('an item that is finished during an edit is named, and is left out of the edit that is kept', async () => {
  const { id } = await made()
  const page = await bench.open(`#/tasks/${id}`)
  await edit(page)
  await title(page, 3).fill('water the cactus')
  // A thought with its action, then the end of the item: the replan takes it off the list.
  await bench.task('POST', `/tasks/${id}/step`, { rounds: 3 })
  await expect.poll(() => titlesOf(id)).toEqual(['Todo: call mum', 'Todo: water plants'])
  await page.locator('.plan-meanwhile').getByText('Todo: buy milk').waitFor()
  expect(await page.locator('.plan-meanwhile').innerText()).toContain('Finished: Todo: buy milk')
  await button(page, 'Save plan').click()
  await button(page, 'Keep mine on top of theirs').click()
  await expect.poll(() => titlesOf(id)).toEqual(['Todo: call mum', 'water the cactus'])
})

it('a later version of the task with the same plan does not make an edit outdated', async () => {
  const { id } = await made()
  const page = await bench.open(`#/tasks/${id}`)
  await edit(page)
  await title(page, 3).fill('water the cactus')
  await bench.task('POST', `/tasks/${id}/budget`, { add: { steps: 5 } })
  await page.getByRole('meter', { name: 'Steps: 0 / 25' }).waitFor()
  await button(page, 'Save plan').click()
  await expect.poll(() => titlesOf(id)).toContain('water the cactus')
})

it('a refusal of the service is shown, and no typed text is lost', async () => {
  const { id } = await made()
  const page = await bench.open(`#/tasks/${id}`)
  await edit(page)
  await title(page, 1).fill('too late')
  await bench.task('POST', `/tasks/${id}/cancel`, {})
  await button(page, 'Save plan').click()
  await page.getByText('task_ended').waitFor()
  expect(await title(page, 1).inputValue()).toBe('too late')
})
