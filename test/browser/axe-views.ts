/** Every view with something in it, held to axe-core's rules, in the looks of a file of tests: they take long, and files run beside each other. */
import { beforeAll, expect, it } from 'vitest'
import type { BrowserContextOptions } from 'playwright-core'
import { fill, viewsOf, type TourTasks } from '../../scripts/lib/tour.mjs'
import { analyse } from './analyse.ts'
import { consoleBench, type ConsoleBench } from './bench.ts'
import { settled } from './settled.ts'

const WIDE = { width: 1200, height: 800 }
const NARROW = { width: 390, height: 844 }
export const LOOKS: [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light', viewport: WIDE }],
  ['dark', { colorScheme: 'dark', viewport: WIDE }],
  ['narrow', { colorScheme: 'light', viewport: NARROW }],
  ['Chinese', { colorScheme: 'light', viewport: WIDE, locale: 'zh-CN' }],
]

/** Answers the bench, for more tests of the file. */
export function viewsHaveNoGraveFlaw(looks: typeof LOOKS): ConsoleBench {
  const bench = consoleBench()
  let tasks: TourTasks
  beforeAll(async () => {
    tasks = await fill(bench.url())
  })
  it.each(looks)(
    '%s: no serious and no critical violation in any view',
    { timeout: 240_000 },
    async (look, options) => {
      const page = await bench.open('', options)
      const grave: string[] = []
      const milder = new Map<string, string>()
      const views = viewsOf(tasks)
      for (const [view, fragment] of Object.entries(views)) {
        await page.goto(`${bench.url()}/${fragment}`)
        await settled(page)
        const { violations, passes } = await analyse(page)
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
    },
  )
  return bench
}
