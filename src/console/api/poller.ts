/** Reads something again and again, so long after each answer: a slow service is asked no more often than it answers. */
import { askerOf, type Later } from './asker.ts'

export interface Poller {
  /** As soon as nothing is under way. */
  now(): void
  stop(): void
}

/** `every_ms` null: not by itself. While `hidden` nothing is asked; who shows the page again says `now`. */
export function pollerOf(
  ask: () => Promise<void>,
  every_ms: number | null,
  later: Later,
  hidden: () => boolean,
): Poller {
  let [waiting, stopped]: [(() => void) | null, boolean] = [null, false]
  const forgetTurn = () => {
    waiting?.()
    waiting = null
  }
  const asker = askerOf(async () => {
    forgetTurn()
    await ask()
    if (every_ms === null || stopped) return
    waiting = later(() => {
      waiting = null
      if (!hidden()) asker.now()
    }, every_ms)
  }, later)
  return {
    now: asker.now,
    stop() {
      stopped = true
      forgetTurn()
      asker.stop()
    },
  }
}
