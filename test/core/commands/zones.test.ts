import { describe, expect, it } from 'vitest'
import { minuteOf, momentOf } from '../../../src/core/terms/plain/minutes.ts'
import { convertWallClock, instantOf, shownTime } from '../../../src/core/workspace/zones.ts'
import { workspace } from './desk.ts'

/** A caller 8 hours ahead of the workspace: it is 18:30 there. */
const shift = (minutes: number) => (moment: string) => momentOf((minuteOf(moment) ?? NaN) + minutes)
const AHEAD = { toWorkspace: shift(-480), toCaller: shift(480) }

describe('U25: a caller in another zone', () => {
  it('U25 written times are kept in the workspace zone and shown in the caller zone, seconds too', () => {
    const space = workspace()
    const added = space.run('/todo add milk --due 2026-03-20 02:00 --remind 2026-03-19  23:00', AHEAD)
    expect(space.book.todo(1)).toMatchObject({
      due_at: '2026-03-19 18:00',
      remind_at: '2026-03-19 15:00',
      created_at: '2026-03-18 10:30:45',
    })
    expect(added.rows[0]).toMatchObject({
      due: '2026-03-20 02:00',
      remind: '2026-03-19 23:00',
      created_at: '2026-03-18 18:30:45',
    })
    expect(added.text).toContain('due 2026-03-20 02:00, remind 2026-03-19 23:00')
    expect(space.run('/todo done 1', AHEAD).text).toContain('2026-03-18 18:30:45')
    expect(space.run('/todo list', AHEAD).text).toContain(
      '| 2026-03-18 18:30:45 | 2026-03-18 18:30:45 | 2026-03-20 02:00 | 2026-03-19 23:00 |',
    )
  })
  it('U25 a literal is checked before it is converted', () =>
    expect(workspace().run('/todo add milk --due 2026-02-30 02:00', AHEAD).kind).toBe('usage_error'))
  it('U25 a literal that leaves the calendar is refused, not thrown', () =>
    expect(workspace().run('/todo add milk --due 0001-01-01 02:00', AHEAD).kind).toBe('usage_error'))
  it('U25 the schedule: start, reminders, occurrences and conflicts', () => {
    const space = workspace()
    const added = space.run(
      '/schedule add 2026-03-20 02:00 call --interval 1440 --remind 2026-03-20 01:00 --remind-start 2026-03-20 01:50',
      AHEAD,
    )
    expect(space.book.event(1)).toMatchObject({ start: '2026-03-19 18:00', rule: { remind_start: '2026-03-19 17:50' } })
    expect(added.rows[0]).toMatchObject({
      start: '2026-03-20 02:00',
      remind: '2026-03-20 01:00',
      remind_start: '2026-03-20 01:50',
    })
    expect(added.text).toContain('2026-03-20 02:00 call')
    expect(space.run('/schedule add 2026-03-25 02:30 other', AHEAD).data).toEqual({
      conflicts: [{ id: 1, start: '2026-03-25 02:00', title: 'call' }],
      more: 0,
    })
    expect(space.run('/schedule view day 2026-03-22', AHEAD).rows.map(({ start }) => start)).toEqual([
      '2026-03-22 02:00',
    ])
    expect(space.run('/schedule view day 2026-03-22').rows.map(({ start }) => start)).toEqual(['2026-03-22 18:00'])
  })
  it.each(['0001-01-01 22:00', '9999-12-31 22:00'])(
    'U25 only real moments are converted, at the end of the calendar too: %s',
    (start) => {
      const strict = (moment: string) => {
        expect(minuteOf(moment)).not.toBeNull()
        return moment
      }
      const space = workspace({ now: `${start}:00`, toWorkspace: strict, toCaller: strict })
      space.run(`/schedule add ${start} last --interval 60 --times 2`)
      for (const view of ['list', 'view day', 'view week', 'view month'])
        expect(space.run(`/schedule ${view}`).rows).toHaveLength(2)
    },
  )
  it('U25 today is the day of the caller', () => {
    const space = workspace()
    space.runAll(
      '/todo add a --due 2026-03-18 15:00',
      '/todo add b --due 2026-03-18 17:00',
      '/todo add c --due 2026-03-17 15:00',
    )
    const today = (more = {}) => space.run('/view today', more).rows.map(({ id }) => id)
    expect(today()).toEqual([1, 2])
    expect(today(AHEAD)).toEqual([1])
    expect(space.run('/view upcoming', AHEAD).rows.map(({ id }) => id)).toEqual([2])
  })
  it('U25 the list begins at the midnight of the caller', () => {
    const space = workspace()
    space.runAll(
      '/schedule add 2026-03-15 15:59 before --duration 1',
      '/schedule add 2026-03-15 16:00 first --duration 1',
    )
    expect(space.run('/schedule list', AHEAD).rows.map(({ start }) => start)).toEqual(['2026-03-16 00:00'])
  })
})

describe('U25: instants at the end of the calendar', () => {
  it.each([
    ['9999-12-31 12:00', 'Europe/Berlin', Date.UTC(9999, 11, 31, 11)],
    ['9999-12-31 23:59', 'UTC', Date.UTC(9999, 11, 31, 23, 59)],
    ['9999-12-31 23:59', 'Pacific/Kiritimati', Date.UTC(9999, 11, 31, 9, 59)],
  ])('U25 %s in %s is an instant like any other', (wall, timezone, instant) =>
    expect(instantOf(wall, timezone)).toBe(instant),
  )
  it('U25 a wall clock of the last day can be moved', () =>
    expect(convertWallClock('9999-12-31 12:00', 'Asia/Tokyo', 'Europe/Berlin')).toBe('9999-12-31 04:00'))
})

describe('the time that models are shown', () => {
  it.each([
    ['2026-11-27T23:30:00Z', 'UTC', 'en', 'Fri 2026-11-27 23:30'],
    ['2026-11-27T23:30:00Z', 'Asia/Tokyo', 'en', 'Sat 2026-11-28 08:30'],
    ['2026-11-29T23:30:00Z', 'America/New_York', 'zh', '周日 2026-11-29 18:30'],
  ] as const)('has its weekday: %s in %s is shown in %s as %s', (instant, timezone, locale, shown) =>
    expect(shownTime(Date.parse(instant), timezone, locale)).toBe(shown),
  )
})
