/** A person without a mouse: goes from control to control, and sees where they are at every stop. */
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import * as z from 'zod'

const Stop = z.object({ name: z.string(), tag: z.string(), seen: z.boolean(), inside: z.boolean() })
export type Stop = z.infer<typeof Stop>

/** Marks where the focus is as visited; `seen`: it can be told from all the rest; `inside`: it is on the screen. */
const HERE = `(() => {
  const at = document.activeElement ?? document.body
  at.setAttribute('data-visited', '')
  const drawn = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
  const outlined = (one) => one !== null && [null, '::after'].some((part) => drawn(getComputedStyle(one, part)))
  const { top, bottom, left, right } = at.getBoundingClientRect()
  const label = at.labels?.[0]?.textContent ?? ''
  return {
    tag: at.localName,
    name: (at.getAttribute('aria-label') ?? (label === '' ? at.textContent : label)).trim().slice(0, 200),
    // The browser draws the stops inside of a date by itself.
    seen: outlined(at) || outlined(at.closest('label')) || /^(date|time|month|week)/.test(at.type ?? ''),
    inside: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  }
})()`
export const here = async (page: Page): Promise<Stop> => Stop.parse(await page.evaluate(HERE))

const STOPS_AT_MOST = 400

/** Goes on until the control of this name has the focus. */
export async function goTo(page: Page, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<Stop> {
  const passed: string[] = []
  for (let count = 0; count < STOPS_AT_MOST; count++) {
    await page.keyboard.press(key)
    const stop = await here(page)
    if (stop.tag !== 'body') expect(stop, `${stop.tag} “${stop.name}”`).toMatchObject({ seen: true, inside: true })
    if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return stop
    passed.push(stop.name)
  }
  throw new Error(`${String(name)} is not reached by ${key}: ${passed.slice(0, 60).join(' · ')}`)
}

/** Once around the page, from its first stop to that again. */
export async function goAround(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  const first = (await goTo(page, /./, key)).name
  const stops = [first]
  for (let count = 0; count < STOPS_AT_MOST; count++) {
    const { name, tag } = await goTo(page, /^/, key)
    if (name === first) return stops
    if (tag !== 'body') stops.push(name)
  }
  throw new Error(`${key} does not come back to “${first}”: ${stops.slice(-20).join(' · ')}`)
}
