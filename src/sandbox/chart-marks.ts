/**
 * The cost of drawing a chart, counted in marks: shapes and texts of their own, each about 40 µs. Charts are drawn outside the interpreter, so
 * its fuel does not bound this.
 */
import { callByKind, type ByKind } from '../core/terms/values/by-kind.ts'
import type { Chart } from './chart-spec.ts'

/** A line with at most this many points shows a dot for each (chart-option.ts). */
export const DOTTED_LINE_MAX = 40
/** All corners of one line are one shape. */
const CORNERS_PER_MARK = 10
/** A box with its whiskers. */
const MARKS_OF_BOX = 5
/** Further slices are joined into one. */
const SLICES_MAX = 11

const MARKS: ByKind<Chart, [], number> = {
  line({ x, series }) {
    const values = x.length * series.length
    return x.length <= DOTTED_LINE_MAX ? values : Math.ceil(values / CORNERS_PER_MARK)
  },
  bar: ({ x, series }) => x.length * (1 + series.length),
  scatter: ({ series }) => series.reduce((sum, { points }) => sum + points.length, 0),
  histogram: ({ bins }) => bins.length,
  pie: ({ slices }) => Math.min(SLICES_MAX, slices.length),
  box: ({ boxes }) => boxes.reduce((sum, { outliers }) => sum + MARKS_OF_BOX + outliers.length, 0),
}
export const marksOf = (chart: Chart): number => callByKind(MARKS, chart)
