/** What the programs send over HTTP and how they read answers, their options, and the lines they print. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { delegationClient } from '../../scripts/lib/delegations.mjs'
import { readOptions, startedIn } from '../../scripts/lib/delegations/options.mjs'
import { backoff_ms, pause_ms } from '../../scripts/lib/delegations/patience.mjs'
import { pendingDelegations } from '../../scripts/lib/delegations/pending.mjs'
import { teller } from '../../scripts/lib/delegations/told.mjs'
import { startApi, type Api } from './api.ts'
import { problem, type Answer } from './api-table.ts'

let api: Api
let controller: AbortController
beforeEach(async () => {
  api = await startApi()
  controller = new AbortController()
})
afterEach(async () => {
  controller.abort()
  await api.close()
})
const clientOf = (url = api.url) => delegationClient({ url, key: 'dev-key', stop: controller.signal })

it('work is waited for by a long poll of 30 s, and the next pages are not waited for', async () => {
  const pages = [
    { data: [{ id: 'x' }, 1, null], has_more: true, next_cursor: 'a/b&c' },
    { data: 'nonsense', has_more: true, next_cursor: 'd' },
    { data: [], has_more: true, next_cursor: null },
  ]
  api.fault = () => ({ status: 200, body: pages.shift() })
  expect(await pendingDelegations(clientOf(`${api.url}/`))).toEqual({ kind: 'done', found: [], nameless: 3 })
  expect(api.asked.map(({ path, headers }) => [path, headers['prefer'], headers.authorization])).toEqual([
    ['/delegations?status=pending&limit=100', 'wait=30', 'Bearer dev-key'],
    ['/delegations?status=pending&limit=100&after=a%2Fb%26c', undefined, 'Bearer dev-key'],
    ['/delegations?status=pending&limit=100&after=d', undefined, 'Bearer dev-key'],
  ])
})

it('POOL-09 the commands of the pool that --pool names are waited for, and a wrong name is refused', async () => {
  const pages = [
    { data: [], has_more: true, next_cursor: 'b' },
    { data: [], has_more: false, next_cursor: null },
  ]
  api.fault = () => ({ status: 200, body: pages.shift() })
  const read = readOptions(['--pool', 'gpu'], {}, { own: {}, required: [] })
  const pool = read.ok ? read.values?.['pool'] : undefined
  await pendingDelegations(
    delegationClient({ url: api.url, key: 'dev-key', stop: controller.signal, pool: String(pool) }),
  )
  expect(api.asked.map(({ path }) => path)).toEqual([
    '/delegations?status=pending&limit=100&pool=gpu',
    '/delegations?status=pending&limit=100&pool=gpu&after=b',
  ])
  for (const wrong of ['', 'a b', 'x'.repeat(65)])
    expect(readOptions(['--pool', wrong], {}, { own: {}, required: [] })).toEqual({
      ok: false,
      reason: '--pool is 1 to 64 of A-Z a-z 0-9 _ -',
    })
})

it('a list without end is not read for ever', async () => {
  api.fault = () => ({ status: 200, body: { data: [], has_more: true, next_cursor: 'on' } })
  await pendingDelegations(clientOf())
  expect(api.asked).toHaveLength(50)
})

it('a stop ends the wait for work at once, and no other request', async () => {
  const waiting = clientOf().page(null, 30)
  await api.until(() => api.asked.length === 1)
  let answer: () => void = () => undefined
  api.fault = () =>
    new Promise<null>((resolve) => {
      answer = () => resolve(null)
    })
  const claiming = clientOf().claim('delegation_x', { worker: 'w', lease_s: 5 })
  await api.until(() => api.asked.length === 2)
  controller.abort()
  await expect(waiting).rejects.toThrow('aborted')
  answer()
  expect(await claiming).toMatchObject({ kind: 'refused', code: 'delegation_not_found' })
})

const NOT_OURS = 'and not as the service would: is the address right?'
const AGAIN: [string, Answer | 'drop', string, number | null][] = [
  ['a lost connection', 'drop', 'other side closed', null],
  ['a fault of the service', problem(500, 'internal_error', 'x'), '500 internal_error', null],
  ['a limit', problem(429, 'rate_limited', 'x', { 'retry-after': '3' }), '429 rate_limited', 3_000],
  [
    'a limit that says an absurd time',
    problem(429, 'rate_limited', 'x', { 'retry-after': '99999999' }),
    '429 rate_limited',
    3_600_000,
  ],
  [
    'a date that is past',
    problem(503, 'unavailable', 'x', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    '503 unavailable',
    0,
  ],
  ['a time that is none', problem(503, 'unavailable', 'x', { 'retry-after': 'soon' }), '503 unavailable', null],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, `answered 302, ${NOT_OURS}`, null],
  ['a page of something else', { status: 404, body: '<html>' }, `answered 404, ${NOT_OURS}`, null],
  ['an answer that is not JSON', { status: 200, body: '<html>' }, 'answered something that is not JSON', null],
]
it.each(AGAIN)('%s is tried again', async (_, answer, reason, retry_after_ms) => {
  api.fault = () => answer
  const outcome = await clientOf().claim('delegation_x', { worker: 'w', lease_s: 5 })
  expect(outcome).toEqual({ kind: 'again', reason, retry_after_ms })
  expect(api.asked).toHaveLength(1)
})

it('a body that something between finds too large is refused, for sending it again would not help', async () => {
  api.fault = () => ({ status: 413, body: '<html>' })
  const outcome = await clientOf().report('delegation_x', { content_type: 'text/markdown', body: 'x' })
  expect(outcome).toEqual({ kind: 'refused', status: 413, code: 'payload_too_large', detail: 'status 413' })
})

it('a service that is not there is tried again, with the reason of the system', async () => {
  const gone = await startApi()
  await gone.close()
  const outcome = await clientOf(gone.url).claim('delegation_x', { worker: 'w', lease_s: 5 })
  expect(outcome).toMatchObject({ kind: 'again', reason: 'ECONNREFUSED' })
})

it('pauses double, are spread, and end at 30 s; Retry-After takes their place, but "at once" is not at once', () => {
  expect([0, 1, 2, 6, 100].map((failures) => [backoff_ms(failures, 0), backoff_ms(failures, 1)])).toEqual([
    [250, 500],
    [500, 1_000],
    [1_000, 2_000],
    [15_000, 30_000],
    [15_000, 30_000],
  ])
  expect([pause_ms({ retry_after_ms: 4_000 }, 9), pause_ms({ retry_after_ms: 0 }, 9)]).toEqual([4_000, 100])
})

it('options win over the environment, and that over what is usual', () => {
  const read = (args: string[], env: Record<string, string>) => readOptions(args, env, { own: {}, required: [] })
  const env = { LOOP_AGENT_URL: 'https://a.example', LOOP_AGENT_KEY: 'from-env' }
  expect(read([], {})).toMatchObject({
    ok: true,
    values: { url: 'http://127.0.0.1:8787', key: 'dev-key', lease_s: 60 },
  })
  expect(read([], env)).toMatchObject({ values: { url: 'https://a.example', key: 'from-env' } })
  expect(read(['--url', 'http://b', '--key', 'k', '--lease', '5'], env)).toMatchObject({
    values: { url: 'http://b', key: 'k', lease_s: 5 },
  })
  expect(read(['--help'], {})).toEqual({ ok: true, values: null })
})

it('paths are meant from where the person stands, not from where npm runs scripts', () => {
  expect(startedIn({ npm_lifecycle_event: 'bridge', INIT_CWD: '/home/me' })).toBe('/home/me')
  expect(startedIn({ INIT_CWD: '/home/me' })).toBe(process.cwd())
})

it('a line is one line, and a terminal does not obey what a file or a service is named', () => {
  const lines: string[] = []
  const now = () => new Date('2030-01-01T00:00:00Z')
  const told = { event: 'left', file: 'a\u001B[2Jb\nREFUSED: c\u202Ed', reason: 'why' }
  teller({ json: false, print: (line) => lines.push(line), now })(told)
  teller({ json: true, print: (line) => lines.push(line), now })(told)
  expect(lines[0]).toBe('2030-01-01T00:00:00.000Z left alone: a [2Jb REFUSED: c d: why')
  expect(JSON.parse(lines[1] ?? '')).toEqual({ time: '2030-01-01T00:00:00.000Z', ...told })
})
