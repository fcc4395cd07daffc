/**
 * The budget of a task: the only code that changes what is used and what is granted. Steps bound a task (S0-26);
 * tokens and working time are counted beside them (ruling 11).
 */
import * as z from 'zod'
import type { Usage } from './effect.ts'
import type { BudgetView } from './view.ts'

export const Budget = z.object({
  steps: z.object({ used: z.int().min(0), max: z.int().min(1) }),
  tokens: z.object({ used: z.int().min(0) }),
  /** Sum of the durations of effects, in ms; waiting is free. */
  working_ms: z.object({ used: z.number().min(0) }),
})
export type Budget = z.infer<typeof Budget>
export type Axis = 'steps'

/** What one closed effect cost. */
export interface Charge {
  steps: 0 | 1
  usage: Usage | null
  working_ms: number
}

export function openBudget(stepsMax: number): Budget {
  return { steps: { used: 0, max: stepsMax }, tokens: { used: 0 }, working_ms: { used: 0 } }
}

/** S0-28…S0-32: charged once per closed effect, from reduce() and nowhere else. */
export function charge(budget: Budget, cost: Charge): Budget {
  const tokens = cost.usage === null ? 0 : cost.usage.input_tokens + cost.usage.output_tokens
  return {
    steps: { ...budget.steps, used: budget.steps.used + cost.steps },
    tokens: { used: budget.tokens.used + tokens },
    working_ms: { used: budget.working_ms.used + Math.max(0, cost.working_ms) },
  }
}

/** The limit check of a round (S0-27): the axis that is used up, or null. */
export function spentAxis(budget: Budget): Axis | null {
  return budget.steps.used >= budget.steps.max ? 'steps' : null
}

/** "continue" grants the original amount again (ruling 14). */
export function grant(budget: Budget, steps: number): Budget {
  return { ...budget, steps: { ...budget.steps, max: budget.steps.max + steps } }
}

/** The wire form; `remaining` is never negative although a round may end one step above its maximum (D1). */
export function budgetView(budget: Budget): z.infer<typeof BudgetView> {
  const { used, max } = budget.steps
  return {
    unit: 'steps',
    used,
    max,
    remaining: Math.max(0, max - used),
    tokens: { used: budget.tokens.used, max: null },
    cost_usd: { used: '0.000000', max: null },
    seconds: { used: Math.ceil(budget.working_ms.used / 1000), max: null },
  }
}
