import { describe, expect, it } from 'vitest'
import type { RepeatRule, ScheduleEvent, Todo } from '../../src/core/workspace/commands/book.ts'
import { reminderNotice } from '../../src/core/workspace/reminder-message.ts'
import {
  alertId,
  alertsWithin,
  HORIZON_MS,
  LATE_MS,
  nextAlertAt,
  alertsToSend,
  nextReminderAt,
  type CalendarEntries,
} from '../../src/core/workspace/reminders.ts'

const todo = (id: number, remind_at: string | null, more: Partial<Todo> = {}): Todo => ({
  id,
  content: `todo ${id}`,
  tag: 'default',
  priority: 0,
  done: false,
  created_at: '2026-01-01 00:00:00',
  completed_at: null,
  due_at: '2026-03-18 12:00',
  remind_at,
  ...more,
})
const rule = (interval: number, times: number, more: Partial<RepeatRule> = {}): RepeatRule => ({
  interval,
  times,
  remind_start: null,
  enabled: true,
  ...more,
})
const event = (id: number, start: string, remind_at: string | null, more: Partial<ScheduleEvent> = {}) => ({
  id,
  title: `event ${id}`,
  start,
  duration: 30,
  remind_at,
  created_at: '2026-01-01 00:00:00',
  rule: null,
  ...more,
})
const only = (entry: Partial<CalendarEntries>): CalendarEntries => ({ todos: [], events: [], ...entry })
const utc = (iso: string) => Date.parse(`${iso}Z`)
const MINUTE = 60_000
const NONE = new Map<string, number | null>()

/** Occurrence, remind time and instant of all alerts in (from, to]. */
const seen = (entries: CalendarEntries, from: string, to: string, timezone = 'UTC') =>
  alertsWithin(entries, utc(from), utc(to), timezone).map(({ start, remind, at }) =>
    [start, remind, new Date(at).toISOString().slice(0, 16)].join(' | '),
  )

describe('2.5 which remind times are due', () => {
  const daily = { rule: rule(1440, -1) }
  const day = ['2026-03-18T00:00', '2026-03-19T00:00'] as const
  it.each<[string, Partial<CalendarEntries>, string[]]>([
    [
      'an open todo',
      { todos: [todo(1, '2026-03-18 11:00')] },
      ['2026-03-18 12:00 | 2026-03-18 11:00 | 2026-03-18T11:00'],
    ],
    ['a done todo never', { todos: [todo(1, '2026-03-18 11:00', { done: true })] }, []],
    ['a todo without a remind time never', { todos: [todo(1, null)] }, []],
    ['the first instant belongs to the window before', { todos: [todo(1, '2026-03-18 00:00')] }, []],
    [
      'the last one to this',
      { todos: [todo(1, '2026-03-19 00:00')] },
      ['2026-03-18 12:00 | 2026-03-19 00:00 | 2026-03-19T00:00'],
    ],
    [
      'an event without a rule',
      { events: [event(1, '2026-03-18 15:00', '2026-03-18 14:45')] },
      ['2026-03-18 15:00 | 2026-03-18 14:45 | 2026-03-18T14:45'],
    ],
    ['an event without a remind time never', { events: [event(1, '2026-03-18 15:00', null, daily)] }, []],
    [
      'each occurrence of an enabled rule',
      { events: [event(1, '2026-01-01 15:00', '2026-01-01 14:45', daily)] },
      ['2026-03-18 15:00 | 2026-03-18 14:45 | 2026-03-18T14:45'],
    ],
    [
      'remind_start wins over the remind time',
      {
        events: [
          event(1, '2026-01-01 15:00', '2026-01-01 14:45', {
            rule: rule(1440, -1, { remind_start: '2026-01-01 09:00' }),
          }),
        ],
      },
      ['2026-03-18 15:00 | 2026-03-18 09:00 | 2026-03-18T09:00'],
    ],
    [
      'remind_start alone is enough',
      { events: [event(1, '2026-01-01 15:00', null, { rule: rule(1440, -1, { remind_start: '2026-01-01 09:00' }) })] },
      ['2026-03-18 15:00 | 2026-03-18 09:00 | 2026-03-18T09:00'],
    ],
    [
      'a remind time after the start, of the occurrence before',
      { events: [event(1, '2026-01-01 23:00', '2026-01-02 01:00', daily)] },
      ['2026-03-17 23:00 | 2026-03-18 01:00 | 2026-03-18T01:00'],
    ],
    [
      'a disabled rule leaves the base event',
      {
        events: [
          event(1, '2026-01-01 15:00', '2026-03-18 14:45', {
            rule: rule(1440, -1, { enabled: false, remind_start: '2026-01-01 09:00' }),
          }),
        ],
      },
      ['2026-01-01 15:00 | 2026-03-18 14:45 | 2026-03-18T14:45'],
    ],
    [
      'k stays below times',
      { events: [event(1, '2026-03-17 15:00', '2026-03-17 14:00', { rule: rule(600, 3) })] },
      ['2026-03-18 11:00 | 2026-03-18 10:00 | 2026-03-18T10:00'],
    ],
  ])('2.5 %s', (_name, entries, expected) => expect(seen(only(entries), ...day)).toEqual(expected))

  it('2.5 in order of time, todos before events, then by id', () => {
    const at = '2026-03-18 11:00'
    const entries = { todos: [todo(3, at), todo(2, at)], events: [event(1, at, at), event(4, at, '2026-03-18 10:00')] }
    const found = alertsWithin(entries, utc(day[0]), utc(day[1]), 'UTC').map(({ kind, entry }) => `${kind} ${entry.id}`)
    expect(found).toEqual(['schedule 4', 'todo 2', 'todo 3', 'schedule 1'])
  })
})

describe('2.5 remind times are wall clocks of the workspace', () => {
  const berlin = 'Europe/Berlin'
  const every = (interval: number, at: string) => only({ events: [event(1, at, at, { rule: rule(interval, -1) })] })
  it.each<[string, CalendarEntries, [string, string], string[]]>([
    [
      'a daily one keeps its hour over the change to summer time',
      every(1440, '2026-03-01 08:00'),
      ['2026-03-28T00:00', '2026-03-30T00:00'],
      ['2026-03-28T07:00', '2026-03-29T06:00'],
    ],
    [
      'and over the change back',
      every(1440, '2026-03-01 08:00'),
      ['2026-10-24T00:00', '2026-10-26T00:00'],
      ['2026-10-24T06:00', '2026-10-25T07:00'],
    ],
    [
      'a time that is skipped comes an hour later by the clock, in its place by time',
      every(1440, '2026-03-01 02:30'),
      ['2026-03-28T12:00', '2026-03-29T12:00'],
      ['2026-03-29T01:30'],
    ],
    [
      'an hour that is skipped falls onto the next',
      every(30, '2026-03-29 01:30'),
      ['2026-03-29T00:00', '2026-03-29T01:59'],
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:00', '2026-03-29T01:30', '2026-03-29T01:30'],
    ],
    [
      'an hour that comes twice reminds once, the first time',
      every(30, '2026-10-25 01:30'),
      ['2026-10-24T23:00', '2026-10-25T02:00'],
      ['2026-10-24T23:30', '2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T02:00'],
    ],
  ])('2.5 %s', (_name, entries, [from, to], instants) => {
    const found = alertsWithin(entries, utc(from), utc(to), berlin)
    expect(found.map(({ at }) => new Date(at).toISOString().slice(0, 16))).toEqual(instants)
  })

  it.each([
    'Europe/Berlin',
    'America/New_York',
    'Asia/Shanghai',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Casablanca',
  ])('2.5 in %s nothing is due twice and nothing is left out, however the time is cut', (timezone) => {
    const entries = every(37, '2026-01-01 00:07')
    const [from, to] = [utc('2026-02-10T00:00'), utc('2026-05-01T00:00')]
    const whole = Array.from({ length: 4 }, (_, part) => part * 20 * 86_400_000 + from).flatMap((start) =>
      alertsWithin(entries, start, Math.min(to, start + 20 * 86_400_000), timezone),
    )
    expect(new Set(whole.map(alertId)).size).toBe(whole.length)
    // One for each 37 minutes of the wall clock, the skipped and the repeated hour being as the wall shows them.
    expect(whole.length).toBeGreaterThan((80 * 1440) / 37 - 3)
    expect(whole.length).toBeLessThan((80 * 1440) / 37 + 3)
    const first = whole.findIndex(({ at }) => at > utc('2026-03-28T20:00'))
    for (const { at } of whole.slice(first, first + 20)) {
      const earlier = Math.max(...whole.filter((one) => one.at < at).map((one) => one.at))
      expect(nextAlertAt(entries, earlier, timezone)).toBe(at)
    }
  })
})

describe('2.5 when the next one is', () => {
  const now = utc('2026-03-18T10:00')
  it.each<[string, Partial<CalendarEntries>, number | null]>([
    ['nothing', {}, null],
    ['only past ones', { todos: [todo(1, '2026-03-18 10:00')] }, null],
    ['in a minute', { todos: [todo(2, '2026-03-20 10:01'), todo(1, '2026-03-18 10:01')] }, now + MINUTE],
    ['in three weeks', { todos: [todo(1, '2026-04-08 10:00')] }, now + 21 * 1440 * MINUTE],
    ['beyond the horizon it is looked again', { todos: [todo(1, '9999-12-31 23:59')] }, now + HORIZON_MS],
    [
      'a finite rule that is over',
      { events: [event(1, '2026-03-01 10:00', '2026-03-01 10:00', { rule: rule(1440, 18) })] },
      null,
    ],
    [
      'the last of a finite rule',
      { events: [event(1, '2026-03-01 10:05', '2026-03-01 10:05', { rule: rule(1440, 18) })] },
      now + 5 * MINUTE,
    ],
  ])('2.5 %s', (_name, entries, at) => expect(nextAlertAt(only(entries), now, 'UTC')).toBe(at))
})

describe('2.5 U22: what is to be sent now', () => {
  const at = utc('2026-03-18T10:00')
  const entries = only({ todos: [todo(1, '2026-03-18 10:00')] })
  const id = 'reminder_todo_1_202603181200_202603181000'
  it.each<[string, number, [string, number | null][], boolean, number | null]>([
    ['a minute before it waits', at - MINUTE, [], false, at],
    ['at its time it is open', at, [], true, at],
    ['missed by less than five minutes it is sent late', at + LATE_MS - 1, [], true, at + LATE_MS - 1],
    ['missed by five minutes it is dropped', at + LATE_MS, [], false, null],
    ['delivered it is done', at + 1, [[id, null]], false, null],
    ['under way it is held until its try must be over', at + 1, [[id, at + 9]], false, at + 9],
    ['after that it is open again', at + 9, [[id, at + 9]], true, at + 9],
  ])('U22 %s', (_name, now, tried, open, wake) => {
    const known = new Map(tried)
    expect(alertsToSend(entries, known, now, 'UTC').map(alertId)).toEqual(open ? [id] : [])
    expect(nextReminderAt(entries, known, now, 'UTC')).toBe(wake)
  })
  it('2.5 a late one does not hide the next', () => {
    const both = only({ todos: [todo(1, '2026-03-18 09:58'), todo(2, '2026-03-18 10:01')] })
    const delivered = new Map([['reminder_todo_1_202603181200_202603180958', null]])
    expect(nextReminderAt(both, NONE, at, 'UTC')).toBe(at)
    expect(nextReminderAt(both, delivered, at, 'UTC')).toBe(at + MINUTE)
  })
  it('2.5 a todo that is moved reminds anew', () => {
    const delivered = new Map([[id, null]])
    expect(alertsToSend(only({ todos: [todo(1, '2026-03-18 10:01')] }), delivered, at + MINUTE, 'UTC')).toHaveLength(1)
  })
})

describe('U22: what a reminder tells', () => {
  const told = (entries: Partial<CalendarEntries>) =>
    alertsWithin(only(entries), utc('2026-03-18T00:00'), utc('2026-03-19T00:00'), 'UTC').map(reminderNotice)
  it('U22 for a todo: its row, its due time, its reminder, a line for people', () =>
    expect(told({ todos: [todo(7, '2026-03-18 11:00', { content: '买牛奶', priority: 2 })] })).toEqual([
      {
        id: 'reminder_todo_7_202603181200_202603181100',
        type: 'todo.reminder',
        at: utc('2026-03-18T11:00'),
        data: {
          id: 7,
          status: 'open',
          tag: 'default',
          priority: 2,
          content: '买牛奶',
          created_at: '2026-01-01 00:00:00',
          completed_at: null,
          due: '2026-03-18 12:00',
          remind: '2026-03-18 11:00',
          occurrence_start: '2026-03-18 12:00',
          remind_at: '2026-03-18 11:00',
          text: '提醒：#7 买牛奶，截止 2026-03-18 12:00',
        },
      },
    ]))
  it('U22 for an event: the row of that occurrence', () => {
    const daily = event(2, '2026-03-01 15:00', '2026-03-01 14:45', { rule: rule(1440, -1) })
    expect(told({ events: [daily] })).toMatchObject([
      {
        id: 'reminder_schedule_2_202603181500_202603181445',
        type: 'schedule.reminder',
        data: {
          id: 2,
          start: '2026-03-18 15:00',
          remind: '2026-03-01 14:45',
          interval: 1440,
          times: -1,
          repeat: 'on',
          occurrence_start: '2026-03-18 15:00',
          remind_at: '2026-03-18 14:45',
          text: 'Reminder: #2 event 2, 2026-03-18 15:00, 30 min',
        },
      },
    ])
  })
})
