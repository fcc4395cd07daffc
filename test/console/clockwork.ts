/** Time that passes only when a test says so. */
import type { StartTimer } from '../../src/console/api/asker.ts'

export interface Clockwork {
  startTimer: StartTimer
  /** So many ms go by; what is due in them happens in its order, and what promises have to do is done. */
  pass(ms: number): Promise<void>
  /** How much is still to come. */
  waiting(): number
}

export function clockwork(): Clockwork {
  let now = 0
  let due: { at: number; act: () => void }[] = []
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return {
    startTimer(act, ms) {
      const entry = { at: now + ms, act }
      due.push(entry)
      return () => {
        due = due.filter((other) => other !== entry)
      }
    },
    async pass(ms) {
      const end = now + ms
      await settle()
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)
        if (next === undefined) break
        due = due.filter((entry) => entry !== next)
        now = next.at
        next.act()
        await settle()
      }
      now = end
    },
    waiting: () => due.length,
  }
}
