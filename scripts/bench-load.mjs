/**
 * `npm run bench:load`: the first load of the console – bytes, first paint, list of tasks drawn – as a ratio to the smallest page that the
 * same service serves. One run of ten loads each, by turns, on this machine without any slowing down: the ratios say more than the times.
 */
import { gzipSync } from 'node:zlib'
import { launch } from '../test/browser/chromium.ts'
import { makeDataDir, removeDataDir, startService } from './lib/service.mjs'
import { fill } from './lib/tour.mjs'

const LOADS = 10
const GZIP_BYTES_MAX = 150 * 1024
/** A page of one word: the least that a browser and this service need. */
const SMALLEST = '/health'
const ENV = { ENVIRONMENT: 'development', API_KEYS: undefined, MODEL_PROVIDER: 'offline', TEST_CLOCK: undefined }
/** Records the time of the first link to a task, and of the next frame, which shows it. */
const WATCH = `sessionStorage.setItem('loop-agent.key', 'dev-key')
new MutationObserver((_, observer) => {
  if (document.querySelector('main a[href^="#/tasks/task_"]') === null) return
  observer.disconnect()
  requestAnimationFrame(() => { window.listDrawn = performance.now() })
}).observe(document, { childList: true, subtree: true })`
const PAINTED = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`

const dataDir = makeDataDir()
let [service, browser] = [null, null]
try {
  service = await startService({ dataDir, env: ENV })
  browser = await launch()
  await fill(service.url)
  const total = await printBytes(service.url)
  await load(await browser.newContext(), '/') // The first of all loads warms up the service and the browser.
  for (const cache of ['cold', 'warm']) await printTimes(cache)
  if (total > GZIP_BYTES_MAX) throw new Error(`more than ${GZIP_BYTES_MAX} bytes gzip`)
} finally {
  await browser?.close()
  await service?.stop()
  removeDataDir(dataDir)
}

/** Measures the transfers of a first load, and returns their compressed sum. */
async function printBytes(origin) {
  const html = await (await fetch(`${origin}/`)).text()
  const paths = ['/', ...[...html.matchAll(/"(\/console\/[^"]+)"/g)].map(([, path]) => path)]
  let total = 0
  for (const path of paths) {
    const response = await fetch(origin + path, { headers: { 'accept-encoding': 'gzip' } })
    const encoding = response.headers.get('content-encoding') ?? 'not compressed by this server'
    const bytes = Buffer.from(await response.arrayBuffer())
    const small = gzipSync(bytes).length
    total += small
    console.log(`${path.padEnd(28)} ${String(small).padStart(7)} bytes gzip, ${bytes.length} raw (${encoding})`)
  }
  console.log(`${'in all'.padEnd(28)} ${String(total).padStart(7)} bytes gzip, of ${GZIP_BYTES_MAX} at most`)
  return total
}

/** `cold` is a browser without the files, `warm` is one that has them cached. */
async function printTimes(cache) {
  const kept = cache === 'warm' ? await browser.newContext() : null
  if (kept !== null) await load(kept, '/')
  const rows = []
  for (let turn = 0; turn < LOADS; turn++) {
    const smallest = await load(kept ?? (await browser.newContext()), SMALLEST)
    rows.push({ smallest: smallest.painted, ...(await load(kept ?? (await browser.newContext()), '/')) })
  }
  const of = (name) => median(rows.map((row) => row[name]))
  const [smallest, painted, drawn] = [of('smallest'), of('painted'), of('drawn')]
  const ratio = (ms) => `${ms.toFixed(0)} ms, ${(ms / smallest).toFixed(1)} ×`
  console.log(
    `${cache} cache, median of ${LOADS}: smallest page painted ${smallest.toFixed(0)} ms; console: first paint ${ratio(painted)}, list drawn ${ratio(drawn)}`,
  )
}

/** Times since the navigation began, ms. */
async function load(context, path) {
  const page = await context.newPage()
  const isConsole = path === '/'
  if (isConsole) await page.addInitScript(WATCH)
  await page.goto(service.url + path)
  await page.evaluate(
    until(isConsole ? `window.listDrawn !== undefined && ${PAINTED} !== undefined` : `${PAINTED} !== undefined`),
  )
  const [painted, drawn] = await page.evaluate(`[${PAINTED}, window.listDrawn ?? 0]`)
  await page.close()
  return { painted, drawn }
}

/** This polls within the page, because the policy of the page forbids to evaluate texts as code. */
function until(holds) {
  return `new Promise((resolve) => {
    const look = () => (${holds} ? resolve() : setTimeout(look, 5))
    look()
  })`
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
