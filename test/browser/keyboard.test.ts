/** With the keyboard alone: a task is made, answered and done; every control is reached, the focus is seen, and nothing holds it. */
import { VIEWS } from '../../src/console/route.ts'
import { beforeAll, expect, it } from 'vitest'
import { fill, viewsOf, type TourTasks } from '../../scripts/lib/tour.mjs'
import { consoleBench } from './bench.ts'
import { goAround, goTo, here } from './keys.ts'
import { settled } from './settled.ts'

const bench = consoleBench()
let tasks: TourTasks
beforeAll(async () => {
  tasks = await fill(bench.url())
})

it('create, run, answer, done: by Tab, Shift+Tab, Enter and Space', async () => {
  const page = await bench.open('#/tasks')
  await settled(page)
  await goTo(page, 'New task')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New task' }).waitFor()
  await goTo(page, 'Goal')
  await page.keyboard.type('book the dentist on Friday at 3pm')
  await goTo(page, 'Create the task')
  await page.keyboard.press('Enter')
  await page.locator('.task').waitFor()
  await settled(page)
  if ((await page.getByText('needs an answer').count()) === 0) {
    await goTo(page, 'Run until it waits')
    await page.keyboard.press('Space')
    await page.getByText('needs an answer').first().waitFor()
  }
  await goTo(page, 'Your answer')
  await page.keyboard.type('45 minutes')
  await goTo(page, 'Answer')
  await goTo(page, 'Your answer', 'Shift+Tab')
  await goTo(page, 'Answer')
  await page.keyboard.press('Space')
  const done = page.locator('.task-header .status', { hasText: 'completed' })
  const run = page.getByRole('button', { name: 'Run until it waits', exact: true })
  await done.or(run).first().waitFor()
  if ((await done.count()) === 0) {
    await goTo(page, 'Run until it waits')
    await page.keyboard.press('Enter')
  }
  await done.waitFor()
  // What had the focus may be gone; it goes on from there all the same.
  expect(await goTo(page, /./)).toMatchObject({ seen: true, inside: true })
})

it('the first focusable element of every view is the link to its content', async () => {
  for (const fragment of VIEWS.map((view) => `#/${view}`)) {
    const page = await bench.open(fragment)
    await settled(page)
    await page.keyboard.press('Tab')
    expect(await here(page)).toMatchObject({ name: 'Skip to the content', seen: true, inside: true })
    await page.keyboard.press('Enter')
    expect(await page.evaluate('[document.activeElement.id, location.hash]')).toEqual(['main', fragment])
  }
})

/** Reachable by Tab at least: of radio buttons one, and nothing that is folded away or switched off. */
const MISSED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((one) => !one.disabled && one.type !== 'radio' && one.tabIndex >= 0 && one.checkVisibility() && !one.hasAttribute('data-visited'))
  .map((one) => one.outerHTML.slice(0, 120))`

/** One of each kind of view and of state: the others have the same controls. */
const GONE_AROUND = [...VIEWS, 'asking', 'paused', 'analysed-journal', 'analysed-files']

it('no view traps the focus in either direction, and each control is reached', { timeout: 240_000 }, async () => {
  const views = viewsOf(tasks)
  for (const view of GONE_AROUND) {
    const page = await bench.open(views[view])
    await settled(page)
    const forth = await goAround(page, 'Tab')
    expect(forth[0], view).toBe('Skip to the content')
    expect(await page.evaluate(MISSED), view).toEqual([])
    await goTo(page, 'Skip to the content', 'Shift+Tab')
    await page.close()
  }
})
