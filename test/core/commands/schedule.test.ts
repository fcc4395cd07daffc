import { describe, expect, it } from 'vitest'
import { NOW, workspace } from './desk.ts'

const ROW = {
  id: 1,
  start: '2026-03-20 10:00',
  duration: 60,
  title: 'gym',
  remind: null,
  remind_start: null,
  interval: null,
  times: null,
  repeat: null,
  created_at: NOW,
}
const ADD = '/schedule add 2026-03-20 10:00 gym'
const starts = (result: { rows: Record<string, unknown>[] }) => result.rows.map(({ start }) => start)

describe('2.4 add', () => {
  it('2.4 a single event lasts 60 minutes by default; its reply has id, start, title and duration', () =>
    expect(workspace().run(ADD)).toEqual({
      kind: 'schedule_added',
      ok: true,
      text: 'Added event #1 2026-03-20 10:00 gym (duration 60 min).',
      rows: [ROW],
      data: { id: 1 },
    }))
  it('2.4 the reply of a finite series has the number of occurrences, duration, interval, times, and the id', () => {
    const { text, rows, data } = workspace().run(`${ADD} --interval 1440 --times 5 --duration 30`)
    expect(text).toBe(
      'Added event #1 2026-03-20 10:00 gym (5 occurrences: duration 30 min, interval 1440 min, times 5).',
    )
    expect(rows).toEqual([{ ...ROW, duration: 30, interval: 1440, times: 5, repeat: 'on' }])
    expect(data).toEqual({ id: 1 })
  })
  it('2.4 interval without times is infinite (-1); its reply has id, duration and interval', () => {
    const { text, rows } = workspace().run(`${ADD} --interval 1440`)
    expect(text).toBe('Added event #1 2026-03-20 10:00 gym (repeats without end: duration 60 min, interval 1440 min).')
    expect(rows).toEqual([{ ...ROW, interval: 1440, times: -1, repeat: 'on' }])
  })
  it('2.4 reminders are appended to the reply when set', () => {
    const { text, rows } = workspace().run(
      `${ADD} --interval 60 --remind 2026-03-20 09:00 --remind-start 2026-03-20 09:50`,
    )
    expect(text).toContain(', remind 2026-03-20 09:00, repeat reminders from 2026-03-20 09:50).')
    expect(rows[0]).toMatchObject({ remind: '2026-03-20 09:00', remind_start: '2026-03-20 09:50' })
  })
  it('2.4 the keys of a row are those of the wire, in the order of the columns', () =>
    expect(Object.keys(workspace().run(ADD).rows[0] ?? {})).toEqual(Object.keys(ROW)))
  it('2.1 ids are never reused', () => {
    const space = workspace()
    space.runAll(ADD, '/schedule delete 1')
    expect(space.run(ADD).data).toEqual({ id: 2 })
  })
})

describe('2.4 update', () => {
  const FULL = `${ADD} --duration 30 --remind 2026-03-20 09:00 --interval 1440 --times 3 --remind-start 2026-03-20 09:50`
  it('2.4 duration and reminder are kept when absent, created_at always; without interval the rule is removed', () => {
    const space = workspace()
    space.run(FULL)
    const result = space.run('/schedule update 1 2026-03-21 11:00 swim', { now: '2026-03-19 00:00:00' })
    expect(result).toMatchObject({ kind: 'schedule_updated', ok: true, data: { id: 1 } })
    expect(result.rows).toEqual([
      { ...ROW, start: '2026-03-21 11:00', title: 'swim', duration: 30, remind: '2026-03-20 09:00' },
    ])
    expect(space.book.event(1)?.rule).toBeNull()
  })
  it('2.4 with an interval the rule is replaced and enabled again; remind_start is kept while a rule existed', () => {
    const space = workspace()
    space.runAll(FULL, '/schedule repeat 1 off', '/schedule update 1 2026-03-20 10:00 gym --interval 60')
    expect(space.book.event(1)?.rule).toEqual({
      interval: 60,
      times: -1,
      remind_start: '2026-03-20 09:50',
      enabled: true,
    })
    space.run('/schedule update 1 2026-03-20 10:00 gym --interval 60 --remind-start 2026-03-20 09:55')
    expect(space.book.event(1)?.rule?.remind_start).toBe('2026-03-20 09:55')
    space.runAll('/schedule update 1 2026-03-20 10:00 gym', '/schedule update 1 2026-03-20 10:00 gym --interval 60')
    expect(space.book.event(1)?.rule?.remind_start).toBeNull()
  })
  it('2.4 given duration and reminder replace the old ones', () => {
    const space = workspace()
    space.runAll(FULL, '/schedule update 1 2026-03-20 10:00 gym --duration 45 --remind 2026-03-19 09:00')
    expect(space.book.event(1)).toMatchObject({ duration: 45, remind_at: '2026-03-19 09:00' })
  })
  it('2.4 the checks come in the order syntax, existence, conflict, write', () => {
    const space = workspace()
    space.run(ADD)
    expect(space.run('/schedule update 9 2026-03-20 10:00 x --duration 0').kind).toBe('usage_error')
    expect(space.run('/schedule update 9 2026-03-20 10:00 x').kind).toBe('not_found')
    space.run('/schedule add 2026-03-20 12:00 lunch')
    const before = space.stored()
    expect(space.run('/schedule update 2 2026-03-20 10:30 lunch').kind).toBe('conflict')
    expect(space.stored()).toEqual(before)
    expect(space.run('/schedule update 2 2026-03-20 11:00 lunch').kind).toBe('schedule_updated')
  })
})

describe('2.4 repeat, get, delete', () => {
  it('2.4 off leaves only the base event in lists and conflict checks; the columns of the rule still show with off', () => {
    const space = workspace()
    space.run(`${ADD} --interval 1440 --times 3`)
    expect(space.run('/schedule repeat 1 off')).toMatchObject({
      kind: 'repeat_toggled',
      ok: true,
      rows: [{ id: 1, interval: 1440, times: 3, repeat: 'off' }],
      data: { id: 1 },
    })
    expect(space.run('/schedule list').rows).toEqual([{ ...ROW, interval: 1440, times: 3, repeat: 'off' }])
    expect(space.run('/schedule add 2026-03-21 10:00 free').kind).toBe('schedule_added')
    expect(space.run('/schedule add 2026-03-20 10:00 taken').kind).toBe('conflict')
    expect(space.run('/schedule repeat 1 ON').rows[0]).toMatchObject({ repeat: 'on' })
    expect(starts(space.run('/schedule view day 2026-03-22'))).toEqual(['2026-03-22 10:00'])
  })
  it('2.4 no rule or no such event is no_repeat_rule', () => {
    const space = workspace()
    space.run(ADD)
    for (const input of ['/schedule repeat 1 on', '/schedule repeat 9 off']) {
      expect(space.run(input)).toMatchObject({ kind: 'no_repeat_rule', ok: false })
    }
  })
  it('2.4 get shows all columns of the base event once', () => {
    const space = workspace()
    space.run(`${ADD} --interval 1440 --times 3`)
    expect(space.run('/schedule get 1')).toEqual({
      kind: 'schedule_detail',
      ok: true,
      text: [
        'Event #1:',
        '| ID | Start | Duration (min) | Title | Remind | Repeat remind start | Interval (min) | Times | Repeat | Created |',
        '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
        `| 1 | 2026-03-20 10:00 | 60 | gym | - | - | 1440 | 3 | on | ${NOW} |`,
      ].join('\n'),
      rows: [{ ...ROW, interval: 1440, times: 3, repeat: 'on' }],
      data: { id: 1 },
    })
  })
  it('2.4 delete removes event and rule', () => {
    const space = workspace()
    space.run(`${ADD} --interval 1440`)
    expect(space.run('/schedule delete 1')).toMatchObject({ kind: 'deleted', ok: true, rows: [], data: { id: 1 } })
    expect(space.stored().events).toEqual([])
    expect(space.run('/schedule add 2026-03-21 10:00 free').kind).toBe('schedule_added')
  })
  it.each(['/schedule get 9', '/schedule delete 9', '/schedule update 9 2026-03-20 10:00 x'])(
    '2.4 a missing id is not_found: %s',
    (input) => expect(workspace().run(input)).toMatchObject({ kind: 'not_found', ok: false }),
  )
})

describe('2.4 list (today 2026-03-18)', () => {
  it('2.4 the window is from 00:00 two days before today to 31 days after that moment, end inclusive', () => {
    const space = workspace()
    space.runAll(
      '/schedule add 2026-03-15 23:59 before --duration 1',
      '/schedule add 2026-03-16 00:00 first --duration 1',
      '/schedule add 2026-04-16 00:00 last --duration 1',
      '/schedule add 2026-04-16 00:01 after --duration 1',
    )
    expect(starts(space.run('/schedule list'))).toEqual(['2026-03-16 00:00', '2026-04-16 00:00'])
    expect(starts(space.run('/schedule list', { schedule_window_days: 30 }))).toEqual(['2026-03-16 00:00'])
  })
  it('2.4 base events come by their own start, not by how long they last', () => {
    const space = workspace()
    space.run('/schedule add 2026-03-15 23:00 long --duration 5000')
    expect(space.run('/schedule list')).toMatchObject({ kind: 'empty_result', ok: true, rows: [] })
  })
  it('2.4 occurrences are expanded inside the window, sorted by start, then id; each row repeats what its event has', () => {
    const space = workspace()
    space.runAll(
      '/schedule add 2026-03-01 09:00 old --interval 10080 --duration 5 --remind 2026-03-01 08:00',
      '/schedule add 2026-03-22 08:00 early',
      '/schedule add 2026-03-29 09:10 twice --interval 10080 --times 2 --duration 5',
    )
    const result = space.run('/schedule list')
    expect(result.kind).toBe('schedule_list')
    expect(result.rows.map(({ id, start }) => `${id} ${start}`)).toEqual([
      '2 2026-03-22 08:00',
      '1 2026-03-22 09:00',
      '1 2026-03-29 09:00',
      '3 2026-03-29 09:10',
      '1 2026-04-05 09:00',
      '3 2026-04-05 09:10',
      '1 2026-04-12 09:00',
    ])
    expect(result.rows[1]).toMatchObject({
      remind: '2026-03-01 08:00',
      interval: 10080,
      times: -1,
      repeat: 'on',
      created_at: NOW,
    })
  })
  it('2.4 events with the same start are sorted by id', () => {
    const space = workspace()
    space.runAll('/schedule add 2026-03-20 10:00 a --interval 60 --times 2 --duration 5', '/schedule repeat 1 off')
    space.runAll('/schedule add 2026-03-20 11:00 b --duration 5', '/schedule repeat 1 on')
    expect(space.run('/schedule list').rows.map(({ id }) => id)).toEqual([1, 1, 2])
  })
  it('2.4 times counts the first occurrence', () => {
    const space = workspace()
    space.run('/schedule add 2026-03-20 10:00 a --interval 1440 --times 3')
    expect(starts(space.run('/schedule list'))).toEqual(['2026-03-20 10:00', '2026-03-21 10:00', '2026-03-22 10:00'])
  })
})

describe('2.4 views', () => {
  const minutely = (...moments: string[]) => {
    const space = workspace()
    space.runAll(...moments.map((moment) => `/schedule add ${moment} x --duration 1`))
    return space
  }
  it.each([
    ['day', ['2026-03-17 23:59', '2026-03-18 00:00', '2026-03-18 23:59', '2026-03-19 00:00'], 'Day 2026-03-18:'],
    [
      'day 2026-03-18',
      ['2026-03-17 23:59', '2026-03-18 00:00', '2026-03-18 23:59', '2026-03-19 00:00'],
      'Day 2026-03-18:',
    ],
    [
      'week',
      ['2026-03-15 23:59', '2026-03-16 00:00', '2026-03-22 23:59', '2026-03-23 00:00'],
      'Week 2026-03-16 to 2026-03-22:',
    ],
    [
      'WEEK 2026-01-01',
      ['2025-12-28 23:59', '2025-12-29 00:00', '2026-01-04 23:59', '2026-01-05 00:00'],
      'Week 2025-12-29 to 2026-01-04:',
    ],
    [
      'month',
      ['2026-02-28 23:59', '2026-03-01 00:00', '2026-03-31 23:59', '2026-04-01 00:00'],
      'Month 2026-03-01 to 2026-03-31:',
    ],
    [
      'month 2024-02',
      ['2024-01-31 23:59', '2024-02-01 00:00', '2024-02-29 23:59', '2024-03-01 00:00'],
      'Month 2024-02-01 to 2024-02-29:',
    ],
    ['month 9999-12', ['9999-11-30 23:59', '9999-12-01 00:00', '9999-12-31 23:59'], 'Month 9999-12-01 to 9999-12-31:'],
  ])('2.4 the view %s is half-open: first minute in, end out', (view, moments, heading) => {
    const result = minutely(...moments).run(`/schedule view ${view}`)
    expect([result.kind, starts(result), result.text.split('\n')[0]]).toEqual([
      'schedule_view',
      moments.slice(1, 3),
      heading,
    ])
  })
  it('2.4 expansion is computed from the anchor, so far-away months show infinite repeats', () => {
    const space = workspace()
    space.run('/schedule add 2026-03-20 10:00 gym --interval 1440')
    const rows = space.run('/schedule view month 9999-12').rows
    expect([rows.length, rows[0]?.['start'], rows.at(-1)?.['start']]).toEqual([
      31,
      '9999-12-01 10:00',
      '9999-12-31 10:00',
    ])
    expect(space.run('/schedule view month 0001-01').kind).toBe('empty_result')
  })
  it('2.4 spans longer than the configured maximum are cut to it: with 7 a month shows its first 7 days', () => {
    const space = workspace({ schedule_window_days: 7 })
    space.run('/schedule add 2026-02-20 10:00 gym --interval 1440')
    const result = space.run('/schedule view month 2026-03')
    expect(starts(result)).toEqual([1, 2, 3, 4, 5, 6, 7].map((day) => `2026-03-0${day} 10:00`))
    expect(result.text).toContain('Month 2026-03-01 to 2026-03-07:')
  })
  it('2.4 an empty view is an empty_result that names its days', () =>
    expect(workspace().run('/schedule view week')).toMatchObject({
      kind: 'empty_result',
      ok: true,
      text: 'Week 2026-03-16 to 2026-03-22: no events.',
    }))
  it('2.4 a minutely event shows its first 10 000 occurrences and the number of further ones', () => {
    const space = workspace()
    space.run('/schedule add 2026-03-01 00:00 tick --interval 1 --duration 1')
    expect(space.run('/schedule view day 2026-03-02')).toMatchObject({ rows: { length: 1440 }, data: {} })
    const month = space.run('/schedule view month 2026-03')
    expect([month.rows.length, month.data]).toEqual([10_000, { more: 34_640 }])
    expect(month.text).toContain('and 34640 more')
  })
  it.each(['0001-01-01 00:00:00', '9999-12-31 23:59:59'])('the views work at the end of the calendar, %s', (now) => {
    const space = workspace({ now })
    space.run(`/schedule add ${now.slice(0, 16)} edge --interval 1 --duration 5`)
    for (const view of ['list', 'view day', 'view week', 'view month']) {
      const result = space.run(`/schedule ${view}`)
      expect(result.ok).toBe(true)
      expect(result.rows[0]).toMatchObject({ start: now.slice(0, 16) })
      expect(result.text).not.toMatch(/10000-|0000-/)
    }
  })
})
