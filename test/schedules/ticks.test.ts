/** The ticks of cron expressions and of intervals, also where a zone changes its clock. */
import { describe, expect, it } from 'vitest'
import { nextTicks } from '../../src/core/workspace/schedules/plan-ticks.ts'
import { ticksOf } from '../../src/shell/schedules/ticks-of.ts'
import { cronProblem } from '../../src/shell/schedules/cron.ts'

const short = (ms: number) => new Date(ms).toISOString().slice(0, 16)
async function cronTicks(cron: string, timezone: string, after: string, count: number) {
  const ticks = await ticksOf({ cron, timezone })
  return nextTicks(ticks, Date.parse(after), count).map(short)
}

describe('U57 the ticks of a cron expression', () => {
  it.each([
    // A day of 23 hours: 02:00 to 02:59 do not exist in Berlin.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:00']],
    ['0 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:00']],
    [
      '30 1-3 * * *',
      'Europe/Berlin',
      '2026-03-29T00:00Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    [
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:10Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    // A day of 25 hours: 02:00 to 02:59 come twice.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['0 2,3 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:00', '2026-10-25T02:00', '2026-10-26T01:00']],
    [
      '30 1-3 * * *',
      'Europe/Berlin',
      '2026-10-24T23:00Z',
      ['2026-10-24T23:30', '2026-10-25T00:30', '2026-10-25T02:30'],
    ],
    [
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:10Z',
      ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30'],
    ],
    [
      '0 * * * *',
      'America/New_York',
      '2026-11-01T04:30Z',
      ['2026-11-01T05:00', '2026-11-01T06:00', '2026-11-01T07:00'],
    ],
    // Between the two 02:30 the first one has passed.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10Z', ['2026-10-26T01:30']],
    // Lord Howe moves its clock by half an hour; Sao Paulo did it at midnight.
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['2026-10-03T15:30', '2026-10-04T15:15']],
    ['0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00Z', ['2018-11-04T03:00', '2018-11-05T02:00']],
    // A tick behind several changes, and leap days.
    ['30 2 29 3 *', 'Europe/Berlin', '2025-06-01T00:00Z', ['2026-03-29T01:00', '2027-03-29T00:30']],
    ['0 12 29 2 *', 'Asia/Shanghai', '2026-01-01T00:00Z', ['2028-02-29T04:00', '2032-02-29T04:00']],
    ['0 9 L * *', 'UTC', '2026-02-01T00:00Z', ['2026-02-28T09:00', '2026-03-31T09:00']],
    ['0 9 * * MON-FRI', 'UTC', '2026-11-27T10:00Z', ['2026-11-30T09:00', '2026-12-01T09:00']],
  ])('U57 %s in %s after %s', async (cron, zone, after, expected) => {
    expect(await cronTicks(cron, zone, after, expected.length)).toEqual(expected)
  })

  it.each(['30 2 * * *', '*/15 * * * *', '0 1-3 * * *', '* 2 * * SUN'])(
    'U57 %s: each tick comes after the one before it, wherever the search begins',
    async (cron) => {
      for (const day of ['2026-03-29', '2026-10-25']) {
        const ticks = await ticksOf({ cron, timezone: 'Europe/Berlin' })
        const begin = Date.parse(`${day}T00:00Z`) - 7_200_000
        const all = nextTicks(ticks, begin, 60)
        expect(all.toSorted((a, b) => a - b)).toEqual([...new Set(all)])
        // The first tick after a moment is the same, from whichever earlier moment one counts.
        for (const [index, tick] of all.entries()) {
          if (index === 0) continue
          expect(short(ticks.next(tick - 1) ?? 0)).toBe(short(tick))
          expect(short(ticks.next((all[index - 1] ?? 0) + 1) ?? 0)).toBe(short(tick))
        }
      }
    },
  )
})

describe('U57 the ticks of an interval', () => {
  it('U57 lie at equal distances from its beginning, in spite of changes of the clock', async () => {
    const anchor_ms = Date.parse('2026-03-28T22:10Z')
    const ticks = await ticksOf({ every_s: 7_200, timezone: 'Europe/Berlin', anchor_ms })
    expect(nextTicks(ticks, anchor_ms, 3).map(short)).toEqual([
      '2026-03-29T00:10',
      '2026-03-29T02:10',
      '2026-03-29T04:10',
    ])
    expect(short(ticks.next(anchor_ms - 86_400_000) ?? 0)).toBe('2026-03-29T00:10')
  })
})

describe('U57 a cron expression that cannot be read', () => {
  const NOW = Date.parse('2026-01-01T00:00Z')
  it.each([
    ['* * * *', 'five fields'],
    ['* * * * * *', 'not 6'],
    ['@daily', 'such as "0 9 * * MON-FRI", not a short name'],
    ['60 * * * *', 'has "60" as its field 1, the minute, which must be * or of 0 to 59'],
    ['0 24 * * *', 'field 2, the hour'],
    ['0 0 32 * *', 'field 3, the day of the month'],
    ['0 0 * FOO *', 'field 4, the month, which must be * or of 1 to 12'],
    ['0 0 * * 8', 'field 5, the day of the week'],
    ['0 5-1 * * *', 'has "5-1" as its field 2'],
    ['*/0 * * * *', 'has "*/0" as its field 1'],
    ['1,,2 * * * *', 'has "1,,2" as its field 1'],
    ['0 0 30 2 *', 'has no time at all'],
    ['0 0 31 4,6,9,11 *', 'has no time at all'],
  ])('U57 %s: the error names the field', (cron, words) => {
    expect(cronProblem(cron, NOW)).toContain(words)
  })
  it('U57 others are taken', () => {
    for (const cron of ['*/5 * * * *', '0 9 * * MON-FRI', ' 0  0 1 JAN * ', '0 0 L * *', '0 0 29 2 *'])
      expect(cronProblem(cron, NOW), cron).toBeNull()
  })
})
