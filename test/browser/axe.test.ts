/** Every view, light and dark, held to axe-core's rules; and the page that asks for the key. */
import { expect, it } from 'vitest'
import { LOOKS, viewsHaveNoGraveFlaw } from './axe-views.ts'
import { analyse } from './analyse.ts'

const bench = viewsHaveNoGraveFlaw(LOOKS.slice(0, 2))

it('the page that asks for the key has none either, in both themes and languages', async () => {
  for (const [look, options] of LOOKS) {
    const page = await bench.open('', { ...options, key: null })
    await page.locator('form').waitFor()
    const { violations } = await analyse(page)
    expect(
      violations.map(({ id }) => id),
      look,
    ).toEqual([])
  }
})
