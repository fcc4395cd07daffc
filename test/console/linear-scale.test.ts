/** The scale of the charts of costs, held to that of d3-scale. */
import { scaleLinear } from 'd3-scale'
import { expect, it } from 'vitest'
import { linearScale, roundMost } from '../../src/console/views/task/journal/linear-scale.ts'

it.each([1, 3, 7, 99, 1_234, 0.004, 1e9, 8_000_001])(
  'a scale up to %d has the places and ticks of d3-scale',
  (most) => {
    const theirs = scaleLinear([0, most], [170, 10]).nice(4)
    const ours = linearScale(roundMost(most, 4), [170, 10])
    expect(ours.ticks(4)).toEqual(theirs.ticks(4))
    for (const value of [0, most / 3, most]) expect(ours(value)).toBeCloseTo(theirs(value), 9)
  },
)
