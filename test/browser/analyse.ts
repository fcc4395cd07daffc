/**
 * What axe-core finds on a page. Its rules run and are summed up in the page itself: the second page that its builder would open for that is
 * for frames of other origins, of which the console has none.
 */
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'vitest'
import type { Page } from 'playwright-core'

type Found = Awaited<ReturnType<AxeBuilder['analyze']>>

/** Of what is no violation each rule tells one element, because nobody reads the others. */
const OPTIONS = { resultTypes: ['violations' as const] }
/** A page that axe-core has been loaded into keeps it. */
const LOADED = "typeof window.axe === 'object'"
const NOTHING = 'undefined'

/** `within` are selectors; without one it is the whole page. */
export async function analyse(page: Page, ...within: string[]): Promise<Found> {
  expect(page.frames()).toHaveLength(1)
  const isLoaded = await page.evaluate<boolean>(LOADED)
  const builder = new AxeBuilder(isLoaded ? { page, axeSource: NOTHING } : { page })
  for (const selector of within) builder.include(selector)
  return await builder.options(OPTIONS).setLegacyMode().analyze()
}
