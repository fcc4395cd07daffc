/** The parts that all charts have in common: a title, names, axes and their numbers. */
import type { EChartsCoreOption } from 'echarts/core'
import type { Locale } from '../core/terms/locale.ts'
import type { Chart } from './chart-spec.ts'

export interface Drawing {
  height: number
  option: EChartsCoreOption
}

export const WIDTH = 800
export const HEIGHT = 450
export const INK = '#1f2933'
const FAINT = '#6b7280'
const RULE = '#e5e7eb'
export const COLORS = [
  '#3b6fb6',
  '#e08a3c',
  '#4f9d69',
  '#b5485d',
  '#7a68b3',
  '#8c6d46',
  '#3f9aa8',
  '#c26fa5',
  '#6b7280',
  '#a3a847',
  '#d0a43a',
  '#8fb4e3',
]
/** The font names have no double quotes, because the renderer writes them into an attribute unescaped. */
export const FONT = "'Helvetica Neue', Arial, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
/** The width of a title line, counted in Latin letters. */
const TITLE_UNITS_MAX = 82
const TITLE_LINE = 24
const LEGEND_LINE = 22

/** Formats 1.2M or 120万; small numbers stay as they are, and years have no comma. */
export function numberText(locale: Locale): (value: number) => string {
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 })
  const precise = new Intl.NumberFormat(locale, { maximumSignificantDigits: 5, useGrouping: 'min2' })
  return (value) => (Math.abs(value) < 10_000 ? precise.format(value) : compact.format(value))
}

export type ChartLabels = Pick<Chart, 'title' | 'x_label' | 'y_label'>

/** The title stands above the picture; there is a legend only for more than one name. */
export function frame({ title }: ChartLabels, names: string[], height = HEIGHT): Drawing {
  const legend = names.length > 1
  const rows = legend ? Math.ceil(names.reduce((sum, name) => sum + 45 + unitsOf(name) * 7, 0) / (WIDTH - 40)) : 0
  const lines = linesOf(title)
  const below_title = 18 + lines.length * TITLE_LINE
  return {
    height: height + Math.max(0, rows - 1) * LEGEND_LINE,
    option: {
      animation: false,
      backgroundColor: '#ffffff',
      color: COLORS,
      textStyle: { fontFamily: FONT, color: INK },
      title: {
        text: lines.join('\n'),
        left: 20,
        top: 12,
        textStyle: { fontSize: 17, lineHeight: TITLE_LINE, fontWeight: 600, color: INK },
      },
      legend: {
        show: legend,
        data: names,
        left: 18,
        top: below_title,
        itemWidth: 14,
        itemHeight: 10,
        itemGap: 14,
        textStyle: { color: INK, fontSize: 12 },
      },
      // `same`: the bounds include the names of the axes.
      grid: { left: 24, right: 36, top: below_title + rows * LEGEND_LINE + 8, bottom: 16, outerBoundsMode: 'same' },
    },
  }
}

/** Breaks a title into at most two lines. */
function linesOf(title: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const char of title) {
    if (unitsOf(line + char) > TITLE_UNITS_MAX) {
      const end = line.lastIndexOf(' ')
      const at = end > line.length / 2 ? end : line.length
      lines.push(line.slice(0, at))
      line = line.slice(at).trimStart()
    }
    line += char
  }
  if (line !== '') lines.push(line)
  return lines.length <= 2 ? lines : [lines[0] ?? '', `${lines[1] ?? ''} …`]
}

/** The width of a text, counted in Latin letters. */
export const unitsOf = (text: string) => [...text].reduce((sum, char) => sum + (char > '\u2e7f' ? 2 : 1), 0)

export const nameStyle = { color: FAINT, fontSize: 12 }
export const valueAxis = (name: string, locale: Locale, scale = false) => ({
  type: 'value',
  name,
  nameLocation: 'end',
  nameTextStyle: { ...nameStyle, align: 'left' },
  scale,
  splitLine: { lineStyle: { color: RULE } },
  axisLine: { show: false },
  axisTick: { show: false },
  axisLabel: { color: FAINT, fontSize: 12, formatter: numberText(locale) },
})
export const below = { nameLocation: 'middle', nameGap: 34, nameTextStyle: nameStyle }
export const categoryAxis = (name: string, data: string[]) => ({
  type: 'category',
  data,
  name,
  ...below,
  axisLine: { lineStyle: { color: '#9ca3af' } },
  axisTick: { show: false },
  axisLabel: { color: INK, fontSize: 12, width: 170, overflow: 'truncate', hideOverlap: true },
})
