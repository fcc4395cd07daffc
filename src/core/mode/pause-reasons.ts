/** The pause reasons that other code compares by name (U13, U14). */
import { Axis } from '../terms/axes.ts'

/** The model did not answer (U9). */
export const MODEL_UNAVAILABLE = 'model_unavailable'
export const PAUSED_BY_USER = 'paused_by_user'

/** The native counter of a mode that counts iterations is spent. */
export const ITERATION_LIMIT = 'iteration_limit'

/** The spent axis that paused a task. null: the task is paused for another reason, or not paused. */
export function exhaustedAxis(hold: string | null): Axis | null {
  if (hold === ITERATION_LIMIT) return 'steps'
  const parsed = Axis.safeParse(
    hold?.startsWith(EXHAUSTED_PREFIX) === true ? hold.slice(EXHAUSTED_PREFIX.length) : null,
  )
  return parsed.success ? parsed.data : null
}
const EXHAUSTED_PREFIX = 'budget_exhausted:'
