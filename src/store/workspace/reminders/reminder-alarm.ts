/**
 * The alarm of a workspace: set after each change to when its tenant is to be told something next, never polled. When it goes off somebody
 * who may call the network is asked to send what is due (U5). It may go off too early, and after a failure up to a minute late; a
 * tenant that is told nothing has none.
 */
import { configOf } from '../../../config.ts'
import { isChange, type CommandResult } from '../../../core/workspace/commands/result.ts'
import type { RemindJob } from '../../../core/protocol/alarm-times.ts'
import { earliest } from '../../../core/terms/values/earliest.ts'
import { wakeAt } from '../../../core/workspace/reminders.ts'
import { firstTry } from '../../../core/workspace/delegation-notice.ts'
import { changedEntries, entriesOf, recordMissed } from './due-reminders.ts'
import { sqlBook } from '../book/sql-book.ts'
import { sqlDelegations } from '../delegations/sql-delegations.ts'
import { sqlReminders } from './sql-reminders.ts'
import { keepOwner, ownerIn, tenantIn } from '../owner.ts'
import { logFailure, ringOrRetry, timeOrRetry, type AlarmHost } from '../shared-alarm.ts'

/** What is due is asked for again as long as nothing comes of it. */
const AGAIN_MS = 15_000

type ReminderHost = AlarmHost<RemindJob>

/** What may have to be told earlier than all before it: what a slash command did, or that work for a worker was entered. */
type Change = CommandResult | 'delegation_entered'

interface ReminderAlarm {
  /** After a change; what goes wrong here is no matter of the change, which is done. */
  plan(change: Change): void
  /** When the tenant is to be told something; null: never, or that cannot be found out. */
  next(): number | null
  /** When the alarm goes off. */
  ring(): Promise<void>
}

export function reminderAlarm(host: ReminderHost): ReminderAlarm {
  /** As far as it is known: null until everything was looked through, Infinity when none is set. */
  let alarm: number | null = null
  const wake = (time: number) => {
    if (alarm !== null && alarm <= time) return
    alarm = time
    host.wake(time)
  }
  return {
    next: () =>
      timeOrRetry('remind', () => (toldTenant(host) === null ? null : host.transact((sql) => nextOf(host, sql, null)))),
    plan(change) {
      try {
        const tenant = toldTenant(host)
        if (tenant === null || (alarm !== null && isIdle(change))) return
        const at = host.transact((sql) => planned(host, sql, tenant, alarm === null ? null : change))
        alarm ??= Infinity
        if (at !== null) wake(at)
      } catch (error) {
        alarm = null
        logFailure('remind', error)
      }
    },
    async ring() {
      // It went off for something else: what is known need not be looked for in all there is.
      if (alarm !== null && alarm > Date.now()) {
        if (alarm !== Infinity) host.wake(alarm)
        return
      }
      alarm = Infinity
      await ringOrRetry('remind', wake, async () => {
        const tenant = toldTenant(host)
        const at = tenant === null ? null : host.transact((sql) => nextAfterMissed(host, sql))
        if (tenant === null || at === null) return
        const now = Date.now()
        wake(at <= now ? now + AGAIN_MS : at)
        if (at <= now) await host.ask({ kind: 'remind', tenant })
      })
    },
  }
}

/** Whose workspace it is, if that is told anything. An alarm has no caller: after a restart only what is stored knows. */
function toldTenant({ env, name, transact }: ReminderHost): string | null {
  const { webhook_urls } = configOf(env())
  if (webhook_urls.size === 0) return null
  const tenant = tenantIn(name()) ?? transact(ownerIn)
  return tenant !== null && webhook_urls.has(tenant) ? tenant : null
}

/** What was missed while nobody looked is owed before anything else is planned. */
function nextAfterMissed(host: ReminderHost, sql: SqlStorage): number | null {
  const now = Date.now()
  recordMissed(sqlBook(sql), sqlReminders(sql), now, configOf(host.env()).timezone)
  return nextOf(host, sql, null)
}

const isIdle = (change: Change) => change !== 'delegation_entered' && !isChange(change.kind)

/** Whoever has an alarm keeps whose it is. */
function planned(host: ReminderHost, sql: SqlStorage, tenant: string, change: Change | null): number | null {
  const at = nextOf(host, sql, change)
  if (at !== null) keepOwner(sql, tenant)
  return at
}

/** When the tenant is to be told something: of what changed alone, or of all there is (null). All that is told by time is asked here. */
function nextOf(host: ReminderHost, sql: SqlStorage, change: Change | null): number | null {
  const now = Date.now()
  const times = [
    change === 'delegation_entered' ? null : nextReminder(host, sql, change, now),
    change === null || change === 'delegation_entered' ? firstTry(sqlDelegations(sql).open(), now) : null,
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
  const at = wakeAt(entries, tried.all(), now, configOf(env()).timezone, tried.owedSince())
  const planned = tried.planned()
  if (result === null || (at !== null && (planned === null || at < planned))) tried.plan(at)
  return at
}
