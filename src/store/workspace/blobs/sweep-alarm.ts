/**
 * The alarm that has the unfinished blobs of a workspace swept. One alarm asks for one job, so that a sweep is bounded
 * (core/workspace/unfinished-blobs.ts).
 */
import type { SweepJob } from '../../../core/protocol/alarm-times.ts'
import { UPLOAD_SILENCE_MS } from '../../../core/workspace/unfinished-blobs.ts'
import { keepOwner, tenantIn } from '../owner.ts'
import { ringWhenDue, timeOrRetry, type AlarmHost } from '../shared-alarm.ts'
import { sqlUnfinished } from './sql-unfinished.ts'

/** The interval of the alarm while holds are overdue. */
const AGAIN_MS = 15_000

interface SweepAlarm {
  /** Called when the object starts: blobs that an earlier release began have no alarm yet. */
  plan(): void
  /** Called after a hold has begun or was renewed. */
  begun(): void
  /** When the next hold is overdue. */
  next(): number | null
  ring(): Promise<void>
}

export function sweepAlarm(host: Omit<AlarmHost<SweepJob>, 'env'>): SweepAlarm {
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
      ringWhenDue(
        host,
        { next: find, again_ms: AGAIN_MS, jobOf: (tenant, shard) => ({ kind: 'sweep', tenant, ...shard }) },
        'sweep',
      ),
  }
}
