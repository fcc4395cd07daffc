/** Money as integers. The service computes in micro-dollars and shows decimal strings. Prices are per million tokens. */
import * as z from 'zod'

export const Price = z.object({
  /** The version of the price table that has this price. The ledger row keeps it. */
  version: z.string(),
  input: z.int().min(0),
  output: z.int().min(0),
})
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

/** What tokens cost in micro-dollars, rounded up. */
export function costOf(price: Price | null, input_tokens: number, output_tokens: number): number {
  return price === null ? 0 : Math.ceil((input_tokens * price.input + output_tokens * price.output) / 1_000_000)
}

/** The prices of models (MODEL_PRICES). `every` is the price of all models of a provider that takes no money. */
export interface PriceTable {
  version: string
  /** The model of a task that names none. */
  default_model: string
  models: Record<string, { input: number; output: number }>
  every: { input: number; output: number } | null
}

export function priceOf(table: PriceTable, model: string | null): Price | null {
  const name = model ?? table.default_model
  const price = table.every ?? (Object.hasOwn(table.models, name) ? table.models[name] : undefined)
  return price === undefined ? null : { version: table.version, ...price }
}
