/** A tenant's total of the day, alone: when it ends, when it is exhausted, how much a task takes ahead (ruling 16). */
import { describe, expect, it } from 'vitest'
import { chunkOf, dayOf, isExhausted, untilTomorrow } from '../../src/core/daily.ts'

const NIGHT = Date.UTC(2026, 10, 21)

describe('ruling 16 a UTC day', () => {
  it.each([
    [NIGHT, '2026-11-21', 86_400],
    [NIGHT + 1, '2026-11-21', 86_400],
    [NIGHT + 43_200_000, '2026-11-21', 43_200],
    [NIGHT + 86_399_999, '2026-11-21', 1],
    [NIGHT + 86_400_000, '2026-11-22', 86_400],
  ])('at %i it is %s, for %i s more', (now, day, seconds) => {
    expect(dayOf(now)).toBe(day)
    expect(untilTomorrow(now)).toBe(seconds)
  })
})

describe('ruling 16 a total', () => {
  it.each([
    [{ tokens: null, cost: null }, false],
    [{ tokens: 101, cost: 21 }, false],
    [{ tokens: 100, cost: null }, true],
    [{ tokens: null, cost: 20 }, true],
    [{ tokens: 101, cost: 20 }, true],
    [{ tokens: 99, cost: 21 }, true],
  ])('of %o with 100 tokens and 20 micro-dollars spent is exhausted: %s', (daily, exhausted) => {
    expect(isExhausted({ tokens: 100, cost: 20 }, daily)).toBe(exhausted)
  })

  const spent = { tokens: 100, cost: 20 }
  it.each([
    ['eight calls', { tokens: null, cost: null }, { tokens: 80, cost: 40 }],
    ['eight calls of what is bounded far away', { tokens: 180, cost: 60 }, { tokens: 80, cost: 40 }],
    ['what is left', { tokens: 179, cost: 59 }, { tokens: 79, cost: 39 }],
    ['exactly one call', { tokens: 110, cost: 25 }, { tokens: 10, cost: 5 }],
    ['nothing for want of tokens', { tokens: 109, cost: null }, null],
    ['nothing for want of money', { tokens: null, cost: 24 }, null],
  ])('gives %s', (_name, daily, chunk) => {
    const day = '2026-11-21'
    const given = chunk === null ? null : { ...chunk, day }
    expect(chunkOf({ tokens: 10, cost: 5 }, spent, daily, day)).toEqual(given)
  })
})
