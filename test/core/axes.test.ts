/** Tokens, money and seconds never exceed their maximum by even one call (D5, U11, P13). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reserve, openBudget, originalGrant, settleReservation, type Reservation } from '../../src/core/terms/budget.ts'
import type { Event } from '../../src/core/terms/effect.ts'
import { costOf, dollars, microDollars, type PriceTable } from '../../src/core/terms/money.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import {
  act,
  ALL,
  benchOf,
  CALLER,
  closed,
  createTask,
  done,
  NONE,
  ONE,
  planned,
  say,
  step,
  taken,
  type Bench,
  type Script,
} from '../support/scripted.ts'
import { workspaceWith } from '../support/workspace-with.ts'

const PRICED: PriceTable = {
  version: 'v1',
  default_model: 'scripted',
  models: { scripted: { input: microDollars('2.5'), output: microDollars('10') } },
  every: null,
}
const LISTED = {
  version: 'table',
  input: microDollars('2.5'),
  output: microDollars('10'),
  tiers: [{ above: 200, input: microDollars('5'), output: microDollars('20') }],
}
const TABLE: PriceTable = {
  ...PRICED,
  models: {},
  endpoints: { default: { model: 'scripted', rates: null, defaults: { at: () => LISTED, from: () => [LISTED] } } },
}
/** A bench whose model reports these tokens for each call, or null for none. */
function priced(
  script: Script,
  usage: { input_tokens: number; output_tokens: number } | null,
  prices: PriceTable = PRICED,
): Bench {
  const bench = benchOf(script, {}, prices)
  const { model } = bench.ports
  bench.ports.model = {
    async complete(request, call) {
      const event = await model?.complete(request, call)
      if (event === undefined) throw new Error('no model')
      return event.kind === 'model_replied' ? { ...event, usage } : event
    },
  }
  return bench
}
const T1 = { plan: [planned('A')], thought: [act(), done()], replan: [closed()] }

describe('money', () => {
  it.each([
    ['0.5', 500_000, '0.500000'],
    ['12', 12_000_000, '12.000000'],
    ['0.000001', 1, '0.000001'],
    ['999999999.999999', 999_999_999_999_999, '999999999.999999'],
  ])('%s USD is %i micro-dollars and is shown as %s', (usd, micro, shown) => {
    expect(microDollars(usd)).toBe(micro)
    expect(dollars(micro)).toBe(shown)
  })

  it('a cost is rounded up to a micro-dollar', () => {
    expect(costOf({ version: 'v', input: 150_000, output: 600_000 }, { input_tokens: 1, output_tokens: 0 })).toBe(1)
    expect(costOf({ version: 'v', input: 150_000, output: 600_000 }, { input_tokens: 1_000, output_tokens: 500 })).toBe(
      450,
    )
    expect(costOf(null, { input_tokens: 1_000, output_tokens: 500 })).toBe(0)
  })
})

describe('reservation', () => {
  const budget = (settings: Partial<Settings>) => openBudget(Settings.parse(settings))
  const worst = { input_bytes: 1_000, output_cap: 4_096, timeout_ms: 60_000, price: null }
  const price = { version: 'v', input: 1_000_000, output: 2_000_000 } // 1 and 2 micro-dollars a token

  it('D5 the worst case is the bytes of the request plus the output cap', () => {
    expect(reserve(budget({}), worst)).toEqual({
      reserved: { input_tokens: 1_000, output_tokens: 4_096, cost: 0, ms: 60_000, price: null },
    })
  })

  it('D5 the output cap is lowered to what the rest buys', () => {
    expect(reserve(budget({ max_tokens: 1_500 }), worst)).toMatchObject({ reserved: { output_tokens: 500 } })
    const money = reserve(budget({ max_cost_usd: '0.002' }), { ...worst, price })
    expect(money).toMatchObject({ reserved: { output_tokens: 500, cost: 2_000 } })
  })

  it.each([
    ['tokens', { max_tokens: 1_063 }, worst],
    ['cost_usd', { max_cost_usd: '0.001127' }, { ...worst, price }],
    ['cost_usd', { max_cost_usd: '0.0005' }, { ...worst, price }],
  ] as const)('D5 a call that could answer fewer than 64 tokens is not made: %s is spent', (axis, settings, call) => {
    expect(reserve(budget(settings), call)).toEqual({ spent: axis })
  })

  it('D5 exactly 64 tokens are worth a call', () => {
    expect(reserve(budget({ max_tokens: 1_064 }), worst)).toMatchObject({ reserved: { output_tokens: 64 } })
    const money = reserve(budget({ max_cost_usd: '0.001128' }), { ...worst, price })
    expect(money).toMatchObject({ reserved: { output_tokens: 64 } })
  })

  it('U11 the deadline of an effect is the smaller of its time-out and what is left', () => {
    expect(reserve(budget({ max_seconds: 10 }), worst)).toMatchObject({ reserved: { ms: 10_000 } })
    const spent = budget({ max_seconds: 10 })
    spent.working_ms.used = 10_000
    expect(reserve(spent, worst)).toEqual({ spent: 'seconds' })
    expect(reserve(spent, { ...worst, output_cap: 0 })).toEqual({ spent: 'seconds' })
  })

  it('D5 a tool takes neither tokens nor money: it runs with none left', () => {
    const tool = { input_bytes: 0, output_cap: 0, timeout_ms: 30_000, price: null }
    expect(reserve(budget({ max_tokens: 1, max_cost_usd: '0.000001' }), tool)).toEqual({
      reserved: { input_tokens: 0, output_tokens: 0, cost: 0, ms: 30_000, price: null },
    })
  })

  it('D5 where the price of a model is unknown money holds no call; where its output is free it bounds the input alone', () => {
    const money = budget({ max_cost_usd: '0.001' })
    const whole = { reserved: { output_tokens: 4_096 } }
    expect(reserve(money, worst)).toEqual({ spent: 'cost_usd' })
    const free_output = { version: 'v', input: 1_000_000, output: 0 }
    expect(reserve(money, { ...worst, price: free_output })).toMatchObject(whole)
    expect(reserve(money, { ...worst, input_bytes: 999, price: free_output })).toMatchObject(whole)
    expect(reserve(money, { ...worst, input_bytes: 1_001, price: free_output })).toEqual({ spent: 'cost_usd' })
  })

  it.each([
    ['steps', { steps: 7 }],
    ['tokens', { tokens: 900 }],
    ['cost_usd', { cost: 500_000 }],
    ['seconds', { working_ms: 30_000 }],
  ] as const)('U14 the original amount of %s is %o', (axis, amount) => {
    const settings = { max_steps: 7, max_tokens: 900, max_cost_usd: '0.5', max_seconds: 30 }
    expect(originalGrant(axis, Settings.parse(settings))).toEqual(amount)
  })
})

describe('settlement', () => {
  const reserved: Reservation = {
    input_tokens: 1_000,
    output_tokens: 500,
    cost: 2_000,
    ms: 60_000,
    price: { version: 'v', input: 1_000_000, output: 2_000_000 },
  }
  const replied = (usage: { input_tokens: number; output_tokens: number } | null): Event => ({
    kind: 'model_replied',
    text: '',
    usage,
    model: 'm',
    form: 'text',
  })
  const failed = (status: number | null): Event => ({ kind: 'model_failed', reason: 'x', status, retry_after_ms: null })
  it.each([
    ['real usage replaces the reservation', replied({ input_tokens: 300, output_tokens: 50 }), 350, 400, false],
    ['missing usage costs the whole reservation', replied(null), 1_500, 2_000, false],
    [
      'usage above it is charged as reported and marked',
      replied({ input_tokens: 1_000, output_tokens: 501 }),
      1_501,
      2_002,
      true,
    ],
    [
      'cheap tokens can cost more than dear ones',
      replied({ input_tokens: 900, output_tokens: 600 }),
      1_500,
      2_100,
      true,
    ],
    ['usage that equals it is no more', replied({ input_tokens: 1_000, output_tokens: 500 }), 1_500, 2_000, false],
    [
      'a failed call that reports its usage costs that',
      { ...failed(null), usage: { input_tokens: 300, output_tokens: 50 } } as Event,
      350,
      400,
      false,
    ],
    ['an HTTP error costs nothing', failed(500), 0, 0, false],
    ['a time-out or reset costs the whole reservation', failed(null), 1_500, 2_000, false],
    ['a lost call costs the whole reservation', { kind: 'effect_orphaned' } as Event, 1_500, 2_000, false],
    ['an abandoned call costs the whole reservation', { kind: 'abandoned' } as Event, 1_500, 2_000, false],
  ])('U11 %s', (_name, event, tokens, cost, over_reserve) => {
    expect(settleReservation(1, reserved, event, 700)).toMatchObject({ steps: 1, tokens, cost, over_reserve })
  })

  it('U11 more tokens than reserved are marked where they cost nothing, too', () => {
    const free = { ...reserved, cost: 0, price: null }
    expect(settleReservation(1, free, replied({ input_tokens: 1_000, output_tokens: 501 }), 700)).toMatchObject({
      tokens: 1_501,
      cost: 0,
      over_reserve: true,
    })
  })

  it('U11 seconds are what was worked, never more than the deadline; of a lost effect the whole deadline', () => {
    expect(settleReservation(1, reserved, replied(null), 700).ms).toBe(700)
    expect(settleReservation(1, reserved, replied(null), 700_000).ms).toBe(60_000)
    expect(settleReservation(1, reserved, replied(null), -5).ms).toBe(0)
    expect(settleReservation(1, reserved, { kind: 'effect_orphaned' }, 5).ms).toBe(60_000)
    expect(settleReservation(1, reserved, { kind: 'outcome_unknown' }, 5).ms).toBe(60_000)
  })
})

describe('a task', () => {
  it('D5 the call is made with the lowered cap and its real usage is charged', async () => {
    const bench = priced(T1, { input_tokens: 300, output_tokens: 40 })
    const task = await createTask(bench, { max_tokens: 14_000, max_cost_usd: '0.06' }, ALL)
    expect(task).toMatchObject({ status: 'completed' })
    expect(task.budget.tokens).toMatchObject({ used: 4 * 340, max: 14_000, kinds: { input: 1_200, output: 160 } })
    expect(task.budget.cost_usd).toEqual({ used: dollars(4 * (300 * 2.5 + 40 * 10)), max: '0.060000' })
    expect(bench.requests.every((request) => request.max_output_tokens <= 4_096)).toBe(true)
    expect(bench.requests.some((request) => request.max_output_tokens < 4_096)).toBe(true)
  })

  it.each([
    ['tokens', { max_tokens: 4_000 }, '4000'],
    ['cost_usd', { max_cost_usd: '0.012' }, '0.012000'],
  ] as const)(
    'D5 when %s cannot hold a call the task pauses before it, says which axis, and hands over',
    async (axis, settings, max) => {
      const bench = priced({ ...T1, thought: Array.from({ length: 9 }, () => act()) }, null)
      const task = await createTask(bench, settings, ALL)
      expect(task).toMatchObject({ status: 'paused', stop_reason: `budget_exhausted:${axis}` })
      expect(task.handover?.unfinished_reason).toContain(max)
      expect(task.pending).toMatchObject({ kind: 'resume' })
      const types = task.slice?.events.map((event) => event.type) ?? []
      expect(types.slice(-2)).toEqual(['budget_exhausted', 'task_paused'])
      expect(task.slice?.events.find((event) => event.type === 'budget_exhausted')?.payload).toMatchObject({ axis })
    },
  )

  it('D5 the reservation counts the bytes of a text, not its characters', async () => {
    const bench = priced(T1, null)
    const task = await createTask(bench, { max_output_tokens: 64 }, NONE, { goal: '买牛奶'.repeat(300) })
    const bytes = new TextEncoder().encode(JSON.stringify(bench.requests[0]?.messages)).byteLength
    expect(bytes).toBeGreaterThan(2_700)
    expect(task.budget.tokens.used).toBeGreaterThanOrEqual(bytes + 64)
  })

  it('D5 planning too is not begun when its worst case does not fit; nothing was called', async () => {
    const bench = priced(T1, null)
    const task = await createTask(bench, { max_tokens: 100 }, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:tokens', step_count: 0 })
    expect(bench.requests).toEqual([])
  })

  it('seconds: effects share what is left, and a spent one pauses even before the action of a thought', async () => {
    const bench = priced(T1, null)
    const { model } = bench.ports
    bench.ports.model = {
      complete(request, call) {
        bench.clock.now += Math.min(call.timeout_ms, 4_000)
        return model?.complete(request, call) ?? Promise.reject(new Error('no model'))
      },
    }
    const task = await createTask(bench, { max_seconds: 8 }, ALL)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:seconds' })
    expect(task.budget.seconds).toEqual({ used: 8, max: 8 })
    expect(bench.calls).toEqual([]) // plan and thought took it all
  })

  it('a top-up makes a task runnable again that its axis paused; the thought is not made twice', async () => {
    const bench = priced(T1, { input_tokens: 10, output_tokens: 10 })
    const paused = await createTask(bench, { max_tokens: 100 }, ALL)
    const other = taken(await bench.service.tellTask(CALLER, paused.id, { kind: 'top_up', add: { steps: 5 } }))
    expect(other).toMatchObject({ status: 'paused', budget: { max: 25 } })
    const freed = taken(await bench.service.tellTask(CALLER, paused.id, { kind: 'top_up', add: { tokens: 50_000 } }))
    expect(freed).toMatchObject({ status: 'running', stop_reason: null, budget: { tokens: { max: 50_100 } } })
    expect(freed.slice?.events.map((event) => event.type)).toEqual(['budget_added', 'task_resumed'])
    expect((await step(bench, paused.id, ALL)).status).toBe('completed')
  })

  it('a top-up shows each axis it raised: its amount and its new maximum, as they are shown outside', async () => {
    const bench = priced(T1, null)
    const made = await createTask(bench, { max_tokens: 12_000, max_cost_usd: '0.5', max_seconds: 10 })
    const add = { steps: 1, tokens: 5, cost: 250_000, working_ms: 2_000 }
    const raised = taken(await bench.service.tellTask(CALLER, made.id, { kind: 'top_up', add }))
    expect(raised.slice?.events.map(({ type, payload }) => [type, payload])).toMatchObject([
      ['budget_added', { axis: 'steps', amount: 1, max: 21 }],
      ['budget_added', { axis: 'tokens', amount: 5, max: 12_005 }],
      ['budget_added', { axis: 'cost_usd', amount: '0.250000', max: '0.750000' }],
      ['budget_added', { axis: 'seconds', amount: 2, max: 12 }],
    ])
  })

  it('D1 a top-up resumes a task whose round ended above its maximum only when a step is left again', async () => {
    const bench = priced({ ...T1, thought: [act()] }, null)
    const made = await createTask(bench, { max_steps: 1 }, ALL)
    expect(made).toMatchObject({ stop_reason: 'budget_exhausted:steps', step_count: 2 })
    const spent = made.slice?.events.slice(-2).map(({ type, payload }) => [type, payload])
    expect(spent).toMatchObject([
      ['budget_exhausted', { axis: 'steps', used: 2, max: 1 }],
      ['task_paused', { stop_reason: 'budget_exhausted:steps' }],
    ])
    const one = taken(await bench.service.tellTask(CALLER, made.id, { kind: 'top_up', add: { steps: 1 } }))
    expect(one).toMatchObject({ status: 'paused', budget: { used: 2, max: 2 } })
    expect(one.slice?.events.map((event) => event.type)).toEqual(['budget_added'])
    const other = taken(await bench.service.tellTask(CALLER, made.id, { kind: 'top_up', add: { steps: 1 } }))
    expect(other).toMatchObject({ status: 'running', budget: { used: 2, max: 3 } })
  })

  it('a top-up while an effect is under way is kept and counts for the next one (U2)', async () => {
    const bench = priced({ plan: [planned('A')] }, null)
    const made = await createTask(bench, { max_steps: 1 }, NONE)
    bench.ports.model = {
      async complete() {
        const told = taken(await bench.service.tellTask(CALLER, made.id, { kind: 'top_up', add: { steps: 1 } }))
        expect(told.slice).toEqual({ advanced: false, rounds: 0, events: [] })
        return { kind: 'model_replied', text: JSON.stringify(done()), usage: null, model: 'm', form: 'text' }
      },
    }
    const task = await step(bench, made.id, ONE)
    expect(task.budget).toMatchObject({ used: 1, max: 2 })
  })

  it('a top-up of an ended task is refused; of an axis without a maximum it changes nothing', async () => {
    const bench = priced(T1, null)
    const made = await createTask(bench)
    expect(
      taken(await bench.service.tellTask(CALLER, made.id, { kind: 'top_up', add: { tokens: 5 } })).budget.tokens.max,
    ).toBeNull()
    await bench.service.tellTask(CALLER, made.id, { kind: 'cancel' })
    const ended = await bench.service.tellTask(CALLER, made.id, { kind: 'top_up', add: { steps: 5 } })
    expect(ended).toMatchObject({ ok: false, refusal: { code: 'task_ended' } })
  })

  it('U14 "continue" grants the original amount of the axis that is spent, and of no other', async () => {
    const bench = priced(T1, { input_tokens: 10, output_tokens: 10 })
    const paused = await createTask(bench, { max_tokens: 2_000, max_seconds: 60 }, ALL)
    expect(paused.stop_reason).toBe('budget_exhausted:tokens')
    const task = await say(bench, paused.id, 'continue', NONE)
    expect(task.budget).toMatchObject({ max: 20, tokens: { max: 4_000 }, seconds: { max: 60 } })
  })

  it('the ledger has tokens, cost, price version and duration of every attempt, and adds up to the budget', async () => {
    const bench = priced({ ...T1, thought: ['bad', act(), done()] }, { input_tokens: 300, output_tokens: 40 })
    const task = await createTask(bench, {}, ALL)
    const page = await bench.service.listJournal(CALLER, task.id, { after: 0, limit: 100 })
    const rows = page.ok ? page.value.data : []
    const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0)
    expect(sum((row) => Number(row.counted))).toBe(task.step_count)
    expect(sum((row) => row.charged_tokens ?? 0)).toBe(task.budget.tokens.used)
    expect(dollars(sum((row) => microDollars(row.cost_usd ?? '0')))).toBe(task.budget.cost_usd.used)
    expect(rows.filter((row) => row.kind === 'call_model').every((row) => row.price_version === 'v1')).toBe(true)
  })

  it('U11 a row keeps its price with its tiers, so that the ledger shows the same when the table knows the price no longer', async () => {
    const table = { ...TABLE }
    const bench = priced(T1, { input_tokens: 300, output_tokens: 40 }, table)
    const task = await createTask(bench, { max_cost_usd: '1' }, ALL)
    const ledger = async () => {
      const page = await bench.service.listJournal(CALLER, task.id, { after: 0, limit: 100 })
      return page.ok ? page.value.data : []
    }
    const rows = await ledger()
    const calls = rows.filter((row) => row.kind === 'call_model')
    // The input is above the tier of 200 tokens: 300 at 5 and 40 at 20.
    expect(calls.map((row) => [row.price_version, row.cost_usd])).toEqual(calls.map(() => ['table', '0.002300']))
    expect(task.budget.cost_usd.used).toBe(dollars(calls.length * 2_300))
    table.endpoints = {}
    expect(await ledger()).toEqual(rows)
    const replayed = await bench.service.replayTask(CALLER, task.id)
    expect(replayed).toMatchObject({ ok: true, value: { equal: true } })
  })

  it('law: no axis exceeds its maximum while the model keeps the output cap', async () => {
    const Use = fc.record({
      max_tokens: fc.integer({ min: 500, max: 30_000 }),
      micro: fc.integer({ min: 1_000, max: 200_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      hides: fc.boolean(),
      thoughts: fc.array(fc.constantFrom(act(), done(), 'bad'), { minLength: 12, maxLength: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(Use, async ({ max_tokens, micro, share, hides, thoughts }) => {
        const bench = benchOf(
          {
            plan: [planned('A')],
            thought: thoughts,
            replan: Array.from({ length: 12 }, () => ({ status: 'replanned', plan: ['A', 'B'], response: null })),
          },
          {},
          PRICED,
        )
        const { model } = bench.ports
        bench.ports.model = {
          async complete(request, call) {
            const event = await model?.complete(request, call)
            if (event?.kind !== 'model_replied') throw new Error('unexpected')
            const bytes = new TextEncoder().encode(JSON.stringify(request.messages)).byteLength
            const usage = { input_tokens: bytes, output_tokens: Math.floor(request.max_output_tokens * share) }
            return { ...event, usage: hides ? null : usage }
          },
        }
        const settings = { max_tokens, max_cost_usd: dollars(micro), failure_limit: 100 }
        const task = await createTask(bench, settings, { rounds: 10, max_ms: 25_000 })
        expect(task.budget.tokens.used).toBeLessThanOrEqual(max_tokens)
        expect(microDollars(task.budget.cost_usd.used)).toBeLessThanOrEqual(micro)
      }),
      { numRuns: 80 },
    )
  })
})

describe('a price that is known no more', () => {
  it('D5 pauses a task with max_cost_usd before its next call, and one of a tenant whose money is bounded', async () => {
    const unpriced = { ...PRICED, models: {} }
    const worst = { input_bytes: 100, output_cap: 4096, timeout_ms: 1000, price: null }
    expect(reserve(openBudget(Settings.parse({ max_cost_usd: '0.02' })), worst)).toEqual({ spent: 'cost_usd' })
    expect(reserve(openBudget(Settings.parse({})), worst)).toHaveProperty('reserved')
    const bench = benchOf({ plan: [planned('A')] }, { daily: { tokens: null, cost: 30_000 } }, unpriced)
    const task = await createTask(bench)
    expect(task).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:tenant' })
    expect(bench.requests).toEqual([])
  })
})

describe("a tenant's total of the day", () => {
  const daily = { tokens: 60_000, cost: null }
  const spends = (count: number) => ({
    plan: Array.from({ length: count }, () => planned('A')),
    thought: Array.from({ length: count * 9 }, () => act()),
  })

  it('U16 it is reserved by a task in chunks ahead, and what is left comes back when the task rests', async () => {
    const bench = benchOf({ ...T1, plan: [planned('A')] }, { daily })
    const workspace = bench.store.workspace('acme')
    const task = await createTask(bench, {}, ALL)
    expect(task).toMatchObject({ status: 'completed' })
    const left = await workspace.tell({
      kind: 'reserve',
      want: { tokens: 60_000 - task.budget.tokens.used, cost: 0 },
      daily,
    })
    expect(left).not.toBeNull()
    expect(await workspace.tell({ kind: 'reserve', want: { tokens: 1, cost: 0 }, daily })).toBeNull()
  })

  it('U16 exhausted it pauses the task as budget_exhausted:tenant; a step does nothing; a new task is refused', async () => {
    const bench = benchOf(spends(1), { daily: { tokens: 30_000, cost: null } })
    bench.ports.model = unreported(bench)
    const paused = await createTask(bench, { max_steps: 100 }, ALL)
    expect(paused).toMatchObject({ status: 'paused', stop_reason: 'budget_exhausted:tenant' })
    expect(paused.budget.tokens.used).toBeLessThanOrEqual(30_000)
    expect((await step(bench, paused.id)).slice?.advanced).toBe(false)
    await bench.store.workspace('acme').tell({
      kind: 'reserve',
      want: { tokens: 30_000 - paused.budget.tokens.used, cost: 0 },
      daily: { tokens: 30_000, cost: null },
    })
    const refused = await createTask(bench).catch((error: Error) => error.message)
    expect(refused).toContain('tenant_budget_exceeded')
    bench.clock.now += 86_400_000
    const resumed = await say(bench, paused.id, 'continue', ONE)
    expect(resumed.step_count).toBeGreaterThan(paused.step_count)
  })

  /** A task that can go on and holds nothing of the total; two steps fetch their part of it, the second one first. */
  async function racing(first: (id: string, service: Bench['service']) => Promise<unknown>) {
    const script = { plan: [planned('A')], thought: [new Error('down'), new Error('down'), act()] }
    const bench = benchOf(script, { daily })
    const { id } = await createTask(bench)
    await step(bench, id)
    await step(bench, id)
    await say(bench, id, 'continue', NONE)
    const { store } = bench.ports
    bench.ports.store = {
      ...store,
      workspace: (tenant) =>
        workspaceWith(store.workspace(tenant), {
          async reserve(command) {
            const nothing = { reserve: async () => null }
            bench.ports.store = { ...store, workspace: (of) => workspaceWith(store.workspace(of), nothing) }
            await first(id, bench.service)
            return store.workspace(tenant).tell(command)
          },
        }),
    }
    return { bench, late: await bench.service.stepTask(CALLER, id, ONE) }
  }
  /** What the scripted model reports for the plan; errors cost nothing. */
  const PLANNED = 15
  const nothingReserved = async ({ store, ports }: Bench) => {
    const tokens = daily.tokens - PLANNED
    return (
      (await store.workspace('acme').tell({ kind: 'reserve', want: { tokens, cost: 0 }, daily: ports.daily }))
        ?.tokens === tokens
    )
  }

  it('U16 a step that finds its task paused when its part of the total comes has done nothing and gives it back', async () => {
    const { bench, late } = await racing((id, service) => service.stepTask(CALLER, id, ONE))
    const paused = { status: 'paused', stop_reason: 'budget_exhausted:tenant', slice: { advanced: false, events: [] } }
    expect(late).toMatchObject({ ok: true, value: { task: paused } })
    expect(await nothingReserved(bench)).toBe(true)
  })

  it('U16 a step whose task is deleted meanwhile gives its part of the total back', async () => {
    const { bench, late } = await racing((id, service) => service.deleteTask(CALLER, id))
    expect(late).toEqual({ ok: false, refusal: { code: 'task_not_found' } })
    expect(await nothingReserved(bench)).toBe(true)
  })

  it('U16 a task that is deleted gives back what it held, but for a call under way', async () => {
    const bench = benchOf({ plan: [planned('A')] }, { daily })
    const idle = await createTask(bench)
    await bench.service.deleteTask(CALLER, idle.id)
    expect(await nothingReserved(bench)).toBe(true)
    const large = { tokens: 60_000_000, cost: null }
    const other = benchOf({ plan: [planned('A')] }, { daily: large })
    const { id } = await createTask(other)
    const task = other.store.of('acme', id)
    const ticket = { slice: 's', boot: 'boot', more: 'new_round' as const, rounds: 1, wall_ms: 0, key: null }
    const begun = await task.begin(ticket)
    const { input_tokens = 0, output_tokens = 0 } =
      other.store.rows.get(JSON.stringify(['acme', id]))?.pending()?.reserved ?? {}
    await other.service.deleteTask(CALLER, id)
    expect(begun.ok && begun.value.assignment).not.toBeNull()
    const tokens = large.tokens - PLANNED - input_tokens - output_tokens
    const workspace = other.store.workspace('acme')
    expect(await workspace.tell({ kind: 'reserve', want: { tokens: tokens + 1, cost: 0 }, daily: large })).toBeNull()
    expect(await workspace.tell({ kind: 'reserve', want: { tokens, cost: 0 }, daily: large })).not.toBeNull()
  })

  it('F32 a hundred tasks at once on one total never overspend it', async () => {
    const bench = benchOf(spends(100), { daily: { tokens: 200_000, cost: null } })
    bench.ports.model = unreported(bench)
    const made = await Promise.allSettled(Array.from({ length: 100 }, () => createTask(bench, { max_steps: 4 }, ALL)))
    const used = made.map((one) => (one.status === 'fulfilled' ? one.value.budget.tokens.used : 0))
    expect(used.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(200_000)
    expect(used.filter((tokens) => tokens > 0).length).toBeGreaterThan(1)
  })
})

/** The scripted model without a word on what it used: each call costs its whole reservation. */
function unreported(bench: Bench): Bench['ports']['model'] {
  const { model } = bench.ports
  return {
    async complete(request, call) {
      const event = await model?.complete(request, call)
      if (event === undefined) throw new Error('no model')
      return event.kind === 'model_replied' ? { ...event, usage: null } : event
    },
  }
}
