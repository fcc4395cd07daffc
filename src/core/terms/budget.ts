/**
 * The budget of a task. No other code changes what is used and what is granted. Steps are checked at the start of a round
 * (S0-27). The worst case of a call in tokens, money and time is reserved before the call is made. So not even one call
 * exceeds their maximum (D5, U11).
 */
import * as z from 'zod'
import type { Axis, Grant } from './axes.ts'
import type { Amounts } from './delegation.ts'
import type { Event } from './effect.ts'
import { costOf, dearestRates, dollars, highestCost, microDollars, Price } from './money.ts'
import type { Settings } from './settings.ts'
import type { Unit } from './status.ts'
import { addTokens, NO_TOKENS, TokenKinds, tokenKinds, type Usage } from './values/usage.ts'
import type { BudgetView } from './view.ts'

const amount = z.int().min(0)
const bounded = z.object({ used: amount, max: amount.nullable() })

export const Budget = z.object({
  steps: z.object({ used: amount, max: z.int().min(1) }),
  tokens: bounded,
  /** What endpoints have reported of the used tokens. Calls of which nothing is known are charged and not divided. */
  token_kinds: TokenKinds,
  /** Micro-dollars. */
  cost: bounded,
  /** The durations of all effects together, in ms. Waiting is free. */
  working_ms: bounded,
})
export type Budget = z.infer<typeof Budget>

/** The worst case of one effect, kept with its pending row until its outcome settles it (P13). */
export const Reservation = z.object({
  input_tokens: amount,
  /** The output cap of the call, lowered to what the remaining budget buys. */
  output_tokens: amount,
  cost: amount,
  /** The deadline of the effect. */
  ms: amount,
  price: Price.nullable(),
})
export type Reservation = z.infer<typeof Reservation>

/** What a task is granted. `max_steps` is the maximum of the native counter of its mode. */
export type Limits = Pick<Settings, 'max_steps' | 'max_tokens' | 'max_cost_usd' | 'max_seconds'>

export function openBudget(limits: Limits): Budget {
  const { max_steps, max_tokens, max_cost_usd, max_seconds } = limits
  return {
    steps: { used: 0, max: max_steps },
    tokens: { used: 0, max: max_tokens },
    token_kinds: NO_TOKENS,
    cost: { used: 0, max: max_cost_usd === null ? null : microDollars(max_cost_usd) },
    working_ms: { used: 0, max: max_seconds === null ? null : max_seconds * 1000 },
  }
}

/** The limit check of a round (S0-27). */
export const isStepBudgetSpent = (budget: Budget): boolean => budget.steps.used >= budget.steps.max

/** What is left of an axis. An axis without a maximum has Infinity left. */
export const remainingAmount = (axis: { used: number; max: number | null }) =>
  axis.max === null ? Infinity : axis.max - axis.used

/** Below this many output tokens a call is not worth making (D5). */
const OUTPUT_TOKENS_MIN = 64

export interface WorstCase {
  /** Bytes of the request, because no tokenizer makes more tokens than bytes, and the tokens of its images. 0 for a tool. */
  input_bytes: number
  /** 0 for a tool. */
  output_cap: number
  timeout_ms: number
  price: Price | null
  /** What a command may spend of the budget (core/terms/budget-share.ts). Other effects have none. */
  share?: Amounts | null
}

/** Reserves the worst case of an effect, or names the axis that cannot hold it. */
export function reserve(budget: Budget, worst: WorstCase): { reserved: Reservation } | { spent: Axis } {
  const ms = Math.min(worst.timeout_ms, remainingAmount(budget.working_ms))
  if (ms <= 0) return { spent: 'seconds' }
  const spentAxis = sharedAxisSpent(budget, worst.share ?? {})
  if (spentAxis !== null) return { spent: spentAxis }
  const { price, input_bytes, output_cap } = worst
  if (output_cap === 0) return { reserved: { input_tokens: 0, output_tokens: 0, cost: 0, ms, price: null } }
  const byTokens = remainingAmount(budget.tokens) - input_bytes
  if (byTokens < OUTPUT_TOKENS_MIN) return { spent: 'tokens' }
  // The price was known when the task was created and is gone now. Without it nothing bounds the cost of the call.
  if (price === null && budget.cost.max !== null) return { spent: 'cost_usd' }
  const byCost = affordableOutput(remainingAmount(budget.cost), price, input_bytes)
  if (byCost < OUTPUT_TOKENS_MIN) return { spent: 'cost_usd' }
  const output_tokens = Math.min(output_cap, byTokens, byCost)
  return {
    reserved: {
      input_tokens: input_bytes,
      output_tokens,
      cost: highestCost(price, input_bytes, output_tokens),
      ms,
      price,
    },
  }
}

/** The first axis of a share on which the budget has nothing left. */
function sharedAxisSpent({ tokens, cost, working_ms }: Budget, share: Amounts): Axis | null {
  if (share.tokens !== undefined && remainingAmount(tokens) <= 0) return 'tokens'
  if (share.cost !== undefined && remainingAmount(cost) <= 0) return 'cost_usd'
  return share.working_ms !== undefined && remainingAmount(working_ms) <= 0 ? 'seconds' : null
}

/** How many output tokens the remaining money buys after it has paid for the input. */
function affordableOutput(micro: number, price: Price | null, input_tokens: number): number {
  if (price === null || micro === Infinity) return Infinity
  const { input, output } = dearestRates(price, input_tokens)
  const left = micro * 1_000_000 - input_tokens * input
  if (left < 0) return 0
  return output === 0 ? Infinity : Math.floor(left / output)
}

/** What one closed effect really cost. */
export interface Charge {
  steps: 0 | 1
  tokens: number
  cost: number
  ms: number
  /** The endpoint ignored the output cap and reported more than was reserved. The charge is what it reported. */
  over_reserve: boolean
  /** The tokens as the endpoint reported them. null: it reported none, or there was no call to a model. */
  usage: Usage | null
}

/** U11: an HTTP error costs nothing, an unknown outcome its whole reservation, any other outcome what was used. */
export function settleReservation(steps: 0 | 1, reserved: Reservation, event: Event, elapsed_ms: number): Charge {
  const ms = Math.max(0, Math.min(elapsed_ms, reserved.ms))
  const full = {
    steps,
    tokens: reserved.input_tokens + reserved.output_tokens,
    cost: reserved.cost,
    over_reserve: false,
    usage: null,
  }
  switch (event.kind) {
    case 'effect_orphaned':
    case 'outcome_unknown':
      return { ...full, ms: reserved.ms }
    case 'abandoned':
      return { ...full, ms: event.by === 'holder' ? ms : reserved.ms }
    case 'model_failed':
      if (event.status !== null) return { ...full, tokens: 0, cost: 0, ms }
      return event.usage === undefined
        ? { ...full, ms }
        : { ...chargeFromUsage(reserved, event.usage, full), steps, ms }
    case 'model_replied':
      return event.usage === null ? { ...full, ms } : { ...chargeFromUsage(reserved, event.usage, full), steps, ms }
    default:
      return { ...full, ms }
  }
}

/** The charge for the usage that the endpoint reports, marked where it is more than was reserved. */
function chargeFromUsage(reserved: Reservation, usage: Usage, full: { tokens: number; cost: number }) {
  const tokens = usage.input_tokens + usage.output_tokens
  const cost = Math.min(AMOUNT_MAX, costOf(reserved.price, usage))
  return { tokens, cost, over_reserve: tokens > full.tokens || cost > full.cost, usage }
}

/** No amount grows beyond this, whatever an endpoint reports. Larger sums would not be exact integers any more. */
const AMOUNT_MAX = 1_000_000_000_000_000

/** Adds a charge to what is used (S0-28 to S0-32). Only reduce() calls this, once per closed effect. */
export function charge(budget: Budget, cost: Charge): Budget {
  const add = <A extends { used: number }>(axis: A, more: number): A => ({
    ...axis,
    used: Math.min(AMOUNT_MAX, axis.used + more),
  })
  return {
    steps: add(budget.steps, cost.steps),
    tokens: add(budget.tokens, cost.tokens),
    token_kinds:
      cost.usage === null ? budget.token_kinds : addTokens(budget.token_kinds, tokenKinds(cost.usage), AMOUNT_MAX),
    cost: add(budget.cost, cost.cost),
    working_ms: add(budget.working_ms, cost.ms),
  }
}

/** Charges what a worker reports to have spent. It works outside the service, so there is no effect to settle. */
export const chargeAmounts = (budget: Budget, { tokens = 0, cost = 0, working_ms = 0 }: Amounts): Budget =>
  charge(budget, { steps: 0, tokens, cost, ms: working_ms, over_reserve: false, usage: null })

/** Raises the maxima of a budget. An axis without a maximum stays without one. */
export function grant(budget: Budget, add: Grant): Budget {
  const raise = (axis: { used: number; max: number | null }, more = 0) =>
    axis.max === null ? axis : { ...axis, max: Math.min(AMOUNT_MAX, axis.max + more) }
  return {
    steps: { ...budget.steps, max: Math.min(AMOUNT_MAX, budget.steps.max + (add.steps ?? 0)) },
    tokens: raise(budget.tokens, add.tokens),
    token_kinds: budget.token_kinds,
    cost: raise(budget.cost, add.cost),
    working_ms: raise(budget.working_ms, add.working_ms),
  }
}

/** The original amount of an axis, which "continue" grants again (U14). */
export function originalGrant(axis: Axis, limits: Limits): Grant {
  const budget = openBudget(limits)
  switch (axis) {
    case 'steps':
      return { steps: budget.steps.max }
    case 'tokens':
      return { tokens: budget.tokens.max ?? 0 }
    case 'cost_usd':
      return { cost: budget.cost.max ?? 0 }
    case 'seconds':
      return { working_ms: budget.working_ms.max ?? 0 }
  }
}

/** The wire form of one axis: money as a decimal string, time in whole seconds rounded up. */
export function axisView(budget: Budget, axis: Axis): { used: number | string; max: number | string | null } {
  const view = budgetView(budget, 'steps')
  return axis === 'steps' ? { used: view.used, max: view.max } : view[axis]
}

/** The wire form of a budget. `remaining` is never negative, although a round may end one step above its maximum (D1). */
export function budgetView(budget: Budget, unit: Unit): z.infer<typeof BudgetView> {
  const { steps, tokens, token_kinds, cost, working_ms } = budget
  const seconds = (ms: number) => Math.ceil(ms / 1000)
  return {
    unit,
    used: steps.used,
    max: steps.max,
    remaining: Math.max(0, steps.max - steps.used),
    tokens: { ...tokens, kinds: token_kinds },
    cost_usd: { used: dollars(cost.used), max: cost.max === null ? null : dollars(cost.max) },
    seconds: { used: seconds(working_ms.used), max: working_ms.max === null ? null : seconds(working_ms.max) },
  }
}
