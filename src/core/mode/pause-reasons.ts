/** The stop reasons of a paused task that something else asks for by name (U13, U14). */
import { Axis } from '../terms/axes.ts'

/** Its model did not answer (U9). */
export const UNAVAILABLE = 'model_unavailable'
export const PAUSED_BY_USER = 'paused_by_user'

/** The counter of a mode that counts iterations is spent. */
export const ITERATION_LIMIT = 'iteration_limit'

/** The axis a task is paused by; null when it is not paused by its budget. */
export function exhaustedAxis(hold: string | null): Axis | null {
  if (hold === ITERATION_LIMIT) return 'steps'
  const parsed = Axis.safeParse(hold?.startsWith(EXHAUSTED) === true ? hold.slice(EXHAUSTED.length) : null)
  return parsed.success ? parsed.data : null
}
const EXHAUSTED = 'budget_exhausted:'
