/** Reads something again and again, so long after each answer. A slow service is asked no more often than it answers. */
import { askerOf, type Asker, type StartTimer } from './asker.ts'

export type Poller = Pick<Asker, 'now' | 'stop'>

/** `every_ms` null: it reads only when `now` is called. A hidden page reads nothing; the caller calls `now` when it is shown again. */
export function pollerOf(
  ask: () => Promise<void>,
  every_ms: number | null,
  startTimer: StartTimer,
  isHidden: () => boolean,
): Poller {
  let [cancelTimer, isStopped]: [(() => void) | null, boolean] = [null, false]
  const cancel = () => {
    cancelTimer?.()
    cancelTimer = null
  }
  const asker = askerOf(async () => {
    cancel()
    await ask()
    if (every_ms === null || isStopped) return
    cancelTimer = startTimer(() => {
      cancelTimer = null
      if (!isHidden()) asker.now()
    }, every_ms)
  }, startTimer)
  return {
    now: asker.now,
    stop() {
      isStopped = true
      cancel()
      asker.stop()
    },
  }
}
