/**
 * The todos and events of a tenant as a calendar (iCalendar, RFC 5545), as data: jCal (RFC 7265), which a library writes down. Times are the
 * wall clock of the workspace with its zone, so that what repeats daily keeps its hour when the clocks are changed, as it does here.
 */
import type { RepeatRule, ScheduleEvent, Todo } from './commands/book.ts'
import { fitRows } from './commands/bounds.ts'
import { storedMinute } from './commands/minutes.ts'
import { zoneComponent, type JCal, type Property, type Recur } from './calendar-zone.ts'
import type { CalendarEntries } from './reminders.ts'
import { instantOf } from './zones.ts'

/** Whose calendar, and in which zone its times are. */
export interface CalendarOwner {
  tenant: string
  timezone: string
  now_ms: number
}

/** What a calendar shows, as much as one answer holds: what repeats, then the latest. A todo without a due time has no place in it. */
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

export function calendarComponent({ todos, events }: CalendarEntries, of: CalendarOwner): JCal {
  const due = todos.filter(({ due_at }) => due_at !== null)
  const components = [
    ...events.map((event) => eventComponent(event, of)),
    ...due.map((todo) => todoComponent(todo, of)),
  ]
  return [
    'vcalendar',
    HEADER.concat(nameProperties(of)),
    [...zoneComponents({ todos: due, events }, of), ...components],
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

/** UTC needs no zone; another is told from the earliest time on to ten years from now, or the latest. */
function zoneComponents({ todos, events }: CalendarEntries, { timezone, now_ms }: CalendarOwner): JCal[] {
  if (timezone === 'UTC') return []
  const year = new Date(now_ms).getUTCFullYear()
  const years = [...events.map(({ start }) => start), ...todos.flatMap(({ due_at }) => due_at ?? [])].map(yearOf)
  const first = years.reduce((least, one) => Math.min(least, one), year)
  const last = years.reduce((most, one) => Math.max(most, one), year + 10)
  return [zoneComponent(timezone, yearStart(Math.max(first - 1, YEAR_MIN)), yearStart(Math.min(last, YEAR_MAX) + 1))]
}

/** Beyond, clocks are not changed by rules that anybody knows. */
const [YEAR_MIN, YEAR_MAX] = [1970, 2100]
const yearOf = (moment: string) => Number(moment.slice(0, 4))
const yearStart = (year: number) => Date.UTC(year, 0, 1)

const eventComponent = (event: ScheduleEvent, of: CalendarOwner): JCal => [
  'vevent',
  [
    ...identityProperties('event', event, of),
    textProperty('summary', toOneLine(event.title)),
    wallProperty('dtstart', event.start, of),
    ['duration', {}, 'duration', durationOf(event.duration)],
    ...(event.rule?.enabled === true
      ? [['rrule', {}, 'recur', recurrenceValue(event.rule, event.start)] as const]
      : []),
  ],
  eventAlarms(event, of),
]

/** PRIORITY is left out: our default would be what programs call the highest. */
const todoComponent = (todo: Todo, of: CalendarOwner): JCal => [
  'vtodo',
  [
    ...identityProperties('todo', todo, of),
    textProperty('summary', toOneLine(todo.content)),
    wallProperty('due', todo.due_at ?? '', of),
    textProperty('categories', toOneLine(todo.tag)),
    textProperty('status', todo.done ? 'COMPLETED' : 'NEEDS-ACTION'),
    ...(todo.completed_at === null ? [] : [instantProperty('completed', todo.completed_at, of)]),
  ],
  todo.done || todo.remind_at === null
    ? []
    : [alarmComponent(todo.content, instantProperty('trigger', todo.remind_at, of))],
]

/** The uid is the entry's for ever; ids are never used again. Stamped with its creation, so that what is unchanged reads the same. */
const identityProperties = (kind: string, { id, created_at }: ScheduleEvent | Todo, of: CalendarOwner): Property[] => [
  textProperty('uid', `${kind}-${id}.${of.tenant}@loop-agent`),
  instantProperty('dtstamp', created_at, of),
  instantProperty('created', created_at, of),
]

/** What repeats reminds so long before each occurrence; what does not, at that instant. */
function eventAlarms(event: ScheduleEvent, of: CalendarOwner): JCal[] {
  const { rule, remind_at, start, title } = event
  if (rule?.enabled !== true)
    return remind_at === null ? [] : [alarmComponent(title, instantProperty('trigger', remind_at, of))]
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
 * Every so many minutes of the wall clock. In weeks, days, or hours of each day where it can be said so: programs agree on these over a change
 * of the clocks, and some know no others. Whether the rest follows the wall clock or the time that passes is the program's own reading.
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

/** `PT15M`, `-P1DT2H`: days are those of the calendar. */
function durationOf(minutes: number): string {
  const size = Math.abs(minutes)
  const [days, hours, rest] = [Math.floor(size / DAY), Math.floor((size % DAY) / 60), size % 60]
  const time = `${hours > 0 ? `${hours}H` : ''}${rest > 0 || size === 0 ? `${rest}M` : ''}`
  return `${minutes < 0 ? '-' : ''}P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`
}

/** A time as it stands on the wall. */
function wallProperty(name: string, moment: string, { timezone }: CalendarOwner): Property {
  const value = `${moment.replace(' ', 'T')}:00`
  return timezone === 'UTC' ? [name, {}, 'date-time', `${value}Z`] : [name, { tzid: timezone }, 'date-time', value]
}

/** A wall clock, with seconds or without, as an instant. */
function instantProperty(name: string, moment: string, { timezone }: CalendarOwner): Property {
  const ms = instantOf(moment.slice(0, 16), timezone) + Number(moment.slice(17) || 0) * 1000
  return [name, {}, 'date-time', `${new Date(ms).toISOString().slice(0, 19)}Z`]
}

/** Control characters have no place in a calendar, and line breaks none in a title. */
const toOneLine = (words: string) => words.replaceAll(/\p{Cc}+/gu, ' ')
