/** Every route × every refusal: the right status, a problem document, and the same words for what must not be told apart. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Refusal } from '../../src/core/terms/refusal.ts'
import { ROUTES } from '../../src/http/contract.ts'
import { DELEGATION_EXAMPLE } from '../../src/http/document/delegation-examples.ts'
import { PROBLEMS } from '../../src/http/shapes/problems.ts'
import { EXAMPLES } from '../../src/http/document/examples.ts'
import { callerOf, fixture, ID, KEY, problemOf, type Behaviour, type Fixture } from '../support/http-fixture.ts'

const routes = Object.entries(ROUTES)
const secured = routes.filter(([, { open }]) => !open)
/** The configuration alone, the bindings, or a foreign address, answer the other ones. */
const storing = secured.filter(([name]) => !['getDeployment', 'listModels', 'listTools', 'testWebhook'].includes(name))
const idOf = (path: string) => (path.startsWith('/delegations/') ? DELEGATION_EXAMPLE.id : ID)
const pathOf = (path: string) =>
  path
    .replace('{id}', idOf(path))
    .replace('{tenant}', 'acme')
    .replace('{file}', 'init.js')
    .replace('{name}', /^\/(?:agents|secrets|schedules)\//.test(path) ? 'orders' : 'sales.csv')
const call = ({ send }: Fixture, [name, { method, path, body }]: (typeof routes)[number], headers = {}) =>
  body === null
    ? send(method.toUpperCase(), pathOf(path), null, headers)
    : send(method.toUpperCase(), pathOf(path), JSON.stringify(EXAMPLES[name]?.request), { ...WRITES, ...headers })
/** What some route asks of whoever writes. */
const WRITES = { 'content-type': 'application/json', 'if-match': '*' }

afterEach(() => void vi.restoreAllMocks())

/** The others are told to who has a link only (test/http/answer-links.test.ts), or by every route. */
type Told = Exclude<
  Refusal['code'],
  'link_not_found' | 'expired' | 'validation_failed' | 'not_configured' | 'tenant_disabled'
>
const REFUSALS: Record<Told, Refusal> = {
  task_not_found: { code: 'task_not_found' },
  receiver_not_found: { code: 'receiver_not_found' },
  usage_off: { code: 'usage_off' },
  traces_off: { code: 'traces_off' },
  file_not_found: { code: 'file_not_found' },
  file_too_large: { code: 'file_too_large', max_bytes: 52_428_800 },
  file_reserved: { code: 'file_reserved', name: 'report.md' },
  too_many_files: { code: 'too_many_files' },
  secret_not_found: { code: 'secret_not_found', hint: '; did you mean "orders"?' },
  schedule_not_found: { code: 'schedule_not_found', hint: '; did you mean "morning"?' },
  too_many_schedules: { code: 'too_many_schedules', max: 100 },
  schedule_budget_exceeded: { code: 'schedule_budget_exceeded', name: 'morning' },
  agent_not_found: { code: 'agent_not_found', name: 'support', version: 9, hint: '; the newest is support@3' },
  agent_changed: { code: 'agent_changed', name: 'support', version: 3, is_new: false },
  agent_in_use: { code: 'agent_in_use', name: 'support', tasks: 2, ids: [ID] },
  too_many_agents: { code: 'too_many_agents', max: 100 },
  too_many_secrets: { code: 'too_many_secrets', max: 100 },
  delivery_not_found: { code: 'delivery_not_found' },
  delegation_not_found: { code: 'delegation_not_found' },
  delegation_claimed: { code: 'delegation_claimed', worker: 'builder-3', until: 61_500, now_ms: 1_000 },
  delegation_expired: { code: 'delegation_expired' },
  delegation_canceled: { code: 'delegation_canceled' },
  already_reported: { code: 'already_reported' },
  wrong_command: { code: 'wrong_command', wanted: 'task-1', given: 'task-2' },
  operator_only: { code: 'operator_only' },
  tenant_not_found: { code: 'tenant_not_found', hint: '; did you mean "acme"?' },
  tenant_exists: { code: 'tenant_exists', name: 'acme', is_deleted: false },
  tenant_enabled: { code: 'tenant_enabled', name: 'acme' },
  too_many_tenants: { code: 'too_many_tenants', max: 100_000 },
  key_not_found: { code: 'key_not_found' },
  key_ended: { code: 'key_ended', id: 'key_7Qw2mN0pLx4vB9tR1sYc', state: 'revoked', successor: null },
  too_many_keys: { code: 'too_many_keys', max: 1000 },
  grant_exceeded: {
    code: 'grant_exceeded',
    errors: [{ pointer: '/scopes', message: 'your key does not have the scope tasks:write' }],
  },
  task_busy: { code: 'task_busy', now_ms: 1_000, expires_ms: 13_500 },
  lease_lost: { code: 'lease_lost' },
  idempotency_key_reused: { code: 'idempotency_key_reused' },
  request_in_progress: { code: 'request_in_progress', now_ms: 1_000, expires_ms: 13_500 },
  task_ended: { code: 'task_ended', status: 'completed' },
  task_not_ended: { code: 'task_not_ended', status: 'running' },
  question_settled: { code: 'question_settled' },
  model_not_budgetable: { code: 'model_not_budgetable', models: ['m'] },
  plan_not_editable: { code: 'plan_not_editable', mode: 'session' },
  precondition_failed: { code: 'precondition_failed', version: 9, waiting: false },
  quota_exceeded: { code: 'quota_exceeded', open: 1000, max: 1000 },
  tenant_budget_exceeded: {
    code: 'tenant_budget_exceeded',
    reset_s: 3_600.5,
    resets_ms: 86_400_000,
    spent: { holder: 'tenant', period: 'day', axis: 'tokens', limit: 100 },
  },
  too_many_watchers: { code: 'too_many_watchers', max: 200 },
  state_unreadable: { code: 'state_unreadable', detail: 'row 7 of alice' },
}
/** getDeployment asks no service; test/registry/deployment.test.ts has its refusals. */
const OF_SERVICES = secured.filter(([name]) => name !== 'getDeployment')
const refusable = OF_SERVICES.flatMap(([name, route]) =>
  Object.values(REFUSALS).flatMap((refusal) =>
    route.problems.some((code) => code === refusal.code) ? [[name, refusal.code, refusal, route] as const] : [],
  ),
)

describe('refusals of the core', () => {
  it('every refusal is one that some route names', () => {
    expect(new Set(refusable.map(([, code]) => code))).toEqual(new Set(Object.keys(REFUSALS)))
  })

  it.each(refusable)('%s %s', async (name, code, refusal, route) => {
    const response = await call(fixture({ behaviour: { refusal } }), [name as keyof typeof ROUTES, route])
    const problem = await problemOf(response)
    const [status, title] = PROBLEMS[code]
    const type = `urn:loop-agent:problem:${code}`
    expect(problem).toMatchObject({ type, title, status, code, instance: pathOf(route.path) })
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
  })

  it.each([
    [1_000, '1'],
    [1_001, '1'],
    [3_100, '3'],
    [6_000, '5'],
    [13_500, '5'],
    [900, '1'],
  ])('F10 a busy task says to try again soon, and when the lease ends: %i → %s s', async (expires_ms, seconds) => {
    for (const code of ['task_busy', 'request_in_progress'] as const) {
      const refusal: Refusal = { code, now_ms: 1_000, expires_ms }
      const response = await fixture({ behaviour: { refusal } }).send('POST', `/tasks/${ID}/step`)
      expect(response.headers.get('retry-after')).toBe(seconds)
      expect(await problemOf(response)).toMatchObject({ code, lease_expires_at: new Date(expires_ms).toISOString() })
    }
  })

  it('U16 a tenant whose day is used up is told when the next one begins', async () => {
    const app = fixture({ behaviour: { refusal: REFUSALS.tenant_budget_exceeded } })
    const response = await app.post('/tasks', { goal: 'x' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3601'])
  })

  it.each([
    [1, 'At most 1 task may be open, and you have 1.'],
    [2, 'At most 2 tasks may be open, and you have 2.'],
  ])('a quota of %i is said in words', async (max, sentence) => {
    const app = fixture({ behaviour: { refusal: { code: 'quota_exceeded', open: max, max } } })
    const problem = await problemOf(await app.post('/tasks', { goal: 'x' }))
    expect(problem['detail']).toContain(sentence)
  })

  it('an answer in JSON ends its line, a problem too', async () => {
    for (const path of ['/health', '/tasks', `/tasks/${ID}`, '/nowhere', '/tasks?limit=0']) {
      expect(await (await fixture().send('GET', path)).text()).toMatch(/^\{.*\}\n$/)
    }
  })

  it('what the store says of a damaged row stays inside', async () => {
    const response = await fixture({ behaviour: { refusal: REFUSALS.state_unreadable } }).send('GET', `/tasks/${ID}`)
    expect(await response.text()).not.toContain('row 7')
  })
})

describe('keys', () => {
  it.each(secured)('%s without a key is 401 and reaches no service', async (...entry) => {
    const app = fixture()
    const response = await call(app, entry, { authorization: '' })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="loop-agent", error="invalid_token"',
    ])
    expect(app.asked).toEqual([])
  })

  it.each([
    ['Bearer'],
    ['Bearer '],
    ['Bearer wrong'],
    [`Bearer ${KEY} ${KEY}`],
    [`Bearer ${KEY}, Bearer bob-key`],
    [`Bearer\t${KEY}`],
    [`Basic ${btoa(`alice:${KEY}`)}`],
    [KEY],
    [`Bearer ${KEY.toUpperCase()}`],
    [`Bearer ${KEY.slice(0, -1)}`],
    [`Bearer ${'x'.repeat(7_000)}`],
    ['Bearer é'],
    ['Bearer alice:alice-key'],
  ])('F47 Authorization %s is 401', async (authorization) => {
    const response = await fixture().send('GET', `/tasks/${ID}`, null, { authorization })
    expect([response.status, (await problemOf(response))['code']]).toEqual([401, 'unauthorized'])
  })

  it.each([
    [`Bearer ${KEY}`, 'alice'],
    [`bEARER   ${KEY}`, 'alice'],
    ['Bearer bob-key', 'bob'],
    ['Bearer secret', 'dora'],
  ])('%s is tenant %s, whatever other headers and parameters say', async (authorization, tenant) => {
    // sha256("secret")
    const hex = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b'
    const { send, asked } = fixture({ env: { API_KEYS: `alice:${KEY},bob:bob-key,dora:sha256:${hex}` } })
    await send('GET', `/tasks/${ID}`, null, { authorization, 'x-tenant': 'eve', tenant: 'eve' })
    expect(asked[0]?.args[0]).toEqual(callerOf(tenant))
  })

  it('a hash is not a key: who has read the configuration cannot log in', async () => {
    const hex = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b'
    const { send } = fixture({ env: { API_KEYS: `dora:sha256:${hex}` } })
    expect((await send('GET', '/tasks', null, { authorization: `Bearer ${hex}` })).status).toBe(401)
  })

  it('U21 in development the key is dev-key of tenant dev', async () => {
    const { send, asked } = fixture({ env: { API_KEYS: '', ENVIRONMENT: 'development' } })
    await send('GET', '/tasks', null, { authorization: 'Bearer dev-key' })
    expect(asked[0]?.args[0]).toEqual(callerOf('dev'))
  })
})

describe('configuration', () => {
  it.each(routes)('U21 in production without API_KEYS %s is 503', async (...entry) => {
    const app = fixture({ env: { API_KEYS: '' } })
    const response = await call(app, entry)
    expect(response.status).toBe(503)
    expect(await problemOf(response)).toMatchObject({
      code: 'not_configured',
      detail: expect.stringContaining('API_KEYS'),
    })
    expect(app.asked).toEqual([])
  })

  it('an unknown route is 503 too while nothing is configured', async () => {
    expect((await fixture({ env: { TIMEZONE: 'Mars' } }).send('GET', '/nowhere')).status).toBe(503)
  })

  it('S0-93 without a model a goal is refused, and a command is not', async () => {
    const { post, asked } = fixture({ env: { MODEL_PROVIDER: 'openai' } })
    const response = await post('/tasks', { goal: 'x' })
    expect([response.status, (await problemOf(response))['code']]).toEqual([422, 'llm_not_configured'])
    expect((await post('/commands', { command: '/help' })).status).toBe(200)
    expect(asked.map(({ method }) => method)).toEqual(['runCommand'])
  })
})

describe('paths and methods', () => {
  it.each([
    '/console',
    '/nowhere',
    '/tasks/',
    '/tasks//',
    `/tasks/${ID}/`,
    `/tasks/${ID}/plans`,
    '/TASKS',
    '/tasks;x=1',
    '/answers/x/y',
    '/delegations/x/y',
    '/.env',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%zz',
    '/%00',
    '/%ff%fe',
    `/${'a'.repeat(8_000)}`,
  ])('F48 GET %s is an unknown route, with a key or without', async (path) => {
    for (const authorization of [`Bearer ${KEY}`, '']) {
      const response = await fixture().send('GET', path, null, { authorization })
      expect([response.status, (await problemOf(response))['code']]).toEqual([404, 'not_found'])
    }
  })

  it.each([
    ['PUT', '/tasks', 'GET, HEAD, POST'],
    ['DELETE', '/tasks', 'GET, HEAD, POST'],
    ['OPTIONS', '/tasks', 'GET, HEAD, POST'],
    ['PUT', `/tasks/${ID}`, 'DELETE, GET, HEAD, PATCH'],
    ['GET', `/tasks/${ID}/step`, 'POST'],
    ['GET', `/tasks/${ID}/fork`, 'POST'],
    ['PATCH', `/tasks/${ID}/budget`, 'POST'],
    ['HEAD', `/tasks/${ID}/step`, 'POST'],
    ['POST', '/delegations', 'GET, HEAD'],
    ['GET', '/delegations/x/claim', 'POST'],
    ['PUT', '/delegations/x/report', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['PROPFIND', '/docs', 'GET, HEAD'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const response = await fixture().send(method, path)
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  })

  it.each([
    'x',
    'task_',
    'task_short',
    `task_${'x'.repeat(65)}`,
    `${ID}%00`,
    `${ID}%2Fstep`,
    `..%2F${ID}`,
    `${ID}%20`,
    `${ID}%0a`,
    'task_%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80',
    '%E0%A4%A',
    'task_' + 'a'.repeat(8_000),
    "task_'%20OR%20'1'='1xxxxxxxx",
  ])('F46 F48 a malformed id is answered like an unknown one: %s', async (id) => {
    const { send, asked } = fixture({ behaviour: { refusal: REFUSALS.task_not_found } })
    const [odd, unknown] = [await send('GET', `/tasks/${id}`), await send('GET', '/tasks/task_0000000000000000')]
    const [{ instance: _, ...a }, { instance: __, ...b }] = [await problemOf(odd), await problemOf(unknown)]
    expect([odd.status, a]).toEqual([unknown.status, b])
    expect(asked).toHaveLength(1)
  })
})

describe('the rate limit', () => {
  const env = { RATE_LIMIT_PER_MINUTE: '2' }
  it('F67 beyond it 429 with Retry-After and RateLimit; other tenants and the next minute are not affected', async () => {
    let now = 90_000
    const { send } = fixture({ env, now: () => now })
    const statuses = async (headers = {}) => (await send('GET', '/tasks', null, headers)).status
    expect([await statuses(), await statuses(), await statuses()]).toEqual([200, 200, 429])
    const limited = await send('GET', '/tasks')
    expect([limited.headers.get('retry-after'), limited.headers.get('ratelimit')]).toEqual(['30', '"tenant";r=0;t=30'])
    expect(await statuses({ authorization: 'Bearer bob-key' })).toBe(200)
    now = 120_000
    expect(await statuses()).toBe(200)
  })

  it('requests without a key and open routes are not counted', async () => {
    const { send } = fixture({ env })
    for (let count = 0; count < 5; count += 1) await send('GET', '/tasks', null, { authorization: 'Bearer wrong' })
    for (let count = 0; count < 5; count += 1) await send('GET', '/health')
    expect((await send('GET', '/tasks')).status).toBe(200)
  })
})

describe('failures', () => {
  const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => undefined)
  it.each([
    ['retryable', '1'],
    ['durableObjectReset', '1'],
    ['overloaded', '10'],
  ])('F17 an object that is %s is 503 with Retry-After', async (mark, seconds) => {
    const log = quiet()
    const throws = Object.assign(new Error('the object moved'), { [mark]: true, remote: true })
    for (const entry of storing) {
      const response = await call(fixture({ behaviour: { throws } }), entry)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, seconds])
    }
    expect(log).not.toHaveBeenCalled()
  })

  it('of an ending process are 503 shutting_down with Retry-After on every route', async () => {
    for (const entry of secured) {
      const response = await call(fixture({ draining: true }), entry)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
      expect(await response.json()).toMatchObject({ code: 'shutting_down' })
    }
  })

  it('F56 storage that is full is 507, and one line of the log for the operator', async () => {
    const log = quiet()
    // As workerd says it: the object whose write failed is reset.
    const marks = { remote: true, durableObjectReset: true }
    const throws = Object.assign(new Error('database or disk is full: SQLITE_FULL'), marks)
    for (const entry of storing) {
      const response = await call(fixture({ behaviour: { throws } }), entry)
      expect([response.status, response.headers.get('retry-after')]).toEqual([507, '60'])
      expect(await response.json()).toMatchObject({ code: 'storage_full' })
    }
    expect(log).toHaveBeenCalledTimes(storing.length)
  })

  it.each<[string, Behaviour]>([
    ['an error', { throws: new TypeError('cannot read sk-secret of Bearer abc') }],
    ['an error of the platform', { throws: new DOMException('sk-secret', 'AbortError') }],
  ])('%s that is thrown is 500 without a stack, and one line of the log without a secret', async (_, behaviour) => {
    const log = quiet()
    const response = await fixture({ behaviour, env: { OPENAI_API_KEY: 'sk-secret', OPENAI_MODEL: 'm' } }).send(
      'GET',
      '/tasks',
    )
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toMatch(/sk-secret|\.ts|TypeError/)
    expect(log).toHaveBeenCalledTimes(1)
    const [line] = log.mock.calls[0] ?? []
    expect(JSON.parse(String(line))).toMatchObject({ event: 'request_failed', request_id: 'made-1', method: 'GET' })
    expect(line).not.toMatch(/sk-secret|Bearer abc|alice-key/)
  })
})
