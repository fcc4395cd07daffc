/**
 * When todos and events remind (requirements 2.5): which of their remind times fall between two instants, and when the next one is.
 * Remind times repeat on the wall clock as their events do; what is due is asked of the instants these are in the workspace's zone.
 */
import type { ScheduleEvent, Todo } from './commands/book.ts'
import { MINUTE_MAX, momentOf, storedMinute } from './commands/minutes.ts'
import { indexesWithin, seriesOf, type Series } from './commands/schedule/recurrence.ts'
import { instantOf, offsetAt } from './zones.ts'

/** What a workspace keeps, or a part of it. */
export interface CalendarEntries {
  todos: Todo[]
  events: ScheduleEvent[]
}

/** All remind times of one entry, in minutes of the wall clock; the k-th belongs to the k-th of its occurrences. */
type AlertSeries = { times: Series; starts: Series | null } & AlertSource
type AlertSource = { kind: 'todo'; entry: Todo } | { kind: 'schedule'; entry: ScheduleEvent }

/** One remind time. */
export type Alert = AlertSource & {
  /** `YYYY-MM-DD HH:MM`: when the occurrence starts (a todo: is due), null for a todo that is not due; when it reminds. */
  start: string | null
  remind: string
  /** That instant, ms since the epoch. */
  at: number
}

/** A reminder that nobody has tried to send is sent late when it was missed by less than this (U22). */
export const LATE_MS = 5 * 60_000
/** One that is owed – it was tried, or came while the service was down – is sent later still, up to this. */
export const OWED_MS = 24 * 60 * 60_000
/** Reminders of one workspace that are owed at once: the newest. */
export const OWED_MAX = 1_000

/** What an alert is known by: source, id, start of the occurrence, remind time. Fit for a header and the same whenever it is asked. */
export function alertId({ kind, entry, start, remind }: Alert): string {
  const stamp = (moment: string | null) => moment?.replaceAll(/[- :]/g, '') ?? 'none'
  return `reminder_${kind}_${entry.id}_${stamp(start)}_${stamp(remind)}`
}

/** A todo that is done reminds no more. */
function alertsOfTodo(entry: Todo): AlertSeries[] {
  if (entry.done || entry.remind_at === null) return []
  const once = (moment: string) => ({ first: storedMinute(moment), interval: 1, count: 1 })
  const starts = entry.due_at === null ? null : once(entry.due_at)
  return [{ kind: 'todo', entry, starts, times: once(entry.remind_at) }]
}

/** With an enabled rule each occurrence has its own, counted from `remind_start` or else from the event's. */
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

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The least and the most that clocks of the zone are ahead of UTC around a time: two days on either side, and each week between. */
function offsetsAround(from_ms: number, to_ms: number, timezone: string): { least: number; most: number } {
  const [first, last] = [from_ms - 2 * DAY_MS, to_ms + 2 * DAY_MS]
  const weeks = Math.ceil((last - first) / (7 * DAY_MS))
  const instants = Array.from({ length: weeks }, (_, week) => first + week * 7 * DAY_MS)
  const offsets = [...instants, last].map((ms) => offsetAt(ms, timezone))
  return { least: Math.min(...offsets), most: Math.max(...offsets) }
}

const startOf = ({ first, interval }: Series, index: number) => momentOf(first + index * interval)

/** The alerts with `after_ms` < instant ≤ `until_ms`, by time, then todos before events, then id. A window of a month at the most. */
export function alertsWithin(entries: CalendarEntries, after_ms: number, until_ms: number, timezone: string): Alert[] {
  const { least, most } = offsetsAround(after_ms, until_ms, timezone)
  // Wall clocks that may show within the window; whether they do is asked of each where the clocks are changed nearby.
  const from = Math.floor((after_ms + least) / MINUTE_MS)
  const to = Math.min(Math.floor((until_ms + most) / MINUTE_MS), MINUTE_MAX) + 1
  const instant = (minute: number) =>
    least === most ? minute * MINUTE_MS - least : instantOf(momentOf(minute), timezone)
  const found = alertsOf(entries).flatMap(({ times, starts, ...source }): Alert[] => {
    const { low, high } = indexesWithin(times, from, to)
    return Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => low + index).map((index) => {
      const minute = times.first + index * times.interval
      const start = starts === null ? null : startOf(starts, index)
      return { ...source, start, remind: momentOf(minute), at: instant(minute) }
    })
  })
  const due = found.filter(({ at }) => at > after_ms && at <= until_ms)
  return due.sort((a, b) => a.at - b.at || b.kind.localeCompare(a.kind) || a.entry.id - b.entry.id)
}

/** How far ahead is looked, step by step, so that what comes soon is found without going through a month. */
const AHEAD_MS = [60 * MINUTE_MS, DAY_MS, 7 * DAY_MS]
/** The farthest: who waits that long looks again then, because zones and settings change. */
export const HORIZON_MS = 30 * DAY_MS

/** When the first alert after an instant is due, or when to look again if all are beyond the horizon; null: there is none. */
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

/** What became of alerts, by id: null for one that was delivered, else until when a try holds it. */
export type AttemptsByReminder = ReadonlyMap<string, number | null>

/** What is due and not delivered: late by less than five minutes, or owed. `owed_since`: when the oldest that is owed was due. */
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

/** The alerts that are to be sent now: due, not too late, and neither delivered nor held. The earliest come first. */
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

/** Those that came while nobody looked: after `since`, when the first of them was due, and too long ago to be sent as merely late. */
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

/** How long after a failed try the next one is made: seldomer, the later it is. */
export const reminderRetryDelay = (at: number, now_ms: number): number =>
  now_ms - at < LATE_MS ? RETRY_MS : Math.min(RETRY_MS_MAX, Math.max(RETRY_MS, (now_ms - at) / 4))
const RETRY_MS = 30_000
const RETRY_MS_MAX = 3_600_000

/** When there is something to send: at once, when a try under way is over, or at the next alert; null: never. */
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
