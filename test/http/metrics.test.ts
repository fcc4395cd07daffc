/** GET /metrics: who may read it, and how requests are counted. Every answer is checked against openapi.yaml. */
import { describe, expect, it } from 'vitest'
import { NO_GAUGES } from '../../src/telemetry/metrics/catalogue.ts'
import type { Snapshot } from '../../src/telemetry/metrics/series.ts'
import { ADMIN_KEY, fixture, ID, problemOf, type FixtureOptions } from '../support/http-fixture.ts'
import { readMetrics, valueOf } from '../support/prometheus.ts'
import { keptTelemetry } from '../support/telemetry.ts'

const TOKEN = 'a-token-for-the-scraper'
const SNAPSHOT: Snapshot = {
  counts: { steps: { '["dynamic"]': [7] } },
  gauges: { ...NO_GAUGES, open_tasks: 3 },
  workspaces: 1,
  isolates: 1,
}
const read_metrics = () => Promise.resolve(SNAPSHOT)
const bench = (env: Record<string, string>, more: Partial<FixtureOptions> = {}) =>
  fixture({ env, read_metrics, ...more })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('the access to the metrics', () => {
  it.each([
    ['the token', bearer(TOKEN), 200],
    ['another token', bearer('another-token-of-16'), 401],
    ['a key of a tenant', bearer('alice-key'), 401],
    ['no token', { authorization: '' }, 401],
    ['a header that is none', { authorization: TOKEN }, 401],
    ['a part of the token', bearer(TOKEN.slice(0, -1)), 401],
  ])('MET-06 in production %s gets %i', async (_, headers, status) => {
    const response = await bench({ METRICS_TOKEN: TOKEN }).send('GET', '/metrics', null, headers)
    expect(response.status).toBe(status)
    expect(await response.text()).not.toContain(TOKEN)
  })

  it('MET-06 in production without METRICS_TOKEN there is no such route, and the problem says what to set', async () => {
    const problem = await problemOf(
      await bench({ API_KEYS: 'alice:alice-key' }).send('GET', '/metrics', null, bearer('alice-key')),
    )
    expect(problem).toMatchObject({ status: 404, code: 'not_found', detail: expect.stringContaining('METRICS_TOKEN') })
  })

  it('MET-06 ADMIN_KEY opens it too, and no key of a tenant does', async () => {
    expect((await bench({}).send('GET', '/metrics', null, bearer(ADMIN_KEY))).status).toBe(200)
    expect((await bench({}).send('GET', '/metrics', null, bearer('alice-key'))).status).toBe(401)
  })

  it('MET-06 in development it is open, unless a token is set', async () => {
    const open = { ENVIRONMENT: 'development' }
    expect((await bench(open).send('GET', '/metrics', null, { authorization: '' })).status).toBe(200)
    const closed = bench({ ...open, METRICS_TOKEN: TOKEN })
    expect((await closed.send('GET', '/metrics', null, { authorization: '' })).status).toBe(401)
  })

  it('MET-06 the token opens nothing else', async () => {
    for (const path of ['/tasks', `/tasks/${ID}`, '/secrets', '/delegations'])
      expect((await bench({ METRICS_TOKEN: TOKEN }).send('GET', path, null, bearer(TOKEN))).status).toBe(401)
  })

  it('MET-06 where nothing adds the counts up there is no such route', async () => {
    const response = await bench({ METRICS_TOKEN: TOKEN }, { read_metrics: null }).send(
      'GET',
      '/metrics',
      null,
      bearer(TOKEN),
    )
    expect(await problemOf(response)).toMatchObject({
      status: 404,
      detail: expect.stringContaining('METRICS is bound'),
    })
  })
})

it.each([
  ['text', '*/*', 'text/plain; version=0.0.4; charset=utf-8'],
  [
    'openmetrics',
    'application/openmetrics-text;version=1.0.0',
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ],
] as const)('MET-01 the answer in the form %s has its type and reads strictly', async (form, accept, type) => {
  const headers = { ...bearer(TOKEN), accept }
  const response = await bench({ METRICS_TOKEN: TOKEN }).send('GET', '/metrics', null, headers)
  expect(response.headers.get('content-type')).toBe(type)
  const families = readMetrics(await response.text(), form)
  expect(valueOf(families, 'loop_agent_steps_total', { mode: 'dynamic' })).toBe(7)
  expect(valueOf(families, 'loop_agent_open_tasks')).toBe(3)
})

describe('requests', () => {
  it('MET-04 are counted by template, method and class of status; what is unknown folds into one label', async () => {
    const { telemetry, counts } = keptTelemetry()
    const { send } = bench({}, { telemetry })
    await send('GET', `/tasks/${ID}?token=x`)
    await send('GET', '/tasks/task_00000000000000000000000000000000')
    await send('HEAD', `/tasks/${ID}`)
    await send('GET', '/invented/1?a=b')
    await send('GET', '/invented/2"\\%0A{le="1"}')
    await send('BREW', '/tasks')
    await send('FROB', '/answers/secret-token')
    await send('GET', '/tasks', null, bearer('wrong'))
    const { http_requests = {}, http_request_duration_seconds = {} } = counts()
    expect(http_requests).toEqual({
      '["/tasks/{id}","GET","2xx"]': [1],
      '["/tasks/{id}","GET","4xx"]': [1],
      '["/tasks/{id}","HEAD","2xx"]': [1],
      '["unmatched","GET","4xx"]': [2],
      '["unmatched","other","4xx"]': [2],
      '["/tasks","GET","4xx"]': [1],
    })
    expect(Object.keys(http_request_duration_seconds)).toHaveLength(5)
  })

  it('LOG-01 write one line each, with who asked, the template of the route, the answer and the time it took', async () => {
    const { telemetry, lines, texts } = keptTelemetry()
    let now = 0
    const { send } = bench({}, { telemetry, now: () => (now += 7) })
    await send('POST', `/tasks/${ID}/step`, null, { 'x-request-id': 'mine-1' })
    await send('GET', '/tasks', null, bearer('wrong'))
    await send('GET', '/answers/secret-token?x=secret-query')
    await send('GET', '/delegations', null, bearer('carol-key'))
    await send('GET', '/tasks', null, bearer('carol-key'))
    expect(lines()).toHaveLength(5)
    const common = { time: '2026-11-28T00:00:00.000Z', level: 'info', event: 'request' }
    const key_name = expect.stringMatching(/^env_[0-9a-f]{16}$/)
    expect(lines()[0]).toEqual({
      ...common,
      request_id: 'mine-1',
      route: '/tasks/{id}/step',
      method: 'POST',
      status: 200,
      duration_ms: expect.any(Number),
      tenant: 'alice',
      key_name,
      task: ID,
    })
    expect(lines()[0]?.['duration_ms']).toBeGreaterThan(0)
    expect(lines()[1]).toMatchObject({ route: '/tasks', status: 401, code: 'unauthorized' })
    expect(lines()[1]).not.toHaveProperty('tenant')
    expect(lines()[2]).toMatchObject({ route: '/answers/{token}', status: 200 })
    expect(lines()[3]).toMatchObject({ tenant: 'carol', key_name, status: 200 })
    expect(lines()[4]).toMatchObject({ tenant: 'carol', key_name, status: 403, code: 'worker_key' })
    expect(texts.join()).not.toMatch(/secret-token|secret-query|alice-key|carol-key|wrong/)
  })

  it('LOG-02 a failure of the service is a line with the class of the error, and a warning of its request', async () => {
    const { telemetry, lines, counts } = keptTelemetry('warn')
    const throws = new TypeError("Cannot read properties of undefined (reading 'seq')")
    const { send } = fixture({ telemetry, behaviour: { throws } })
    await send('GET', '/tasks')
    expect(lines()).toMatchObject([
      { level: 'error', event: 'request_failed', route: '/tasks', error: 'TypeError', reason: throws.message },
      { level: 'warn', event: 'request', status: 500, code: 'internal_error' },
    ])
    expect(counts()['log_errors']).toEqual({ '["request_failed"]': [1] })
  })
})
