/** The two measures against idling, alone: how long to wait after a failure, and when a question is the same (O0-12, U9). */
import { describe, expect, it } from 'vitest'
import { backoffMs, isSameQuestion } from '../../src/core/terms/failure-streak.ts'

describe('U9 the wait after a failed call', () => {
  it.each([
    [1, null, 1_000],
    [2, null, 2_000],
    [6, null, 32_000],
    [7, null, 60_000],
    [10_000, null, 60_000],
    [1, 0, 1_000],
    [1, 90_000, 90_000],
    [7, 1_500, 1_500],
  ])('after failure %i in a row, asked for %s ms, is %i ms', (count, asked, ms) => {
    expect(backoffMs({ count }, asked)).toBe(ms)
  })
})

describe('O0-12 a question', () => {
  it.each([
    ['When?', 'when', true],
    ['On which day, exactly?', 'on which day exactly', true],
    ['At 5€?', 'At 5', true],
    ['哪一天？', '哪 一天', true],
    ['When', 'When do you leave?', true],
    ['And when do you leave?', 'when do you leave', true],
    ['When?', 'Where?', false],
    ['a b c?', 'abd', false],
    ['?!', '…', true],
    ['?!', 'When?', false],
    ['When?', ' ', false],
  ])('%j after %j: the same is %s', (asked, again, same) => {
    expect(isSameQuestion(asked, again)).toBe(same)
    expect(isSameQuestion(again, asked)).toBe(same)
  })
})
