/**
 * The cost of drawing a chart, counted in marks: shapes and texts of their own, each about 40 µs. Charts are drawn outside the interpreter, so
 * its fuel does not bound this.
 */
import type { Chart } from './chart-spec.ts'

/** A line with at most this many points shows a dot for each (chart-option.ts). */
export const DOTTED_LINE_MAX = 40
/** All corners of one line are one shape. */
const CORNERS_PER_MARK = 10
/** A box with its whiskers. */
const MARKS_OF_BOX = 5
/** Further slices are joined into one. */
const SLICES_MAX = 11

export function marksOf(chart: Chart): number {
  switch (chart.kind) {
    case 'line': {
      const values = chart.x.length * chart.series.length
      return chart.x.length <= DOTTED_LINE_MAX ? values : Math.ceil(values / CORNERS_PER_MARK)
    }
    case 'bar':
      return chart.x.length * (1 + chart.series.length)
    case 'scatter':
      return chart.series.reduce((sum, { points }) => sum + points.length, 0)
    case 'histogram':
      return chart.bins.length
    case 'pie':
      return Math.min(SLICES_MAX, chart.slices.length)
    case 'box':
      return chart.boxes.reduce((sum, { outliers }) => sum + MARKS_OF_BOX + outliers.length, 0)
  }
}
