/** Dry runs and forecasts (U26): a plan that is not kept, its hard worst case, and what its tenant's own tasks suggest. */
import { describe, expect, it } from 'vitest'
import { forecast } from '../../src/core/engine/forecast/forecast.ts'
import { microDollars, type PriceTable } from '../../src/core/terms/money.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { Spend } from '../../src/core/terms/status.ts'
import { MANUAL, act, ALL, benchOf, CALLER, closed, createTask, done, FREE, planned } from '../support/scripted.ts'

const spend = (steps: number, items: number): Spend => ({
  steps,
  items,
  tokens: steps * 100,
  cost_usd: '0.010000',
  seconds: steps,
})
const NEW = {
  goal: 'g',
  mode: 'plan_execute' as const,
  settings: Settings.parse({}),
  locale: 'en' as const,
  timezone: 'UTC',
  metadata: {},
  ...MANUAL,
}

const context = (prices: PriceTable) => ({ prices, now_ms: 0 })
const asked = (settings: Settings) => ({ mode: 'plan_execute', settings, tools: [], fallbacks: {} })

describe('forecast', () => {
  it('the worst case is that of the limits', () => {
    const bounded = forecast(
      asked(Settings.parse({ max_steps: 7, max_tokens: 9_000, max_cost_usd: '0.25', max_seconds: 60 })),
      3,
      [],
      context(FREE),
    )
    expect(bounded.worst_case).toMatchObject({ steps: 8, tokens: 9_000, seconds: 60 })
    expect(microDollars(bounded.worst_case.cost_usd ?? '')).toBeLessThanOrEqual(250_000)
    const open = forecast(asked(Settings.parse({})), 3, [], context(FREE))
    expect(open.worst_case.steps).toBe(21)
    expect(open.worst_case.tokens).toBeGreaterThan(24 * 4_096)
  })

  it('with a model without a price the worst cost is unknown', () => {
    const prices = { ...FREE, every: null }
    expect(forecast(asked(Settings.parse({})), 3, [], context(prices)).worst_case.cost_usd).toBeNull()
  })

  it('the worst case is every call at its longest: the prompt with all observations, the output cap, the dearest price', () => {
    const named = { model: 'b', models: { plan: 'a' } }
    const settings = { observation_char_limit: 100, observation_history_limit: 10, model_timeout_s: 10, ...named }
    const models = { a: { input: 1_000_000, output: 2_000_000 }, b: { input: 3_000_000, output: 1_000_000 } }
    const prices = { ...FREE, every: null, models }
    const worst = (more: object, table: PriceTable = prices) =>
      forecast(asked(Settings.parse({ ...settings, ...more })), 3, [], context(table)).worst_case
    // 24 calls of 1,169,076 and 8,192 tokens, because a reply after one that was cut has twice the room.
    expect(worst({})).toEqual({ steps: 21, tokens: 24 * 1_177_268, cost_usd: '84.566688', seconds: 790 })
    expect(worst({ max_cost_usd: '90' }).cost_usd).toBe('84.566688')
    expect(worst({ max_cost_usd: '0.5' }).cost_usd).toBe('0.500000')
    expect(worst({ max_tokens: 9_000 })).toMatchObject({ tokens: 9_000, cost_usd: '1.041216' })
    expect(worst({ max_cost_usd: '0.5' }, { ...FREE, every: null }).cost_usd).toBe('0.5')
    expect(worst({ observation_char_limit: 100_000, observation_history_limit: 1_000 }).tokens).toBe(24 * 4_174_268)
  })

  it('nothing is expected while there are fewer than ten finished tasks', () => {
    const nine = Array.from({ length: 9 }, () => spend(6, 2))
    expect(forecast(asked(Settings.parse({})), 3, nine, context(FREE)).expected).toBeNull()
    expect(forecast(asked(Settings.parse({})), 3, [...nine, spend(6, 2)], context(FREE)).expected).not.toBeNull()
  })

  it('what is expected grows with the plan and carries its measured past error', () => {
    const past = Array.from({ length: 12 }, (_, index) => spend(index % 2 === 0 ? 6 : 8, 2)) // 3 or 4 steps an item
    const expected = forecast(asked(Settings.parse({})), 5, past, context(FREE)).expected
    expect(expected).toMatchObject({ steps: { low: 15, high: 20 }, tokens: { low: 1_500, high: 2_000 }, tasks: 12 })
    // Each by the others: those of 6 steps are taken for 8, those of 8 for 6.
    expect(expected?.past_error).toBe(0.292)
    expect(expected).toMatchObject({
      cost_usd: { low: '0.025000', high: '0.025000' },
      seconds: { low: 15, high: 20 },
    })
    const same = Array.from({ length: 12 }, () => spend(6, 2))
    expect(forecast(asked(Settings.parse({})), 1, same, context(FREE)).expected?.past_error).toBe(0)
  })
})

describe('dry run', () => {
  it('plans, stores nothing that can run, has no id, and tells what it would cost', async () => {
    const bench = benchOf({ plan: [planned('A', 'B')] })
    const dry = await bench.service.dryRun(CALLER, NEW)
    if (!dry.ok) throw new Error('refused')
    expect(dry.value.planned).toMatchObject({
      id: null,
      status: 'running',
      step_count: 0,
      forecast: { expected: null },
    })
    expect(dry.value.planned.plan.items.map((item) => item.title)).toEqual(['A', 'B'])
    expect(bench.store.rows.size).toBe(0)
    const list = await bench.service.listTasks(
      CALLER,
      { status: null, mode: null, metadata: {}, q: null, outcome: null },
      { limit: 10, after: 0 },
    )
    expect(list.ok && list.value.data).toEqual([])
    bench.spent()
  })

  it("its plan call is charged to the tenant's day", async () => {
    const daily = { tokens: 1_000_000, cost: null }
    const bench = benchOf({ plan: [planned('A')] }, { daily })
    await bench.service.dryRun(CALLER, NEW)
    const workspace = bench.store.workspace('acme')
    expect(await workspace.tell({ kind: 'reserve', want: { tokens: 1_000_000 - 15, cost: 0 }, daily })).not.toBeNull()
    expect(await workspace.tell({ kind: 'reserve', want: { tokens: 1, cost: 0 }, daily })).toBeNull()
  })

  it('U16 thirty at once never overspend the day: each reserves its call before it makes it', async () => {
    const daily = { tokens: 60_000, cost: null }
    const bench = benchOf({ plan: Array.from({ length: 30 }, () => planned('A')) }, { daily })
    const { model } = bench.ports
    let billed = 0
    bench.ports.model = {
      async complete(request, call) {
        const event = await model?.complete(request, call)
        if (event?.kind !== 'model_replied') throw new Error('no reply')
        const usage = { input_tokens: 2_000, output_tokens: request.max_output_tokens }
        billed += usage.input_tokens + usage.output_tokens
        return { ...event, usage }
      },
    }
    const answers = await Promise.all(Array.from({ length: 30 }, () => bench.service.dryRun(CALLER, NEW)))
    expect(billed).toBeGreaterThan(0)
    expect(billed).toBeLessThanOrEqual(daily.tokens)
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal.code]))
    expect(new Set(refused)).toEqual(new Set(['tenant_budget_exceeded']))
  })

  it('U6 under a key it is planned and charged once, and another body is refused', async () => {
    const bench = benchOf({ plan: [planned('A')] })
    const key = { scope: 'POST /tasks', key: 'k', digest: 'd1' }
    const first = await bench.service.dryRun({ ...CALLER, key }, NEW)
    const again = await bench.service.dryRun({ ...CALLER, key }, NEW)
    expect(again).toEqual({ ok: true, value: { ...(first.ok ? first.value : null), replayed: true } })
    const other = await bench.service.dryRun({ ...CALLER, key: { ...key, digest: 'd2' } }, NEW)
    expect(other).toEqual({ ok: false, refusal: { code: 'idempotency_key_reused' } })
    bench.spent()
  })

  it('draws its expectation from ten tasks that were really finished', async () => {
    const tasks = 10
    const bench = benchOf({
      plan: Array.from({ length: tasks + 1 }, () => planned('A')),
      thought: Array.from({ length: tasks }, () => [act(), done()]).flat(),
      replan: Array.from({ length: tasks }, () => closed()),
    })
    for (let n = 0; n < tasks; n++) await createTask(bench, {}, ALL)
    const dry = await bench.service.dryRun(CALLER, NEW)
    expect(dry.ok && dry.value.planned.forecast.expected).toMatchObject({
      steps: { low: 4, high: 4 },
      tasks,
      past_error: 0,
    })
  })
})
