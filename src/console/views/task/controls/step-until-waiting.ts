/** Steps again and again until the task waits, ends, is refused, or a person stops it – after the request that is under way. */
import type { ApiAnswer } from '../../../api/client.ts'
import type { TaskView } from '../../../api/wire.ts'

type StopCause = 'waits' | 'stopped' | 'refused'
interface Around {
  /** null: the page is busy with another one. */
  step: () => Promise<ApiAnswer<TaskView> | null>
  /** Ends early when it is stopped; not asked for once it is. */
  wait: (ms: number) => Promise<void>
  stopped: () => boolean
}
/** Refusals that are over by themselves. */
const PASSING = new Set(['task_busy', 'request_in_progress', 'rate_limited'])
const PAUSE_S = 1

export async function stepUntilWaiting({ step, wait, stopped }: Around): Promise<StopCause> {
  while (!stopped()) {
    const answer = await step()
    if (answer === null) return 'refused'
    if (!answer.ok) {
      const { code, retry_after_s } = answer.problem
      if (!PASSING.has(code)) return 'refused'
      if (!stopped()) await wait((retry_after_s ?? PAUSE_S) * 1_000)
      continue
    }
    const { status, slice, retry_after_ms } = answer.value
    if (status !== 'running' && status !== 'queued') return 'waits'
    if (retry_after_ms === null && slice?.advanced !== true) return 'waits'
    if (retry_after_ms !== null && !stopped()) await wait(retry_after_ms)
  }
  return 'stopped'
}
