/** Whether a budget of money can be kept. For this every model of the task needs a known price (D5). */
import type { Brief } from '../terms/effect.ts'
import { namesOfTask } from './model-choice.ts'
import { pricesFrom, type PriceTable } from '../terms/money.ts'
import { DEFAULT_ENDPOINT } from '../terms/values/endpoint-name.ts'

/**
 * The models without a price, and the endpoints whose model has none, of a task whose money is bounded, by `max_cost_usd` or by the daily total of its tenant. The list
 * is empty if the bound can be kept.
 */
export function modelsWithoutPrice(
  task: Pick<Brief, 'mode' | 'settings' | 'fallbacks' | 'output_schema'>,
  prices: PriceTable,
  bounded_day: boolean,
): string[] {
  if (task.settings.max_cost_usd === null && !bounded_day) return []
  // A model that has a price at one time has one at any time.
  const hasPrice = (name: string) => pricesFrom(prices, name, 0).length > 0
  const unpriced = namesOfTask(task).filter((name) => !hasPrice(name))
  return [...new Set(unpriced.map((name) => (name === DEFAULT_ENDPOINT ? prices.default_model : name)))]
}
