/**
 * `npm run screenshots [directory]`: takes pictures of every view of the console, wide and narrow, light and dark, some in Chinese. It starts its
 * own service with tasks of every kind. Default: .data/screenshots. The browser is the system's Chromium, or the one that CHROMIUM names.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { launch } from '../test/browser/chromium.ts'
import { makeDataDir, removeDataDir, startService } from './lib/service.mjs'
import { fill, viewsOf } from './lib/tour.mjs'

const SIZES = { wide: { width: 1200, height: 800 }, narrow: { width: 390, height: 844 } }
const IN_CHINESE = ['tasks', 'new', 'desk', 'chinese', 'analysed', 'waiting']
/** A configuration of its own: no account, no network. */
const ENV = {
  ENVIRONMENT: 'development',
  API_KEYS: undefined,
  MODEL_PROVIDER: 'offline',
  SEARCH_PROVIDER: 'wikipedia',
  SEARCH_BASE_URL: 'http://127.0.0.1:9',
  TIMEZONE: 'UTC',
  TEST_CLOCK: undefined,
}

const directory = resolve(process.argv[2] ?? '.data/screenshots')
mkdirSync(directory, { recursive: true })
const dataDir = makeDataDir()
let [service, browser] = [null, null]
try {
  service = await startService({ dataDir, env: ENV })
  browser = await launch()
  const views = viewsOf(await fill(service.url))
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark']) {
      await shoot(views, `${size}-${colorScheme}`, { viewport, colorScheme, locale: 'en-GB' })
      await shoot({ entry: '' }, `${size}-${colorScheme}`, { viewport, colorScheme, locale: 'en-GB' }, null)
    }
  const chinese = Object.fromEntries(IN_CHINESE.map((view) => [view, views[view]]))
  for (const [size, viewport] of Object.entries(SIZES))
    await shoot(chinese, `${size}-zh`, { viewport, locale: 'zh-CN' })
  console.log(`The pictures are in ${directory}`)
} finally {
  await browser?.close()
  await service?.stop()
  removeDataDir(dataDir)
}

/** Takes one picture of each view in the full length of the page: `<view>-<look>.png`. */
async function shoot(views, look, options, key = 'dev-key') {
  const context = await browser.newContext({ timezoneId: 'UTC', ...options })
  if (key !== null) await context.addInitScript(`sessionStorage.setItem('loop-agent.key', '${key}')`)
  const page = await context.newPage()
  for (const [view, fragment] of Object.entries(views)) {
    await page.goto(`${service.url}/${fragment}`)
    await drawn(page)
    // A browser need not paint what is off screen, so the screen is made as high as the page.
    const height = await page.evaluate('document.documentElement.scrollHeight')
    await page.setViewportSize({ width: options.viewport.width, height })
    await drawn(page)
    await page.screenshot({ path: join(directory, `${view}-${look}.png`), fullPage: true })
    await page.setViewportSize(options.viewport)
  }
  await context.close()
}

/** Waits until the page has the same text twice in a row. */
async function drawn(page) {
  await page.locator('main :is(h1, h2, nav)').first().waitFor()
  let before = null
  for (;;) {
    const now = await page.evaluate('document.body.innerText')
    if (now === before) return
    before = now
    await page.waitForTimeout(150)
  }
}
