/**
 * The todos and events of a tenant as an iCalendar (RFC 5545) in jCal (RFC 7265), which a library turns into text. Times are
 * wall clocks with the zone of the workspace. So a daily event keeps its hour when the clocks change, as it does here.
 */
import type { RepeatRule, ScheduleEvent, Todo } from './commands/book.ts'
import { fitRows } from './commands/bounds.ts'
import { storedMinute } from '../terms/plain/minutes.ts'
import { zoneComponent, type JCal, type Property, type Recur } from './calendar-zone.ts'
import type { CalendarEntries } from './reminders.ts'
import { instantOf } from './zones.ts'

/** The tenant of a calendar, and the zone of its times. */
interface CalendarOwner {
  tenant: string
  timezone: string
  now_ms: number
}

/** The entries of a calendar, as many as one answer holds: repeating events first, then the latest. Todos need a due time. */
export function calendarEntries({ todos, events }: CalendarEntries): CalendarEntries {
  const repeats = ({ rule }: ScheduleEvent) => Number(rule?.enabled === true)
  const due = todos.filter(({ due_at }) => due_at !== null)
  due.sort((a, b) => latestFirst(a.due_at, b.due_at) || a.id - b.id)
  const sorted = events.toSorted((a, b) => repeats(b) - repeats(a) || latestFirst(a.start, b.start) || a.id - b.id)
  return {
    todos: fitRows(due, ({ content, tag }) => content + tag).shown,
    events: fitRows(sorted, ({ title }) => title).shown,
  }
}

const latestFirst = (a: string | null, b: string | null) => (b ?? '').localeCompare(a ?? '')

export function calendarComponent({ todos, events }: CalendarEntries, owner: CalendarOwner): JCal {
  const due = todos.filter(({ due_at }) => due_at !== null)
  const components = [
    ...events.map((event) => eventComponent(event, owner)),
    ...due.map((todo) => todoComponent(todo, owner)),
  ]
  return [
    'vcalendar',
    HEADER.concat(nameProperties(owner)),
    [...zoneComponents({ todos: due, events }, owner), ...components],
  ]
}

const textProperty = (name: string, value: string): Property => [name, {}, 'text', value]
const HEADER: Property[] = [
  textProperty('version', '2.0'),
  textProperty('prodid', '-//loop-agent//calendar//EN'),
  textProperty('calscale', 'GREGORIAN'),
  textProperty('method', 'PUBLISH'),
  ['refresh-interval', {}, 'duration', 'PT15M'],
  ['x-published-ttl', {}, 'unknown', 'PT15M'],
]
const nameProperties = ({ tenant, timezone }: CalendarOwner): Property[] => [
  ['x-wr-calname', {}, 'unknown', tenant],
  ['x-wr-timezone', {}, 'unknown', timezone],
]

/** UTC needs no component. Another zone is described from the earliest entry to the latest, and at least for ten years. */
function zoneComponents({ todos, events }: CalendarEntries, { timezone, now_ms }: CalendarOwner): JCal[] {
  if (timezone === 'UTC') return []
  const year = new Date(now_ms).getUTCFullYear()
  const years = [...events.map(({ start }) => start), ...todos.flatMap(({ due_at }) => due_at ?? [])].map(yearOf)
  const first = years.reduce((least, one) => Math.min(least, one), year)
  const last = years.reduce((most, one) => Math.max(most, one), year + 10)
  return [zoneComponent(timezone, yearStart(Math.max(first - 1, YEAR_MIN)), yearStart(Math.min(last, YEAR_MAX) + 1))]
}

/** Outside of these years the rules of clock changes are not known. */
const [YEAR_MIN, YEAR_MAX] = [1970, 2100]
const yearOf = (moment: string) => Number(moment.slice(0, 4))
const yearStart = (year: number) => Date.UTC(year, 0, 1)

const eventComponent = (event: ScheduleEvent, owner: CalendarOwner): JCal => [
  'vevent',
  [
    ...identityProperties('event', event, owner),
    textProperty('summary', toOneLine(event.title)),
    wallProperty('dtstart', event.start, owner),
    ['duration', {}, 'duration', durationOf(event.duration)],
    ...(event.rule?.enabled === true
      ? [['rrule', {}, 'recur', recurrenceValue(event.rule, event.start)] as const]
      : []),
  ],
  eventAlarms(event, owner),
]

/** PRIORITY is left out, because the default priority of a todo would be the highest one to calendar programs. */
const todoComponent = (todo: Todo, owner: CalendarOwner): JCal => [
  'vtodo',
  [
    ...identityProperties('todo', todo, owner),
    textProperty('summary', toOneLine(todo.content)),
    wallProperty('due', todo.due_at ?? '', owner),
    textProperty('categories', toOneLine(todo.tag)),
    textProperty('status', todo.done ? 'COMPLETED' : 'NEEDS-ACTION'),
    ...(todo.completed_at === null ? [] : [instantProperty('completed', todo.completed_at, owner)]),
  ],
  todo.done || todo.remind_at === null
    ? []
    : [alarmComponent(todo.content, instantProperty('trigger', todo.remind_at, owner))],
]

/** The uid never changes, because ids are never used again. The stamp is the creation, so an unchanged entry reads the same. */
const identityProperties = (kind: string, entry: ScheduleEvent | Todo, owner: CalendarOwner): Property[] => [
  textProperty('uid', `${kind}-${entry.id}.${owner.tenant}@loop-agent`),
  instantProperty('dtstamp', entry.created_at, owner),
  instantProperty('created', entry.created_at, owner),
]

/** A repeating event reminds a fixed time before each occurrence, a single event at one instant. */
function eventAlarms(event: ScheduleEvent, owner: CalendarOwner): JCal[] {
  const { rule, remind_at, start, title } = event
  if (rule?.enabled !== true)
    return remind_at === null ? [] : [alarmComponent(title, instantProperty('trigger', remind_at, owner))]
  const first = rule.remind_start ?? remind_at
  if (first === null) return []
  return [alarmComponent(title, ['trigger', {}, 'duration', durationOf(storedMinute(first) - storedMinute(start))])]
}

const alarmComponent = (what: string, trigger: Property): JCal => [
  'valarm',
  [textProperty('action', 'DISPLAY'), textProperty('description', toOneLine(what)), trigger],
  [],
]

const DAY = 1440
const WEEK = 7 * DAY

/**
 * A repetition every `interval` minutes of the wall clock, in weeks, days or hours of each day if possible. Calendar programs
 * agree on these when the clocks change, and some know no others. For other intervals each program decides whether it follows
 * the wall clock or the elapsed time.
 */
function recurrenceValue({ interval, times }: RepeatRule, start: string): Recur {
  const count: Recur = times === -1 ? {} : { count: times }
  if (interval % WEEK === 0) return { freq: 'WEEKLY', interval: interval / WEEK, ...count }
  if (interval % DAY === 0) return { freq: 'DAILY', interval: interval / DAY, ...count }
  if (interval % 60 !== 0) return { freq: 'MINUTELY', interval, ...count }
  const hours = interval / 60
  if (DAY % interval !== 0) return { freq: 'HOURLY', interval: hours, ...count }
  const first = Number(start.slice(11, 13)) % hours
  return { freq: 'DAILY', byhour: Array.from({ length: 24 / hours }, (_, index) => first + index * hours), ...count }
}

/** `PT15M`, `-P1DT2H`. A day is a day of the calendar. */
function durationOf(minutes: number): string {
  const size = Math.abs(minutes)
  const [days, hours, minute] = [Math.floor(size / DAY), Math.floor((size % DAY) / 60), size % 60]
  const time = `${hours > 0 ? `${hours}H` : ''}${minute > 0 || size === 0 ? `${minute}M` : ''}`
  return `${minutes < 0 ? '-' : ''}P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`
}

/** A wall clock with its zone. */
function wallProperty(name: string, moment: string, { timezone }: CalendarOwner): Property {
  const value = `${moment.replace(' ', 'T')}:00`
  return timezone === 'UTC' ? [name, {}, 'date-time', `${value}Z`] : [name, { tzid: timezone }, 'date-time', value]
}

/** The instant of a wall clock, with or without seconds. */
function instantProperty(name: string, moment: string, { timezone }: CalendarOwner): Property {
  const ms = instantOf(moment.slice(0, 16), timezone) + Number(moment.slice(17) || 0) * 1000
  return [name, {}, 'date-time', `${new Date(ms).toISOString().slice(0, 19)}Z`]
}

/** A calendar may not contain control characters, and a title may not contain line breaks. */
const toOneLine = (words: string) => words.replaceAll(/\p{Cc}+/gu, ' ')
