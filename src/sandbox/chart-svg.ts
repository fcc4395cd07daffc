/** Draws a chart as SVG with echarts, which here is a function from data to a text: no document, nothing that moves, no script. */
import { BarChart, BoxplotChart, LineChart, PieChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Locale } from '../core/terms/locale.ts'
import { FONT, WIDTH } from './chart-frame.ts'
import { drawingOf } from './chart-option.ts'
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

/** null: it is too large to be kept. */
export function drawChart(chart: Chart, locale: Locale): string | null {
  const { option, height } = drawingOf(chart, locale)
  const picture = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  try {
    picture.setOption(option)
    const svg = withoutPageParts(picture.renderToSVGString())
    return svg.length <= SVG_CHARS_MAX ? svg : null
  } finally {
    picture.dispose()
    // What a library writes on the prototype of all objects would be there for every request of this isolate.
    for (const name of Object.keys(Object.prototype)) Reflect.deleteProperty(Object.prototype, name)
  }
}

/**
 * Less than half of what was drawn, and the same whenever it is drawn: without what only a page would use, and without ids that are counted
 * on in each process. In texts quotes and angle brackets are escaped, so these are attributes and elements.
 */
const withoutPageParts = (svg: string) =>
  svg
    .replace(/<style ?>.*?<\/style>\n?/gs, '')
    .replace(/ (?:class|pointer-events|ecmeta_\w+|xmlns:xlink|baseProfile|version)="[^"]*"/g, '')
    .replace(/((?: id="|url\(#))zr\d+-/g, '$1chart-')
    .replaceAll(`font-family:${FONT};`, '')
    .replace('<svg ', `<svg font-family="${FONT}" `)
    .replace(DOT, '<circle cx="$2" cy="$3" r="$1"$4></circle>')
/** A unit circle where it belongs. */
const DOT =
  /<path d="M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0" transform="matrix\(([\d.]+),0,0,[\d.]+,([-\d.]+),([-\d.]+)\)"([^<>]*)><\/path>/g
