/** What one workspace tells, at least once each: what is handed out is held by its try, what was delivered is kept until it cannot be due again. */
import type { Book } from '../core/commands/book.ts'
import type { CommandResult } from '../core/commands/result.ts'
import { reminderOf, type Reminder } from '../core/reminder-message.ts'
import { openAlerts, type Entries, type Tried } from '../core/reminders.ts'
import { commandIn } from '../core/telling.ts'
import type { RemindCall } from '../core/workspace-methods.ts'
import type { DelegationRows } from './delegations.ts'
import { HELD_MS, tellFrom } from './tellings.ts'

/** What became of reminders, by id. */
export interface TriedReminders {
  all(): Tried
  keep(id: string, at: number, until: number | null): void
  /** Drops those that were due before. */
  forget(before: number): void
}

export const entriesOf = (book: Book): Entries => ({ todos: book.todos(), events: book.events() })

/** What a command has changed, as it is now; nothing when it was removed. */
export function changedBy(book: Book, { kind, data }: CommandResult): Entries {
  const id = Number(data.id)
  const todo = kind.startsWith('todo_') ? book.todo(id) : null
  const event = kind.startsWith('schedule_') || kind === 'repeat_toggled' ? book.event(id) : null
  return { todos: todo === null ? [] : [todo], events: event === null ? [] : [event] }
}

/** A try that failed is made again after this. */
const RETRY_MS = 30_000
/** Far longer than a reminder may be late: a clock that is set back finds what was delivered. */
const KEPT_MS = 24 * 60 * 60_000

/** All that a workspace tells without being asked. */
export interface Told {
  book: Book
  tried: TriedReminders
  commands: DelegationRows
}

/** Reminders go first: they are soon too late. */
export function remindFrom({ book, tried, commands }: Told, call: RemindCall, now_ms: number): Reminder[] {
  settle(tried, call, now_ms)
  const reminders = call.max === 0 ? [] : handedOut(book, tried, call, now_ms)
  return [...reminders, ...tellFrom(commands, { ...call, max: call.max - reminders.length }, now_ms)]
}

function handedOut(book: Book, tried: TriedReminders, call: RemindCall, now_ms: number): Reminder[] {
  const alerts = openAlerts(entriesOf(book), tried.all(), now_ms, call.timezone).slice(0, call.max)
  const reminders = alerts.map(reminderOf)
  if (reminders.length > 0) tried.forget(now_ms - KEPT_MS)
  for (const { id, at } of reminders) tried.keep(id, at, now_ms + HELD_MS)
  return reminders
}

/** One that was delivered stays so, whatever a slower try of it says. */
function settle(tried: TriedReminders, call: RemindCall, now_ms: number): void {
  const settled = call.settled.filter(({ id }) => commandIn(id) === null)
  if (settled.length === 0) return
  const before = tried.all()
  for (const { id, at, delivered } of settled) {
    if (before.get(id) !== null) tried.keep(id, at, delivered ? null : now_ms + RETRY_MS)
  }
}
