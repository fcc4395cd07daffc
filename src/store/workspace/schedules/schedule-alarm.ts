/**
 * The alarm of a tenant's schedules. Each schedule is looked at on its own time, and the alarm goes off at the earliest of them. It asks for
 * a job, and asks again until nothing is due, so a job that is lost costs seconds.
 */
import type { SchedulesJob } from '../../../core/protocol/alarm-times.ts'
import { HOUR_MS } from '../../../core/terms/plain/durations.ts'
import type { CommandHandlers, ReadContext, WriteContext } from '../handlers.ts'
import { keepOwner } from '../owner.ts'
import { writeWithin } from '../quotas/sql-bytes.ts'
import { ringWhenDue, timeOrRetry, type AlarmHost } from '../shared-alarm.ts'
import { scheduleCommands, scheduleQueries } from './schedules.ts'
import { nextScheduleLook, sqlSchedules } from './sql-schedules.ts'

const AGAIN_MS = 15_000

const commands = scheduleCommands<WriteContext>(
  ({ sql }) => sqlSchedules(sql),
  ({ sql, bytes_max }, write) => writeWithin(sql, bytes_max, write),
)
export const SCHEDULE_COMMANDS: CommandHandlers<keyof typeof commands> = {
  ...commands,
  put_schedule(context, command) {
    const tenant = context.tenant()
    // The alarm has no caller who could name the tenant.
    if (tenant !== null) keepOwner(context.sql, tenant)
    return commands.put_schedule(context, command)
  },
}
export const SCHEDULE_QUERIES = scheduleQueries<ReadContext>(({ sql }) => sqlSchedules(sql))

/** A clock that is set back by years would let a tick wait for years. So the alarm looks at the time every hour. */
export const withinHour = (at: number, now_ms: number): number => Math.min(at, now_ms + HOUR_MS)

interface ScheduleAlarm {
  /** When a schedule must be looked at. null: never. If the time cannot be computed, it is in a minute. */
  next(): number | null
  ring(): Promise<void>
}

export function scheduleAlarm(host: Omit<AlarmHost<SchedulesJob>, 'env'>): ScheduleAlarm {
  const nextLook = () => {
    const now = Date.now()
    const at = host.transact((sql) => nextScheduleLook(sql, now))
    return at === null ? null : withinHour(at, now)
  }
  return {
    next: () => timeOrRetry('schedules', nextLook),
    ring: () =>
      ringWhenDue(
        host,
        { next: nextLook, again_ms: AGAIN_MS, jobOf: (tenant) => ({ kind: 'schedules', tenant }) },
        'schedules',
      ),
  }
}
