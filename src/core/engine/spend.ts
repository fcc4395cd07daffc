/** What a completed task has cost by its end, all its runs together: for the forecasts of later ones. */
import { budgetView } from '../terms/budget.ts'
import type { Recall } from '../terms/effect.ts'
import type { Head } from '../terms/head.ts'
import { modeOf } from '../modes/index.ts'
import type { Spend } from '../terms/status.ts'

/** `cursor`: of the plan it shows. null: it has not completed. */
export function spendOf({ mode: name, end, state, budget }: Head, cursor: number, recall: Recall): Spend | null {
  if (end?.status !== 'completed') return null
  const mode = modeOf(name)
  const { used, tokens, cost_usd, seconds } = budgetView(budget, mode.counter.unit)
  // Those of earlier plans are finished, too; a step that failed was worked on all the same, and the cursor is behind it.
  const items = Math.max(mode.progress(state, { recall }).finished_count, cursor)
  return { steps: used, tokens: tokens.used, cost_usd: cost_usd.used, seconds: seconds.used, items }
}
