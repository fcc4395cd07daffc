/** Dates as people and models write them: what each form means, and what a refusal says. */
import { describe, expect, it } from 'vitest'
import { localTime } from '../../../src/core/workspace/zones.ts'
import { toWorkspaceMoment } from '../../../src/core/workspace/commands/context.ts'
import { DAY_END } from '../../../src/core/workspace/commands/dates.ts'
import { workspace } from './desk.ts'

const UTC = { momentAt: (ms: number) => localTime(ms, 'UTC') }
const BERLIN = { momentAt: (ms: number) => localTime(ms, 'Europe/Berlin') }
const read = (text: string, zones = UTC) => toWorkspaceMoment(text, null, zones)

describe('2.1 a date is understood in each usual form', () => {
  it.each([
    ['2026-11-27 09:00', '2026-11-27 09:00'],
    ['2026-11-27   09:00', '2026-11-27 09:00'],
    ['2026-11-27T09:00', '2026-11-27 09:00'],
    ['2026-11-27t09:00', '2026-11-27 09:00'],
    ['2026-11-27 09:00:59', '2026-11-27 09:00'],
    ['2026-11-27T09:00:00.123', '2026-11-27 09:00'],
    ['2026-11-7 9:05', '2026-11-07 09:05'],
    ['Fri 2026-11-27 09:00', '2026-11-27 09:00'],
    ['Friday, 2026-11-27 09:00', '2026-11-27 09:00'],
    ['周五 2026-11-27 09:00', '2026-11-27 09:00'],
    ['星期天 2026-11-29 09:00', '2026-11-29 09:00'],
    ['2026-11-27T09:00Z', '2026-11-27 09:00'],
    ['2026-11-27T09:00:00.000Z', '2026-11-27 09:00'],
    ['2026-11-27T09:00+02:00', '2026-11-27 07:00'],
    ['2026-11-27 09:00+0200', '2026-11-27 07:00'],
    ['2026-11-27T22:00-05:00', '2026-11-28 03:00'],
    ['2026-11-27T09:00+05:30', '2026-11-27 03:30'],
  ])('2.1 %j is %s', (text, moment) => expect(read(text)).toBe(moment))

  it.each([
    ['2026-11-27T09:00Z', '2026-11-27 10:00'],
    ['2026-07-01T09:00Z', '2026-07-01 11:00'],
    ['2026-11-27T09:00+01:00', '2026-11-27 09:00'],
  ])('U25 a date with a zone is converted to the zone of the workspace: %s is %s', (text, moment) =>
    expect(read(text, BERLIN)).toBe(moment),
  )

  it.each([
    'tomorrow',
    '',
    '2026-11-27',
    '2026-11-27 24:00',
    '2026-11-27 09:60',
    '2026-11-27 09:00:60',
    '2026-02-30 09:00',
    '0000-01-01 09:00',
    '2026-11-27T09:00+15:00',
    '0001-01-01T00:00+02:00',
    '9999-12-31T23:59-02:00',
    '2026-11-27 09:00-10:00',
    'Thu 2026-11-27 09:00',
    '周四 2026-11-27 09:00',
    'noon 2026-11-27 09:00',
    '27.11.2026 09:00',
    '11/27/2026 09:00',
    '2026-11-27 09:00 PM',
  ])('2.1 %j is no moment', (text) => expect(read(text)).toBeNull())

  it('2.1 a day alone takes the time that is asked for, and none where a time is needed', () => {
    expect(toWorkspaceMoment('2026-11-27', DAY_END, UTC)).toBe('2026-11-27 23:59')
    expect(toWorkspaceMoment('2026-11-27', null, UTC)).toBeNull()
  })
})

describe('2.1 dates in slash commands', () => {
  it('2.3 a due day ends at 23:59, a reminder comes at 09:00, and the answer says so', () => {
    const { text } = workspace().run('/todo add milk --due 2026-03-20 --remind 2026-03-19 --tag home')
    expect(text).toBe('Added todo #1 [home] milk (priority 0, due 2026-03-20 23:59, remind 2026-03-19 09:00).')
  })
  it.each([
    ['/todo add --due 2026-03-20T10:00:00 milk', { content: 'milk', due_at: '2026-03-20 10:00' }],
    ['/todo add --due 2026-03-20 milk', { content: 'milk', due_at: '2026-03-20 23:59' }],
    ['/todo add --due Fri 2026-03-20 10:00 milk', { content: 'milk', due_at: '2026-03-20 10:00' }],
    ['/todo add --due 2026-03-20 10:00 5 eggs', { content: '5 eggs', due_at: '2026-03-20 10:00' }],
  ])('2.1 %s', (input, todo) => {
    const space = workspace()
    expect(space.run(input).kind).toBe('todo_added')
    expect(space.book.todo(1)).toMatchObject(todo)
  })
  it.each([
    ['/schedule add 2026-03-20T10:00 gym', 'gym'],
    ['/schedule add 2026-03-20T10:00:00Z gym', 'gym'],
    ['/schedule add Fri 2026-03-20 10:00 gym', 'gym'],
    ['/schedule add 2026-03-20 10:00 3 laps', '3 laps'],
  ])('2.4 the start of an event: %s', (input, title) => {
    const space = workspace()
    expect(space.run(input).kind).toBe('schedule_added')
    expect(space.book.event(1)).toMatchObject({ title, start: '2026-03-20 10:00' })
  })
  it.each([
    ['/todo add milk --due tomorrow', 'Given: "tomorrow".'],
    ['/todo add milk --due 2026-02-30 10:00', 'The calendar has no such moment.'],
    ['/todo add milk --due Mon 2026-03-20 10:00', 'That day is a Fri.'],
    ['/todo add milk --due 2026-03-20 10:00-11:00', 'Give one moment, not a period.'],
    ['/todo add milk --due 2026-03-20 9am', 'Given: "2026-03-20 9am".'],
    ['/schedule add 2026-03-20 gym', 'A day alone is not enough.'],
    ['/schedule add next week gym', 'Given: "next week gym".'],
    ['/schedule add Mon 2026-03-20 10:00 gym', 'That day is a Fri.'],
  ])('2.3 a refusal says what was given and what is wrong with it: %s', (input, words) => {
    const space = workspace()
    const result = space.run(input)
    expect(result).toMatchObject({ kind: 'usage_error', text: expect.stringContaining(words) })
    expect(result.text).toContain('YYYY-MM-DD HH:MM')
    expect(space.stored()).toEqual({ todos: [], events: [] })
  })
  it('2.3 an option that was given twice is not blamed for its date', () =>
    expect(workspace().run('/todo add milk --due 2026-03-20 --due 2026-03-21').text).toMatch(/Given: "2026-03-21"\.$/))
})

describe('what a model is shown of a date', () => {
  const MODEL = { reader: 'model' as const }
  it.each([
    ['/todo add milk --due 2026-03-20 10:00', 'due Fri 2026-03-20 10:00'],
    ['/schedule add 2026-03-20 10:00 gym --remind 2026-03-19 10:00', '#1 Fri 2026-03-20 10:00 gym'],
    ['/schedule add 2026-03-20 10:00 gym --remind 2026-03-19 10:00', 'remind Thu 2026-03-19 10:00'],
  ])('has its weekday in the result of %s', (input, words) => expect(workspace(MODEL).run(input).text).toContain(words))
  it('has its weekday in tables and headings, and in Chinese', () => {
    const space = workspace(MODEL)
    space.runAll('/todo add milk --due 2026-03-20 10:00', '/schedule add 2026-03-20 10:00 gym', '/todo done 1')
    expect(space.run('/todo list').text).toContain(
      '| Wed 2026-03-18 10:30:45 | Wed 2026-03-18 10:30:45 | Fri 2026-03-20 10:00 | - |',
    )
    expect(space.run('/schedule view day 2026-03-20').text).toMatch(
      /^Day Fri 2026-03-20:\n[^]*\| Fri 2026-03-20 10:00 \|/,
    )
    expect(space.run('/schedule view week 2026-03-27').text).toContain('Week Mon 2026-03-23 to Sun 2026-03-29')
    expect(space.run('/todo get 1', { locale: 'zh' }).text).toContain('| 周五 2026-03-20 10:00 |')
    expect(space.run('/schedule add 2026-03-20 10:30 yoga').text).toContain('#1 Fri 2026-03-20 10:00 gym')
  })
  it('is the day in its own zone, when the workspace is in another', () => {
    const ahead = { ...MODEL, toCaller: () => '2026-03-21 02:00' }
    expect(workspace(ahead).run('/todo add milk --due 2026-03-20 18:00').text).toContain('due Sat 2026-03-21 02:00')
  })
  it.each([
    [
      '/todo add milk --due 2026-03-17 10:00',
      'The due time is in the past: it was Tue 2026-03-17 10:00, now is Wed 2026-03-18 10:30.',
    ],
    [
      '/schedule add 2026-03-18 10:29 gym',
      'The start is in the past: it was Wed 2026-03-18 10:29, now is Wed 2026-03-18 10:30.',
    ],
    [
      '/todo add milk --due 2026-03-20 10:00 --remind 2026-03-18',
      'The reminder is in the past: it was Wed 2026-03-18 09:00, now is Wed 2026-03-18 10:30.',
    ],
  ])('is told and not refused when it is past: %s', (input, note) => {
    const result = workspace(MODEL).run(input)
    expect(result.ok).toBe(true)
    expect(result.text.split('\n')[1]).toBe(note)
  })
  it('is not told to be past when it is now or later, and never to people', () => {
    expect(workspace(MODEL).run('/schedule add 2026-03-18 10:30 gym').text).not.toContain('past')
    expect(workspace().run('/schedule add 2026-03-18 10:29 gym').text).toBe(
      'Added event #1 2026-03-18 10:29 gym (duration 60 min).',
    )
  })
  it('is told to be past in an update that names it, and not in one that leaves it', () => {
    const space = workspace(MODEL)
    space.run('/todo add milk --due 2026-03-17 10:00')
    expect(space.run('/todo update 1 milk --due 2026-03-16 10:00').text).toContain('in the past')
    expect(space.run('/todo update 1 oat milk').text).not.toContain('in the past')
  })
})
