/** Money as integers. The service computes in micro-dollars and shows decimal strings. Prices are per million tokens. */
import * as z from 'zod'
import { tokenKinds, type Usage } from './values/usage.ts'

const rate = z.int().min(0)

/** What a million tokens of each kind cost, in micro-dollars. A kind without a rate costs as much as plain input or output. */
const Rates = z.object({
  input: rate,
  output: rate,
  cache_read: rate.optional(),
  cache_write: rate.optional(),
  image: rate.optional(),
  reasoning: rate.optional(),
})
export type Rates = z.infer<typeof Rates>

/** Some models are dearer if the input is long. The rates of a tier hold for all tokens of a call with more input than `above`. */
const Tier = z.object({ above: z.int().min(0), ...Rates.shape })

/** The tiers stand in the order of `above`. */
const ModelRates = z.object({ ...Rates.shape, tiers: z.array(Tier).optional() })
type ModelRates = z.infer<typeof ModelRates>

/** `version` is the version of the price table that has this price. The ledger row keeps it. */
export const Price = z.object({ version: z.string(), ...ModelRates.shape })
export type Price = z.infer<typeof Price>

/** A decimal string in USD with at most six decimal places. */
export const USD = /^\d{1,9}(?:\.\d{1,6})?$/

/** "0.5" → 500000. The text has to match USD. */
export function microDollars(usd: string): number {
  const [whole = '0', fraction = ''] = usd.split('.')
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'))
}

/** 500000 → "0.500000". */
export function dollars(micro: number): string {
  return `${Math.floor(micro / 1_000_000)}.${String(micro % 1_000_000).padStart(6, '0')}`
}

/** What the tokens of a call cost in micro-dollars, rounded up. Each kind of token has its price. */
export function costOf(price: Price | null, usage: Usage): number {
  if (price === null) return 0
  const tokens = tokenKinds(usage)
  const rates = ratesFor(price, usage.input_tokens)
  const { input, output, cache_read = input, cache_write = input, image = input, reasoning = output } = rates
  const inputs =
    tokens.input * input + tokens.cache_read * cache_read + tokens.cache_write * cache_write + tokens.image * image
  return Math.ceil((inputs + tokens.output * output + tokens.reasoning * reasoning) / 1_000_000)
}

/** The rates of a call with this much input, cached or not. */
const ratesFor = ({ tiers = [], ...base }: ModelRates, input_tokens: number): Rates =>
  tiers.findLast(({ above }) => input_tokens > above) ?? base

/** The most that a token of the input and one of the output can cost if the input is at most this long. Before a call nobody knows its kinds. */
export function dearestRates({ tiers = [], ...base }: ModelRates, input_tokens: number) {
  const reachable = [base, ...tiers.filter(({ above }) => input_tokens > above)]
  const inputs = reachable.map(({ input, cache_read = 0, cache_write = 0, image = 0 }) =>
    Math.max(input, cache_read, cache_write, image),
  )
  return {
    input: Math.max(...inputs),
    output: Math.max(...reachable.map(({ output, reasoning = 0 }) => Math.max(output, reasoning))),
  }
}

/** The most that a call of this size can cost in micro-dollars, rounded up. */
export function highestCost(price: Price | null, input_tokens: number, output_tokens: number): number {
  if (price === null) return 0
  const { input, output } = dearestRates(price, input_tokens)
  return Math.ceil((input_tokens * input + output_tokens * output) / 1_000_000)
}

/** The prices of a provider, for which nobody has to configure anything. */
export interface DefaultPrices {
  /** The price of a call that begins at this time. */
  at(model: string, now_ms: number): Price | null
  /** Each price that a call may have from this time on. */
  from(model: string, now_ms: number): Price[]
}

/** What the models of an endpoint cost. `every` is the price of all models of a provider that takes no money. */
export interface PriceTable {
  /** The version of MODEL_PRICES. The default prices have a version of their own. */
  version: string
  /** The model of a task that names none. */
  default_model: string
  /** MODEL_PRICES, by model. The name of an endpoint stands for all of its other models. */
  models: Record<string, ModelRates>
  every: Rates | null
  /** The name of the endpoint. */
  endpoint?: string
  /** Absent where models cost nothing. */
  defaults?: DefaultPrices
}

/** The price of a call that begins at this time. null: nobody knows it. */
export function priceOf(table: PriceTable, model: string | null, now_ms: number): Price | null {
  const name = model ?? table.default_model
  return givenPrice(table, name) ?? table.defaults?.at(name, now_ms) ?? null
}

/** Each price that a call may have from this time on. Empty: nobody knows one. */
export function pricesFrom(table: PriceTable, model: string | null, now_ms: number): Price[] {
  const name = model ?? table.default_model
  const given = givenPrice(table, name)
  return given === null ? (table.defaults?.from(name, now_ms) ?? []) : [given]
}

function givenPrice({ version, every, models, endpoint }: PriceTable, model: string): Price | null {
  const name = [model, endpoint].find((one) => one !== undefined && Object.hasOwn(models, one))
  const price = every ?? (name === undefined ? undefined : models[name])
  return price === undefined ? null : { version, ...price }
}
