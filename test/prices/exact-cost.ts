/** The cost of a usage by the rates of @pydantic/genai-prices, computed again: in integers, from the decimals as they are written. */
import type { ModelPrice } from '@pydantic/genai-prices'
import type { Usage } from '../../src/core/terms/values/usage.ts'

/** Rates are taken to so many decimal places of a micro-dollar. */
const PLACES = 24

/** In micro-dollars, rounded up once. */
export function exactCost(price: ModelPrice, usage: Usage): number {
  const { input_tokens, output_tokens, cache_read_tokens: read = 0, cache_write_tokens: written = 0 } = usage
  const { image_tokens: image = 0, reasoning_tokens: thought = 0 } = usage
  const rate = (key: string, fallback: string) => decimal(rateAt(price[key] ?? price[fallback] ?? 0, input_tokens))
  const parts: [tokens: number, rate: bigint][] = [
    [input_tokens - read - written - image, rate('input_mtok', 'input_mtok')],
    [read, rate('cache_read_mtok', 'input_mtok')],
    [written, rate('cache_write_mtok', 'input_mtok')],
    [image, rate('input_image_mtok', 'input_mtok')],
    [output_tokens - thought, rate('output_mtok', 'output_mtok')],
    [thought, rate('output_reasoning_mtok', 'output_mtok')],
  ]
  // USD per million tokens are micro-dollars per token.
  const sum = parts.reduce((total, [tokens, rate]) => total + BigInt(tokens) * rate, 0n)
  const unit = 10n ** BigInt(PLACES)
  return Number((sum + unit - 1n) / unit)
}

/** The price of the last tier that begins below the length of the input holds for the whole call. */
function rateAt(price: NonNullable<ModelPrice[string]>, input_tokens: number): number {
  if (typeof price === 'number') return price
  return (
    price.tiers.toSorted((one, other) => one.start - other.start).findLast(({ start }) => input_tokens > start)
      ?.price ?? price.base
  )
}

/** A number as its shortest decimal, which is how somebody has written it down. */
function decimal(value: number): bigint {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return BigInt(`${whole}${fraction}`) * 10n ** BigInt(PLACES + Number(exponent) - fraction.length)
}

/** Whether each rate is a whole number of micro-dollars per million tokens. */
export const hasWholeRates = (price: ModelPrice): boolean =>
  Object.values(price)
    .flatMap((one) =>
      one === undefined ? [] : typeof one === 'number' ? [one] : [one.base, ...one.tiers.map((tier) => tier.price)],
    )
    .every((rate) => decimal(rate) % 10n ** BigInt(PLACES - 6) === 0n)
