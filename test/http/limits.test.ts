/** The limits of tenants and keys as callers meet them: refusals that say whose limit it is, and GET /limits. */
import { describe, expect, it } from 'vitest'
import { NO_KEY_LIMITS, NO_TENANT_LIMITS } from '../../src/core/registry/limits.ts'
import { TENANT_SCOPES, WORKER_SCOPES } from '../../src/core/registry/scopes.ts'
import { limitsInForce } from '../../src/core/workspace/limits.ts'
import { keyLimiter } from '../../src/http/gate/rate-limit.ts'
import { problemResponse } from '../../src/http/gate/problem-response.ts'
import { limitLines, limitsView } from '../../src/http/text/limits.ts'
import { readAddress } from '../../src/shell/network/address.ts'
import { requestCounter } from '../../src/shell/quotas/request-counter.ts'
import { limitsOf } from '../../src/shell/quotas/limits-of.ts'
import { NO_RULES } from '../../src/core/engine/model-rules.ts'
import { toolsOver } from '../support/client-tools.ts'
import { fixture } from '../support/http-fixture.ts'
import { registryOf } from '../support/memory/memory-registry.ts'

const problemOf = async (response: Response) => ({ ...((await response.json()) as object), status: response.status })
const SIGNING = { WEBHOOK_SECRET: 'alice:whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }
const toolAt = (url: string) => ({ name: 'look', description: 'Looks.', parameters: { type: 'object' }, url })

describe('LIM-03 requests per minute', () => {
  const registry = registryOf({
    tenants: { acme: { rate_per_minute: 5 } },
    keys: { key_a: { rate_per_minute: 2 }, key_w: { rate_per_minute: 1 } },
  })
  const ports = {
    count_request: requestCounter({ now_ms: () => 15_000, takePermits: null }),
    limits_of: (tenant: string, key_name: string | null) =>
      limitsOf(
        {
          registry,
          rate_limit_per_minute: 600,
          max_open_tasks: 10,
          max_stored_bytes: 10,
          daily: { tokens: null, cost: null },
          model_rules: NO_RULES,
        },
        tenant,
        key_name,
      ),
  }
  const limiter = () =>
    keyLimiter({ ...ports, count_request: requestCounter({ now_ms: () => 15_000, takePermits: null }) }, 600, () => 0)
  const holder = (key_name: string, tenant = 'acme') => ({
    tenant,
    scopes: TENANT_SCOPES,
    key_name,
    is_operator: false,
  })

  it('LIM-03 beyond those of a key are 429 with its name, and take nothing from other keys', async () => {
    const count = limiter()
    expect([await count(holder('key_a')), await count(holder('key_a'))]).toEqual([null, null])
    for (let more = 0; more < 9; more++)
      expect(await count(holder('key_a'))).toEqual({
        code: 'rate_limited',
        policy: 'key',
        per_minute: 2,
        retry_after_s: 45,
      })
    // Two of the five requests of the tenant were made with the key.
    expect([await count(holder('key_b')), await count(holder('env_1')), await count(holder('key_b'))]).toEqual([
      null,
      null,
      null,
    ])
    expect(await count(holder('key_b'))).toEqual({ code: 'rate_limited', per_minute: 5, retry_after_s: 45 })
    expect(await count(holder('env_1', 'other'))).toBeNull()
  })

  it('LIM-03 of a key for workers are its own, and not more than the registry says', async () => {
    const count = limiter()
    const worker = { ...holder('key_w'), scopes: WORKER_SCOPES }
    expect([await count(worker), await count(worker)]).toEqual([null, expect.objectContaining({ policy: 'worker' })])
  })

  it('LIM-03 the answer names the policy in its headers, and says that it is the key', async () => {
    const refused = await problemResponse(
      { code: 'rate_limited', policy: 'key', per_minute: 2, retry_after_s: 45 },
      '/tasks',
    )
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '45',
      'ratelimit-policy': '"key";q=2;w=60',
      ratelimit: '"key";r=0;t=45',
    })
    expect(await problemOf(refused)).toMatchObject({ detail: 'At most 2 requests per minute with this key.' })
  })
})

describe('LIM-05 a total that is used up', () => {
  it('LIM-05 is told by its holder, period, axis, amount and end', async () => {
    const refusal = {
      code: 'tenant_budget_exceeded',
      reset_s: 3_600,
      resets_ms: Date.UTC(2026, 11, 1),
      spent: { holder: 'key', period: 'month', axis: 'cost', limit: 12_500_000 },
    } as const
    const { post } = fixture({ behaviour: { refusal } })
    const response = await post('/tasks', { goal: 'x' })
    expect(response.headers.get('retry-after')).toBe('3600')
    expect(await problemOf(response)).toMatchObject({
      status: 429,
      limit_of: 'key',
      period: 'month',
      axis: 'cost_usd',
      limit: '12.500000',
      resets_at: '2026-12-01T00:00:00.000Z',
      detail:
        "The key's total of this calendar month is used up, which is 12.500000 US dollars. It begins anew at 2026-12-01T00:00:00.000Z.",
    })
    const chinese = await post('/tasks', { goal: 'x' }, { 'accept-language': 'zh' })
    expect(await problemOf(chinese)).toMatchObject({ detail: expect.stringContaining('这个密钥在这个日历月的总额') })
  })
})

describe('LIM-08 models of a tenant', () => {
  const registry = registryOf({ tenants: { alice: { models: ['mini', 'unknown'] } } })
  it('LIM-08 another one is refused at create with the names that are allowed, and GET /models lists no other', async () => {
    const { post, send, asked } = fixture({ env: { ALLOWED_MODELS: 'gpt-5,mini', OPENAI_MODEL: 'gpt-5' }, registry })
    const refused = await problemOf(await post('/tasks', { goal: 'x', settings: { model: 'gpt-5' } }))
    expect(refused).toMatchObject({
      status: 422,
      errors: [{ pointer: '/settings/model', message: expect.stringContaining('leave it out, or take mini') }],
    })
    expect(asked).toEqual([])
    expect((await post('/tasks', { goal: 'x', settings: { model: 'mini' } })).status).toBe(201)
    // The default may not be used either, so the first of the list takes its place.
    expect((await post('/tasks', { goal: 'x' })).status).toBe(201)
    expect(asked.map(({ args }) => (args[1] as { settings: { model: string } }).settings.model)).toEqual([
      'mini',
      'mini',
    ])
    const { data } = (await (await send('GET', '/models')).json()) as { data: { name: string }[] }
    expect(data.map(({ name }) => name)).toEqual(['mini'])
    const bobs = await post('/tasks', { goal: 'x', settings: { model: 'gpt-5' } }, { authorization: 'Bearer bob-key' })
    expect(bobs.status).toBe(201)
  })

  it('LIM-08 money that is bounded needs models with a price', async () => {
    const bounded = registryOf({ tenants: { alice: { cost_usd_per_month: '5' } } })
    const env = { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'nobody-knows-it' }
    expect(await problemOf(await fixture({ env, registry: bounded }).post('/tasks', { goal: 'x' }))).toMatchObject({
      code: 'model_not_budgetable',
    })
    expect((await fixture({ env }).post('/tasks', { goal: 'x' })).status).toBe(201)
  })
})

describe('LIM-09 hosts of a tenant', () => {
  const only = (...hosts: string[]) => registryOf({ tenants: { alice: { hosts } } })
  const create = async (url: string, registry = only('api.example.com', '*.ok.example.com')) =>
    problemOf(await fixture({ env: SIGNING, registry }).post('/tasks', { goal: 'x', tools: [toolAt(url)] }))

  it('LIM-09 an address of another host is refused at create with the hosts that are allowed', async () => {
    expect(await create('https://evil.example.net/a')).toMatchObject({
      status: 422,
      errors: [
        {
          pointer: '/tools/0/url',
          message: 'tools.0.url must name a host that this tenant may reach: api.example.com, *.ok.example.com',
        },
      ],
    })
    for (const url of ['https://api.example.com/a', 'https://a.b.ok.example.com/a'])
      expect((await create(url)).status).toBe(201)
    for (const url of ['https://ok.example.com/a', 'https://api.example.com.evil.net/a', 'https://xapi.example.com'])
      expect((await create(url)).status).toBe(422)
  })

  it('LIM-09 the same holds for callbacks and test deliveries', async () => {
    const { post } = fixture({ env: SIGNING, registry: only('api.example.com') })
    expect((await post('/tasks', { goal: 'x', callback_url: 'https://else.example.com/h' })).status).toBe(422)
    expect((await post('/webhooks/test', { url: 'https://else.example.com/h' })).status).toBe(422)
    expect((await post('/webhooks/test', { url: 'https://api.example.com/h' })).status).toBe(200)
  })

  it.each([
    ['https://10.0.0.1/a', '10.0.0.1'],
    ['https://metadata.google.internal/a', 'metadata.google.internal'],
    ['http://api.example.com/a', 'api.example.com'],
    ['https://api.example.com:9000/a', 'api.example.com:9000'],
    ['https://denied.example.com/a', 'denied.example.com'],
  ])('LIM-09 never widen what the service allows: %s', (url, host) => {
    const reach = { loopback: false, denied_hosts: new Set(['denied.example.com']) }
    expect(readAddress(url, reach).ok).toBe(false)
    expect(readAddress(url, { ...reach, tenant_hosts: new Set([host]) }).ok).toBe(false)
  })

  it('LIM-09 a call to a host that was taken away later is not made', async () => {
    const asked: string[] = []
    let hosts: ReadonlySet<string> | null = null
    const tools = toolsOver(
      async (input) => {
        asked.push(String(input))
        return Response.json({ status: 'success', data: 1 })
      },
      { signing: new Map([['alice', ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']]]), hosts_of: async () => hosts },
    )
    const run = () =>
      tools.run(
        { ...toolAt('https://api.example.com/a'), idempotent: false } as Parameters<typeof tools.run>[0],
        [],
        '{}',
        { tenant: 'alice', task: 'task_1', key: 'task_1:2', locale: 'en', timeout_ms: 1_000 } as Parameters<
          typeof tools.run
        >[3],
      )
    expect(await run()).toMatchObject({ ok: true })
    hosts = new Set(['other.example.com'])
    expect(await run()).toMatchObject({ ok: false, text: expect.stringContaining('other.example.com') })
    expect(asked).toEqual(['https://api.example.com/a'])
  })
})

describe('LIM-10 GET /limits', () => {
  it('LIM-10 shows the limits of the tenant, and answers lines to a terminal', async () => {
    const registry = registryOf({ tenants: { alice: { open_tasks: 20, hosts: ['api.example.com'] } } })
    const { send } = fixture({ registry, now: () => Date.UTC(2026, 10, 21) })
    expect(await (await send('GET', '/limits')).json()).toMatchObject({
      as_of: '2026-11-21T00:00:00.000Z',
      tenant: { open_tasks: { max: 20, used: 12, remaining: 8 }, hosts: ['api.example.com'], models: null },
      key: null,
    })
    const text = await (await send('GET', '/limits', null, { accept: 'text/plain' })).text()
    expect(text).toContain('tenant  open_tasks  12 of 20\n')
    expect((await send('GET', '/limits', null, { authorization: 'Bearer carol-key' })).status).toBe(403)
  })

  it('LIM-10 each total has what is used, what remains and when it begins anew; what is overspent remains 0', () => {
    const configured = {
      rate_per_minute: 600,
      open_tasks: 1_000,
      stored_bytes: 100,
      daily: { tokens: null, cost: null },
      models: null,
    }
    const limits = limitsInForce(
      configured,
      { ...NO_TENANT_LIMITS, tokens_per_day: 100, cost_usd_per_month: '2' },
      { name: 'key_a', limits: { ...NO_KEY_LIMITS, tokens_per_month: 50, open_tasks: 3, models: ['mini'] } },
    )
    const use = {
      totals: [
        { holder: 'tenant', period: 'day', limits: limits.tenant.daily, spent: { tokens: 120, cost: 7 } },
        { holder: 'tenant', period: 'month', limits: limits.tenant.monthly, spent: { tokens: 9, cost: 500_000 } },
        { holder: 'key', period: 'month', limits: { tokens: 50, cost: null }, spent: { tokens: -1, cost: 0 } },
      ] as const,
      open_tasks: 4,
      key_open_tasks: 2,
      stored_bytes: 120,
    }
    const view = limitsView(limits, { ...use, totals: [...use.totals] }, Date.UTC(2026, 10, 30, 12))
    const resets_at = '2026-12-01T00:00:00.000Z'
    expect(view.tenant).toMatchObject({
      stored_bytes: { max: 100, used: 120, remaining: 0 },
      tokens: { day: { max: 100, used: 120, remaining: 0, resets_at }, month: null },
      cost_usd: { day: null, month: { max: '2.000000', used: '0.500000', remaining: '1.500000', resets_at } },
    })
    expect(view.key).toMatchObject({
      name: 'key_a',
      rate_per_minute: null,
      open_tasks: { max: 3, used: 2, remaining: 1 },
      tokens: { day: null, month: { max: 50, used: 0, remaining: 50, resets_at } },
      models: ['mini'],
    })
    expect(limitLines(view)).toEqual([
      'tenant  rate_per_minute  600',
      'tenant  open_tasks  4 of 1000',
      `tenant  tokens of the day  120 of 100, until ${resets_at}`,
      `tenant  cost_usd of the month  0.500000 of 2.000000, until ${resets_at}`,
      'tenant  stored_bytes  120 of 100',
      'key  open_tasks  2 of 3',
      `key  tokens of the month  0 of 50, until ${resets_at}`,
      'key  models  mini',
    ])
  })
})
