/**
 * How the page of a task bears many events: a real service, a scripted model, a real Chromium. Late against early within one run, on one page
 * each: from an event's arrival to its being painted, and what the main thread has to do for a step; and the long tasks of a whole replay.
 */
import type { Browser, CDPSession, Page } from 'playwright-core'
import { makeDataDir, removeDataDir, startService, type Service } from '../scripts/lib/service.mjs'
import { launch } from '../test/browser/chromium.ts'
import { startScriptedOpenai } from '../test/support/scripted-openai.ts'
import { median } from './load.ts'

/** Events of the task as the steps that are measured begin. */
export const EARLY = 20
export const LATE = 500
const STEPS = 25
/** Of one round: a thought, the start of its action, the end. */
const EVENTS = 3

interface Window {
  /** From the arrival of an event to the frame that shows it, ms. */
  painted_ms: number
  /** What the main thread does for a step, ms. */
  busy_ms: number
}
export interface Measured {
  early: Window
  late: Window
  /** While the page takes in the whole task: tasks above 50 ms, and the longest. */
  replay: { events: number; long_tasks: number; longest_ms: number }
}

const THOUGHT = {
  status: 'continue',
  current_step: 'Looking at what there is to be done today, and at what has been left over from the days before.',
  next_action: { tool: 'todo', input: '/todo list' },
  question: null,
  response: null,
}

export async function measure(): Promise<Measured> {
  const dataDir = makeDataDir()
  const rounds = Math.ceil(LATE / EVENTS) + 3 * STEPS
  const plan = [{ status: 'planned', plan: Array.from({ length: 12 }, (_, index) => `Item number ${index + 1}`) }]
  const model = await startScriptedOpenai({ plan, thought: Array.from({ length: rounds }, () => THOUGHT) })
  const browser = await launch()
  const service = await startService({ dataDir, env: environment(model.base_url) })
  try {
    return await walked(service, browser)
  } finally {
    await browser.close()
    await service.stop()
    await model.close()
    removeDataDir(dataDir)
  }
}

const environment = (base_url: string) => ({
  ENVIRONMENT: 'development',
  API_KEYS: undefined,
  MODEL_PROVIDER: 'openai',
  OPENAI_API_KEY: 'sk-bench',
  OPENAI_BASE_URL: base_url,
  OPENAI_MODEL: 'scripted-1',
})

async function walked(service: Service, browser: Browser): Promise<Measured> {
  const body = { goal: 'look', rounds: 0, settings: { max_steps: 10_000 } }
  const { id } = await asked(service, '/tasks', body)
  const grow = async (events: number) => {
    for (let left = Math.round(events / EVENTS); left > 0; left -= 50)
      await asked(service, `/tasks/${id}/step`, { rounds: Math.min(left, 50) })
  }
  const step = () => asked(service, `/tasks/${id}/step`, {})
  await grow(EARLY)
  const early = await watched(service, browser, id, step)
  await grow(LATE - EARLY - STEPS * EVENTS)
  const late = await watched(service, browser, id, step)
  return { early: early.window, late: late.window, replay: late.replay }
}

/** On a page of its own: what its start took, then steps one by one. */
async function watched(service: Service, browser: Browser, id: string, step: () => Promise<unknown>) {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1200, height: 800 } })
  await context.addInitScript("sessionStorage.setItem('loop-agent.key', 'dev-key')")
  await context.addInitScript(PROBE)
  const page = await context.newPage()
  await page.goto(`${service.url}/#/tasks/${id}`)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.locator('.activity-entry').first().waitFor()
  await settled(page, session)
  const replay = await page.evaluate<Measured['replay']>(
    '({ events: probe.events, long_tasks: probe.long.length, longest_ms: Math.round(Math.max(0, ...probe.long)) })',
  )
  const painted: number[] = []
  const busy: number[] = []
  for (let index = 0; index < STEPS; index += 1) {
    const before = await busySeconds(session)
    const [took] = await Promise.all([page.evaluate<number>('probe.next()'), step()])
    await settled(page, session)
    painted.push(took)
    busy.push(((await busySeconds(session)) - before) * 1_000)
  }
  await context.close()
  return { window: { painted_ms: median(painted), busy_ms: median(busy) }, replay }
}

async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

/** Until the main thread has been idle for as long as the page waits before it asks again. */
async function settled(page: Page, session: CDPSession): Promise<void> {
  let busy = -1
  for (;;) {
    const now = await busySeconds(session)
    if (now - busy < 0.002) return
    busy = now
    await page.waitForTimeout(300)
  }
}

async function asked(service: Service, path: string, body: object): Promise<{ id: string }> {
  const headers = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }
  const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  // The contract of both routes: a task.
  return (await response.json()) as { id: string }
}

/** In the page: when events came, when what shows them was painted, and which tasks were long. */
const PROBE = `
  globalThis.probe = { events: 0, arrived: null, long: [], told: () => {} }
  probe.next = () => new Promise((resolve) => Object.assign(probe, { arrived: null, told: resolve }))
  new PerformanceObserver((list) => probe.long.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
  const listen = EventSource.prototype.addEventListener
  EventSource.prototype.addEventListener = function (type, listener, ...rest) {
    const noted = (event) => {
      if (event instanceof MessageEvent) {
        probe.events += 1
        probe.arrived ??= performance.now()
      }
      return listener.call(this, event)
    }
    return listen.call(this, type, noted, ...rest)
  }
  new MutationObserver((changes) => {
    const isList = changes.some(({ target }) => target instanceof Element && target.matches('.activity-list'))
    if (!isList || probe.arrived === null) return
    const { arrived } = probe
    probe.arrived = null
    requestAnimationFrame(() => setTimeout(() => probe.told(performance.now() - arrived)))
  }).observe(document, { childList: true, subtree: true })
`
