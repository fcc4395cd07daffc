/** The one alarm of a workspace object: several parts share it, and none is lost when one of them fails. */
import type { WorkspaceJob } from '../../core/protocol/alarm-times.ts'

/** Later than this nobody who waits for an alarm that failed has to wait. */
const RETRY_MS = 60_000

/** A time that cannot be found out counts as one in a minute: it may be found out by then. */
export function timeOrRetry(kind: WorkspaceJob['kind'], find: () => number | null): number | null {
  try {
    return find()
  } catch (error) {
    logFailure(kind, error)
    return Date.now() + RETRY_MS
  }
}

/** The runtime tries an alarm that throws six times and then never again (F36). So a failure sets the next alarm, and is logged. */
export async function ringOrRetry(
  kind: WorkspaceJob['kind'],
  wake: (time: number) => void,
  ring: () => Promise<void>,
): Promise<void> {
  try {
    await ring()
  } catch (error) {
    wake(Date.now() + RETRY_MS)
    logFailure(kind, error)
  }
}

export function logFailure(kind: WorkspaceJob['kind'], error: unknown): void {
  const reason = error instanceof Error ? error.name : 'error'
  console.error(JSON.stringify({ event: 'job_failed', kind, reason }))
}

/** One alarm of an object for several that need one: it goes off at the earliest time that any of them asked for. */
interface SharedAlarm {
  /** Too early does no harm: whoever is rung finds nothing due, and asks again. */
  wake(time: number): void
  /** It has gone off: whoever needs it asks again. */
  rung(): void
}

/** `next` are the times that are stored, asked for when it is not known what the alarm is set to: a new time must not put off another. */
export function sharedAlarm(setAlarm: (time: number) => void, next: () => readonly (number | null)[]): SharedAlarm {
  let set: number | null = null
  return {
    wake(time) {
      const stored = set === null ? next().flatMap((one) => one ?? []) : []
      const earliest = Math.min(time, ...stored)
      if (set !== null && set <= earliest) return
      set = earliest
      setAlarm(earliest)
    },
    rung() {
      set = Infinity
    },
  }
}
