/** What the page may do, and what it leaves behind: its policy, its key, its files, its neighbours. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Request } from 'playwright-core'
import { fill, viewsOf, type TourTasks } from '../../scripts/lib/tour.mjs'
import { consoleBench } from './bench.ts'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify"
const KEY = 'tenant-key-4711'

describe.each([
  ['for developing', {}],
  [
    'in production',
    {
      ENVIRONMENT: 'production',
      API_KEYS: `acme:${KEY}`,
      SIGNING_SECRET: 'of the browser tests',
      PUBLIC_URL: 'http://localhost',
    },
  ],
])('%s', (_, env) => {
  const bench = consoleBench(() => env)
  const key = 'API_KEYS' in env ? KEY : 'dev-key'
  const page = () => fetch(`${bench.url()}/`)
  const filesOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path ?? '')
  let tasks: TourTasks
  beforeAll(async () => {
    tasks = await fill(bench.url(), key)
  })

  it('the page is served without a key, never cached, and has exactly this policy', async () => {
    const answer = await page()
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })
  it('the page has no inline script, style or handler, and loads nothing from another host', async () => {
    // Its icon is a picture in its text.
    const html = (await (await page()).text()).replace(/href="data:image[^"]*"/, '')
    expect(html.match(/<script\b[^>]*>[^<]+/i)).toBeNull()
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|https?:|\/\/[a-z]/i)
    expect(filesOf(html)).toHaveLength(2)
  })
  it('its files are named by their content, and cached for ever', async () => {
    for (const path of filesOf(await (await page()).text())) {
      const answer = await fetch(bench.url() + path)
      expect(path).toMatch(/^\/console\/main-[0-9A-Z]{8}\.(?:js|css)$/)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
      expect(answer.headers.get('content-type')).toMatch(path.endsWith('.js') ? /javascript/ : /^text\/css/)
      const head = await fetch(bench.url() + path, { method: 'HEAD' })
      expect([head.status, await head.text(), head.headers.get('cache-control')]).toEqual([
        200,
        '',
        answer.headers.get('cache-control'),
      ])
    }
  })
  it('HEAD of the page gives its headers and no body', async () => {
    const head = await fetch(`${bench.url()}/`, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('content-security-policy')]).toEqual([200, '', POLICY])
  })
  it.each(['nothing.js', 'main-00000000.js', '..%2Findex.html', 'index.html'])(
    '/console/%s is no file',
    async (name) => {
      const answer = await fetch(`${bench.url()}/console/${name}`)
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }])
    },
  )
  it('the page cannot be put into a frame', async () => {
    const outer = await bench.open('', { key: null })
    await outer.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '/' }))`)
    await expect.poll(() => bench.complaints().some((complaint) => complaint.includes('frame'))).toBe(true)
  })

  it(
    'in all views the page asks only its own service, and the key is only in session storage',
    { timeout: 120_000 },
    async () => {
      const shown = await bench.open('', { key: null })
      const requests: Request[] = []
      shown.on('request', (request) => requests.push(request))
      await shown.getByRole('textbox', { name: 'API key' }).or(shown.getByLabel('API key')).first().fill(key)
      await shown.keyboard.press('Enter')
      await shown.getByRole('navigation').first().waitFor()
      for (const fragment of Object.values(viewsOf(tasks))) {
        await shown.goto(`${bench.url()}/${fragment}`)
        await shown.locator('main h1, main h2, main nav').first().waitFor()
        expect(
          await shown.evaluate('location.href + document.title + document.referrer + JSON.stringify(history.state)'),
        ).not.toContain(key)
      }
      expect(await shown.evaluate('Object.values(sessionStorage)')).toContain(key)
      const kept = await shown.evaluate(
        'JSON.stringify([Object.entries(localStorage), document.cookie, document.documentElement.outerHTML, [...document.querySelectorAll("input")].map((input) => input.value)])',
      )
      expect(kept).not.toContain(key)
      expect(await shown.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0)
      expect(await shown.context().cookies()).toEqual([])
      expect(requests.length).toBeGreaterThan(20)
      for (const request of requests) {
        const headers = await request.allHeaders()
        expect(request.url()).not.toContain(key)
        expect(headers['referer'] ?? '').toBe('')
        expect(headers['cookie']).toBeUndefined()
        expect(request.postData() ?? '').not.toContain(key)
      }
    },
  )
})

describe('the policy refuses in the page itself', () => {
  const bench = consoleBench()
  it.each([
    [
      'a script of its text',
      'const s = document.createElement("script"); s.textContent = "window.pwned = 1"; document.body.append(s)',
    ],
    ['a text as HTML', 'document.body.innerHTML = "<img src=x onerror=window.pwned=1>"'],
    ['code from a text', 'setTimeout("window.pwned = 1")'],
    ['a policy of another name', 'trustedTypes.createPolicy("mine", { createHTML: (text) => text })'],
    ['a picture from elsewhere', 'new Image().src = "https://example.invalid/x.png"'],
    ['a request elsewhere', 'fetch("https://example.invalid/x").catch(() => {})'],
  ])('%s', async (_, attack) => {
    const page = await bench.open('', { key: null })
    const asked: string[] = []
    page.on('response', (response) => asked.push(response.url()))
    await page.getByLabel('API key').waitFor()
    const refused = page.evaluate(
      `new Promise((resolve) => document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective), { once: true }))`,
    )
    await page.evaluate(`try { ${attack} } catch {}`)
    expect(await refused).toMatch(
      /^(?:require-trusted-types-for|trusted-types|script-src-elem|script-src|img-src|connect-src)$/,
    )
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(asked.filter((url) => url.includes('example'))).toEqual([])
    // What was refused is told in the log of the browser; nothing else may be.
    expect(
      bench
        .complaints()
        .filter(
          (complaint) =>
            !/policy|directive|TrustedHTML|TrustedScript|asked elsewhere|example\.invalid/i.test(complaint),
        ),
    ).toEqual([])
  })
})
