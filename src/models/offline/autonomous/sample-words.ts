/** What the rules say of a sample, in both languages. */
import type { Locale } from '../../../core/terms/locale.ts'

const EN = {
  of: (rows: string, of: string) => `in a sample of ${rows} of ${of} rows: `,
  title: (rows: string, of: string) => ` (sample: ${rows} of ${of} rows)`,
  mark: ' (sample)',
  label: 'Sample',
  whole: (rows: string, of: string, share: string) =>
    `this section is about the whole file; the analyses below were worked out over an evenly spread sample of at most ${rows} of its ${of} rows (${share}), and each says over how many`,
  section: (rows: string, of: string, share: string) =>
    `Worked out over a sample: ${rows} of ${of} rows (${share}), evenly spread over the file. Totals, counts, smallest and largest values are of the sample, not of the file; averages, medians, quartiles, shares and changes are about those of the file.`,
  limit:
    'The figures on the data come from read_dataset and are of the whole file; all others come from code that was run over a sample of its rows, as each section says. Nothing was scaled up. Causes were not looked for.',
}
type SampleWords = typeof EN

const ZH: SampleWords = {
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
}

export const SAMPLE_WORDS: Record<Locale, SampleWords> = { en: EN, zh: ZH }
