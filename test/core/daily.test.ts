/** A tenant's total of the day, alone: when it ends, when it is exhausted, how much a task takes ahead (U16). */
import { describe, expect, it } from 'vitest'
import { chunkFor, dayOf, fullAxis, refuseSpent, type DailyLimits } from '../../src/core/workspace/daily-totals.ts'

const NIGHT = Date.UTC(2026, 10, 21)

describe('U16 a UTC day', () => {
  it.each([
    [NIGHT, '2026-11-21', 86_400],
    [NIGHT + 1, '2026-11-21', 86_400],
    [NIGHT + 43_200_000, '2026-11-21', 43_200],
    [NIGHT + 86_399_999, '2026-11-21', 1],
    [NIGHT + 86_400_000, '2026-11-22', 86_400],
  ])('at %i it is %s, for %i s more', (now, day, seconds) => {
    expect(dayOf(now)).toBe(day)
    const spent = { holder: 'tenant', period: 'day', axis: 'tokens', limit: 1 } as const
    expect(refuseSpent(spent, now).refusal).toMatchObject({ reset_s: seconds })
  })
})

/** The total of a tenant's day alone. */
const onDay = (limits: DailyLimits, spent: { tokens: number; cost: number }) => [
  { holder: 'tenant' as const, period: 'day' as const, limits, spent },
]

describe('U16 a total', () => {
  it.each([
    [{ tokens: null, cost: null }, false],
    [{ tokens: 101, cost: 21 }, false],
    [{ tokens: 100, cost: null }, true],
    [{ tokens: null, cost: 20 }, true],
    [{ tokens: 101, cost: 20 }, true],
    [{ tokens: 99, cost: 21 }, true],
  ])('with the limits %o, 100 tokens and 20 micro-dollars spent, is exhausted: %s', (daily, exhausted) => {
    expect(fullAxis(onDay(daily, { tokens: 100, cost: 20 })) !== null).toBe(exhausted)
  })

  const spent = { tokens: 100, cost: 20 }
  it.each([
    ['eight calls', { tokens: null, cost: null }, { tokens: 80, cost: 40 }],
    ['eight calls of what is bounded far away', { tokens: 1_380, cost: 660 }, { tokens: 80, cost: 40 }],
    ['a sixteenth of what is left', { tokens: 740, cost: 340 }, { tokens: 40, cost: 20, scarce: true }],
    ['one call when that is more', { tokens: 180, cost: 60 }, { tokens: 10, cost: 5, scarce: true }],
    ['exactly one call', { tokens: 110, cost: 25 }, { tokens: 10, cost: 5, scarce: true }],
    ['nothing for want of tokens', { tokens: 109, cost: null }, null],
    ['nothing for want of money', { tokens: null, cost: 24 }, null],
  ])('gives %s', (_name, daily, chunk) => {
    const day = '2026-11-21'
    const given = chunk === null ? null : { ...chunk, day }
    expect(chunkFor({ tokens: 10, cost: 5 }, onDay(daily, spent), day)).toEqual(given)
  })

  it.each([
    [500, 1_000_000, undefined],
    [500_000, 1_000_000, undefined],
    [500_001, 1_000_000, true],
    [0, 1_280, undefined],
    [0, 1_279, true],
    [500_001, null, undefined],
  ])('with %i tokens of %s spent is scarce: %s', (tokens, max, scarce) => {
    const chunk = chunkFor(
      { tokens: 10, cost: 0 },
      onDay({ tokens: max, cost: null }, { tokens, cost: 0 }),
      '2026-11-21',
    )
    expect(chunk?.scarce).toBe(scarce)
  })

  it('gives only what a task lacks beside what it holds of the same day', () => {
    const [day, daily] = ['2026-11-21', { tokens: 103, cost: null }]
    const wanted = (of: string, held: number) =>
      chunkFor({ tokens: 10, cost: 5, held: { tokens: held, cost: 5, day: of } }, onDay(daily, spent), day)
    expect(wanted(day, 7)).toEqual({ tokens: 3, cost: 35, day, scarce: true })
    expect([wanted(day, 6), wanted('2026-11-20', 7)]).toEqual([null, null])
  })
})
