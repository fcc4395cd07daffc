/** Whether a budget of money can be kept: every model that the task would ask needs a known price (D5). */
import { modelFor } from './assignment.ts'
import type { Brief } from '../terms/effect.ts'
import { modeOf } from '../modes/index.ts'
import { priceOf, type PriceTable } from '../terms/money.ts'

/**
 * Models without a price that a task would ask whose money is bounded, by `max_cost_usd` or by its tenant's day; each once, none when
 * the bound can be kept.
 */
export function modelsWithoutPrice(
  { mode, settings }: Pick<Brief, 'mode' | 'settings'>,
  prices: PriceTable,
  bounded_day: boolean,
): string[] {
  if (settings.max_cost_usd === null && !bounded_day) return []
  const asked = new Set(modeOf(mode).model_phases.map((phase) => modelFor(settings, phase)))
  const without = [...asked].filter((model) => priceOf(prices, model) === null)
  return [...new Set(without.map((model) => model ?? prices.default_model))]
}
