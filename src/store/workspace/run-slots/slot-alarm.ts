/**
 * The run slots of a workspace and the alarm that wakes their holders. A job wakes the task that is handed a slot, and is repeated until the
 * task asks for it. A holder that has not asked for a while is looked at in the same way. So a lost job costs seconds, and no ended task
 * keeps a slot.
 */
import type { WakeJob } from '../../../core/protocol/alarm-times.ts'
import { acquireSlot, freeSlot, holdersToWake, type SlotLimits } from '../../../core/workspace/run-slots.ts'
import { WHOLE_QUOTA, type CommandHandlers, type WriteContext } from '../handlers.ts'
import { keepOwner } from '../owner.ts'
import { ringWhenDue, timeOrRetry, type AlarmHost } from '../shared-alarm.ts'
import { sqlRunSlots } from './sql-run-slots.ts'

/** A lost job is asked for again after this time. */
const AGAIN_MS = 5_000
/** The most holders that one call hands out. */
const BATCH = 100

export const SLOT_COMMANDS: CommandHandlers<'acquire_slot' | 'release_slot' | 'take_holders_to_wake'> = {
  acquire_slot(context, { task, version }) {
    const { sql, after } = context
    const tenant = context.tenant()
    // The alarm has no caller who could name the tenant.
    if (tenant !== null) keepOwner(sql, tenant)
    const { held, wake_at } = acquireSlot(sqlRunSlots(sql), { task, version }, limitsOf(context))
    after.wakeHolder(wake_at)
    if (!held) lacksSlot(context)
    return held
  },
  release_slot: (context, { task, version }) => releaseSlot(context, task, version === null ? Infinity : version + 1),
  take_holders_to_wake(context) {
    const slots = sqlRunSlots(context.sql)
    // The answer of the ledger may have been lost, so it is asked again as long as a task waits.
    if (slots.firstWaiting() !== null) lacksSlot(context)
    const due = holdersToWake(slots, BATCH, context.now_ms)
    const strangers = context.quota === WHOLE_QUOTA ? [] : due.filter((task) => !isKnown(context.sql, task))
    // Their slots were taken here before the number of shards grew, and nobody else gives them back.
    for (const task of strangers) releaseSlot(context, task, Infinity)
    return due.filter((task) => !strangers.includes(task))
  },
}

const isKnown = (sql: SqlStorage, task: string): boolean =>
  sql.exec('SELECT 1 FROM tasks WHERE id = ?', task).toArray().length > 0

/** Frees the slot of a task that asked for it at a version below. */
export function releaseSlot(context: WriteContext, task: string, below: number): void {
  context.after.wakeHolder(freeSlot(sqlRunSlots(context.sql), task, below, limitsOf(context)))
}

const lacksSlot = ({ quota, slots_max }: WriteContext): void =>
  quota.lacks({ axis: 'slots', amount: 1, max: slots_max })

const limitsOf = ({ slots_max, now_ms, quota }: WriteContext): SlotLimits => ({
  max: quota.of('slots', slots_max),
  now_ms,
})

interface SlotAlarm {
  /** When a holder of a run slot must be woken or checked. null: never. If the time cannot be computed, it is in a minute. */
  next(): number | null
  ring(): Promise<void>
}

export function slotAlarm(host: Omit<AlarmHost<WakeJob>, 'env'>): SlotAlarm {
  const nextLook = () => host.transact((sql) => sqlRunSlots(sql).nextLook())
  return {
    next: () => timeOrRetry('wake', nextLook),
    ring: () =>
      ringWhenDue(
        host,
        { next: nextLook, again_ms: AGAIN_MS, jobOf: (tenant, shard) => ({ kind: 'wake', tenant, ...shard }) },
        'wake',
      ),
  }
}
