/**
 * What a planned task will cost: at most, from its limits; probably, from the tenant's own finished tasks. The estimate is
 * cost per plan item, its range the middle of what was seen, its past error measured on each finished task by the others.
 */
import { stepsLimit, worstCall, worstSeconds, type Bounding } from './forecast-limits.ts'
import { modelFor } from './assignment.ts'
import { modeOf } from '../modes/index.ts'
import { costOf, dollars, microDollars, priceOf, type Price, type PriceTable } from '../terms/money.ts'
import type { Settings } from '../terms/settings.ts'
import type { Forecast } from '../terms/view.ts'
import type { Spend } from '../terms/status.ts'

/** Below this many finished tasks nothing is expected. */
const TASKS_MIN = 10

/** `items` is the length of the plan. */
export function forecast(task: Bounding, items: number, past: Spend[], prices: PriceTable): Forecast {
  return {
    worst_case: worstCase(task, prices),
    expected: past.length < TASKS_MIN ? null : expected(items, past),
  }
}

function worstCase(task: Bounding, prices: PriceTable): Forecast['worst_case'] {
  const { mode, settings } = task
  const steps = stepsLimit(mode, settings)
  const call = worstCall(task)
  const calls = modeOf(mode).calls_max(settings)
  const price = dearest(mode, settings, prices)
  const bound = (limit: number | null, most: number) => (limit === null ? most : Math.min(limit, most))
  const cost = price === null ? null : calls * costOf(price, call.input_tokens, call.output_tokens)
  const cost_max = settings.max_cost_usd === null ? null : microDollars(settings.max_cost_usd)
  return {
    steps,
    tokens: bound(settings.max_tokens, calls * (call.input_tokens + call.output_tokens)),
    cost_usd: cost === null ? settings.max_cost_usd : dollars(bound(cost_max, cost)),
    seconds: bound(settings.max_seconds, worstSeconds(task)),
  }
}

/** The highest price any phase of the task would pay; null when one of them has none. */
function dearest(mode: string, settings: Settings, prices: PriceTable): Price | null {
  const asked = modeOf(mode).model_phases.map((phase) => priceOf(prices, modelFor(settings, phase)))
  const known = asked.filter((price) => price !== null)
  if (known.length < asked.length) return null
  const most = (pick: (price: Price) => number) => Math.max(...known.map(pick))
  return { version: prices.version, input: most((price) => price.input), output: most((price) => price.output) }
}

function expected(items: number, past: Spend[]): NonNullable<Forecast['expected']> {
  const size = Math.max(1, items)
  const perItem = (pick: (spend: Spend) => number) => past.map((one) => pick(one) / Math.max(1, one.items))
  const between = (pick: (spend: Spend) => number) => {
    const sorted = perItem(pick).toSorted((a, b) => a - b)
    return { low: Math.floor(size * quantile(sorted, 0.25)), high: Math.ceil(size * quantile(sorted, 0.75)) }
  }
  const cost = between((one) => microDollars(one.cost_usd))
  return {
    steps: between((one) => one.steps),
    tokens: between((one) => one.tokens),
    cost_usd: { low: dollars(cost.low), high: dollars(cost.high) },
    seconds: between((one) => one.seconds),
    tasks: past.length,
    past_error: pastError(past),
  }
}

/** The value below which this share of a sorted list lies. */
function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Leave one out: how far the median of the other tasks, per item, missed the steps of each. */
function pastError(past: Spend[]): number {
  const errors = past.map((one, index) => {
    const others = past.filter((_, other) => other !== index).map((other) => other.steps / Math.max(1, other.items))
    const guess =
      quantile(
        others.toSorted((a, b) => a - b),
        0.5,
      ) * Math.max(1, one.items)
    return Math.abs(guess - one.steps) / Math.max(1, one.steps)
  })
  return Math.round((errors.reduce((sum, error) => sum + error, 0) / errors.length) * 1000) / 1000
}
