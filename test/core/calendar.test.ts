/** The calendar read back by two libraries: one that knows zones by name, one that reads the zone the calendar tells. */
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { describe, expect, it } from 'vitest'
import { calendarEntries, calendarComponent } from '../../src/core/workspace/calendar.ts'
import type { RepeatRule, ScheduleEvent, Todo } from '../../src/core/workspace/commands/book.ts'
import { minuteOf, momentOf } from '../../src/core/terms/plain/minutes.ts'
import { occurrencesWithin } from '../../src/core/workspace/commands/schedule/recurrence.ts'
import { alertsWithin, type CalendarEntries } from '../../src/core/workspace/reminders.ts'
import { instantOf } from '../../src/core/workspace/zones.ts'

const NOW = Date.parse('2026-03-01T10:00:00Z')
const rule = (interval: number, times = -1, more: Partial<RepeatRule> = {}): RepeatRule => ({
  interval,
  times,
  remind_start: null,
  enabled: true,
  ...more,
})
const event = (id: number, start: string, more: Partial<ScheduleEvent> = {}): ScheduleEvent => ({
  id,
  title: `event ${id}`,
  start,
  duration: 30,
  remind_at: null,
  created_at: '2026-01-01 10:00:05',
  rule: null,
  ...more,
})
const todo = (id: number, more: Partial<Todo> = {}): Todo => ({
  id,
  content: `todo ${id}`,
  tag: 'home',
  priority: 0,
  done: false,
  created_at: '2026-01-01 10:00:05',
  completed_at: null,
  due_at: '2026-03-05 10:00',
  remind_at: null,
  ...more,
})
const textOf = (entries: Partial<CalendarEntries>, timezone = 'Europe/Berlin') =>
  ICAL.stringify(calendarComponent({ todos: [], events: [], ...entries }, { tenant: 'alice', timezone, now_ms: NOW }))

/** As a program reads it that knows no zone but those the calendar tells. */
function parsed(text: string) {
  ICAL.TimezoneService.reset()
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return calendar
}
const byUid = (text: string, uid: string) => {
  const all = parsed(text).getAllSubcomponents()
  return all.find((component) => component.getFirstPropertyValue('uid') === uid)
}

function toldStarts(text: string, uid: string, from: number, to: number): string[] {
  const found = byUid(text, uid)
  if (found === undefined) throw new Error(`no ${uid}`)
  const iterator = new ICAL.Event(found).iterator()
  const starts: string[] = []
  for (let next = iterator.next(); next !== undefined && next !== null; next = iterator.next()) {
    const at = next.toUnixTime() * 1000
    if (at >= to) break
    if (at >= from) starts.push(new Date(at).toISOString())
  }
  return starts
}

/** As a program reads it that knows zones by their names. */
function namedStarts(text: string, uid: string, from: number, to: number): string[] {
  const found = Object.values(nodeIcal.sync.parseICS(text)).find((one) => one?.type === 'VEVENT' && one.uid === uid)
  if (found?.type !== 'VEVENT') throw new Error(`no ${uid}`)
  const range = { from: new Date(from), to: new Date(to - 1) }
  return nodeIcal.expandRecurringEvent(found, range).map(({ start }) => new Date(start).toISOString())
}

/** As the schedule has it. */
function ownStarts(one: ScheduleEvent, from: string, to: string, timezone: string): string[] {
  const { shown } = occurrencesWithin([one], minuteOf(from) ?? 0, minuteOf(to) ?? 0)
  return shown.map(({ start }) => new Date(instantOf(momentOf(start), timezone)).toISOString())
}

const SPRING = ['2026-03-10 00:00', '2026-04-10 00:00'] as const
const AUTUMN = ['2026-10-10 00:00', '2026-11-10 00:00'] as const

describe('U22: a calendar program sees what the schedule has', () => {
  const cases: [string, ScheduleEvent][] = [
    ['a single event', event(1, '2026-03-29 08:00')],
    ['daily without end', event(1, '2026-02-01 08:15', { rule: rule(1440) })],
    ['every other day', event(1, '2026-02-01 23:30', { rule: rule(2880) })],
    ['weekly', event(1, '2026-02-01 08:00', { rule: rule(10_080) })],
    ['every two weeks, ten times', event(1, '2026-02-01 08:00', { rule: rule(20_160, 10) })],
    ['daily, forty times', event(1, '2026-03-01 08:00', { rule: rule(1440, 40) })],
    // Not within the hour that comes twice: which of the two is meant there, programs read differently.
    ['every eight hours', event(1, '2026-02-01 12:20', { rule: rule(480) })],
    ['every twelve hours, eighty times', event(1, '2026-03-01 12:00', { rule: rule(720, 80) })],
    ['a rule that is switched off', event(1, '2026-03-20 08:00', { rule: rule(1440, -1, { enabled: false }) })],
  ]
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Shanghai', 'UTC', 'Australia/Sydney']
  const table = cases.flatMap(([name, one]) =>
    zones.flatMap((zone) => [SPRING, AUTUMN].map((month) => ({ name, one, zone, month }))),
  )
  it.each(table)('U22 $name in $zone over $month.0', ({ one, zone, month: [from, to] }) => {
    const text = textOf({ events: [one] }, zone)
    const own = ownStarts(one, from, to, zone)
    const window = [instantOf(from, zone), instantOf(to, zone)] as const
    expect(toldStarts(text, 'event-1.alice@loop-agent', ...window)).toEqual(own)
    expect(namedStarts(text, 'event-1.alice@loop-agent', ...window)).toEqual(own)
  })
  it('U22 the table above has occurrences to compare', () => {
    const found = table.map(({ one, zone, month: [from, to] }) => ownStarts(one, from, to, zone).length)
    expect(found.filter((count) => count > 0).length).toBeGreaterThan(table.length / 2)
  })
  it.each([
    [37, 'MINUTELY', 37],
    [90, 'MINUTELY', 90],
    [36 * 60, 'HOURLY', 36],
    [1440 * 3, 'DAILY', 3],
  ])('2.4 each %i minutes is %s with interval %i', (interval, freq, every) => {
    const [month] = [['2026-04-10 00:00', '2026-05-10 00:00'] as const]
    const one = event(1, '2026-04-01 08:00', { duration: 5, rule: rule(interval) })
    const text = textOf({ events: [one] })
    expect(text).toContain(`RRULE:FREQ=${freq};INTERVAL=${every}\r\n`)
    const window = month.map((moment) => instantOf(moment, 'Europe/Berlin'))
    const own = ownStarts(one, ...month, 'Europe/Berlin')
    expect(toldStarts(text, 'event-1.alice@loop-agent', window[0] ?? 0, window[1] ?? 0)).toEqual(own)
  })
})

describe('U22: what else a calendar tells', () => {
  const firstAlarm = (text: string, uid: string) => byUid(text, uid)?.getFirstSubcomponent('valarm')
  it('U22 the alarm of a single event is at the instant of its reminder', () => {
    const one = event(1, '2026-03-29 08:00', { remind_at: '2026-03-28 20:00' })
    const trigger = firstAlarm(textOf({ events: [one] }), 'event-1.alice@loop-agent')?.getFirstPropertyValue('trigger')
    const [alert] = alertsWithin({ todos: [], events: [one] }, NOW, NOW + 30 * 86_400_000, 'Europe/Berlin')
    expect(trigger).toBeInstanceOf(ICAL.Time)
    expect(Date.parse(String(trigger))).toBe(alert?.at)
  })
  it.each([
    ['2026-03-01 07:45', null, '-PT15M'],
    ['2026-03-01 07:45', '2026-02-28 06:00', '-P1DT2H'],
    ['2026-03-01 08:05', null, 'PT5M'],
    ['2026-03-01 08:00', null, 'PT0M'],
  ])(
    '2.5 the reminder of a repeated event is relative: remind %s, remind_start %s → %s',
    (remind_at, remind_start, told) => {
      const one = event(1, '2026-03-01 08:00', { remind_at, rule: rule(1440, -1, { remind_start }) })
      expect(textOf({ events: [one] })).toContain(`TRIGGER:${told}\r\n`)
    },
  )
  it('U22 without a reminder there is no alarm', () =>
    expect(textOf({ events: [event(1, '2026-03-01 08:00')], todos: [todo(1)] })).not.toContain('VALARM'))

  it('U22 a todo that is due, open or done; one without a due time is left out', () => {
    const done = todo(2, { done: true, completed_at: '2026-03-02 09:00:07', remind_at: '2026-03-05 09:00' })
    const text = textOf({ todos: [todo(1, { remind_at: '2026-03-05 09:00' }), done, todo(3, { due_at: null })] })
    const [open, ended] = ['todo-1.alice@loop-agent', 'todo-2.alice@loop-agent'].map((uid) => byUid(text, uid))
    const due = open?.getFirstPropertyValue('due')
    expect(due instanceof ICAL.Time ? due.toUnixTime() * 1000 : null).toBe(
      instantOf('2026-03-05 10:00', 'Europe/Berlin'),
    )
    expect(open?.getFirstPropertyValue('status')).toBe('NEEDS-ACTION')
    expect(open?.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger')?.toString()).toBe(
      '2026-03-05T08:00:00Z',
    )
    expect(ended?.getFirstPropertyValue('status')).toBe('COMPLETED')
    expect(ended?.getFirstPropertyValue('completed')?.toString()).toBe('2026-03-02T08:00:07Z')
    expect(ended?.getFirstSubcomponent('valarm')).toBeNull()
    expect(text).not.toContain('todo-3')
  })

  it.each(['a; b, c\\n "d": e', '会议 🚀 '.repeat(60), 'tab\tand\u0007bell\r\nEND:VEVENT\r\nX-EVIL:1'])(
    'U22 a title comes back as it is, but for control characters: %j',
    (title) => {
      const text = textOf({ events: [event(1, '2026-03-01 08:00', { title, remind_at: '2026-03-01 07:00' })] })
      const found = byUid(text, 'event-1.alice@loop-agent')
      expect(found?.getFirstPropertyValue('summary')).toBe(title.replaceAll(/\p{Cc}+/gu, ' '))
      expect(parsed(text).getAllSubcomponents('vevent')).toHaveLength(1)
      expect(text).not.toContain('\r\nX-EVIL')
      for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).byteLength).toBeLessThanOrEqual(76)
    },
  )
  it('U22 the same entries are the same text, later in the year too', () => {
    const entries = { todos: [todo(1)], events: [event(1, '2026-03-01 08:00', { rule: rule(1440) })] }
    const at = (now_ms: number) => calendarComponent(entries, { tenant: 'alice', timezone: 'Europe/Berlin', now_ms })
    expect(at(NOW + 200 * 86_400_000)).toEqual(at(NOW))
  })
  it('U22 it shows repeated entries first, then the latest, if there is more than one answer holds', () => {
    const long = (day: number) =>
      event(day, `2026-03-${String(day).padStart(2, '0')} 08:00`, { title: 'x'.repeat(400_000) })
    const events = [{ ...long(1), rule: rule(1440) }, ...[2, 3, 4, 5, 6, 7, 8, 9].map(long)]
    const todos = [todo(1), todo(2, { due_at: '2026-04-05 10:00' }), todo(3, { due_at: null })]
    const shown = calendarEntries({ todos, events })
    expect(shown.events.map(({ id }) => id)).toEqual([1, 9, 8, 7, 6, 5, 4])
    expect(shown.todos.map(({ id }) => id)).toEqual([2, 1])
  })
  it('U22 times far from now do not make a calendar of centuries', () => {
    const events = [event(1, '0001-01-01 00:00'), event(2, '9999-12-31 23:00')]
    expect(textOf({ events }).length).toBeLessThan(10_000)
  })
})
