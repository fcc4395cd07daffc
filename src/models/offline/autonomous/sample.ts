/** Of a large table a sample is analysed, which code has the fuel for; whatever is said of it says so. */
import type { Locale } from '../../../core/terms/effect.ts'
import type { Found } from './found.ts'
import { figure, percent } from './plain.ts'
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

interface SampleWords {
  of: (rows: string, of: string) => string
  title: (rows: string, of: string) => string
  mark: string
  label: string
  whole: (rows: string, of: string, share: string) => string
  section: (rows: string, of: string, share: string) => string
  limit: string
}

export const SAMPLE_WORDS: Record<Locale, SampleWords> = {
  en: {
    of: (rows, of) => `in a sample of ${rows} of ${of} rows: `,
    title: (rows, of) => ` (sample: ${rows} of ${of} rows)`,
    mark: ' (sample)',
    label: 'Sample',
    whole: (rows, of, share) =>
      `this section is about the whole file; the analyses below were worked out over an evenly spread sample of at most ${rows} of its ${of} rows (${share}), and each says over how many`,
    section: (rows, of, share) =>
      `Worked out over a sample: ${rows} of ${of} rows (${share}), evenly spread over the file. Totals, counts, smallest and largest values are of the sample, not of the file; averages, medians, quartiles, shares and changes are about those of the file.`,
    limit:
      'The figures on the data come from read_dataset and are of the whole file; all others come from code that was run over a sample of its rows, as each section says. Nothing was scaled up. Causes were not looked for.',
  },
  zh: {
    of: (rows, of) => `在 ${of} 行中抽样的 ${rows} 行内，`,
    title: (rows, of) => `（样本：${of} 行中的 ${rows} 行）`,
    mark: '（样本）',
    label: '抽样',
    whole: (rows, of, share) =>
      `本节为整个文件的情况；下面的分析基于均匀抽取的样本，最多取 ${of} 行中的 ${rows} 行（${share}），各节注明所用行数`,
    section: (rows, of, share) =>
      `基于样本：${of} 行中均匀抽取的 ${rows} 行（${share}）。总和、计数、最小值与最大值只是样本的，不是整个文件的；平均值、中位数、四分位数、占比与变化大约等于整个文件的。`,
    limit:
      '数据概况的数字来自 read_dataset，针对整个文件；其余数字来自对样本运行的代码，各节均有注明，没有按比例放大。没有分析原因。',
  },
}

type Sampled = NonNullable<Found['sample']>

/** null: it is of all rows. */
const sampledBy = ({ sample }: Found): Sampled | null =>
  sample !== undefined && sample.rows < sample.of ? sample : null

const told = ({ rows, of }: Sampled) => [figure(rows), figure(of), percent(rows / of)] as const

/** What a finding begins with. */
export function sampledFinding(found: Found, { sample }: AutonomousWords): string {
  const sampled = sampledBy(found)
  if (sampled === null) return ''
  const [rows, of] = told(sampled)
  return sample.of(rows, of)
}

/** What a section says below its finding, and the words at the head of its table. */
export function sampledSection(found: Found, words: AutonomousWords): { lines: string[]; words: AutonomousWords } {
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
