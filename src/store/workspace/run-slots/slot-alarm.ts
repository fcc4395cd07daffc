/**
 * The run slots of a workspace and the alarm that wakes their holders. A job wakes the task that is handed a slot, and is repeated until the
 * task asks for it. A holder that has not asked for a while is looked at in the same way. So a lost job costs seconds, and no ended task
 * keeps a slot.
 */
import { configOf } from '../../../config.ts'
import type { WakeJob } from '../../../core/protocol/alarm-times.ts'
import {
  acquireSlot,
  forgetVersions,
  freeSlot,
  holdersToWake,
  type SlotClaim,
  type SlotLimits,
} from '../../../core/workspace/run-slots.ts'
import { keepOwner, tenantIn } from '../owner.ts'
import { ringWhenDue, timeOrRetry, type AlarmHost } from '../shared-alarm.ts'
import { sqlRunSlots } from './sql-run-slots.ts'

/** A lost job is asked for again after this time. */
const AGAIN_MS = 5_000
/** The most holders that one call hands out. */
const BATCH = 100

interface SlotAlarm {
  acquire(claim: SlotClaim): boolean
  /** Frees the slot. `version` is that of the idle task; null frees it at any version. */
  release(task: string, version: number | null): void
  /** Frees the slot in the transaction of the caller, who then calls `wake` with the result. */
  free(sql: SqlStorage, task: string, below: number): number | null
  wake(at: number | null): void
  /** Called in the transaction of the caller, because another task may have the id by now. */
  forgetVersions(sql: SqlStorage, task: string): void
  holdersToWake(): string[]
  /** When a holder has to be woken or looked at; soon, where that cannot be computed. */
  next(): number | null
  ring(): Promise<void>
}

export function slotAlarm(host: AlarmHost<WakeJob>): SlotAlarm {
  const limits = (): SlotLimits => ({ max: configOf(host.env()).max_driven_tasks, now_ms: Date.now() })
  const nextLook = () => host.transact((sql) => sqlRunSlots(sql).nextLook())
  const wake = (at: number | null) => {
    if (at !== null) host.wake(at)
  }
  return {
    next: () => timeOrRetry('wake', nextLook),
    wake,
    acquire(claim) {
      const { held, wake_at } = host.transact((sql) => {
        // The alarm has no caller who could name the tenant.
        const tenant = tenantIn(host.name())
        if (tenant !== null) keepOwner(sql, tenant)
        return acquireSlot(sqlRunSlots(sql), claim, limits())
      })
      wake(wake_at)
      return held
    },
    release(task, version) {
      const below = version === null ? Infinity : version + 1
      wake(host.transact((sql) => freeSlot(sqlRunSlots(sql), task, below, limits())))
    },
    free: (sql, task, below) => freeSlot(sqlRunSlots(sql), task, below, limits()),
    forgetVersions: (sql, task) => forgetVersions(sqlRunSlots(sql), task, Date.now()),
    holdersToWake: () => host.transact((sql) => holdersToWake(sqlRunSlots(sql), BATCH, Date.now())),
    ring: () =>
      ringWhenDue(host, { next: nextLook, again_ms: AGAIN_MS, jobOf: (tenant) => ({ kind: 'wake', tenant }) }, 'wake'),
  }
}
