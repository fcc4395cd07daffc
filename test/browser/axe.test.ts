/** Every view with something in it, held to axe-core's rules: wide and narrow, light and dark, English and Chinese. */
import { AxeBuilder } from '@axe-core/playwright'
import { beforeAll, expect, it } from 'vitest'
import type { BrowserContextOptions } from 'playwright-core'
import { fill, viewsOf, type TourTasks } from '../../scripts/lib/tour.mjs'
import { consoleBench } from './bench.ts'
import { settled } from './settled.ts'

const bench = consoleBench()
let tasks: TourTasks
beforeAll(async () => {
  tasks = await fill(bench.url())
})

const WIDE = { width: 1200, height: 800 }
const NARROW = { width: 390, height: 844 }
const LOOKS: [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light', viewport: WIDE }],
  ['dark', { colorScheme: 'dark', viewport: WIDE }],
  ['narrow', { colorScheme: 'light', viewport: NARROW }],
  ['Chinese', { colorScheme: 'light', viewport: WIDE, locale: 'zh-CN' }],
]

it.each(LOOKS)('%s: no serious and no critical violation in any view', { timeout: 240_000 }, async (look, options) => {
  const page = await bench.open('', options)
  const grave: string[] = []
  const milder = new Map<string, string>()
  const views = viewsOf(tasks)
  for (const [view, fragment] of Object.entries(views)) {
    await page.goto(`${bench.url()}/${fragment}`)
    await settled(page)
    const { violations, passes } = await new AxeBuilder({ page }).analyze()
    expect(passes.length, view).toBeGreaterThan(10)
    for (const { impact, id, nodes } of violations) {
      const found = `${view} ${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`
      if (impact === 'serious' || impact === 'critical') grave.push(found)
      else milder.set(id, `${look}: ${found}`)
    }
  }
  // Not held against the page, and not hidden.
  for (const found of milder.values()) console.info(found)
  expect(grave).toEqual([])
})

it('the page that asks for the key has none either, in both themes and languages', async () => {
  for (const [look, options] of LOOKS) {
    const page = await bench.open('', { ...options, key: null })
    await page.locator('form').waitFor()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id }) => id),
      look,
    ).toEqual([])
  }
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
