/** The result of a plan_execute script by the accounting of the requirements, for any lost calls. */
import type { Prediction, Script } from './script.ts'

/**
 * What the requirements make of a script in which call number i was lost `lost(i)` times: limits before each round (S0-27),
 * prices (S0-28…S0-32), a lost call (U3), one streak (U8, U9), remedies (U14).
 */
export function predict({ moves, settings, remedies }: Script, lost: (move: number) => number): Prediction {
  const left = [...remedies]
  let [steps, actions, streak, max] = [0, 0, 0, settings.max_steps]
  const stopped = (status: string, stop_reason: string): Prediction => ({ status, stop_reason, steps, actions })
  for (const [index, move] of moves.entries()) {
    const free = move.phase === 'plan'
    const allowed = free ? 1 + settings.plan_retries : settings.failure_limit
    for (let attempt = 0; attempt <= lost(index); attempt++) {
      while (steps >= max && move.phase !== 'plan') {
        const remedy = left.shift()
        if (remedy === undefined) return stopped('paused', 'budget_exhausted:steps')
        max += remedy === 'continue' ? settings.max_steps : remedy.steps
        streak = remedy === 'continue' ? 0 : streak
      }
      const gone = attempt < lost(index)
      if (!free) steps += 1
      const failed = gone ? free : move.kind !== 'good'
      if (!failed && !gone && move.leads !== 'refused') streak = 0
      if (failed) streak += 1
      if (failed && streak >= allowed) {
        if (!gone && move.kind === 'bad') return stopped('failed', 'contract_failures')
        if (left.shift() === undefined) return stopped('paused', 'model_unavailable')
        streak = 0
      }
      if (gone || move.leads !== 'act') continue
      steps += 1
      actions += 1
    }
    if (move.leads === 'end') return stopped('completed', 'done')
  }
  return stopped('running', 'the script is dry')
}
