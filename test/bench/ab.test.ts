/** The comparison of two commits: what its ratios say, and when they fail a change. */
import { describe, expect, it } from 'vitest'
import { isDearer, type Compared } from '../../bench/ab.ts'
import { ratioInterval } from '../../bench/interval.ts'

const compared = (pairs: [number, number][]): Compared => ({
  id: 'model',
  title: 'model step',
  base_ms: 1,
  tree_ms: 1,
  of_base: ratioInterval(pairs),
})

describe('a ratio of two sides that were measured in turn', () => {
  it('is the median of the ratios within a round, whatever the machine did between the rounds', () => {
    const slow_rounds = Array.from({ length: 9 }, (_, round): [number, number] => [(1 + round) * 1.2, 1 + round])
    const { ratio, low, high, rounds } = ratioInterval(slow_rounds)
    expect([ratio, low, high].map((one) => one.toFixed(6))).toEqual(['1.200000', '1.200000', '1.200000'])
    expect(rounds).toBe(9)
  })

  it('lies in an interval that is wider where the rounds differ more, and the same for the same rounds', () => {
    const spread = (by: number) =>
      Array.from({ length: 21 }, (_, round): [number, number] => [1 + ((round % 7) - 3) * by, 1])
    const [narrow, wide] = [ratioInterval(spread(0.01)), ratioInterval(spread(0.1))]
    expect(narrow.low).toBeLessThanOrEqual(narrow.ratio)
    expect(narrow.high).toBeGreaterThanOrEqual(narrow.ratio)
    expect(wide.high - wide.low).toBeGreaterThan(narrow.high - narrow.low)
    expect(ratioInterval(spread(0.1))).toEqual(wide)
  })

  it('fails a change only when the whole interval is above the bound', () => {
    const unsure: [number, number][] = [1.3, 0.9, 1.2, 1.0, 1.4, 0.95].map((one) => [one, 1])
    const sure: [number, number][] = [1.3, 1.2, 1.25, 1.22, 1.4, 1.31].map((one) => [one, 1])
    expect(ratioInterval(unsure).ratio).toBeGreaterThan(1.05)
    expect([isDearer(compared(unsure), 1.05), isDearer(compared(sure), 1.05)]).toEqual([false, true])
  })
})
