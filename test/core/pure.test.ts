/** Small pure pieces: zones, texts, guards, budget. */
import { describe, expect, it } from 'vitest'
import { budgetView, charge, openBudget, isStepBudgetSpent } from '../../src/core/terms/budget.ts'
import { Settings } from '../../src/core/terms/settings.ts'
import { backoffMs, isSameQuestion } from '../../src/core/terms/failure-streak.ts'
import { cut } from '../../src/core/terms/text.ts'
import { instantOf, localTime, convertWallClock } from '../../src/core/workspace/zones.ts'

describe('zones', () => {
  it.each([
    ['2026-11-21 12:00', 'UTC', 'Asia/Shanghai', '2026-11-21 20:00'],
    ['2026-11-21 20:00', 'Asia/Shanghai', 'America/New_York', '2026-11-21 07:00'],
    ['2026-03-29 02:30', 'Europe/Berlin', 'UTC', '2026-03-29 01:30'], // skipped by the clock: moved past the gap
    ['2026-10-25 02:30', 'Europe/Berlin', 'UTC', '2026-10-25 00:30'], // twice on the clock: the first
    ['2026-07-01 09:00', 'Europe/Berlin', 'Europe/Berlin', '2026-07-01 09:00'],
    ['2026-01-01 00:15', 'Asia/Kathmandu', 'UTC', '2025-12-31 18:30'],
  ])('U25 %s in %s is %s: %s', (wall, from, to, moved) => {
    expect(convertWallClock(wall, from, to)).toBe(moved)
  })

  it('a wall clock and its instant go back and forth', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Shanghai', 'America/St_Johns', 'Pacific/Chatham']) {
      for (let hour = 0; hour < 24 * 14; hour += 5) {
        const ms = Date.UTC(2026, 9, 20, hour, 7)
        if (localTime(instantOf(localTime(ms, zone), zone), zone) !== localTime(ms, zone))
          throw new Error(`${zone} ${hour}`)
      }
    }
    expect(localTime(0, 'UTC')).toBe('1970-01-01 00:00')
  })
})

describe('texts', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abcdef', 5, 'ab...'],
    ['ab😀def', 6, 'ab...'],
  ])('O0-14 %s cut to %i is %s and never half a character', (text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected)
    expect(cut(text, limit).isWellFormed()).toBe(true)
  })
})

describe('guards', () => {
  it.each([
    ['When is it?', 'when is it', true],
    ['时间？', '请问时间', true],
    ['When is it?', 'Where is it?', false],
    ['???', 'When?', false],
    ['?!', '!?', true],
  ])('O0-12 %s and %s: %s', (one, other, same) => {
    expect(isSameQuestion(one, other)).toBe(same)
  })

  it('the pause after failed calls grows to a bound and yields to what the endpoint asked for', () => {
    const pauses = [1, 2, 3, 7, 100].map((count) => backoffMs({ count }, null))
    expect(pauses).toEqual([1_000, 2_000, 4_000, 60_000, 60_000])
    expect(backoffMs({ count: 3 }, 0)).toBe(1_000) // "at once" would not end the slice
    expect(backoffMs({ count: 1 }, 90_000)).toBe(90_000)
  })
})

describe('budget', () => {
  it('D1 remaining is never negative; seconds are working time rounded up', () => {
    let budget = openBudget(Settings.parse({ max_steps: 1 }))
    expect(isStepBudgetSpent(budget)).toBe(false)
    const cost = { steps: 1 as const, tokens: 7, cost: 0, ms: 1_001, over_reserve: false, usage: null }
    budget = charge(charge(budget, cost), { ...cost, tokens: 0, ms: 0 })
    expect(isStepBudgetSpent(budget)).toBe(true)
    expect(budgetView(budget, 'steps')).toMatchObject({
      used: 2,
      max: 1,
      remaining: 0,
      tokens: { used: 7 },
      seconds: { used: 2 },
    })
  })
})
