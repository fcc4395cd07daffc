/** Runs slices until the task waits or ends, the service refuses one, or a person stops the run after the current request. */
import type { ApiAnswer } from '../../../api/client.ts'
import type { TaskView } from '../../../api/wire.ts'

type StopCause = 'waits' | 'stopped' | 'refused'
interface Runner {
  /** Returns null if the page is busy with another request. */
  step: () => Promise<ApiAnswer<TaskView> | null>
  /** Waits, but ends early when the run is stopped. */
  wait: (ms: number) => Promise<void>
  isStopped: () => boolean
}
/** Refusals that pass without an action of the reader. */
const TRANSIENT = new Set(['task_busy', 'request_in_progress', 'rate_limited'])
const PAUSE_S = 1

export async function stepUntilWaiting({ step, wait, isStopped }: Runner): Promise<StopCause> {
  while (!isStopped()) {
    const answer = await step()
    if (answer === null) return 'refused'
    if (!answer.ok) {
      const { code, retry_after_s } = answer.problem
      if (!TRANSIENT.has(code)) return 'refused'
      if (!isStopped()) await wait((retry_after_s ?? PAUSE_S) * 1_000)
      continue
    }
    const { status, slice, retry_after_ms } = answer.value
    if (status !== 'running' && status !== 'queued') return 'waits'
    if (retry_after_ms === null && slice?.advanced !== true) return 'waits'
    if (retry_after_ms !== null && !isStopped()) await wait(retry_after_ms)
  }
  return 'stopped'
}
