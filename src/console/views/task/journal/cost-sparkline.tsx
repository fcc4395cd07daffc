/** A small line of the running costs, for the card of the budget. A very long journal is drawn from its newest rows. */
import { area } from 'd3-shape'
import { useMemo } from 'preact/hooks'
import { costsOf, runningSums, type Measure } from './costs.ts'
import { linearScale } from './linear-scale.ts'
import { useJournal } from './use-journal.tsx'
import './journal.css'

const [WIDTH, HEIGHT] = [120, 28]

/** Draws nothing until there are two effects. */
export function CostSparkline({ measure = 'tokens' }: { measure?: Measure }) {
  const { rows } = useJournal()
  const path = useMemo(() => pathOf(runningSums(costsOf(rows), measure)), [rows, measure])
  if (path === null) return null
  return (
    <svg class="cost-sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

function pathOf(sums: readonly number[]): string | null {
  const sum = sums.at(-1) ?? 0
  if (sums.length < 2 || sum === 0) return null
  // The line begins at zero, so that the cost of the first effect is a rise too.
  const points = [0, ...sums]
  const x = linearScale(sums.length, [0, WIDTH])
  const y = linearScale(sum, [HEIGHT, 1])
  return area<number>((_, index) => x(index), HEIGHT, y)(points)
}
