/** Whether a budget of money can be kept. For this every model of the task needs a known price (D5). */
import { modelFor } from './assignment.ts'
import type { Brief } from '../terms/effect.ts'
import { modeOf } from '../modes/index.ts'
import { pricesFrom, type PriceTable } from '../terms/money.ts'

/**
 * The models without a price of a task whose money is bounded, by `max_cost_usd` or by the daily total of its tenant. The list
 * is empty if the bound can be kept.
 */
export function modelsWithoutPrice(
  { mode, settings }: Pick<Brief, 'mode' | 'settings'>,
  prices: PriceTable,
  bounded_day: boolean,
): string[] {
  if (settings.max_cost_usd === null && !bounded_day) return []
  const models = new Set(modeOf(mode).model_phases.map((phase) => modelFor(settings, phase)))
  // A model that has a price at one time has one at any time.
  const unpriced = [...models].filter((model) => pricesFrom(prices, model, 0).length === 0)
  return [...new Set(unpriced.map((model) => model ?? prices.default_model))]
}
