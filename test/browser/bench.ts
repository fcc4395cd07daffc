/**
 * What tests in the browser stand on: the built service as a process of its own, and pages of its console in a real Chromium. A page that
 * logs an error, breaks its policy or asks anyone but the service for anything fails its test.
 */
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Service } from '../../scripts/lib/service.mjs'
import type { TaskView } from '../../src/core/terms/view.ts'
import { call, callTask, newPlace, type Place } from '../e2e/support.ts'
import { sharedBrowser } from './chromium.ts'

export interface ConsoleBench {
  url(): string
  service(): Service
  /** kill -9 of the service; what follows starts another one on the same port and data. */
  kill(): Promise<() => Promise<void>>
  /** A page of a person of its own: own storage, so no key unless it is entered. */
  open(fragment?: string, options?: BrowserContextOptions & { key?: string | null }): Promise<Page>
  /** Another tab of the same person. */
  beside(page: Page, fragment: string): Promise<Page>
  /** Over HTTP, as any other client: answers with the JSON. */
  call(method: string, path: string, body?: object): Promise<unknown>
  task(method: string, path: string, body?: object): Promise<TaskView>
  /** What pages have complained of so far, and forgets it: for a test that wants a complaint. */
  complaints(): string[]
}

/** One service for the tests of a file, and the browser of their worker; `env` is laid over that of an end-to-end test. */
export function consoleBench(env: () => Record<string, string | undefined> = () => ({})): ConsoleBench {
  let [place, service, browser]: [Place | null, Service | null, Browser | null] = [null, null, null]
  let complaints: string[] = []
  beforeAll(async () => {
    place = newPlace()
    ;[service, browser] = await Promise.all([place.start(env()), sharedBrowser()])
  })
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) {
      // An answer that is on its way yet has nobody to be given to.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
    const found = complaints
    complaints = []
    expect(found).toEqual([])
  })
  afterAll(async () => {
    await place?.leave()
  })
  const running = () => {
    if (service === null || browser === null) throw new Error('the bench is not up')
    return { service, browser }
  }
  const attend = (page: Page) => {
    page.setDefaultTimeout(30_000)
    watch(page, running().service.url, (complaint) => complaints.push(complaint))
    return page
  }
  return {
    url: () => running().service.url,
    service: () => running().service,
    async kill() {
      const { port } = new URL(running().service.url)
      await running().service.kill()
      return async () => {
        service = (await place?.start({ ...env(), PORT: port })) ?? null
      }
    },
    async open(fragment = '', { key = 'dev-key', ...options } = {}) {
      const context = await running().browser.newContext({ locale: 'en-GB', ...options })
      // As if it had been entered: session storage is where it is kept.
      if (key !== null) await context.addInitScript(`sessionStorage.setItem('loop-agent.key', ${JSON.stringify(key)})`)
      const page = attend(await context.newPage())
      await page.goto(`${running().service.url}/${fragment}`)
      return page
    },
    async beside(page, fragment) {
      const other = attend(await page.context().newPage())
      await other.goto(`${running().service.url}/${fragment}`)
      return other
    },
    call: (method, path, body) => call(running().service, method, path, body),
    task: (method, path, body) => callTask(running().service, method, path, body),
    complaints() {
      const found = complaints
      complaints = []
      return found
    },
  }
}

/** A refusal of the service is a line in the browser's log too, and no fault of the page. */
const REFUSAL = /^Failed to load resource: the server responded with a status of 4\d\d/

function watch(page: Page, origin: string, complain: (complaint: string) => void): void {
  page.on('pageerror', (error) => complain(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSAL.test(message.text())) complain(`logged: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(?:blob|data):/.test(url)) complain(`asked elsewhere: ${url}`)
  })
}
