/** What @pydantic/genai-prices lists, read apart from the code that makes a table of it, and draws from it. */
import { calcPrice, waitForUpdate, type MatchLogic, type ModelInfo } from '@pydantic/genai-prices'
import fc from 'fast-check'
import { defaultPricesOf } from '../../src/prices/default-prices.ts'
import type { Usage } from '../../src/core/terms/values/usage.ts'

/** The endpoints of a provider, and its name in the package. */
export const PROVIDERS = [
  ['https://api.openai.com/v1', 'openai'],
  ['https://api.anthropic.com/v1', 'anthropic'],
  ['https://api.deepseek.com', 'deepseek'],
  ['https://api.moonshot.ai/v1', 'moonshotai'],
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://api.mistral.ai/v1', 'mistral'],
  ['https://generativelanguage.googleapis.com/v1beta/openai', 'google'],
  ['https://api.x.ai/v1', 'x-ai'],
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://api.cloudflare.com/client/v4/accounts/0a1b/ai/v1', 'cloudflare'],
  ['https://api.cerebras.ai/v1', 'cerebras'],
  ['https://api.fireworks.ai/inference/v1', 'fireworks'],
  ['https://api.minimax.io/v1', 'minimax'],
  ['https://api.together.xyz/v1', 'together'],
  ['https://api.z.ai/api/paas/v4', 'zai'],
] as const

export const defaultsAt = (base_url: string) => defaultPricesOf({ wire: 'chat', base_url })

const catalogue = (await waitForUpdate()) ?? []

/** The names that the rules of a provider spell out, with the model of each. */
export function namesOf(provider: string): { name: string; model: ModelInfo; is_exact: boolean }[] {
  const models = catalogue.find(({ id }) => id === provider)?.models ?? []
  return models.flatMap((model) =>
    literalsOf(model.match).map(({ name, is_exact }) => ({ name: name.toLowerCase(), model, is_exact })),
  )
}

function literalsOf(rule: MatchLogic): { name: string; is_exact: boolean }[] {
  if ('or' in rule) return rule.or.flatMap(literalsOf)
  if ('and' in rule) return rule.and.flatMap(literalsOf)
  if ('equals' in rule) return [{ name: rule.equals, is_exact: true }]
  if ('starts_with' in rule) return [{ name: rule.starts_with, is_exact: false }]
  if ('contains' in rule) return [{ name: rule.contains, is_exact: false }]
  return 'ends_with' in rule ? [{ name: rule.ends_with, is_exact: false }] : []
}

/** The price of the package. null: it knows no such model. */
export const listedPrice = (provider: string, model: string, at_ms: number, usage: Usage = NONE) =>
  calcPrice(asListed(usage), model, { providerId: provider, timestamp: new Date(at_ms) })
const NONE = { input_tokens: 0, output_tokens: 0 }

function asListed(usage: Usage) {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage
  return {
    input_tokens,
    output_tokens,
    cache_read_tokens,
    cache_write_tokens,
    input_image_tokens: usage.image_tokens,
    output_reasoning_tokens: usage.reasoning_tokens,
  }
}

/** Lengths on both sides of each tier, and any others. */
const EDGES = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000]
const length = fc.oneof(
  fc.constantFrom(0, 1, ...EDGES, ...EDGES.map((edge) => edge + 1)),
  fc.integer({ min: 0, max: 10_000 }),
  fc.integer({ min: 0, max: 2_000_000 }),
)
/** A part of the rest, with none and all of it among the frequent ones. */
const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }))

/** Usages whose parts fit into their wholes. The package refuses others. */
export const usages: fc.Arbitrary<Usage> = fc
  .record({ input: length, output: length, read: share, written: share, image: share, thought: share })
  .map(({ input, output, read, written, image, thought }) => {
    const cache_read_tokens = Math.floor(input * read)
    const cache_write_tokens = Math.floor((input - cache_read_tokens) * written)
    return {
      input_tokens: input,
      output_tokens: output,
      cache_read_tokens,
      cache_write_tokens,
      image_tokens: Math.floor((input - cache_read_tokens - cache_write_tokens) * image),
      reasoning_tokens: Math.floor(output * thought),
    }
  })

const DAY = 86_400_000
/** Times between the first and the last change of a price, many of them where the hours or the days change. */
export const times = fc.oneof(
  fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 5, 30) }),
  fc
    .record({
      day: fc.constantFrom(
        '2025-06-10',
        '2025-12-02',
        '2026-03-13',
        '2026-07-30',
        '2026-08-17',
        '2026-08-21',
        '2027-01-01',
      ),
      hour: fc.constantFrom(0, 0.5, 1, 4, 6, 10, 16.5, 24),
      off: fc.constantFrom(-1, 0, 1, 1_000),
    })
    .map(({ day, hour, off }) => Date.parse(day) + (hour / 24) * DAY + off),
)
