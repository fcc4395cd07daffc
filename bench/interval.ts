/** How sure a ratio is that was measured in rounds: what a machine does meanwhile falls on both sides of a round, so only ratios within one count. */
import { randomOf } from '../scripts/lib/random.mjs'
import { median } from './load.ts'

export interface Interval {
  /** The median of the ratios within a round. */
  ratio: number
  /** Between these it lies in 95 of 100 draws of as many rounds (bootstrap). */
  low: number
  high: number
  rounds: number
}

const DRAWS = 4_000
/** The same rounds give the same interval. */
const SEED = 1

/** `pairs`: of each round what was measured of one side and of the other. */
export function ratioInterval(pairs: readonly (readonly [number, number])[]): Interval {
  const ratios = pairs.map(([one, other]) => one / other)
  const { below } = randomOf(SEED)
  const drawn = Array.from({ length: DRAWS }, () =>
    median(ratios.map(() => ratios[below(ratios.length)] ?? Number.NaN)),
  ).toSorted((one, other) => one - other)
  const at = (part: number) => drawn[Math.round(part * (DRAWS - 1))] ?? Number.NaN
  return { ratio: median(ratios), low: at(0.025), high: at(0.975), rounds: ratios.length }
}

export const intervalText = ({ ratio, low, high }: Interval): string =>
  `${ratio.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`
