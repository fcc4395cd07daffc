/** The cost of a task at Cloudflare's list prices (developers.cloudflare.com, "Pricing" of Workers and of Durable Objects), without free allowances. */

/** USD per million. */
const PRICES = {
  worker_requests: 0.3,
  worker_cpu_ms: 0.02,
  object_requests: 0.15,
  object_gb_s: 12.5,
  rows_read: 0.001,
  rows_written: 1,
} as const
export type Usage = Record<keyof typeof PRICES, number>

/** An object is charged for 128 MB as long as one of its calls runs. */
const OBJECT_GB = 0.128
/** Longer than any call on a machine that is not overloaded (docs/contributing/performance.md); no call waits for a model in this time. */
const CALL_S = 0.01
/** More CPU time than Worker and object together need for an effect (docs/contributing/performance.md). Waiting for the model is not charged. */
const EFFECT_CPU_MS = 4

export function usageOf(
  requests: number,
  effects: number,
  calls: number,
  rows: { read: number; written: number },
): Usage {
  return {
    worker_requests: requests,
    worker_cpu_ms: effects * EFFECT_CPU_MS,
    object_requests: calls,
    object_gb_s: calls * CALL_S * OBJECT_GB,
    rows_read: rows.read,
    rows_written: rows.written,
  }
}

/** The price in USD of a million such tasks, by kind of charge and in total. */
export function priceOfMillion(usage: Usage): Record<keyof Usage | 'total', number> {
  const parts = Object.entries(PRICES).map(([name, price]) => [name, price * usage[name as keyof Usage]] as const) // its own keys
  const total = parts.reduce((sum, [, price]) => sum + price, 0)
  return Object.fromEntries([...parts, ['total', total]]) as Record<keyof Usage | 'total', number> // each price, and the sum
}
