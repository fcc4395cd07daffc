/** The alarm of a workspace that has unfinished blobs swept. One alarm asks for one job, so that a sweep is bounded (core/workspace/unfinished-blobs.ts). */
import type { SweepJob } from '../../../core/protocol/alarm-times.ts'
import { UPLOAD_SILENCE_MS } from '../../../core/workspace/unfinished-blobs.ts'
import { keepOwner, ownerIn, tenantIn } from '../owner.ts'
import { ringOrRetry, timeOrRetry } from '../shared-alarm.ts'
import { sqlUnfinished } from './sql-unfinished.ts'

/** While holds are overdue the alarm goes off so often. */
const AGAIN_MS = 15_000

interface SweepAlarmHost {
  name: () => string | undefined
  transact: <T>(body: (sql: SqlStorage) => T) => T
  /** Sets the alarm of the object to this time, unless it goes off earlier. */
  wake: (time: number) => void
  ask: (job: SweepJob) => Promise<void>
}

interface SweepAlarm {
  /** When the object starts: blobs that an earlier release began have no alarm yet. */
  plan(): void
  /** After a hold has begun, or was renewed. */
  begun(): void
  /** When the next hold is overdue. */
  next(): number | null
  ring(): Promise<void>
}

export function sweepAlarm(host: SweepAlarmHost): SweepAlarm {
  const find = () => host.transact((sql) => sqlUnfinished(sql, Date.now()).next())
  let is_owner_kept = false
  const wake = (at: number) => {
    const tenant = tenantIn(host.name())
    // An alarm has no caller who could say whose workspace it is.
    if (tenant !== null && !is_owner_kept) host.transact((sql) => keepOwner(sql, tenant))
    is_owner_kept = true
    host.wake(at)
  }
  return {
    next: () => timeOrRetry('sweep', find),
    plan() {
      try {
        const at = find()
        if (at !== null) wake(at)
      } catch {
        // The call that started the object is done. The next hold sets the alarm, or the next start does.
      }
    },
    begun: () => wake(Date.now() + UPLOAD_SILENCE_MS),
    ring: () =>
      ringOrRetry('sweep', host.wake, async () => {
        const [at, now] = [find(), Date.now()]
        if (at === null) return
        host.wake(at <= now ? now + AGAIN_MS : at)
        const tenant = tenantIn(host.name()) ?? host.transact(ownerIn)
        if (at <= now && tenant !== null) await host.ask({ kind: 'sweep', tenant })
      }),
  }
}
