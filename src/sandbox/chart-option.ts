/** Builds the echarts option for each kind of chart: light, without animation, readable with thirty categories and in Chinese. */
import type { Locale } from '../core/terms/locale.ts'
import { callByKind, type ByKind } from '../core/terms/values/by-kind.ts'
import {
  below,
  categoryAxis,
  COLORS,
  frame,
  HEIGHT,
  INK,
  nameStyle,
  numberText,
  unitsOf,
  valueAxis,
  type ChartLabels,
  type Drawing,
} from './chart-frame.ts'
import { DOTTED_LINE_MAX } from './chart-marks.ts'
import type { Chart, ChartOf } from './chart-spec.ts'

/** With more labels, or wider ones, bars are drawn horizontally. */
const STANDING_BARS_MAX = 12
const STANDING_UNITS_MAX = 84
const LABELED_BARS_MAX = 40
const SLICES_MAX = 10
const OTHERS: Record<Locale, string> = { en: 'Other', zh: '其他' }
const COUNT: Record<Locale, string> = { en: 'Count', zh: '数量' }
const HEIGHT_MAX = 3_200

export const drawingOf = (chart: Chart, locale: Locale): Drawing => callByKind(DRAWINGS, chart, locale)

/** The frame of a chart with what is drawn in it. */
function drawn(labels: ChartLabels, names: string[], content: Drawing['option'], height_min = HEIGHT): Drawing {
  const { height, option } = frame(labels, names, height_min)
  return { height, option: { ...option, ...content } }
}

function lineDrawing({ x, series, stacked, ...labels }: ChartOf<'line'>, locale: Locale): Drawing {
  // A line of one point is invisible without its dot.
  const dots = x.length <= DOTTED_LINE_MAX
  return drawn(labels, namesOf(series), {
    xAxis: { ...categoryAxis(labels.x_label, x), boundaryGap: false },
    yAxis: valueAxis(labels.y_label, locale, !stacked && !nearZero(series)),
    series: series.map(({ name, values }) => ({
      type: 'line',
      name,
      data: values,
      ...(stacked ? { stack: 'all', areaStyle: { opacity: 0.35 } } : {}),
      showSymbol: dots,
      symbol: 'circle',
      symbolSize: 5,
      lineStyle: { width: x.length > 400 ? 1 : 2 },
    })),
  })
}

const namesOf = (series: { name: string }[]) => series.map(({ name }) => name)

/** Whether the axis may start at 0 without flattening the lines. */
function nearZero(series: { values: (number | null)[] }[]): boolean {
  const values = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const [low, high] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  )
  return low >= 0 && low < high * 0.6
}

function barDrawing({ x, series, stacked, horizontal, ...labels }: ChartOf<'bar'>, locale: Locale): Drawing {
  const lying = horizontal || lies(x)
  const groups = stacked ? 1 : series.length
  const thickness = x.length > 60 ? 14 : 22
  const wanted = 120 + x.length * (thickness * (0.4 + 0.6 * groups))
  const least = lying ? Math.min(HEIGHT_MAX, Math.max(HEIGHT, wanted)) : HEIGHT
  const labeled = series.length === 1 && x.length <= LABELED_BARS_MAX && (lying || x.length <= STANDING_BARS_MAX)
  const categories = categoryAxis(labels.x_label, x)
  const values = valueAxis(labels.y_label, locale)
  const lyingCategories = {
    ...categories,
    inverse: true,
    nameLocation: 'start',
    nameGap: 12,
    nameTextStyle: { ...nameStyle, align: 'right' },
    axisLabel: { ...categories.axisLabel, interval: 0 },
  }
  return drawn(
    labels,
    namesOf(series),
    {
      xAxis: lying ? { ...values, ...below } : categories,
      yAxis: lying ? lyingCategories : values,
      series: series.map(({ name, values: data }) => ({
        type: 'bar',
        name,
        data,
        ...(stacked ? { stack: 'all' } : {}),
        barMaxWidth: 48,
        barCategoryGap: '30%',
        label: labeled ? barLabel(lying, locale) : { show: false },
      })),
    },
    least,
  )
}

function barLabel(lying: boolean, locale: Locale) {
  const text = numberText(locale)
  return {
    show: true,
    position: lying ? 'right' : 'top',
    color: INK,
    fontSize: 11,
    formatter: ({ value }: { value: unknown }) => (typeof value === 'number' ? text(value) : ''),
  }
}

/** Whether the names would not fit side by side. Names of periods may be left out in part, because they form a sequence. */
function lies(x: string[]): boolean {
  if (x.every((name) => /^\d{4}/.test(name))) return false
  return x.length > STANDING_BARS_MAX || x.reduce((sum, name) => sum + unitsOf(name) + 1, 0) > STANDING_UNITS_MAX
}

function scatterDrawing({ series, ...labels }: ChartOf<'scatter'>, locale: Locale): Drawing {
  const points = series.reduce((sum, { points }) => sum + points.length, 0)
  return drawn(labels, namesOf(series), {
    xAxis: {
      ...valueAxis(labels.x_label, locale, true),
      ...below,
      axisLine: { show: true, lineStyle: { color: '#9ca3af' } },
    },
    yAxis: valueAxis(labels.y_label, locale, true),
    series: series.map(({ name, points: data }) => ({
      type: 'scatter',
      name,
      data,
      symbolSize: points > 500 ? 4 : 7,
      itemStyle: { opacity: points > 500 ? 0.5 : 0.75 },
    })),
  })
}

function histogramDrawing({ bins, ...labels }: ChartOf<'histogram'>, locale: Locale): Drawing {
  const text = numberText(locale)
  const names = bins.map(({ from, to }) => `${text(from)} – ${text(to)}`)
  return drawn(labels, [], {
    xAxis: categoryAxis(labels.x_label, names),
    yAxis: valueAxis(labels.y_label || COUNT[locale], locale),
    series: [
      {
        type: 'bar',
        data: bins.map(({ count }) => count),
        barCategoryGap: bins.length > 100 ? '0%' : '4%',
      },
    ],
  })
}

function pieDrawing({ slices, ...labels }: ChartOf<'pie'>, locale: Locale): Drawing {
  const { height, option } = frame(labels, [])
  const sorted = slices.toSorted((a, b) => b.value - a.value)
  const [shown, rest] =
    sorted.length > SLICES_MAX + 1 ? [sorted.slice(0, SLICES_MAX), sorted.slice(SLICES_MAX)] : [sorted, []]
  const others = {
    name: OTHERS[locale],
    value: rest.reduce((sum, { value }) => sum + value, 0),
    itemStyle: { color: '#c3c8d0' },
  }
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const total = sorted.reduce((sum, { value }) => sum + value, 0)
  const { grid: _grid, ...round } = option
  return {
    height,
    option: {
      ...round,
      series: [
        {
          type: 'pie',
          radius: ['32%', '66%'],
          center: ['50%', '55%'],
          data: rest.length === 0 ? shown : [...shown, others],
          itemStyle: { borderColor: '#ffffff', borderWidth: 1.5 },
          label: {
            color: INK,
            fontSize: 12,
            width: 190,
            overflow: 'truncate',
            formatter: ({ name, value }: { name: string; value: number }) =>
              `${name}  ${percent.format(total === 0 ? 0 : value / total)}`,
          },
          labelLine: { lineStyle: { color: '#9ca3af' } },
        },
      ],
    },
  }
}

function boxDrawing({ boxes, ...labels }: ChartOf<'box'>, locale: Locale): Drawing {
  return drawn(labels, [], {
    xAxis: categoryAxis(labels.x_label, namesOf(boxes)),
    yAxis: valueAxis(labels.y_label, locale, true),
    series: [
      {
        type: 'boxplot',
        boxWidth: [10, 60],
        itemStyle: { color: '#dbe7f6', borderColor: COLORS[0], borderWidth: 1.5 },
        data: boxes.map(({ low, q1, median, q3, high }) => [low, q1, median, q3, high]),
      },
      {
        type: 'scatter',
        symbolSize: 5,
        itemStyle: { color: COLORS[1], opacity: 0.7 },
        data: boxes.flatMap(({ outliers }, place) => outliers.map((value) => [place, value])),
      },
    ],
  })
}

const DRAWINGS: ByKind<Chart, [locale: Locale], Drawing> = {
  line: lineDrawing,
  bar: barDrawing,
  scatter: scatterDrawing,
  histogram: histogramDrawing,
  pie: pieDrawing,
  box: boxDrawing,
}
