/** What one workspace tells, at least once each: what is handed out is held by its try, what was delivered is kept until it cannot be due again. */
import type { Book } from '../../../core/workspace/commands/book.ts'
import type { CommandResult } from '../../../core/workspace/commands/result.ts'
import { reminderOf, type Reminder } from '../../../core/workspace/reminder-message.ts'
import {
  alertId,
  LATE_MS,
  missedAlerts,
  openAlerts,
  OWED_MS,
  retryAfter,
  type Entries,
  type AttemptsByReminder,
} from '../../../core/workspace/reminders.ts'
import { commandIn } from '../../../core/workspace/delegation-notice.ts'
import type { RemindCall } from '../../../core/protocol/workspace-methods.ts'
import type { DelegationRows } from '../delegations/delegations.ts'
import { HELD_MS, takeNotices } from '../delegations/delegation-notices.ts'

/** What became of reminders, by id. */
export interface ReminderAttempts {
  all(): AttemptsByReminder
  keep(id: string, at: number, until: number | null): void
  /** When the oldest that is not delivered was due; Infinity: all are. */
  owedSince(): number
  /** When the next one was planned for, as long as nobody has looked since; null: nobody knows. */
  planned(): number | null
  plan(at: number | null): void
  /** Drops those that were due before. */
  forget(before: number): void
}

export const entriesOf = (book: Book): Entries => ({ todos: book.todos(), events: book.events() })

/** What a command has changed, as it is now; nothing when it was removed. */
export function changedEntries(book: Book, { kind, data }: CommandResult): Entries {
  const id = Number(data.id)
  const todo = kind.startsWith('todo_') ? book.todo(id) : null
  const event = kind.startsWith('schedule_') || kind === 'repeat_toggled' ? book.event(id) : null
  return { todos: todo === null ? [] : [todo], events: event === null ? [] : [event] }
}

/** Longer than a reminder may be late: a clock that is set back finds what was delivered. */
const KEPT_MS = 2 * OWED_MS

/** All that a workspace tells without being asked. */
interface ReminderSources {
  book: Book
  tried: ReminderAttempts
  commands: DelegationRows
}

/** Reminders go first: they are soon too late. */
export function takeReminders(
  { book, tried, commands }: ReminderSources,
  call: RemindCall,
  now_ms: number,
): Reminder[] {
  settle(tried, call, now_ms)
  const reminders = call.max === 0 ? [] : handedOut(book, tried, call, now_ms)
  return [...reminders, ...takeNotices(commands, { ...call, max: call.max - reminders.length }, now_ms)]
}

function handedOut(book: Book, tried: ReminderAttempts, call: RemindCall, now_ms: number): Reminder[] {
  const open = openAlerts(entriesOf(book), tried.all(), now_ms, call.timezone, tried.owedSince())
  const reminders = open.slice(0, call.max).map((alert) => withLateness(reminderOf(alert), now_ms))
  if (reminders.length > 0) tried.forget(now_ms - KEPT_MS)
  for (const { id, at } of reminders) tried.keep(id, at, now_ms + HELD_MS)
  return reminders
}

/** One that comes later than a receiver may expect says so. */
function withLateness(reminder: Reminder, now_ms: number): Reminder {
  const late_ms = now_ms - reminder.at
  return late_ms < LATE_MS ? reminder : { ...reminder, data: { ...reminder.data, late_s: Math.floor(late_ms / 1000) } }
}

/** What came while the service was down is owed from now on, as if it had been tried. */
export function recordMissed(book: Book, tried: ReminderAttempts, now_ms: number, timezone: string): void {
  const since = tried.planned()
  if (since === null) return
  const missed = missedAlerts(entriesOf(book), tried.all(), since, now_ms, timezone)
  for (const alert of missed) tried.keep(alertId(alert), alert.at, now_ms)
}

/** One that was delivered stays so, whatever a slower try of it says. */
function settle(tried: ReminderAttempts, call: RemindCall, now_ms: number): void {
  const settled = call.settled.filter(({ id }) => commandIn(id) === null)
  if (settled.length === 0) return
  const before = tried.all()
  for (const { id, at, delivered } of settled) {
    if (before.get(id) !== null) tried.keep(id, at, delivered ? null : now_ms + retryAfter(at, now_ms))
  }
}
