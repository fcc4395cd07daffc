/**
 * Forecasts what a planned task will cost: at most by its limits, and probably by the tenant's finished tasks. The estimate is
 * the cost per plan item, and its range is the middle half of the finished tasks. The past error compares each finished task
 * with an estimate from the others.
 */
import { callsLimit, stepsLimit, worstCall, worstSeconds, type ForecastTask } from './forecast-limits.ts'
import { namesOfTask } from '../model-choice.ts'
import { modeOf } from '../../modes/index.ts'
import {
  dearestRates,
  dollars,
  highestCost,
  microDollars,
  pricesFrom,
  type Price,
  type PriceTable,
} from '../../terms/money.ts'
import type { Forecast } from '../../terms/view.ts'
import type { Spend } from '../../terms/status.ts'
import { budgetView } from '../../terms/budget.ts'
import type { Recall } from '../../terms/effect.ts'
import type { Head } from '../../terms/head.ts'

/** With fewer finished tasks there is no estimate. */
const TASKS_MIN = 10

/** The prices of the models, and the time at which the task begins. */
interface PriceContext {
  prices: PriceTable
  now_ms: number
}

/** `items` is the length of the plan. */
export function forecast(task: ForecastTask, items: number, past: Spend[], context: PriceContext): Forecast {
  return {
    worst_case: worstCase(task, context),
    expected: past.length < TASKS_MIN ? null : expectedCosts(items, past),
  }
}

function worstCase(task: ForecastTask, context: PriceContext): Forecast['worst_case'] {
  const { mode, settings } = task
  const steps = stepsLimit(mode, settings)
  const call = worstCall(task)
  const calls = callsLimit(task)
  const price = highestPrice(task, call.input_tokens, context)
  const bound = (limit: number | null, most: number) => (limit === null ? most : Math.min(limit, most))
  const cost = price === null ? null : calls * highestCost(price, call.input_tokens, call.output_tokens)
  const cost_max = settings.max_cost_usd === null ? null : microDollars(settings.max_cost_usd)
  return {
    steps,
    tokens: bound(settings.max_tokens, calls * (call.input_tokens + call.output_tokens)),
    cost_usd: cost === null ? settings.max_cost_usd : dollars(bound(cost_max, cost)),
    seconds: bound(settings.max_seconds, worstSeconds(task)),
  }
}

/** The highest price of all models that a task may use, also if it comes later. null: one of them has no price. */
function highestPrice(task: ForecastTask, input_tokens: number, { prices, now_ms }: PriceContext): Price | null {
  const all = namesOfTask(task).map((name) => pricesFrom(prices, name, now_ms))
  if (all.some((known) => known.length === 0)) return null
  const rates = all.flat().map((price) => dearestRates(price, input_tokens))
  const [input, output] = [rates.map((rate) => rate.input), rates.map((rate) => rate.output)]
  return { version: prices.version, input: Math.max(...input), output: Math.max(...output) }
}

function expectedCosts(items: number, past: Spend[]): NonNullable<Forecast['expected']> {
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

/** The value below which a given share of a sorted list is. */
function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** The mean relative error of the estimate (leave one out): the median per item of the other tasks against each task. */
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

/**
 * What a completed task has cost in all its runs, for the forecasts of later tasks. `cursor` is that of its current plan.
 * null: the task is not completed.
 */
export function taskSpend({ mode: name, end, state, budget }: Head, cursor: number, recall: Recall): Spend | null {
  if (end?.status !== 'completed') return null
  const mode = modeOf(name)
  const { used, tokens, cost_usd, seconds } = budgetView(budget, mode.counter.unit)
  // Items of earlier plans count too. A failed step cost work as well, and the cursor is behind it.
  const items = Math.max(mode.progress(state, { recall }).finished_count, cursor)
  return { steps: used, tokens: tokens.used, cost_usd: cost_usd.used, seconds: seconds.used, items }
}
