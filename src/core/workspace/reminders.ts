/**
 * When todos and events remind (requirements 2.5): the remind times between two instants, and the next one. Remind times
 * repeat on the wall clock, as their events do. What is due is decided by their instants in the zone of the workspace.
 */
import type { ScheduleEvent, Todo } from './commands/book.ts'
import { MINUTE_MAX, momentOf, storedMinute } from '../terms/plain/minutes.ts'
import { indexesWithin, seriesOf, type Series } from './commands/schedule/recurrence.ts'
import { instantOf, offsetAt } from './zones.ts'
import { DAY_MS, MINUTE_MS } from '../terms/plain/durations.ts'

/** The todos and events of a workspace, or a part of them. */
export interface CalendarEntries {
  todos: Todo[]
  events: ScheduleEvent[]
}

/** All remind times of one entry, in minutes of the wall clock. The k-th time belongs to its k-th occurrence. */
type AlertSeries = { times: Series; starts: Series | null } & AlertSource
type AlertSource = { kind: 'todo'; entry: Todo } | { kind: 'schedule'; entry: ScheduleEvent }

export type Alert = AlertSource & {
  /** When the occurrence starts, or the todo is due: `YYYY-MM-DD HH:MM`. null: the todo has no due time. */
  start: string | null
  /** When it reminds: `YYYY-MM-DD HH:MM`. */
  remind: string
  /** When it reminds, in ms since the epoch. */
  at: number
}

/** A reminder without a try is sent late if it was missed by less than this (U22). */
export const LATE_MS = 5 * 60_000
/** An owed reminder was tried, or was due while the service was down. It is sent up to this long after it was due. */
export const OWED_MS = 24 * 60 * 60_000
/** A workspace owes at most so many reminders at once. Older ones are dropped. */
const OWED_MAX = 1_000

/** The id of an alert, from its source, entry, occurrence and remind time. It never changes, and fits into an HTTP header. */
export function alertId({ kind, entry, start, remind }: Alert): string {
  const stamp = (moment: string | null) => moment?.replaceAll(/[- :]/g, '') ?? 'none'
  return `reminder_${kind}_${entry.id}_${stamp(start)}_${stamp(remind)}`
}

/** A todo that is done does not remind. */
function alertsOfTodo(entry: Todo): AlertSeries[] {
  if (entry.done || entry.remind_at === null) return []
  const once = (moment: string) => ({ first: storedMinute(moment), interval: 1, count: 1 })
  const starts = entry.due_at === null ? null : once(entry.due_at)
  return [{ kind: 'todo', entry, starts, times: once(entry.remind_at) }]
}

/** With an enabled rule each occurrence reminds. The first time is `remind_start`, or else the remind time of the event. */
function alertsOfEvent(entry: ScheduleEvent): AlertSeries[] {
  const { rule, remind_at } = entry
  const first = rule?.enabled === true ? (rule.remind_start ?? remind_at) : remind_at
  if (first === null) return []
  const starts = seriesOf(entry)
  return [{ kind: 'schedule', entry, starts, times: { ...starts, first: storedMinute(first) } }]
}

const alertsOf = ({ todos, events }: CalendarEntries) => [
  ...todos.flatMap(alertsOfTodo),
  ...events.flatMap(alertsOfEvent),
]

/** The smallest and the largest offset of the zone around a time, with two days on either side and each week between. */
function offsetsAround(from_ms: number, to_ms: number, timezone: string): { least: number; most: number } {
  const [first, last] = [from_ms - 2 * DAY_MS, to_ms + 2 * DAY_MS]
  const weeks = Math.ceil((last - first) / (7 * DAY_MS))
  const instants = Array.from({ length: weeks }, (_, week) => first + week * 7 * DAY_MS)
  const offsets = [...instants, last].map((ms) => offsetAt(ms, timezone))
  return { least: Math.min(...offsets), most: Math.max(...offsets) }
}

const startOf = ({ first, interval }: Series, index: number) => momentOf(first + index * interval)

/** The alerts with `after_ms` < instant ≤ `until_ms`, by time, todos before events, then id. A window is at most a month. */
export function alertsWithin(entries: CalendarEntries, after_ms: number, until_ms: number, timezone: string): Alert[] {
  const { least, most } = offsetsAround(after_ms, until_ms, timezone)
  // These wall clocks may occur within the window. If the offset changes nearby, the instant of each is computed.
  const from = Math.floor((after_ms + least) / MINUTE_MS)
  const to = Math.min(Math.floor((until_ms + most) / MINUTE_MS), MINUTE_MAX) + 1
  const instant = (minute: number) =>
    least === most ? minute * MINUTE_MS - least : instantOf(momentOf(minute), timezone)
  const alerts = alertsOf(entries).flatMap(({ times, starts, ...source }): Alert[] => {
    const { low, high } = indexesWithin(times, from, to)
    return Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index).map((index) => {
      const minute = times.first + index * times.interval
      const start = starts === null ? null : startOf(starts, index)
      return { ...source, start, remind: momentOf(minute), at: instant(minute) }
    })
  })
  const due = alerts.filter(({ at }) => at > after_ms && at <= until_ms)
  return due.sort((a, b) => a.at - b.at || b.kind.localeCompare(a.kind) || a.entry.id - b.entry.id)
}

/** The search for the next alert begins with short windows, so that a near one is found without expanding a month. */
const AHEAD_MS = [60 * MINUTE_MS, DAY_MS, 7 * DAY_MS]
/** The longest window. After it the search starts again, because zones and settings change. */
export const HORIZON_MS = 30 * DAY_MS

/** When the first alert after an instant is due, or when to search again if all are later. null: there is none. */
export function nextAlertAt(entries: CalendarEntries, after_ms: number, timezone: string): number | null {
  for (const ahead of [...AHEAD_MS, HORIZON_MS]) {
    const [first] = alertsWithin(entries, after_ms, after_ms + ahead, timezone)
    if (first !== undefined) return first.at
  }
  const horizon = after_ms + HORIZON_MS
  const last = ({ times }: AlertSeries) =>
    Math.min(times.first + (times.count - 1) * times.interval, MINUTE_MAX) * MINUTE_MS
  return alertsOf(entries).some((alerts) => last(alerts) > horizon - DAY_MS) ? horizon : null
}

/** The tries of alerts by id: null if the alert was delivered, else until when a try holds it. */
export type AttemptsByReminder = ReadonlyMap<string, number | null>

/** The alerts that are due and not delivered: late, or owed. `owed_since` is when the oldest owed alert was due. */
function dueAlerts(
  entries: CalendarEntries,
  tried: AttemptsByReminder,
  now_ms: number,
  timezone: string,
  owed_since: number,
): Alert[] {
  const from = Math.max(now_ms - OWED_MS, Math.min(now_ms - LATE_MS, owed_since - 1))
  return alertsWithin(entries, from, now_ms, timezone).filter((alert) => {
    const until = tried.get(alertId(alert))
    return until === undefined ? alert.at > now_ms - LATE_MS : until !== null
  })
}

/** The alerts to send now: they are due, not too late, and neither delivered nor held by a try. The earliest come first. */
export function alertsToSend(
  entries: CalendarEntries,
  tried: AttemptsByReminder,
  now_ms: number,
  timezone: string,
  owed_since = Infinity,
): Alert[] {
  const due = dueAlerts(entries, tried, now_ms, timezone, owed_since)
  return due.filter((alert) => (tried.get(alertId(alert)) ?? 0) <= now_ms)
}

/** The alerts since `since` that were due while the service was down, too long ago to be sent as late ones. */
export function missedAlerts(
  entries: CalendarEntries,
  tried: AttemptsByReminder,
  since: number,
  now_ms: number,
  timezone: string,
): Alert[] {
  const from = Math.max(now_ms - OWED_MS, since - 1)
  if (from >= now_ms - LATE_MS) return []
  const missed = alertsWithin(entries, from, now_ms - LATE_MS, timezone).filter((alert) => !tried.has(alertId(alert)))
  return missed.slice(-OWED_MAX)
}

/** The delay after a failed try. It grows with the time since the alert was due. */
export const reminderRetryDelay = (at: number, now_ms: number): number =>
  now_ms - at < LATE_MS ? RETRY_MS : Math.min(RETRY_MS_MAX, Math.max(RETRY_MS, (now_ms - at) / 4))
const RETRY_MS = 30_000
const RETRY_MS_MAX = 3_600_000

/** When there is something to send: now, at the end of a running try, or at the next alert. null: never. */
export function nextReminderAt(
  entries: CalendarEntries,
  tried: AttemptsByReminder,
  now_ms: number,
  timezone: string,
  owed_since = Infinity,
): number | null {
  const due = dueAlerts(entries, tried, now_ms, timezone, owed_since)
  const open = due.map((alert) => Math.max(now_ms, tried.get(alertId(alert)) ?? now_ms))
  const times = [...open, nextAlertAt(entries, now_ms, timezone) ?? []].flat()
  return times.length === 0 ? null : Math.min(...times)
}
