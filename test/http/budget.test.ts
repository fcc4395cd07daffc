/** Budgets over HTTP: top-ups in the units of the core, money only for models with a price, and dry runs. */
import { describe, expect, it } from 'vitest'
import { ok, refuse } from '../../src/core/terms/refusal.ts'
import type { DryRun } from '../../src/core/terms/view.ts'
import { DRY_RUN_EXAMPLE } from '../../src/http/document/examples.ts'
import { callerOf, fixture, ID, problemOf } from '../support/http-fixture.ts'
import { benchOf, planned, MANUAL } from '../support/scripted.ts'

describe('POST /tasks/:id/budget', () => {
  it.each([
    [{ steps: 5 }, { steps: 5 }],
    [{ tokens: 1_000_000_000 }, { tokens: 1_000_000_000 }],
    [{ cost_usd: '0.5' }, { cost: 500_000 }],
    [{ cost_usd: '12' }, { cost: 12_000_000 }],
    [{ cost_usd: '0.000001' }, { cost: 1 }],
    [{ cost_usd: '999999999.999999' }, { cost: 999_999_999_999_999 }],
    [{ seconds: 90 }, { working_ms: 90_000 }],
    [
      { steps: 1, tokens: 2, cost_usd: '0.000003', seconds: 4 },
      { steps: 1, tokens: 2, cost: 3, working_ms: 4_000 },
    ],
  ])('D5 %o is a grant of %o', async (add, grant) => {
    const { post, asked } = fixture()
    const response = await post(`/tasks/${ID}/budget`, { add })
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"5"'])
    expect(asked).toEqual([{ method: 'tellTask', args: [callerOf('alice'), ID, { kind: 'top_up', add: grant }] }])
  })

  it.each([
    ['application/x-www-form-urlencoded', 'add=1'],
    ['text/plain', '5'],
  ])('takes JSON only, not %s', async (type, body) => {
    expect((await fixture().send('POST', `/tasks/${ID}/budget`, body, { 'content-type': type })).status).toBe(415)
  })

  it('over the real service each axis is raised, in the answer as outside', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const { post } = fixture({ answers: bench.service })
    const limits = { max_steps: 1, max_tokens: 5_000, max_cost_usd: '0.50', max_seconds: 60 }
    const created = await post('/tasks', { goal: 'x', rounds: 0, settings: limits })
    const add = { steps: 2, tokens: 3, cost_usd: '0.25', seconds: 4 }
    const task: unknown = await (await post(`${created.headers.get('location')}/budget`, { add })).json()
    const budget = { max: 3, tokens: { max: 5_003 }, cost_usd: { max: '0.750000' }, seconds: { max: 64 } }
    expect(task).toMatchObject({ budget, slice: { rounds: 0 } })
  })
})

describe("a tenant's money of the day", () => {
  it('D5 is bounded for priced models only: any other model is model_not_budgetable, also if the task sets no money limit', async () => {
    const env = {
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'free',
      TENANT_DAILY_COST_USD: '0.03',
      MODEL_PRICES: '{"m":{"input":"1","output":"2"}}',
    }
    const { post } = fixture({ env })
    expect((await post('/tasks', { goal: 'x' })).status).toBe(422)
    expect((await post('/tasks', { goal: 'x', settings: { model: 'm' } })).status).toBe(201)
  })
})

describe('max_cost_usd', () => {
  const env = {
    OPENAI_API_KEY: 'k',
    OPENAI_MODEL: 'default-model',
    MODEL_PRICES: '{"priced":{"input":"1","output":"2"}}',
  }
  const COST = { max_cost_usd: '0.50' }
  it.each<[object, string[]]>([
    [COST, ['default-model']],
    [{ ...COST, model: 'priced', models: { plan: 'other' } }, ['other']],
    [{ ...COST, model: 'one', models: { plan: 'other', thought: 'priced' } }, ['other', 'one']],
    [{ ...COST, models: { plan: 'other' } }, ['other', 'default-model']],
    [{ ...COST, models: { plan: 'other', thought: 'other', replan: 'other' } }, ['other']],
  ])('D5 with %o is 422 model_not_budgetable that names %o', async (settings, models) => {
    for (const path of ['/tasks', '/tasks?dry_run=true']) {
      const { post, asked } = fixture({ env })
      const problem = await problemOf(await post(path, { goal: 'x', settings }))
      expect(problem).toMatchObject({ status: 422, code: 'model_not_budgetable' })
      expect(problem['detail']).toContain(`No price is known for ${models.join(', ')}:`)
      expect(asked).toEqual([])
    }
  })

  it.each<[string, object, Record<string, unknown>]>([
    ['the model has a price', { ...COST, model: 'priced' }, env],
    [
      'every phase names a model with a price',
      { ...COST, models: { plan: 'priced', thought: 'priced', replan: 'priced' } },
      env,
    ],
    ['the default model has a price', COST, { ...env, OPENAI_MODEL: 'priced' }],
    ['there is no budget of money', { model: 'other' }, env],
    ['it is null', { max_cost_usd: null }, env],
    ['the built-in model asks nothing', { ...COST, model: 'any' }, {}],
  ])('is taken when %s', async (_, settings, env) => {
    expect((await fixture({ env }).post('/tasks', { goal: 'x', settings })).status).toBe(201)
  })

  it.each([
    ['gpt-6-sol', 201],
    ['gpt-6-sol-2026-10-31', 201],
    ['gpt-6-sol-next', 422],
    ['gpt-7', 422],
  ])('D5 at OpenAI %s needs no configured price: %i', async (model, status) => {
    const asked = { goal: 'x', settings: { max_cost_usd: '0.50', model } }
    expect((await fixture({ env }).post('/tasks', asked)).status).toBe(status)
    const elsewhere = fixture({ env: { ...env, OPENAI_BASE_URL: 'https://proxy.example/v1' } })
    expect((await elsewhere.post('/tasks', asked)).status).toBe(422)
  })

  it('U21 the prices of an endpoint are those of its own model, and no other model at its address has them', async () => {
    const strong = { wire: 'messages', model: 'claude-next', key: 'sk' }
    const costs = '{"input":"1","output":"2"}'
    const status = async (given: Record<string, string>, model: string) => {
      const { post } = fixture({
        env: { ...env, MODELS: JSON.stringify({ strong }), ALLOWED_MODELS: 'gpt-7', ...given },
      })
      return (await post('/tasks', { goal: 'x', settings: { max_cost_usd: '0.50', model } })).status
    }
    expect(await status({}, 'strong')).toBe(422)
    expect(await status({ MODEL_PRICES: `{"strong":${costs}}` }, 'strong')).toBe(201)
    expect(await status({ MODEL_PRICES: `{"claude-next":${costs}}` }, 'strong')).toBe(201)
    expect(
      await status({ MODELS: JSON.stringify({ strong: { ...strong, prices: JSON.parse(costs) } }) }, 'strong'),
    ).toBe(201)
    expect(await status({ MODELS: JSON.stringify({ strong: { ...strong, model: 'claude-opus-5' } }) }, 'strong')).toBe(
      201,
    )
    expect(await status({ MODEL_PRICES: `{"default":${costs}}` }, 'gpt-7')).toBe(422)
    expect(await status({ MODEL_PRICES: `{"default":${costs}}` }, 'default')).toBe(201)
  })

  it('a configured default needs prices too', async () => {
    const { post } = fixture({ env: { ...env, MAX_COST_USD: '0.50' } })
    expect((await problemOf(await post('/tasks', { goal: 'x' })))['code']).toBe('model_not_budgetable')
  })
})

describe('POST /tasks?dry_run=true', () => {
  it('U26 is 200 with id null and a forecast, at no place and of no version', async () => {
    const { post, asked, config } = fixture()
    const response = await post('/tasks?dry_run=true', { goal: 'Buy milk', rounds: 3, locale: 'zh' })
    expect([response.status, response.headers.has('location'), response.headers.has('etag')]).toEqual([
      200,
      false,
      false,
    ])
    expect(await response.json()).toEqual(DRY_RUN_EXAMPLE)
    const { settings, timezone } = config
    const task = {
      goal: 'Buy milk',
      mode: 'plan_execute',
      settings,
      locale: 'zh',
      timezone,
      metadata: {},
      ...MANUAL,
      origin: 'http://localhost',
    }
    expect(asked).toEqual([{ method: 'dryRun', args: [callerOf('alice'), task] }])
  })

  it('U6 under a key that came before it says so', async () => {
    const dryRun = async () => ok({ planned: DRY_RUN_EXAMPLE, replayed: true as const })
    const response = await fixture({ answers: { dryRun } }).post('/tasks?dry_run=true', { goal: 'x' })
    expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  })

  it('dry_run=false makes a task', async () => {
    const { post, asked } = fixture()
    expect((await post('/tasks?dry_run=false', { goal: 'x' })).status).toBe(201)
    expect(asked[0]?.method).toBe('createTask')
  })

  it('what the service refuses is refused', async () => {
    const spent = { holder: 'tenant', period: 'day', axis: 'tokens', limit: 100 } as const
    const refused = refuse({ code: 'tenant_budget_exceeded', reset_s: 60, resets_ms: 60_000, spent })
    const app = fixture({ answers: { dryRun: async () => refused } })
    expect((await app.post('/tasks?dry_run=true', { goal: 'x' })).status).toBe(429)
  })

  it('26 over the real service it plans and keeps nothing', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')] })
    const { post, send } = fixture({ answers: bench.service })
    const answer: unknown = await (await post('/tasks?dry_run=true', { goal: 'x' })).json()
    expect(answer).toMatchObject({
      id: null,
      plan: { items: [{ title: 'A' }, { title: 'B' }] },
      forecast: { expected: null },
    })
    expect(await (await send('GET', '/tasks')).json()).toMatchObject({ data: [] })
    bench.spent()
  })

  const text = async (changes: Partial<DryRun>) => {
    const dryRun = async () => ok({ planned: { ...DRY_RUN_EXAMPLE, ...changes } })
    const headers = { accept: 'text/plain' }
    return (
      await (await fixture({ answers: { dryRun } }).post('/tasks?dry_run=true', { goal: 'x' }, headers)).text()
    ).split('\n')
  }
  const { worst_case } = DRY_RUN_EXAMPLE.forecast
  it('as lines: the plan, the worst case, and what is expected', async () => {
    expect(await text({})).toEqual([
      'Dry run, nothing is kept. Plan: 1 step',
      '  [ ] 1. Add "buy milk" to the todo list',
      'At most: 20 steps, 1260 s of work',
      'Tokens and money have no bound of their own: set max_tokens or max_cost_usd',
      'Expected: 3–6 steps, 900–2400 tokens, 0.000000 USD, 1–4 s (by 24 finished tasks; off by 18 % on these)',
      '',
    ])
    expect((await text({ locale: 'zh' }))[4]).toBe(
      '预计：3–6 步，900–2400 token，0.000000 美元，1–4 秒（依据 24 个已完成任务，对其平均误差 18 %）',
    )
  })

  it('U53 as lines: a bound is shown as what was set, and not as the product of the longest prompts', async () => {
    const settings = { ...DRY_RUN_EXAMPLE.settings, max_cost_usd: '0.50' }
    const costs = { ...DRY_RUN_EXAMPLE.forecast, worst_case: { ...worst_case, cost_usd: '0.50', tokens: 86_498_304 } }
    expect((await text({ settings, forecast: costs }))[2]).toBe(
      'At most: 20 steps, $0.50 (max_cost_usd), 1260 s of work',
    )
    const both = { ...settings, max_tokens: 9_000 }
    const bounded = { ...costs, worst_case: { ...costs.worst_case, tokens: 9_000 } }
    expect((await text({ settings: both, forecast: bounded, locale: 'zh' }))[2]).toBe(
      '最多：20 步，$0.50 (max_cost_usd)，9000 token (max_tokens)，工作 1260 秒',
    )
  })

  it('as lines: too few finished tasks, no price, no plan', async () => {
    const forecast = { worst_case: { ...worst_case, cost_usd: null }, expected: null }
    const plan = { ...DRY_RUN_EXAMPLE.plan, items: [] }
    const error = { code: 'contract_failures' as const, detail: 'no JSON' }
    expect(await text({ forecast, plan, error })).toEqual([
      'Dry run, nothing is kept. There is no plan',
      'no JSON',
      'At most: 20 steps, 1260 s of work',
      'Tokens and money have no bound of their own: set max_tokens or max_cost_usd',
      'Expected: unknown, there are fewer than ten finished tasks',
      '',
    ])
    expect((await text({ forecast, locale: 'zh' })).slice(-4, -1)).toEqual([
      '最多：20 步，工作 1260 秒',
      'token 与费用没有各自的上限：请设置 max_tokens 或 max_cost_usd',
      '预计：未知，已完成的任务少于十个',
    ])
  })
})
