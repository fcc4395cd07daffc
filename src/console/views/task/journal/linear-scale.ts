/** A linear scale of a chart. That of d3-scale brings colours and formats along, which are a fifteenth of the page. */
import { nice, ticks } from 'd3-array'

export interface LinearScale {
  (value: number): number
  ticks(count: number): number[]
}

/** From `[0, most]` to the range. */
export function linearScale(most: number, [start, end]: readonly [number, number]): LinearScale {
  const scale = (value: number) => start + (value / most) * (end - start)
  return Object.assign(scale, { ticks: (count: number) => ticks(0, most, count) })
}

/** The next round number, such that so many ticks divide the scale evenly. */
export const roundMost = (most: number, count: number): number => nice(0, most, count)[1]
