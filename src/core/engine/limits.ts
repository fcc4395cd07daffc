/** What the settings of a task grant in its mode: the native counter stands where plan_execute has its steps (R24). */
import type { Limits } from '../terms/budget.ts'
import { modeOf } from '../modes/index.ts'
import type { Settings } from '../terms/settings.ts'

export function limitsOf(mode: string, settings: Settings): Limits {
  return { ...settings, max_steps: modeOf(mode).counter.max(settings) }
}
