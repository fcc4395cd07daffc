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

/** `version` is the version of the price table that has this price. The ledger row keeps it. */
export const Price = z.object({ version: z.string(), ...Rates.shape })
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
  const { input, output, cache_read = input, cache_write = input, image = input, reasoning = output } = price
  const inputs =
    tokens.input * input + tokens.cache_read * cache_read + tokens.cache_write * cache_write + tokens.image * image
  return Math.ceil((inputs + tokens.output * output + tokens.reasoning * reasoning) / 1_000_000)
}

/** The most that a token of the input and one of the output can cost. Before a call nobody knows its kinds. */
export function dearestRates({ input, output, cache_read = 0, cache_write = 0, image = 0, reasoning = 0 }: Rates) {
  return { input: Math.max(input, cache_read, cache_write, image), output: Math.max(output, reasoning) }
}

/** The most that a call of this size can cost in micro-dollars, rounded up. */
export function highestCost(price: Price | null, input_tokens: number, output_tokens: number): number {
  if (price === null) return 0
  const { input, output } = dearestRates(price)
  return Math.ceil((input_tokens * input + output_tokens * output) / 1_000_000)
}

/** The prices of models (MODEL_PRICES). `every` is the price of all models of a provider that takes no money. */
export interface PriceTable {
  version: string
  /** The model of a task that names none. */
  default_model: string
  models: Record<string, Rates>
  every: Rates | null
  /** By the name of an endpoint: its model, and what it costs there. Without rates of its own it costs what `models` says. */
  endpoints?: Readonly<Record<string, { model: string; rates: Rates | null }>>
}

/** `name` is the name of an endpoint, or of a model at the default endpoint. null: the default endpoint and its model. */
export function priceOf(table: PriceTable, name: string | null): Price | null {
  const own = endpointIn(table, name)?.rates ?? null
  const model = sentModel(table, name)
  const price = table.every ?? own ?? (Object.hasOwn(table.models, model) ? table.models[model] : undefined)
  return price === undefined ? null : { version: table.version, ...price }
}

/** The name of the model that a request carries. */
export const sentModel = (table: PriceTable, name: string | null): string =>
  endpointIn(table, name)?.model ?? (name === null || name === DEFAULT_ENDPOINT ? table.default_model : name)

// A name may also be that of a member which every object has.
function endpointIn({ endpoints = {} }: PriceTable, name: string | null) {
  const known = name ?? DEFAULT_ENDPOINT
  return Object.hasOwn(endpoints, known) ? endpoints[known] : undefined
}
