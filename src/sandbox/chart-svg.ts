/** Draws a chart as SVG with echarts, which here is a function from data to a text: no document, nothing that moves, no script. */
import { BarChart, BoxplotChart, LineChart, PieChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Locale } from '../core/effect.ts'
import { drawingOf, WIDTH } from './chart-option.ts'
import type { Chart } from './chart-spec.ts'
import { SVG_CHARS_MAX } from './limits.ts'

echarts.use([
  BarChart,
  BoxplotChart,
  LineChart,
  PieChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  TitleComponent,
  SVGRenderer,
])

/** Of the renderer, counted on in each process; a picture has its own. In texts quotes are escaped, so only attributes are meant. */
const COUNTED_ID = /((?:id|class)="|url\(#)zr\d+-/g

/** null: it is too large to be kept. */
export function drawn(chart: Chart, locale: Locale): string | null {
  const { option, height } = drawingOf(chart, locale)
  const picture = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  try {
    picture.setOption({ ...option, silent: true })
    const svg = picture.renderToSVGString().replace(COUNTED_ID, '$1chart-')
    return svg.length <= SVG_CHARS_MAX ? svg : null
  } finally {
    picture.dispose()
  }
}
