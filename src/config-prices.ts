/**
 * What models cost: what MODELS and MODEL_PRICES say, and else the default prices of the provider, where the address of an endpoint says who
 * that is (docs/models.md).
 */
import * as z from 'zod'
import { ModelPrice, type ModelsConfig } from './config-models.ts'
import type { PriceTable } from './core/terms/money.ts'
import { DEFAULT_ENDPOINT } from './core/terms/values/endpoint-name.ts'
import { fingerprint } from './core/terms/values/hash.ts'
import { parseJson } from './core/terms/values/parse-json.ts'
import { defaultPricesOf } from './prices/default-prices.ts'

const Prices = z.record(z.string(), ModelPrice)

/** `{"model": {"input": "0.15", "output": "0.60"}}`, USD per million tokens; the built-in model asks nothing. */
export function readPrices(
  {
    MODEL_PRICES: text = '{}',
    OPENAI_MODEL = '',
  }: { MODEL_PRICES?: string | undefined; OPENAI_MODEL?: string | undefined },
  { provider, endpoints }: ModelsConfig,
): { table: PriceTable; errors: string[] } {
  const read = Prices.safeParse(parseJson(text))
  const models = read.success ? read.data : {}
  const named = endpoints.map(({ name, model, prices, wire, base_url }) => {
    const rates = prices ?? (Object.hasOwn(models, name) ? models[name] : undefined) ?? null
    return [name, { model, rates, defaults: defaultPricesOf({ wire, base_url }) }] as const
  })
  // The version is shown, so that nothing in it may be made from a key.
  const own = endpoints.flatMap(({ name, prices }) => (prices === null ? [] : [[name, prices]]))
  const table = {
    version: fingerprint(own.length === 0 ? text : JSON.stringify([text, own])),
    default_model: endpoints[0]?.model ?? OPENAI_MODEL,
    models,
    every: provider === 'offline' ? { input: 0, output: 0 } : null,
    endpoints: Object.fromEntries([...named.slice(0, 1).map(([, one]) => [DEFAULT_ENDPOINT, one]), ...named]),
  }
  return { table, errors: read.success ? [] : [WRONG] }
}
const WRONG =
  'MODEL_PRICES must be JSON: {"model": {"input": "0.15", "output": "0.60"}}, USD per million tokens; cache_read, cache_write, image and reasoning may have prices of their own, and so may tiers'
