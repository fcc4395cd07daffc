/**
 * The alarm for all that a tenant is told by time. Each change sets it to the next reminder or notice, so nothing is polled. It asks for a
 * job that sends what is due (U5). It may go off too early, and after a failure up to a minute late. A tenant without an address has no
 * alarm.
 */
import { configOf } from '../../../config.ts'
import { isChange, type CommandResult } from '../../../core/workspace/commands/result.ts'
import type { RemindJob } from '../../../core/protocol/alarm-times.ts'
import { earliest } from '../../../core/terms/values/earliest.ts'
import { nextReminderAt } from '../../../core/workspace/reminders.ts'
import type { Change } from '../handlers.ts'
import { changedEntries, entriesOf, recordMissed } from './due-reminders.ts'
import { sqlBook } from '../book/sql-book.ts'
import { sqlDelegations } from '../delegations/sql-delegations.ts'
import { sqlReminders } from './sql-reminders.ts'
import { keepOwner, ownerIn, poolOfJob, tenantIn } from '../owner.ts'
import { logFailure, ringOrRetry, timeOrRetry, type AlarmHost } from '../shared-alarm.ts'

/** The alarm asks again for what is due until it was sent. */
const AGAIN_MS = 15_000

type ReminderHost = AlarmHost<RemindJob>

interface ReminderAlarm {
  /** Called after a change. The change is done, so a failure here is logged and not thrown. */
  plan(change: Change): void
  /** When the tenant is told something next; null where it never is. */
  next(): number | null
  /** When the alarm goes off. */
  ring(): Promise<void>
  /** The stored alarm was deleted. */
  forget(): void
}

export function reminderAlarm(host: ReminderHost): ReminderAlarm {
  /** The time of the alarm: null while it is unknown, Infinity where none is set. */
  let alarm: number | null = null
  const wake = (time: number) => {
    if (alarm !== null && alarm <= time) return
    alarm = time
    host.wake(time)
  }
  return {
    next: () =>
      timeOrRetry('remind', () =>
        tenantToTell(host) === null ? null : host.transact((sql) => nextOf(host, sql, null)),
      ),
    plan(change) {
      try {
        const tenant = tenantToTell(host)
        if (tenant === null || (alarm !== null && isIdle(change))) return
        const at = host.transact((sql) => planNext(host, sql, tenant, alarm === null ? null : change))
        alarm ??= Infinity
        if (at !== null) wake(at)
      } catch (error) {
        alarm = null
        logFailure('remind', error)
      }
    },
    forget() {
      alarm = null
    },
    async ring() {
      // The alarm went off for another part, and the next time is known: nothing has to be searched.
      if (alarm !== null && alarm > Date.now()) {
        if (alarm !== Infinity) host.wake(alarm)
        return
      }
      alarm = Infinity
      await ringOrRetry('remind', wake, async () => {
        const tenant = tenantToTell(host)
        const at = tenant === null ? null : host.transact((sql) => nextAfterMissed(host, sql))
        if (tenant === null || at === null) return
        const now = Date.now()
        wake(at <= now ? now + AGAIN_MS : at)
        if (at <= now) await host.ask({ kind: 'remind', tenant, ...poolOfJob(host.name()), due_ms: at })
      })
    },
  }
}

/** The tenant, where it has an address to send to. An alarm has no caller, so after a restart the stored owner is read. */
function tenantToTell({ env, name, transact }: ReminderHost): string | null {
  const { webhook_urls } = configOf(env())
  if (webhook_urls.size === 0) return null
  const tenant = tenantIn(name()) ?? transact(ownerIn)
  return tenant !== null && webhook_urls.has(tenant) ? tenant : null
}

/** Reminders that were missed while the service was down are recorded before the next time is planned. */
function nextAfterMissed(host: ReminderHost, sql: SqlStorage): number | null {
  const now = Date.now()
  recordMissed(sqlBook(sql), sqlReminders(sql), now, configOf(host.env()).timezone)
  return nextOf(host, sql, null)
}

const isIdle = (change: Change) => change !== 'delegation_entered' && !isChange(change.kind)

/** A workspace with an alarm stores its owner, because the alarm has no caller. */
function planNext(host: ReminderHost, sql: SqlStorage, tenant: string, change: Change | null): number | null {
  const at = nextOf(host, sql, change)
  if (at !== null) keepOwner(sql, tenant)
  return at
}

/** The next time to tell the tenant something: of one change, or of everything where `change` is null. */
function nextOf(host: ReminderHost, sql: SqlStorage, change: Change | null): number | null {
  const now = Date.now()
  const times = [
    change === 'delegation_entered' ? null : nextReminder(host, sql, change, now),
    change === null || change === 'delegation_entered' ? sqlDelegations(sql).firstNoticeAt(now) : null,
  ]
  return earliest(times.flatMap((time) => time ?? []))
}

function nextReminder(
  { env }: ReminderHost,
  sql: SqlStorage,
  result: CommandResult | null,
  now: number,
): number | null {
  const book = sqlBook(sql)
  const entries = result === null ? entriesOf(book) : changedEntries(book, result)
  const tried = sqlReminders(sql)
  const at = nextReminderAt(entries, tried.all(), now, configOf(env()).timezone, tried.owedSince())
  const planned = tried.planned()
  if (result === null || (at !== null && (planned === null || at < planned))) tried.plan(at)
  return at
}
