/** Grants budget to a task: at a "continue", by a top-up, and for its next run. The native counter has the unit of the mode. */
import { axisView, grant } from '../terms/budget.ts'
import type { Axis, Grant } from '../terms/axes.ts'
import type { Note } from '../terms/effect.ts'
import type { Streak } from '../terms/failure-streak.ts'
import type { Head } from '../terms/head.ts'
import { limitsOf } from './limits.ts'
import type { HandlerContext, ModeCounter } from '../mode/mode.ts'
import { dollars } from '../terms/money.ts'
import type { PauseReason } from '../terms/pause-reason.ts'
import type { FailureCode } from '../terms/plain/wire-names.ts'

/** Grants the next run of a task as much as the first one (U20). */
export function reopenBudget({ budget }: Head, { brief }: HandlerContext): Partial<Head> {
  const { max_steps } = limitsOf(brief.mode, brief.settings)
  return { end: null, budget: { ...budget, steps: { ...budget.steps, max: budget.steps.used + max_steps } } }
}

/** The name of the native counter in a top-up. */
export const counterAxis = (unit: ModeCounter['unit']) => (unit === 'iterations' ? unit : 'steps')

/** Why a task is paused whose native counter is spent. */
export const counterSpent = ({ unit }: ModeCounter): PauseReason => ({ kind: 'budget', axis: counterAxis(unit) })

/** Why a task has ended whose native counter is spent. */
export const endOfCounter = ({ unit }: ModeCounter): FailureCode =>
  unit === 'iterations' ? 'iteration_limit' : 'budget_exhausted:steps'

/** The counter in a top-up that the mode does not have. null: there is none. */
export function foreignCounter({ unit }: ModeCounter, add: Grant): 'steps' | 'iterations' | null {
  const other = counterAxis(unit) === 'steps' ? 'iterations' : 'steps'
  return add[other] === undefined ? null : other
}

/** Converts a grant into the units of the stored axes, whose counter is always called steps. */
export function toStoredGrant({ unit }: ModeCounter, { steps, iterations, ...add }: Grant): Grant {
  const count = counterAxis(unit) === 'iterations' ? iterations : steps
  return count === undefined ? add : { ...add, steps: count }
}

/** Raises the budget, and returns it with the raised axes and the notes about them. */
export function raiseBudget(head: Head, { unit }: ModeCounter, add: Grant) {
  const budget = grant(head.budget, add)
  const raised: [Axis, boolean][] = [
    ['steps', budget.steps.max !== head.budget.steps.max],
    ['tokens', budget.tokens.max !== head.budget.tokens.max],
    ['cost_usd', budget.cost.max !== head.budget.cost.max],
    ['seconds', budget.working_ms.max !== head.budget.working_ms.max],
  ]
  const axes = raised.flatMap(([axis, isRaised]) => (isRaised ? [axis] : []))
  const amounts = {
    steps: add.steps,
    tokens: add.tokens,
    cost_usd: usdOf(add.cost),
    seconds: secondsOf(add.working_ms),
  }
  const notes = axes.map((axis): Note => {
    const name = axis === 'steps' ? counterAxis(unit) : axis
    return { type: 'budget_added', payload: { axis: name, amount: amounts[axis], max: axisView(budget, axis).max } }
  })
  return { head: { budget }, axes, notes }
}

/** The note about added attempts. Its maximum is how many failures in a row the task may have from now on. */
export const attemptsNote = (attempts: number, { count, max }: Streak): Note => ({
  type: 'budget_added',
  payload: { axis: 'attempts', amount: attempts, max: (max ?? count) - count },
})

const usdOf = (micro: number | undefined) => (micro === undefined ? undefined : dollars(micro))
const secondsOf = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000)
