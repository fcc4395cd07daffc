/** No view is wider than its window, on a phone and on a small one. */
import { beforeAll, expect, it } from 'vitest'
import { fill, viewsOf, type TourTasks } from '../../scripts/lib/tour.mjs'
import { consoleBench } from './bench.ts'
import { settled } from './settled.ts'

const bench = consoleBench()
let tasks: TourTasks
beforeAll(async () => {
  tasks = await fill(bench.url())
})

it.each([
  [390, 'en-GB'],
  [390, 'zh-CN'],
  [320, 'en-GB'],
])('at %i px, %s, no view scrolls sideways', { timeout: 120_000 }, async (width, locale) => {
  const page = await bench.open('', { viewport: { width, height: 844 }, locale })
  const wide: string[] = []
  for (const [view, fragment] of Object.entries(viewsOf(tasks))) {
    await page.goto(`${bench.url()}/${fragment}`)
    await settled(page)
    const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    if (over !== 0) wide.push(`${view}: ${String(over)} px`)
  }
  expect(wide).toEqual([])
})
