/** Money as integers. The service computes in micro-dollars and shows decimal strings. Prices are per million tokens. */
import * as z from 'zod'
import { DEFAULT_ENDPOINT } from './values/endpoint-name.ts'
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
export type ModelRates = z.infer<typeof ModelRates>

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

/** What models cost. `every` is the price of all models of a provider that takes no money. */
export interface PriceTable {
  /** The version of what is configured. The default prices have a version of their own. */
  version: string
  /** The model of a task that names none. */
  default_model: string
  /** MODEL_PRICES, by model. */
  models: Record<string, ModelRates>
  every: Rates | null
  /** By the name of an endpoint. */
  endpoints?: Readonly<Record<string, PricedEndpoint>>
}

/** What the models of an endpoint cost. */
interface PricedEndpoint {
  /** Its own model, as it is called there. */
  model: string
  /** What its own model costs, whatever else is known of it. null: nobody has said it. */
  rates: ModelRates | null
  /** The prices of who is behind its address. */
  defaults?: DefaultPrices
}

/**
 * The price of a call that begins at this time. `name` is the name of an endpoint, or of a model at the default endpoint. null as a name: the
 * default endpoint and its model. null as the answer: nobody knows the price.
 */
export function priceOf(table: PriceTable, name: string | null, now_ms: number): Price | null {
  return givenPrice(table, name) ?? defaultsFor(table, name)?.at(sentModel(table, name), now_ms) ?? null
}

/** Each price that a call may have from this time on. Empty: nobody knows one. */
export function pricesFrom(table: PriceTable, name: string | null, now_ms: number): Price[] {
  const given = givenPrice(table, name)
  return given === null ? (defaultsFor(table, name)?.from(sentModel(table, name), now_ms) ?? []) : [given]
}

function givenPrice(table: PriceTable, name: string | null): Price | null {
  const { version, every, models } = table
  const own = endpointIn(table, name)?.rates ?? null
  const model = sentModel(table, name)
  const price = every ?? own ?? (Object.hasOwn(models, model) ? models[model] : undefined)
  return price === undefined ? null : { version, ...price }
}

const defaultsFor = (table: PriceTable, name: string | null): DefaultPrices | undefined =>
  (endpointIn(table, name) ?? endpointIn(table, DEFAULT_ENDPOINT))?.defaults

/** The name of the model that a request carries. */
export const sentModel = (table: PriceTable, name: string | null): string =>
  endpointIn(table, name)?.model ?? (name === null || name === DEFAULT_ENDPOINT ? table.default_model : name)

// A name may also be that of a member which every object has.
function endpointIn({ endpoints = {} }: PriceTable, name: string | null) {
  const known = name ?? DEFAULT_ENDPOINT
  return Object.hasOwn(endpoints, known) ? endpoints[known] : undefined
}
