/** What the settings of a task grant. `max_steps` is the maximum of the native counter of its mode, in any unit (R24). */
import type { Limits } from '../terms/budget.ts'
import { modeOf } from '../modes/index.ts'
import type { Settings } from '../terms/settings.ts'

export function limitsOf(mode: string, settings: Settings): Limits {
  return { ...settings, max_steps: modeOf(mode).counter.max(settings) }
}
