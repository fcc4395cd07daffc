/** Waits until a page has drawn what it asked for: it says the same twice in a row, and there is a view. */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'

export async function settled(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2, nav)').first().waitFor()
  let before: unknown = null
  await expect
    .poll(
      async () => {
        const now = await page.evaluate('document.body.innerText')
        const same = now === before
        before = now
        return same
      },
      { interval: 80, timeout: 10_000 },
    )
    .toBe(true)
}
