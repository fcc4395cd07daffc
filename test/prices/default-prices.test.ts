/**
 * The default prices against the package that they come from. Both are compared as exact numbers: a call costs what the package says, rounded
 * up once to a whole micro-dollar.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBudget, reserve, settleReservation } from '../../src/core/terms/budget.ts'
import { costOf, Price, pricesFrom, type DefaultPrices } from '../../src/core/terms/money.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import type { Usage } from '../../src/core/terms/values/usage.ts'
import { defaultPricesOf, loadDefaultPrices } from '../../src/prices/default-prices.ts'
import { exactCost, hasWholeRates } from './exact-cost.ts'
import { defaultsAt, listedPrice, namesOf, PROVIDERS, times, usages } from './listed.ts'

beforeAll(() => loadDefaultPrices({ endpoints: { default: { model: '', rates: null } } }))

/** A day on which no price changes. */
const TODAY = Date.UTC(2026, 10, 24, 12)
const SNAPSHOTS = ['', '-20260719', '-2026-07-19']
const drawnNames = (provider: string, defaults: DefaultPrices, begin = '') => {
  const begun = namesOf(provider).filter(({ name }) => name.startsWith(begin))
  const names = begun.flatMap(({ name }) => SNAPSHOTS.map((date) => `${name}${date}`))
  return fc.constantFrom(...names.filter((name) => defaults.at(name, TODAY) !== null))
}

/** What no endpoint at the address of a provider serves, and models that search, which has a price of its own. */
const isServed = (provider: string, name: string): boolean =>
  !/[-/]search|sonar|deep-research/.test(name) &&
  (provider !== 'openrouter' || name.includes('/')) &&
  (provider !== 'google' || !name.includes('claude'))

function expectSameCosts(provider: string, drawn: fc.Arbitrary<[string, Usage, number]>, defaults: DefaultPrices) {
  const check = ([name, usage, at_ms]: [string, Usage, number]) => {
    const listed = listedPrice(provider, name, at_ms, usage)
    const ours = costOf(defaults.at(name, at_ms), usage)
    if (listed === null) throw new Error(`the library does not know ${name}`)
    // A rate such as a twelfth of a dollar is rounded up as well, which is at most one micro-dollar per million tokens.
    const rounded = hasWholeRates(listed.model_price) ? 0 : Math.ceil((usage.cache_write_tokens ?? 0) / 1_000_000)
    const exact = exactCost(listed.model_price, usage)
    expect(ours).toBeGreaterThanOrEqual(exact)
    expect(ours).toBeLessThanOrEqual(exact + rounded)
    // The sum of the library itself has the noise of floating point.
    const over = ours - listed.total_price * 1_000_000
    expect(over).toBeGreaterThan(-1e-5)
    expect(over).toBeLessThan(1 + rounded + 1e-5)
  }
  fc.assert(fc.property(drawn, check), { numRuns: 1_000, seed: 21 })
}

describe.each(PROVIDERS)('the default prices at %s', (base_url, provider) => {
  const defaults = defaultsAt(base_url)

  it('U21 1,000 drawn usages cost what the price library says, rounded up to the micro-dollar', () => {
    expectSameCosts(provider, fc.tuple(drawnNames(provider, defaults), usages, times), defaults)
  })

  it('each model that the library names by itself and by rates that a usage can tell has a price', () => {
    const told = new Set(['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok', 'output_reasoning_mtok'])
    const missing = namesOf(provider).filter(({ name, model, is_exact }) => {
      const price = listedPrice(provider, name, TODAY)
      const keys = Object.keys(price?.model_price ?? {})
      const is_told = keys.includes('input_mtok') && keys.includes('output_mtok') && keys.every((key) => told.has(key))
      return is_exact && price?.model === model && is_told && defaults.at(name, TODAY) === null
    })
    expect(missing.map(({ name }) => name).filter((name) => isServed(provider, name))).toEqual([])
  })

  it('a name that is neither listed nor a dated snapshot of a listed one has no price', () => {
    const listed = new Set(namesOf(provider).flatMap(({ name, model }) => [name, model.id.toLowerCase()]))
    const others = [
      '-next',
      '-mini',
      '-5',
      '.5',
      '2',
      '-v2',
      '-lite',
      '-latest',
      '-0731',
      '-2026',
      '-202607',
      '-20261399',
      '-20260230',
    ]
    const names = [...listed].flatMap((name) => [...others.map((end) => `${name}${end}`), `my-${name}`, `x/${name}`])
    const priced = names.filter((name) => !listed.has(name) && defaults.at(name, TODAY) !== null)
    expect(priced).toEqual([])
  })

  it('a name has a price only if the library has the same one', () => {
    const names = namesOf(provider).flatMap(({ name }) => [...SNAPSHOTS, '@20260719'].map((date) => `${name}${date}`))
    for (const name of names.filter((one) => defaults.at(one, TODAY) !== null)) {
      const usage = { input_tokens: 1_000_000, output_tokens: 3_000_000 }
      const listed = listedPrice(provider, name, TODAY, usage)
      expect([name, costOf(defaults.at(name, TODAY), usage)]).toEqual([
        name,
        Math.round((listed?.total_price ?? NaN) * 1e6),
      ])
    }
  })

  it('U11 no reservation is below the settlement of a usage within it', () => {
    const drawn = fc.tuple(drawnNames(provider, defaults), usages, times, fc.nat(300_000), fc.nat(1_000))
    const check = ([name, usage, at_ms, more_input, more_output]: [string, Usage, number, number, number]) => {
      const price = defaults.at(name, at_ms)
      const worst = {
        input_bytes: usage.input_tokens + more_input,
        output_cap: usage.output_tokens + more_output + 1,
        timeout_ms: 1_000,
        price,
      }
      const held = reserve(openBudget(Settings.parse({})), worst)
      if ('spent' in held) throw new Error('nothing is bounded')
      const event = { kind: 'model_replied' as const, text: '', usage, model: name, form: 'text' as const }
      const charge = settleReservation(1, held.reserved, event, 10)
      expect(charge).toMatchObject({ over_reserve: false })
      expect(charge.cost).toBeLessThanOrEqual(held.reserved.cost)
    }
    fc.assert(fc.property(drawn, check), { numRuns: 300, seed: 21 })
  })
})

describe('default prices', () => {
  it('U21 1,000 drawn usages of the models of Qwen, which OpenRouter serves, cost what the price library says', () => {
    const defaults = defaultsAt('https://openrouter.ai/api/v1')
    const drawn = fc.tuple(drawnNames('openrouter', defaults, 'qwen/'), usages, times)
    expectSameCosts('openrouter', drawn, defaults)
  })

  const at = (base_url: string, model: string, now_ms = TODAY) => defaultsAt(base_url).at(model, now_ms)
  const OPENAI = 'https://api.openai.com/v1'

  it('name the version of their table, and what a row keeps of them is read back as it was', () => {
    const price = at(OPENAI, 'gpt-6-sol')
    expect(price).toEqual({
      version: expect.stringMatching(/^genai-prices@\d+\.\d+\.\d+$/),
      input: 2_000_000,
      output: 10_000_000,
      cache_read: 200_000,
      cache_write: 2_500_000,
      tiers: [{ above: 272_000, input: 4_000_000, output: 15_000_000, cache_read: 400_000, cache_write: 5_000_000 }],
    })
    expect(JSON.stringify(Price.parse(JSON.parse(JSON.stringify(price))))).toBe(JSON.stringify(price))
  })

  it('a longer input than that of a tier makes the whole call dearer', () => {
    const price = at('https://api.anthropic.com', 'claude-sonnet-4-5')
    const usage = { output_tokens: 1_000, cache_read_tokens: 100_000 }
    expect(costOf(price, { ...usage, input_tokens: 200_000 })).toBe(300_000 + 30_000 + 15_000)
    expect(costOf(price, { ...usage, input_tokens: 200_001 })).toBe(600_006 + 60_000 + 22_500)
  })

  it('follow the day and the hour at which the call begins', () => {
    const flash = (time: string) => at('https://api.deepseek.com', 'deepseek-v4-flash', Date.parse(time))?.output
    expect([flash('2026-08-16T23:59:59.999Z'), flash('2026-08-17T00:00:00Z')]).toEqual([280_000, 660_000])
    expect([flash('2026-11-24T00:59:59.999Z'), flash('2026-11-24T01:00:00Z')]).toEqual([660_000, 1_320_000])
    expect([flash('2026-11-24T03:59:59.999Z'), flash('2026-11-24T04:00:00Z')]).toEqual([1_320_000, 660_000])
  })

  it('a forecast knows the prices that are to come, and none that is over', () => {
    const outputs = (base_url: string, model: string, now: string) => {
      const endpoints = { default: { model, rates: null, defaults: defaultsAt(base_url) } }
      const table = { version: 'v', default_model: model, models: {}, every: null, endpoints }
      return pricesFrom(table, null, Date.parse(now)).map(({ output }) => output)
    }
    const DEEPSEEK = 'https://api.deepseek.com'
    expect(outputs(DEEPSEEK, 'deepseek-v4-flash', '2026-01-01')).toEqual([280_000, 660_000, 1_320_000, 1_320_000])
    expect(outputs(DEEPSEEK, 'deepseek-v4-flash', '2026-11-24')).toEqual([660_000, 1_320_000, 1_320_000])
    expect(outputs(OPENAI, 'o3', '2026-11-24')).toEqual([8_000_000])
  })

  it.each([
    'http://api.openai.com/v1',
    'https://api.openai.com.evil.example/v1',
    'https://eu.api.openai.com/v1',
    'https://api.moonshot.cn/v1',
    'https://dashscope.aliyuncs.com/compatible-mode/v1',
    'https://me.openai.azure.com/openai/v1',
    'https://api.cloudflare.com/client/v4/zones',
    'http://localhost:11434/v1',
    'constructor',
    '',
  ])('nobody has prices at %s', (base_url) => {
    expect(['gpt-4o', 'gpt-6-sol', 'kimi-k3', 'qwen3-max'].map((model) => at(base_url, model))).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('Workers AI has those of Cloudflare, with no address', () => {
    const binding = (model: string) => defaultPricesOf({ wire: 'workers_ai', base_url: '' }).at(model, TODAY)?.output
    expect(binding('@cf/openai/gpt-oss-120b')).toBe(750_000)
    expect(binding('@cf/openai/gpt-oss-999b')).toBeUndefined()
  })

  it.each([
    [
      'a model that makes images or sound',
      'https://generativelanguage.googleapis.com/v1beta',
      'gemini-2.5-flash-image',
    ],
    ['a model that searches by itself', OPENAI, 'gpt-4o-search-preview'],
    ['a model that is fine-tuned', OPENAI, 'ft:gpt-4o-2024-08-06:me::1'],
    ['a model whose output has no price', OPENAI, 'text-embedding-3-small'],
    ['a model whose list is empty', 'https://openrouter.ai/api/v1', 'google/lyria-3-pro-preview'],
    ['the name of a member of each object', OPENAI, 'constructor'],
  ])('%s has no price', (_, base_url, model) => {
    expect(at(base_url, model)).toBeNull()
  })

  it('what OpenRouter gives for nothing costs nothing', () => {
    expect(at('https://openrouter.ai/api/v1', 'meta-llama/llama-4-maverick:free')).toMatchObject({
      input: 0,
      output: 0,
    })
  })
})
