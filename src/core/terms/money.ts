/** Money as integers: micro-dollars inside, decimal strings outside. Prices are micro-dollars per million tokens. */
import * as z from 'zod'

export const Price = z.object({
  /** Of the table it was taken from; kept on the ledger row. */
  version: z.string(),
  input: z.int().min(0),
  output: z.int().min(0),
})
export type Price = z.infer<typeof Price>

/** A decimal string in USD with at most six places. */
export const USD = /^\d{1,9}(?:\.\d{1,6})?$/

/** "0.5" → 500000. The text must match USD. */
export function microDollars(usd: string): number {
  const [whole = '0', fraction = ''] = usd.split('.')
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'))
}

/** 500000 → "0.500000". */
export function dollars(micro: number): string {
  return `${Math.floor(micro / 1_000_000)}.${String(micro % 1_000_000).padStart(6, '0')}`
}

/** What tokens cost, rounded up to a micro-dollar. */
export function costOf(price: Price | null, input_tokens: number, output_tokens: number): number {
  return price === null ? 0 : Math.ceil((input_tokens * price.input + output_tokens * price.output) / 1_000_000)
}

/** What models cost (MODEL_PRICES). `every` is the price of any model of a provider that asks no money. */
export interface PriceTable {
  version: string
  /** The model that is asked when a task names none. */
  default_model: string
  models: Record<string, { input: number; output: number }>
  every: { input: number; output: number } | null
}

export function priceOf(table: PriceTable, model: string | null): Price | null {
  const name = model ?? table.default_model
  const found = table.every ?? (Object.hasOwn(table.models, name) ? table.models[name] : undefined)
  return found === undefined ? null : { version: table.version, ...found }
}
