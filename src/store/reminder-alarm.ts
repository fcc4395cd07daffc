/**
 * The alarm of a workspace: set to the next reminder after each command, never polled. When it goes off somebody who may call the network
 * is asked to send what is due (ruling 5). It may go off too early, and after a failure up to a minute late; a tenant that is told nothing has none.
 */
import { configOf } from '../config.ts'
import { isChange, type CommandResult } from '../core/commands/result.ts'
import type { RemindJob } from '../core/due.ts'
import { wakeAt, type Entries } from '../core/reminders.ts'
import { changedBy, entriesOf } from './remind.ts'
import { sqlBook } from './sql-book.ts'
import { keepOwner, ownerIn, sqlReminders, tenantIn } from './sql-reminders.ts'

/** Reminders that are due are asked for again as long as nothing comes of them. */
const AGAIN_MS = 15_000
/** An alarm that could not look at its reminders tries again before they are too late. */
const AFTER_FAILURE_MS = 60_000

/** What it needs of its object; `env` and `name` are asked for when they are needed. */
export interface AlarmHost {
  env: () => object
  name: () => string | undefined
  transact: <T>(body: (sql: SqlStorage) => T) => T
  setAlarm: (time: number) => void
  ask: (job: RemindJob) => Promise<void>
}

export interface ReminderAlarm {
  /** After a command; what goes wrong here is no matter of the command, which is done. */
  plan(result: CommandResult): void
  /** When the alarm goes off. */
  ring(): Promise<void>
}

export function reminderAlarm(host: AlarmHost): ReminderAlarm {
  /** As far as it is known: null until all reminders were looked through, Infinity when none is set. */
  let alarm: number | null = null
  const wake = (time: number) => {
    if (alarm !== null && alarm <= time) return
    alarm = time
    host.setAlarm(time)
  }
  return {
    plan(result) {
      try {
        const tenant = toldTenant(host)
        if (tenant === null || (alarm !== null && !isChange(result.kind))) return
        const at = host.transact((sql) => planned(host, sql, tenant, alarm === null ? null : result))
        alarm ??= Infinity
        if (at !== null) wake(at)
      } catch (error) {
        alarm = null
        logFailed(error)
      }
    },
    async ring() {
      alarm = Infinity
      try {
        const tenant = toldTenant(host)
        const at = tenant === null ? null : host.transact((sql) => nextOf(host, sql, entriesOf(sqlBook(sql))))
        if (tenant === null || at === null) return
        const now = Date.now()
        wake(at <= now ? now + AGAIN_MS : at)
        if (at <= now) await host.ask({ kind: 'remind', tenant })
      } catch (error) {
        wake(Date.now() + AFTER_FAILURE_MS)
        logFailed(error)
      }
    },
  }
}

/** Whose workspace it is, if that is told of reminders. An alarm has no caller: after a restart only what is stored knows. */
function toldTenant({ env, name, transact }: AlarmHost): string | null {
  const { webhook_urls } = configOf(env())
  if (webhook_urls.size === 0) return null
  const tenant = tenantIn(name()) ?? transact(ownerIn)
  return tenant !== null && webhook_urls.has(tenant) ? tenant : null
}

/** Of what a command changed, or of all there is; whoever has an alarm keeps whose it is. */
function planned(host: AlarmHost, sql: SqlStorage, tenant: string, result: CommandResult | null): number | null {
  const book = sqlBook(sql)
  const at = nextOf(host, sql, result === null ? entriesOf(book) : changedBy(book, result))
  if (at !== null) keepOwner(sql, tenant)
  return at
}

const nextOf = ({ env }: AlarmHost, sql: SqlStorage, entries: Entries) =>
  wakeAt(entries, sqlReminders(sql).all(), Date.now(), configOf(env()).timezone)

function logFailed(error: unknown): void {
  const reason = error instanceof Error ? error.name : 'error'
  console.error(JSON.stringify({ event: 'job_failed', kind: 'remind', reason }))
}
