/** A large table is analysed by a sample, for which code has enough fuel. Every text about such figures says so. */
import type { RunFigures } from './run-figures.ts'
import { figure, percent } from '../safe-text.ts'
import type { AutonomousWords } from './words.ts'

const SAMPLED_ABOVE = 250_000
const SAMPLE = 200_000
/** The sample of a second attempt. */
const SMALLER = 50_000

/** The number of rows that are analysed; null: all of them. */
export function sampleOf(profile: { rows: number } | null, again = false): number | null {
  if (profile === null || profile.rows <= SAMPLED_ABOVE) return null
  return again ? SMALLER : SAMPLE
}

/** The most cells of number columns that fit into the memory of a run. */
const CELLS_MAX = 2_500_000

/** The number of columns with this many rows that fit. */
export const columnsWithin = (rows: number): number => Math.max(1, Math.floor(CELLS_MAX / rows))

type SampleSize = NonNullable<RunFigures['sample']>

/** null: the figures are of all rows. */
const sampleSizeOf = ({ sample }: RunFigures): SampleSize | null =>
  sample !== undefined && sample.rows < sample.of ? sample : null

const sampleFigures = ({ rows, of }: SampleSize) => [figure(rows), figure(of), percent(rows / of)] as const

export function sampleFinding(found: RunFigures, { sample }: AutonomousWords): string {
  const sampled = sampleSizeOf(found)
  if (sampled === null) return ''
  const [rows, of] = sampleFigures(sampled)
  return sample.of(rows, of)
}

/** The lines of a section below its finding, and the texts at the head of its table. */
export function sampleSection(found: RunFigures, words: AutonomousWords): { lines: string[]; words: AutonomousWords } {
  const sampled = sampleSizeOf(found)
  if (sampled === null) return { lines: [], words }
  const marked = (text: string) => `${text}${words.sample.mark}`
  const { hows, rows, value, missing, perDay } = words
  return {
    lines: [words.sample.section(...sampleFigures(sampled)), ''],
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

/** The line on the sample in the section on the data. */
export function sampleData(profile: { rows: number }, { sample }: AutonomousWords): [string, string][] {
  const rows = sampleOf(profile)
  return rows === null ? [] : [[sample.label, sample.whole(...sampleFigures({ rows, of: profile.rows }))]]
}
