/** What the kinds of tokens are, and what they cost. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charge, openBudget, reserve } from '../../src/core/terms/budget.ts'
import { costOf, dearestRates, highestCost, type Price } from '../../src/core/terms/money.ts'
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
    expect(dearestRates(PRICE)).toEqual({ input: 5_000_000, output: 12_000_000 })
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
