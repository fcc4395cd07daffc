/** U53: which pages of other origins may call the API, and what their scripts may read. */
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/http/contract.ts'
import { EXPOSED_HEADERS } from '../../src/http/cross-origin.ts'
import { fixture, ID, problemOf, type FixtureOptions } from '../support/http-fixture.ts'

const APP = 'https://app.example.com'
const NAMED = { env: { CORS_ORIGINS: `${APP},http://localhost:5173` } }

const PREFLIGHT = {
  authorization: '',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, content-type, idempotency-key',
}
const preflight = (options: FixtureOptions, path: string, origin = APP) =>
  fixture(options).send('OPTIONS', path, null, { ...PREFLIGHT, origin })
const get = (options: FixtureOptions, path: string, headers: Record<string, string> = {}) =>
  fixture(options).send('GET', path, null, { origin: APP, ...headers })
const corsHeaders = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-') || name === 'vary')

describe('U53 pages of other origins', () => {
  it('U53 none is allowed without CORS_ORIGINS', async () => {
    expect(corsHeaders(await get({}, '/tasks'))).toEqual([])
    const refused = await preflight({}, '/tasks')
    expect([refused.status, corsHeaders(refused)]).toEqual([405, []])
  })

  it.each([APP, 'http://localhost:5173'])('U53 a page of %s may call the API', async (origin) => {
    const { headers } = await get(NAMED, '/tasks', { origin })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('vary')).toBe('Origin')
    // Pages send the key themselves.
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  })

  it.each(['https://app.example.com.evil.example', 'http://app.example.com', 'https://app.example.com:8443', 'null'])(
    'U53 a page of an origin that is not named is not allowed: %s',
    async (origin) => {
      const answers = [await get(NAMED, '/tasks', { origin }), await preflight(NAMED, '/tasks', origin)]
      expect(answers.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([null, null])
    },
  )

  it('U53 with * each page may call the API', async () => {
    const { headers } = await get({ env: { CORS_ORIGINS: '*' } }, '/tasks', { origin: 'https://any.example' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('U53 a refusal can be read too', async () => {
    const answer = await get(NAMED, '/tasks', { authorization: '' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, APP])
  })

  it.each([
    ['without a key', NAMED],
    ['beyond the rate', { env: { ...NAMED.env, RATE_LIMIT_PER_MINUTE: '1' } }],
    ['while the process ends', { ...NAMED, draining: true }],
    ['without a complete configuration', { env: { ...NAMED.env, SIGNING_SECRET: '' } }],
  ])('U53 a preflight is answered %s', async (_, options) => {
    const { send, asked } = fixture(options)
    const headers = { ...PREFLIGHT, origin: APP }
    const answers = [await send('OPTIONS', '/tasks', null, headers), await send('OPTIONS', '/tasks', null, headers)]
    for (const answer of answers) {
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE')
      expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,content-type,idempotency-key')
      expect(answer.headers.get('access-control-max-age')).toBe('7200')
    }
    expect(asked).toEqual([])
  })

  it.each([`/tasks/${ID}/events?token=t`, '/answers/some-token', '/reports/some-token', '/openapi.json'])(
    'U53 what a link or nobody has to open is allowed too: %s',
    async (path) => {
      expect((await preflight(NAMED, path)).headers.get('access-control-allow-origin')).toBe(APP)
    },
  )

  it.each(['/', '/console/main-A.js', '/docs', '/docs/init.js'])(
    'U53 the pages of the service stay with their own origin: %s',
    async (path) => {
      expect(corsHeaders(await get(NAMED, path))).toEqual([])
      expect((await preflight(NAMED, path)).status).toBe(405)
    },
  )

  it('U53 a request for the options of a route is refused as before', async () => {
    const answer = await fixture(NAMED).send('OPTIONS', '/tasks', null, { origin: APP })
    expect((await problemOf(answer))['code']).toBe('method_not_allowed')
  })

  it('U53 scripts may read each header that an answer has', async () => {
    const { headers } = await get(NAMED, '/tasks')
    expect(headers.get('access-control-expose-headers')).toBe(EXPOSED_HEADERS.join(','))
    const named = Object.values(ROUTES).flatMap(({ success, also }) =>
      [success, ...also].flatMap((one) => Object.keys(one.headers)),
    )
    expect(named).toContain('ETag')
    // A policy is for the browser itself.
    const readable = named.filter((name) => name !== 'Content-Security-Policy')
    expect(readable.filter((name) => !EXPOSED_HEADERS.includes(name))).toEqual([])
  })
})
