/**
 * What one workspace tells its tenant, each at least once. A reminder that was handed out is held during its attempt. A delivered one is
 * kept until it cannot be due again.
 */
import type { Book } from '../../../core/workspace/commands/book.ts'
import type { CommandResult } from '../../../core/workspace/commands/result.ts'
import { reminderNotice, type TenantNotice } from '../../../core/workspace/reminder-message.ts'
import {
  alertId,
  LATE_MS,
  missedAlerts,
  alertsToSend,
  OWED_MS,
  reminderRetryDelay,
  type CalendarEntries,
  type AttemptsByReminder,
} from '../../../core/workspace/reminders.ts'
import { delegationNotice, delegationOfNotice, noticeRetryDelay } from '../../../core/workspace/delegation-notice.ts'
import type { RemindCall } from '../../../core/protocol/workspace-records.ts'
import type { DelegationRows } from '../delegations/delegations.ts'

/** The attempts at each reminder, by its id. */
export interface ReminderAttempts {
  all(): AttemptsByReminder
  keep(id: string, at: number, until: number | null): void
  /** When the oldest undelivered reminder was due; Infinity where all were delivered. */
  owedSince(): number
  /** The stored time of the next reminder, as long as no alarm has looked since; null where it is unknown. */
  planned(): number | null
  plan(at: number | null): void
  /** Drops reminders that were due before. */
  forget(before: number): void
}

export const entriesOf = (book: Book): CalendarEntries => ({ todos: book.todos(), events: book.events() })

/** The entries that a command changed, in their current state; empty for a removed entry. */
export function changedEntries(book: Book, { kind, data }: CommandResult): CalendarEntries {
  const id = Number(data.id)
  const todo = kind.startsWith('todo_') ? book.todo(id) : null
  const event = kind.startsWith('schedule_') || kind === 'repeat_toggled' ? book.event(id) : null
  return { todos: todo === null ? [] : [todo], events: event === null ? [] : [event] }
}

/** Longer than an attempt takes. After this time a lost attempt is repeated. */
const HELD_MS = 30_000
/** Kept longer than a reminder may be late, so that a clock that is set back finds what was delivered. */
const KEPT_MS = 2 * OWED_MS

/** The sources of all that a workspace tells by time. */
interface ReminderSources {
  book: Book
  tried: ReminderAttempts
  commands: DelegationRows
}

/** Reminders go before notices, because they soon come too late. */
export function takeReminders(
  { book, tried, commands }: ReminderSources,
  call: RemindCall,
  now_ms: number,
): TenantNotice[] {
  settle(tried, call, now_ms)
  const reminders = call.max === 0 ? [] : handOut(book, tried, call, now_ms)
  return [...reminders, ...takeNotices(commands, { ...call, max: call.max - reminders.length }, now_ms)]
}

function handOut(book: Book, tried: ReminderAttempts, call: RemindCall, now_ms: number): TenantNotice[] {
  const open = alertsToSend(entriesOf(book), tried.all(), now_ms, call.timezone, tried.owedSince())
  const reminders = open.slice(0, call.max).map((alert) => withLateness(reminderNotice(alert), now_ms))
  if (reminders.length > 0) tried.forget(now_ms - KEPT_MS)
  for (const { id, at } of reminders) tried.keep(id, at, now_ms + HELD_MS)
  return reminders
}

/** A reminder that comes later than its receiver expects says by how much. */
function withLateness(reminder: TenantNotice, now_ms: number): TenantNotice {
  const late_ms = now_ms - reminder.at
  return late_ms < LATE_MS ? reminder : { ...reminder, data: { ...reminder.data, late_s: Math.floor(late_ms / 1000) } }
}

/** A reminder that was missed while the service was down is due now, like one whose attempt failed. */
export function recordMissed(book: Book, tried: ReminderAttempts, now_ms: number, timezone: string): void {
  const since = tried.planned()
  if (since === null) return
  const missed = missedAlerts(entriesOf(book), tried.all(), since, now_ms, timezone)
  for (const alert of missed) tried.keep(alertId(alert), alert.at, now_ms)
}

/** A delivered reminder stays delivered, even where a slower attempt at it fails. */
function settle(tried: ReminderAttempts, call: RemindCall, now_ms: number): void {
  const settled = call.settled.filter(({ id }) => delegationOfNotice(id) === null)
  if (settled.length === 0) return
  const before = tried.all()
  for (const { id, at, delivered } of settled) {
    if (before.get(id) !== null) tried.keep(id, at, delivered ? null : now_ms + reminderRetryDelay(at, now_ms))
  }
}

/** Notices of commands that wait for a worker, each at least once until it is settled or expired. */
function takeNotices(rows: DelegationRows, { settled, max }: RemindCall, now_ms: number): TenantNotice[] {
  for (const { id, delivered } of settled) {
    const row = rows.findOpen(delegationOfNotice(id) ?? '')
    // A delivered notice stays delivered, even where a slower attempt at it fails.
    if (row === null || row.tell_at === null) continue
    rows.update({ ...row, tell_at: delivered ? null : now_ms + noticeRetryDelay(row.tries) })
  }
  const due = max <= 0 ? [] : rows.dueNotices(max, now_ms)
  for (const row of due) rows.update({ ...row, tell_at: now_ms + HELD_MS, tries: row.tries + 1 })
  return due.map(delegationNotice)
}
