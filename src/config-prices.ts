/** What the models cost: MODEL_PRICES, and the default prices of the provider where its address is known (docs/models.md). */
import * as z from 'zod'
import { microDollars, USD, type PriceTable } from './core/terms/money.ts'
import { fingerprint } from './core/terms/values/hash.ts'
import { parseJson } from './core/terms/values/parse-json.ts'
import { defaultPricesOf } from './prices/default-prices.ts'
import type { PricedAddress } from './prices/providers.ts'

/** The endpoint that the configuration names, and the name by which MODEL_PRICES means all of its models. */
interface PricedEndpoint extends PricedAddress {
  name: string
  /** The built-in model, which asks nothing. */
  is_free: boolean
  /** The model of a task that names none. */
  model: string
}

const PerMillion = z.string().regex(USD).transform(microDollars)
const rates = {
  input: PerMillion,
  output: PerMillion,
  cache_read: PerMillion.optional(),
  cache_write: PerMillion.optional(),
  image: PerMillion.optional(),
  reasoning: PerMillion.optional(),
}
const Tier = z.strictObject({ above: z.int().min(0), ...rates })
const ModelPrice = z.strictObject({
  ...rates,
  tiers: z
    .array(Tier)
    .transform((tiers) => tiers.toSorted((one, other) => one.above - other.above))
    .optional(),
})
const Prices = z.record(z.string(), ModelPrice)

/** `{"model": {"input": "0.15", "output": "0.60"}}`, USD per million tokens. The version is a fingerprint of this text. */
export function readPrices(
  text: string | undefined,
  { name, is_free, wire, base_url, model }: PricedEndpoint,
): { table: PriceTable; errors: string[] } {
  const read = Prices.safeParse(parseJson(text ?? '{}'))
  const table = {
    version: fingerprint(text ?? '{}'),
    default_model: model,
    models: read.success ? read.data : {},
    every: is_free ? { input: 0, output: 0 } : null,
    endpoint: name,
    ...(!is_free && { defaults: defaultPricesOf({ wire, base_url }) }),
  }
  return { table, errors: read.success ? [] : [WRONG] }
}
const WRONG =
  'MODEL_PRICES must be JSON: {"model": {"input": "0.15", "output": "0.60"}}, USD per million tokens; cache_read, cache_write, image and reasoning may have prices of their own, and so may tiers'
