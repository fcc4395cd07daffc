import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dateText,
  dayMinute,
  dayStart,
  MINUTE_MAX,
  MINUTE_MIN,
  minuteOf,
  momentOf,
  monthBounds,
  storedMinute,
  weekStart,
} from '../../../src/core/terms/plain/minutes.ts'

describe('2.1 a date-time literal is a real calendar moment', () => {
  it.each(['0001-01-01 00:00', '0099-12-31 23:59', '2024-02-29 12:00', '2000-02-29 00:00', '9999-12-31 23:59'])(
    '2.1 %s is a moment and comes back as written',
    (text) => expect(momentOf(minuteOf(text) ?? NaN)).toBe(text),
  )

  it.each([
    '0000-01-01 00:00',
    '2026-02-29 10:00',
    '2026-02-30 10:00',
    '1900-02-29 10:00',
    '2026-04-31 10:00',
    '2026-00-10 10:00',
    '2026-13-01 10:00',
    '2026-01-00 10:00',
    '2026-01-32 10:00',
    '2026-01-01 24:00',
    '2026-01-01 10:60',
    '2026-1-01 10:00',
    '2026-01-01 9:00',
    '2026-01-01T10:00',
    '2026-01-01',
    '10000-01-01 00:00',
    '-001-01-01 00:00',
    '2026-01-01 10:00:00',
    '２０２６-01-01 10:00',
    '',
  ])('2.1 %j is no moment', (text) => expect(minuteOf(text)).toBeNull())

  it('2.1 one or more spaces between date and time are one', () =>
    expect(minuteOf('2026-01-01    10:00')).toBe(minuteOf('2026-01-01 10:00')))

  it('2.1 the bounds are the first and last moment that can be written', () => {
    expect(momentOf(MINUTE_MIN)).toBe('0001-01-01 00:00')
    expect(momentOf(MINUTE_MAX)).toBe('9999-12-31 23:59')
    expect(dayMinute(0, 12, 31)).toBeNull()
    expect(dayMinute(10_000, 1, 1)).toBeNull()
  })

  it('2.1 every minute of the calendar is written and read back', () =>
    fc.assert(
      fc.property(fc.integer({ min: MINUTE_MIN, max: MINUTE_MAX }), (minute) => {
        expect(minuteOf(momentOf(minute))).toBe(minute)
        expect(minute - dayStart(minute)).toBeGreaterThanOrEqual(0)
        expect(minute - dayStart(minute)).toBeLessThan(1440)
      }),
    ))

  it('2.1 stored times lose their seconds, and a damaged one is our own error', () => {
    expect(storedMinute('2026-01-01 10:00:59')).toBe(minuteOf('2026-01-01 10:00'))
    expect(() => storedMinute('soon')).toThrow('a stored time is no YYYY-MM-DD HH:MM')
  })
})

describe('2.4 days, weeks and months', () => {
  it.each([
    ['2026-03-16 00:00', '2026-03-16'],
    ['2026-03-18 10:30', '2026-03-16'],
    ['2026-03-22 23:59', '2026-03-16'],
    ['2026-03-23 00:00', '2026-03-23'],
    ['1970-01-01 00:00', '1969-12-29'],
    ['1969-12-28 12:00', '1969-12-22'],
    ['0001-01-07 12:00', '0001-01-01'],
  ])('2.4 the week of %s begins on Monday %s', (moment, monday) =>
    expect(dateText(weekStart(minuteOf(moment) ?? NaN))).toBe(monday),
  )

  it.each([
    ['2026-02-10 10:00', '2026-02-01', '2026-02-28'],
    ['2024-02-29 10:00', '2024-02-01', '2024-02-29'],
    ['2026-12-31 23:59', '2026-12-01', '2026-12-31'],
    ['0001-01-31 00:00', '0001-01-01', '0001-01-31'],
    ['9999-12-01 00:00', '9999-12-01', '9999-12-31'],
  ])('2.4 the month of %s is %s to %s', (moment, first, last) => {
    const { from, to } = monthBounds(minuteOf(moment) ?? NaN)
    expect([dateText(from), dateText(to - 1)]).toEqual([first, last])
  })
})
