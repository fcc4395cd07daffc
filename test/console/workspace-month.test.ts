/** The month that the desk draws, of answers of the commands themselves. */
import { describe, expect, it } from 'vitest'
import { memoryBook } from '../support/memory/memory-book.ts'
import { runCommand } from '../../src/core/workspace/commands/run.ts'
import { eventAdd, eventUpdate, monthView, NO_EVENT, TODAY } from '../../src/console/views/workspace/commands.ts'
import {
  byDay,
  daysLater,
  firstDayOf,
  monthsLater,
  dayAfterKey,
  weeksOf,
} from '../../src/console/views/workspace/month.ts'
import { conflictsOf, draftOfEvent, eventsOf, unitOf } from '../../src/console/views/workspace/command-rows.ts'

const ran = (line: string, book = memoryBook(), locale: 'en' | 'zh' = 'en') =>
  runCommand(line, book, {
    reader: 'person',
    momentAt: () => '',
    now: '2030-01-31 23:59:00',
    locale,
    schedule_window_days: 31,
    conflict_preview_days: 31,
  })
const DAILY = '/schedule add 2030-01-30 09:00 standup --duration 15 --interval 1440'

describe('the weeks of a month', () => {
  it('start on Monday and hold each day once', () => {
    const weeks = weeksOf('2024-02')
    expect(weeks[0]).toEqual([null, null, null, '2024-02-01', '2024-02-02', '2024-02-03', '2024-02-04'])
    expect(weeks.flat().filter((day) => day !== null)).toHaveLength(29)
    expect(weeks.every((week) => week.length === 7)).toBe(true)
  })
  it.each([
    ['2021-02', 4],
    ['2026-03', 6],
    ['0001-01', 5],
    ['9999-12', 5],
  ])('%s has %i weeks', (month, count) => {
    expect(weeksOf(month)).toHaveLength(count)
  })
  it('days and months are counted across the ends of years', () => {
    expect([monthsLater('2030-12', 1), monthsLater('2030-01', -1)]).toEqual(['2031-01', '2029-12'])
    expect([daysLater('2030-12-31', 1), daysLater('2028-03-01', -1)]).toEqual(['2031-01-01', '2028-02-29'])
  })
  it('arrow keys lead to the next day and the next week, other keys nowhere', () => {
    expect(
      ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter'].map((key) => dayAfterKey(key, '2030-01-31')),
    ).toEqual(['2030-01-30', '2030-02-01', '2030-01-24', '2030-02-07', null])
  })
})

it('a repeating event is on each of its days, with its own start', () => {
  const book = memoryBook()
  ran(DAILY, book)
  const days = byDay(eventsOf(ran(monthView('2030-02'), book)))
  expect([...days.keys()]).toEqual(
    weeksOf('2030-02')
      .flat()
      .filter((day) => day !== null),
  )
  expect(days.get('2030-02-28')).toMatchObject([{ start: '2030-02-28 09:00', title: 'standup' }])
})

it.each(['en', 'zh'] as const)('today is the day that the service names, with and without events (%s)', (locale) => {
  const book = memoryBook()
  expect(firstDayOf(ran(TODAY, book, locale))).toBe('2030-01-31')
  ran('/schedule add 2030-01-31 10:00 of 1999-01-01', book)
  expect(firstDayOf(ran(TODAY, book, locale))).toBe('2030-01-31')
  expect(firstDayOf(ran('/schedule view month 2030-07', book, locale))).toBe('2030-07-01')
})

it('the draft of a stored event has all values unchanged', () => {
  const book = memoryBook()
  ran('/schedule add 2030-01-30 09:00 a  b --duration 15 --interval 2880 --times 4 --remind 2030-01-30 08:50', book)
  const before = book.event(1)
  const [row] = eventsOf(ran('/schedule get 1', book))
  const line = eventUpdate(1, row === undefined ? NO_EVENT : draftOfEvent(row))
  expect(line.ok && ran(line.value, book).kind).toBe('schedule_updated')
  expect(book.event(1)).toEqual(before)
})

it('a conflict gives the events that it names and the number of further ones', () => {
  const book = memoryBook()
  ran(DAILY, book)
  const line = eventAdd({ ...NO_EVENT, title: 'call', start: '2030-01-31T09:10', unit: 'day' })
  const found = conflictsOf(ran(line.ok ? line.value : '', book))
  expect(found.listed[0]).toEqual({ id: 1, start: '2030-01-31 09:00', title: 'standup' })
  expect([found.listed.length, found.more]).toEqual([5, 27])
  expect(conflictsOf(ran('/todo list', book))).toEqual({ listed: [], more: 0 })
})

it('an interval is shown in the largest unit of which it is a multiple', () => {
  expect([45, 120, 2880, 20_160].map(unitOf)).toEqual([
    { unit: 'minute', every: 45 },
    { unit: 'hour', every: 2 },
    { unit: 'day', every: 2 },
    { unit: 'week', every: 2 },
  ])
})
