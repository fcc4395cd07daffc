/** The one alarm of a workspace object. Several parts share it, so a failure of one part must not lose the alarm of another. */
import type { WorkspaceJob } from '../../core/protocol/alarm-times.ts'
import { errorFacts } from '../../telemetry/error-facts.ts'
import { isolateLog } from '../../telemetry/isolate.ts'
import { ownerIn, shardOfJob, tenantIn } from './owner.ts'

/** What a part that needs the alarm is given of its object; `env` and `name` are read at each use. */
export interface AlarmHost<J extends WorkspaceJob> {
  env: () => object
  name: () => string | undefined
  transact: <T>(body: (sql: SqlStorage) => T) => T
  /** Sets the alarm of the object to this time, unless it goes off earlier. */
  wake: (time: number) => void
  ask: (job: J) => Promise<void>
}

/** After a failure nobody waits longer than this for the alarm. */
const RETRY_MS = 60_000

/** A time that cannot be computed now counts as one in a minute: it may be computable by then. */
export function timeOrRetry(kind: WorkspaceJob['kind'], find: () => number | null): number | null {
  try {
    return find()
  } catch (error) {
    logFailure(kind, error)
    return Date.now() + RETRY_MS
  }
}

/**
 * The runtime repeats an alarm that throws six times and then drops it (F36). A failure therefore sets the next alarm and is
 * logged.
 */
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

/** Asks for the job of a part when it is due, and sets the alarm to look again: a job that was lost is asked for once more. */
export const ringWhenDue = <J extends WorkspaceJob>(
  host: Omit<AlarmHost<J>, 'env'>,
  {
    next,
    again_ms,
    jobOf,
  }: { next: () => number | null; again_ms: number; jobOf: (tenant: string, shard: { shard?: number }) => J },
  kind: J['kind'],
): Promise<void> =>
  ringOrRetry(kind, host.wake, async () => {
    const [at, now] = [next(), Date.now()]
    if (at === null) return
    host.wake(at <= now ? now + again_ms : at)
    const tenant = tenantIn(host.name()) ?? host.transact(ownerIn)
    if (at <= now && tenant !== null) await host.ask({ ...jobOf(tenant, shardOfJob(host.name())), due_ms: at })
  })

export function logFailure(kind: WorkspaceJob['kind'], error: unknown): void {
  isolateLog.write({ event: 'job_failed', kind, ...errorFacts(error) })
}

/** The alarm goes off at the earliest time that any part asked for. */
interface SharedAlarm {
  /** A time that is too early does no harm: the part finds nothing due and asks again. */
  wake(time: number): void
  /** The alarm has gone off: each part that needs it asks again. */
  rung(): void
  /** The stored alarm was deleted. */
  forget(): void
}

/** `next` reads the stored times while the alarm's time is unknown: a new time must not replace an earlier one. */
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
    forget() {
      set = null
    },
  }
}
