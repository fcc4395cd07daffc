/** Of a large table a sample is analysed, which code has the fuel for; whatever is said of it says so. */
import type { RunFigures } from './run-figures.ts'
import { figure, percent } from '../safe-text.ts'
import type { AutonomousWords } from './words.ts'

const SAMPLED_ABOVE = 250_000
const SAMPLE = 200_000
/** Of a second attempt. */
const SMALLER = 50_000

/** How many rows are looked at; null: all. */
export function sampleOf(profile: { rows: number } | null, again = false): number | null {
  if (profile === null || profile.rows <= SAMPLED_ABOVE) return null
  return again ? SMALLER : SAMPLE
}

/** Cells that columns of numbers may have together in the memory of a run. */
const CELLS_MAX = 2_500_000

/** How many columns of so many rows fit. */
export const columnsWithin = (rows: number): number => Math.max(1, Math.floor(CELLS_MAX / rows))

type Sampled = NonNullable<RunFigures['sample']>

/** null: it is of all rows. */
const sampledBy = ({ sample }: RunFigures): Sampled | null =>
  sample !== undefined && sample.rows < sample.of ? sample : null

const told = ({ rows, of }: Sampled) => [figure(rows), figure(of), percent(rows / of)] as const

/** What a finding begins with. */
export function sampledFinding(found: RunFigures, { sample }: AutonomousWords): string {
  const sampled = sampledBy(found)
  if (sampled === null) return ''
  const [rows, of] = told(sampled)
  return sample.of(rows, of)
}

/** What a section says below its finding, and the words at the head of its table. */
export function sampledSection(found: RunFigures, words: AutonomousWords): { lines: string[]; words: AutonomousWords } {
  const sampled = sampledBy(found)
  if (sampled === null) return { lines: [], words }
  const marked = (text: string) => `${text}${words.sample.mark}`
  const { hows, rows, value, missing, perDay } = words
  return {
    lines: [words.sample.section(...told(sampled)), ''],
    words: {
      ...words,
      hows: { ...hows, sum: marked(hows.sum), count: marked(hows.count) },
      rows: marked(rows),
      value: marked(value),
      missing: marked(missing),
      perDay: marked(perDay),
    },
  }
}

/** What the section on the data says of it. */
export function sampledData(profile: { rows: number }, { sample }: AutonomousWords): [string, string][] {
  const rows = sampleOf(profile)
  return rows === null ? [] : [[sample.label, sample.whole(...told({ rows, of: profile.rows }))]]
}
