/** A chart with a bar for each effect, a line for the sum, and a line for the limit. A table shows the same figures. */
import { scaleBand } from 'd3-scale'
import { curveStepAfter, line } from 'd3-shape'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useWords, wordTable } from '../../../state/preferences.tsx'
import { amountText, BARS_MAX, barsOf, maximum, type CostBar, type Cost, type Measure } from './costs.ts'
import { linearScale, roundMost, type LinearScale } from './linear-scale.ts'

const WORDS = wordTable({
  each: ['each effect (left)', '每次操作（左轴）'],
  several: [(count: number) => `each ${count} effects (left)`, (count) => `每 ${count} 次操作（左轴）`],
  free: ['not counted', '不计步'],
  sum: ['sum (right)', '累计（右轴）'],
  limit: ['limit', '上限'],
  summary: [
    (label: string, effects: number, sum: string, most: string) =>
      `${label} of ${effects} effects: ${sum} in all, ${most} at most for one.`,
    (label, effects, sum, most) => `${effects} 次操作的${label}：共 ${sum}，单次最多 ${most}。`,
  ],
  of: [(limit: string) => ` The limit is ${limit}.`, (limit) => `上限为 ${limit}。`],
})
const HEIGHT = 190
const EDGE = { top: 10, bottom: 20, left: 56, right: 60 }
const TICKS = 4
/** A wider bar would say nothing more. */
const BAR_WIDTH_MAX = 40

interface Props {
  costs: readonly Cost[]
  measure: Measure
  limit: number | null
  label: string
}

export function CostChart({ costs, measure, limit, label }: Props) {
  const words = useWords(WORDS)
  const { box, width } = useWidth()
  const bars = useMemo(() => barsOf(costs, measure), [costs, measure])
  const sum = bars.at(-1)?.sum ?? 0
  // A distant limit would flatten the line, so it is then given in words only.
  const drawnLimit = limit !== null && limit <= sum * 4 ? limit : null
  const text = (amount: number) => amountText(measure, amount)
  const greatest = useMemo(() => maximum(costs.map((cost) => cost[measure])), [costs, measure])
  const summary = words.summary(label, costs.length, text(sum), text(greatest))
  return (
    <figure ref={box} class="journal-chart">
      <Drawing bars={bars} measure={measure} limit={drawnLimit} width={width} />
      <figcaption class="small soft row">
        <span class="aside">{limit === null ? summary : summary + words.of(text(limit))}</span>
        <span class="journal-key counted">
          {bars.length === costs.length ? words.each : words.several(Math.ceil(costs.length / BARS_MAX))}
        </span>
        <span class="journal-key free">{words.free}</span>
        <span class="journal-key sum">{words.sum}</span>
        {limit !== null && (
          <span class={drawnLimit === null ? '' : 'journal-key limit'}>
            {words.limit} {text(limit)}
          </span>
        )}
      </figcaption>
    </figure>
  )
}

interface DrawingProps {
  bars: readonly CostBar[]
  measure: Measure
  /** null: no limit is drawn. */
  limit: number | null
  width: number
}

function Drawing({ bars, measure, limit, width }: DrawingProps) {
  const [bottom, right] = [HEIGHT - EDGE.bottom, width - EDGE.right]
  const x = scaleBand<number>(
    bars.map(({ first }) => first),
    [EDGE.left, right],
  ).padding(0.2)
  const upTo = (most: number) => linearScale(roundMost(most || 1, TICKS), [bottom, EDGE.top])
  const each = upTo(maximum(bars.map(({ amount }) => amount)))
  const all = upTo(Math.max(bars.at(-1)?.sum ?? 0, limit ?? 0))
  const middle = ({ first }: CostBar) => (x(first) ?? 0) + x.bandwidth() / 2
  const path = line<CostBar>(middle, ({ sum }) => all(sum)).curve(curveStepAfter)([...bars])
  const thick = Math.min(x.bandwidth(), BAR_WIDTH_MAX)
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <Axis scale={each} measure={measure} at={EDGE.left - 6} anchor="end" across={[EDGE.left, right]} />
      <Axis scale={all} measure={measure} at={right + 6} anchor="start" across={null} />
      {bars.map((bar) => (
        <rect
          key={bar.first}
          class={bar.counted ? 'counted' : 'free'}
          x={middle(bar) - thick / 2}
          width={thick}
          y={each(bar.amount)}
          height={bottom - each(bar.amount)}
        >
          <title>{titleOf(bar, measure)}</title>
        </rect>
      ))}
      {path !== null && <path class="sum" d={path} />}
      {limit !== null && <line class="limit" x1={EDGE.left} x2={right} y1={all(limit)} y2={all(limit)} />}
      <text x={EDGE.left} y={HEIGHT - 4}>
        {bars[0]?.first}
      </text>
      <text x={right} y={HEIGHT - 4} text-anchor="end">
        {bars.at(-1)?.last}
      </text>
    </svg>
  )
}

const titleOf = ({ first, last, label, amount }: CostBar, measure: Measure) =>
  `${first === last ? `${first} ${label}` : `${first}–${last}`}: ${amountText(measure, amount)}`

interface AxisProps {
  scale: LinearScale
  measure: Measure
  at: number
  anchor: 'start' | 'end'
  across: [number, number] | null
}

function Axis({ scale, measure, at, anchor, across }: AxisProps) {
  return (
    <g>
      {scale.ticks(TICKS).map((tick) => (
        <g key={tick}>
          {across !== null && <line class="grid" x1={across[0]} x2={across[1]} y1={scale(tick)} y2={scale(tick)} />}
          <text x={at} y={scale(tick) + 4} text-anchor={anchor}>
            {tickText(measure, tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

const MICRO = 1_000_000
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
const tickText = (measure: Measure, tick: number) =>
  measure === 'cost' ? `$${SHORT.format(tick / MICRO)}` : SHORT.format(tick)

/** Returns the available width. A chart that is drawn for it stays readable on a phone. */
function useWidth() {
  const box = useRef<HTMLElement>(null)
  const [width, set] = useState(560)
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) set(Math.floor(entry.contentRect.width))
    })
    if (box.current !== null) watcher.observe(box.current)
    return () => watcher.disconnect()
  }, [])
  return { box, width }
}
