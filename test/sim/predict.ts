/** The result of a plan_execute script by the accounting of the requirements, for any lost calls. */
import type { Prediction, Script } from './script.ts'

/**
 * What the requirements make of a script in which call number i was lost `lost(i)` times: limits before each round (S0-27),
 * prices (S0-28…S0-32), a lost call (U3), one streak at each endpoint (U8, U9), remedies (U14).
 */
export function predict({ moves, settings, remedies, fallbacks }: Script, lost: (move: number) => number): Prediction {
  const left = [...remedies]
  let [steps, actions, streak, max] = [0, 0, 0, settings.max_steps]
  /** The failures in a row that a top-up allows, until a valid decision. */
  let granted: number | null = null
  /** The endpoints that can still be asked. */
  let others = fallbacks.length
  const stopped = (status: string, stop_reason: string): Prediction => ({ status, stop_reason, steps, actions })
  for (const [index, move] of moves.entries()) {
    const free = move.phase === 'plan'
    const usual = free ? 1 + settings.plan_retries : settings.failure_limit
    for (let attempt = 0; attempt <= lost(index); attempt++) {
      while (steps >= max && move.phase !== 'plan') {
        const remedy = left.shift()
        if (remedy === undefined) return stopped('paused', 'budget_exhausted:steps')
        max +=
          remedy === 'continue'
            ? settings.max_steps
            : typeof remedy === 'object' && 'steps' in remedy
              ? remedy.steps
              : 0
        streak = remedy === 'continue' && granted === null ? 0 : streak
        others = fallbacks.length
      }
      const gone = attempt < lost(index)
      if (!free) steps += 1
      const failed = gone ? free : move.kind !== 'good'
      if (!failed && !gone && move.leads !== 'refused') [streak, granted] = [0, null]
      if (failed) streak += 1
      if (failed && streak >= (granted ?? usual)) {
        const isBad = !gone && move.kind === 'bad'
        if (!isBad && others > 0) {
          ;[streak, granted, others] = [0, null, others - 1]
          continue
        }
        const remedy = left.shift()
        if (remedy === undefined)
          return isBad ? stopped('failed', 'contract_failures') : stopped('paused', 'model_unavailable')
        streak = 0
        others = fallbacks.length
        granted = typeof remedy === 'object' && 'attempts' in remedy ? remedy.attempts : isBad ? usual : null
      }
      if (gone || move.leads !== 'act') continue
      steps += 1
      actions += 1
    }
    if (move.leads === 'end') return stopped('completed', 'done')
  }
  return stopped('running', 'the script is dry')
}
