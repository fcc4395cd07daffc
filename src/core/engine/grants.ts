/** What a task is granted: at a continue, by a top-up, for the next run of a session. The native counter goes by the unit of its mode. */
import { axisView, grant } from '../terms/budget.ts'
import type { Axis, Grant } from '../terms/axes.ts'
import type { Note } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { limitsOf } from './limits.ts'
import type { Context, Counter } from '../mode/mode.ts'
import { dollars } from '../terms/money.ts'
import type { PauseReason } from '../terms/pause-reason.ts'

/** Its next run is granted what the first one was (U20). */
export function reopenBudget({ budget }: Head, { brief }: Context): Partial<Head> {
  const { max_steps } = limitsOf(brief.mode, brief.settings)
  return { end: null, budget: { ...budget, steps: { ...budget.steps, max: budget.steps.used + max_steps } } }
}

/** The name under which the native counter is topped up: the only axis that the mode counts in its own unit. */
export const axisOf = (unit: Counter['unit']) => (unit === 'iterations' ? unit : 'steps')

/** Why a task is paused, or has ended, whose native counter is spent. */
export const counterSpent = ({ unit }: Counter): PauseReason => ({ kind: 'budget', axis: axisOf(unit) })

/** The counter named that is not the mode's; null: none is. */
export function foreignCounter({ unit }: Counter, add: Grant): 'steps' | 'iterations' | null {
  const other = axisOf(unit) === 'steps' ? 'iterations' : 'steps'
  return add[other] === undefined ? null : other
}

/** In the units of the stored axes, whatever the mode counts. */
export function inStoredUnits({ unit }: Counter, { steps, iterations, ...add }: Grant): Grant {
  const most = axisOf(unit) === 'iterations' ? iterations : steps
  return most === undefined ? add : { ...add, steps: most }
}

export function raise(head: Head, { unit }: Counter, add: Grant) {
  const budget = grant(head.budget, add)
  const given: [Axis, boolean][] = [
    ['steps', budget.steps.max !== head.budget.steps.max],
    ['tokens', budget.tokens.max !== head.budget.tokens.max],
    ['cost_usd', budget.cost.max !== head.budget.cost.max],
    ['seconds', budget.working_ms.max !== head.budget.working_ms.max],
  ]
  const axes = given.flatMap(([axis, raised]) => (raised ? [axis] : []))
  const amounts = {
    steps: add.steps,
    tokens: add.tokens,
    cost_usd: usdOf(add.cost),
    seconds: secondsOf(add.working_ms),
  }
  const notes = axes.map((axis): Note => {
    const name = axis === 'steps' ? axisOf(unit) : axis
    return { type: 'budget_added', payload: { axis: name, amount: amounts[axis], max: axisView(budget, axis).max } }
  })
  return { head: { budget }, axes, notes }
}

const usdOf = (micro: number | undefined) => (micro === undefined ? undefined : dollars(micro))
const secondsOf = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000)
