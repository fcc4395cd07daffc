/**
 * The run slots of a workspace and the alarm that wakes their holders. Whoever is handed a slot is woken by a job, and again until it
 * has come for it; a holder that has not asked for a while is looked after in the same way. So a lost job costs seconds, and no slot stays
 * with a task that has ended.
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

/** A job that was lost is asked for again after this time. */
const AGAIN_MS = 5_000
/** Holders that one call hands out. */
const BATCH = 100

interface SlotAlarm {
  acquire(claim: SlotClaim): boolean
  /** Frees the slot; `version` is that of the task that rests, null: whatever it is. */
  release(task: string, version: number | null): void
  /** Frees the slot in the transaction of the caller, who then calls `wake` with the answer. */
  free(sql: SqlStorage, task: string, below: number): number | null
  wake(at: number | null): void
  /** Another task may have the id by now; in the transaction of the caller. */
  forgetVersions(sql: SqlStorage, task: string): void
  holdersToWake(): string[]
  /** When a holder has to be woken or looked after; soon, if that cannot be found out. */
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
        // Its alarm has no caller who could say whose workspace it is.
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
