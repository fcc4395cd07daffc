/** What the kinds of tokens are, and what they cost. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charge, openBudget, reserve } from '../../src/core/terms/budget.ts'
import { costOf, dearestRates, highestCost, priceOf, pricesFrom, type Price } from '../../src/core/terms/money.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { tokenKinds, type Usage } from '../../src/core/terms/values/usage.ts'

const PRICE: Price = {
  version: 'v',
  input: 2_500_000,
  output: 10_000_000,
  cache_read: 250_000,
  cache_write: 3_125_000,
  image: 5_000_000,
  reasoning: 12_000_000,
}
const count = fc.integer({ min: 0, max: 1_000_000 })
const usages: fc.Arbitrary<Usage> = fc.record(
  {
    input_tokens: count,
    output_tokens: count,
    cache_read_tokens: count,
    cache_write_tokens: count,
    image_tokens: count,
    reasoning_tokens: count,
  },
  { requiredKeys: ['input_tokens', 'output_tokens'] },
)
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

describe('kinds of tokens', () => {
  it('each token is of one kind, also where the reported parts are more than their whole', () => {
    fc.assert(
      fc.property(usages, (usage) => {
        const { output, reasoning, ...inputs } = tokenKinds(usage)
        expect(sum(Object.values(inputs))).toBe(usage.input_tokens)
        expect(output + reasoning).toBe(usage.output_tokens)
        expect(Math.min(...Object.values(tokenKinds(usage)))).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('U11 each kind has its price, and a kind without one costs as much as plain input or output', () => {
    const usage = {
      input_tokens: 1_000,
      output_tokens: 500,
      cache_read_tokens: 600,
      cache_write_tokens: 100,
      image_tokens: 50,
      reasoning_tokens: 200,
    }
    // 250 plain, 600 read, 100 written, 50 of images; 300 said, 200 thought.
    expect(costOf(PRICE, usage)).toBe(625 + 150 + 313 + 250 + 3_000 + 2_400)
    const { version, input, output } = PRICE
    expect(costOf({ version, input, output }, usage)).toBe(2_500 + 5_000)
    expect(costOf(null, usage)).toBe(0)
  })

  it('the reservation assumes the dearest kinds, so no division of the same tokens costs more', () => {
    expect(dearestRates(PRICE, 1_000)).toEqual({ input: 5_000_000, output: 12_000_000 })
    fc.assert(
      fc.property(usages, (usage) => {
        expect(costOf(PRICE, usage)).toBeLessThanOrEqual(highestCost(PRICE, usage.input_tokens, usage.output_tokens))
      }),
    )
  })

  it('the output that the remaining money buys is bought at the dearest price', () => {
    const budget = openBudget(Settings.parse({ max_cost_usd: '1.00' }))
    const reserved = reserve(budget, { input_bytes: 10_000, output_cap: 131_072, timeout_ms: 1_000, price: PRICE })
    // 950,000 micro-dollars are left for output at 12 USD per million.
    expect(reserved).toMatchObject({ reserved: { output_tokens: 79_166, cost: 999_992 } })
  })

  it('a budget adds up what was reported, kind by kind; a call of which nothing is known is charged and not divided', () => {
    const cost = { steps: 1 as const, tokens: 15, cost: 0, ms: 0, over_reserve: false }
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 8, reasoning_tokens: 2 }
    const once = charge(openBudget(Settings.parse({})), { ...cost, usage })
    const twice = charge(charge(once, { ...cost, usage }), { ...cost, usage: null })
    expect(twice.tokens.used).toBe(45)
    expect(twice.token_kinds).toEqual({ input: 4, cache_read: 16, cache_write: 0, image: 0, output: 6, reasoning: 4 })
  })
})

/** Some models are dearer if the input is long. */
const TIERED: Price = {
  version: 'v',
  input: 1_000_000,
  output: 4_000_000,
  cache_read: 100_000,
  tiers: [
    { above: 1_000, input: 2_000_000, output: 6_000_000, cache_read: 200_000, cache_write: 2_500_000 },
    { above: 5_000, input: 3_000_000, output: 9_000_000, reasoning: 10_000_000 },
  ],
}

describe('tiers', () => {
  it.each([
    [1_000, 1_000 + 4_000],
    [1_001, 2_002 + 6_000],
    [5_000, 10_000 + 6_000],
    [5_001, 15_003 + 9_000],
  ])('U11 the rates of a tier hold for the whole call if its input is longer: %i tokens', (input_tokens, cost) => {
    expect(costOf(TIERED, { input_tokens, output_tokens: 1_000 })).toBe(cost)
  })

  it('the input counts with all that was cached, and a kind without a rate in the tier costs as much as its input', () => {
    const cached = { output_tokens: 0, cache_read_tokens: 900, cache_write_tokens: 100 }
    expect(costOf(TIERED, { ...cached, input_tokens: 1_000 })).toBe(90 + 100)
    expect(costOf(TIERED, { ...cached, input_tokens: 1_001 })).toBe(2 + 180 + 250)
    expect(costOf(TIERED, { ...cached, input_tokens: 6_000 })).toBe(18_000)
  })

  it('U11 the reservation assumes the dearest tier that the input can reach, its cache writes included', () => {
    expect(dearestRates(TIERED, 1_000)).toEqual({ input: 1_000_000, output: 4_000_000 })
    expect(dearestRates(TIERED, 1_001)).toEqual({ input: 2_500_000, output: 6_000_000 })
    expect(dearestRates(TIERED, 5_001)).toEqual({ input: 3_000_000, output: 10_000_000 })
  })

  it('U11 no call within a reservation costs more, also if a shorter one is in a dearer tier', () => {
    const rate = fc.integer({ min: 0, max: 20_000_000 })
    const rates = fc.record(
      { input: rate, output: rate, cache_read: rate, cache_write: rate, image: rate, reasoning: rate },
      { requiredKeys: ['input', 'output'] },
    )
    const prices = fc
      .tuple(rates, fc.array(fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), rates), { maxLength: 3 }))
      .map(([base, tiers]): Price => {
        const rows = tiers.map(([above, dearer]) => ({ above, ...dearer }))
        return { version: 'v', ...base, tiers: rows.toSorted((one, other) => one.above - other.above) }
      })
    fc.assert(
      fc.property(prices, usages, count, count, (price, usage, more_input, more_output) => {
        const { input_tokens, output_tokens } = usage
        const highest = highestCost(price, input_tokens + more_input, output_tokens + more_output)
        expect(costOf(price, usage)).toBeLessThanOrEqual(highest)
      }),
      { numRuns: 1_000 },
    )
  })

  it('the output that the remaining money buys is bought at the dearest tier', () => {
    const budget = openBudget(Settings.parse({ max_cost_usd: '0.02' }))
    const worst = { input_bytes: 2_000, output_cap: 10_000, timeout_ms: 1_000, price: TIERED }
    // 15,000 micro-dollars are left after 2,000 tokens at 2.50, and a token of output costs 6.
    expect(reserve(budget, worst)).toMatchObject({ reserved: { output_tokens: 2_500, cost: 20_000 } })
  })
})

describe('whose price a model has', () => {
  const DEFAULT = { version: 'table', input: 7, output: 8 }
  const defaults = {
    at: (model: string, now_ms: number) => (model === 'known' ? { ...DEFAULT, input: now_ms } : null),
    from: (model: string) => (model === 'known' ? [DEFAULT, DEFAULT] : []),
  }
  const own = { input: 1, output: 2 }
  const endpoints = {
    default: { model: 'known', rates: null, defaults },
    fast: { model: 'other', rates: null, defaults },
    strong: { model: 'known', rates: { input: 3, output: 4 }, defaults },
    local: { model: 'known', rates: null },
  }
  const table = { version: 'given', default_model: 'known', models: {}, every: null, endpoints }

  it('U21 its endpoint says it, or MODEL_PRICES, or it is a default price of that endpoint; its version says which', () => {
    const given = { ...table, models: { other: own } }
    expect(priceOf(given, 'fast', 9)).toEqual({ version: 'given', ...own })
    expect(priceOf(given, 'other', 9)).toEqual({ version: 'given', ...own })
    expect(priceOf(table, 'strong', 9)).toEqual({ version: 'given', input: 3, output: 4 })
    for (const name of [null, 'default', 'known'])
      expect(priceOf(table, name, 9)).toEqual({ version: 'table', input: 9, output: 8 })
    for (const name of ['fast', 'local', 'other', 'constructor']) expect(priceOf(table, name, 9)).toBeNull()
    expect(priceOf({ ...table, every: { input: 0, output: 0 } }, 'known', 9)).toMatchObject({
      version: 'given',
      input: 0,
    })
  })

  it('a price that is given holds at all times, and a default price may change', () => {
    expect(pricesFrom({ ...table, models: { known: own } }, 'known', 9)).toEqual([{ version: 'given', ...own }])
    expect(pricesFrom(table, null, 9)).toEqual([DEFAULT, DEFAULT])
    expect(pricesFrom(table, 'other', 9)).toEqual([])
  })
})
