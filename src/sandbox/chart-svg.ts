/** Draws a chart as SVG with echarts, used here as a function from data to text: without a document, animation or script. */
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

/** null: the picture is too large to be kept. */
export function drawChart(chart: Chart, locale: Locale): string | null {
  const { option, height } = drawingOf(chart, locale)
  const picture = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  try {
    picture.setOption(option)
    const svg = withoutPageParts(picture.renderToSVGString())
    return svg.length <= SVG_CHARS_MAX ? svg : null
  } finally {
    picture.dispose()
    // What a library writes to Object.prototype would stay for every request of this isolate.
    for (const name of Object.keys(Object.prototype)) Reflect.deleteProperty(Object.prototype, name)
  }
}

/**
 * Removes what only a page would use, and ids that are counted per process. The result is less than half as long, and the same each time. Texts
 * have their quotes and angle brackets escaped, so these patterns match attributes and elements only.
 */
const withoutPageParts = (svg: string) =>
  svg
    .replace(/<style ?>.*?<\/style>\n?/gs, '')
    .replace(/ (?:class|pointer-events|ecmeta_\w+|xmlns:xlink|baseProfile|version)="[^"]*"/g, '')
    .replace(/((?: id="|url\(#))zr\d+-/g, '$1chart-')
    .replaceAll(`font-family:${FONT};`, '')
    .replace('<svg ', `<svg font-family="${FONT}" `)
    .replace(DOT, '<circle cx="$2" cy="$3" r="$1"$4></circle>')
/** A unit circle that a transform moves to its place. */
const DOT =
  /<path d="M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0" transform="matrix\(([\d.]+),0,0,[\d.]+,([-\d.]+),([-\d.]+)\)"([^<>]*)><\/path>/g
