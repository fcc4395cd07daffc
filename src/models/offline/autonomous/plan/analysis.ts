/** An analysis, and its title, by which a list of tasks is matched to it. */
import type { Locale } from '../../../../core/terms/locale.ts'
import { callByKind, type ByKind } from '../../../../core/terms/values/by-kind.ts'
import { label } from '../../safe-text.ts'
import type { Edges, PeriodLength } from './periods.ts'
import type { How } from './profile.ts'

/** A measure of null means that rows are counted. */
interface Measurement {
  measure: string | null
  how: How
}
export type Analysis =
  /** `unit` null: the column holds years as numbers. */
  | ({ kind: 'trend'; date: string; unit: PeriodLength | null; cut_off: Edges } & Measurement)
  | ({ kind: 'compare'; category: string } & Measurement)
  | { kind: 'distribution'; column: string; of: 'values' | 'lengths' }
  | { kind: 'relation'; x: string; y: string }
  /** `by`: the column that names the rows. */
  | { kind: 'top'; measure: string; by: string | null }
  | ({ kind: 'weekdays'; date: string } & Measurement)
  | { kind: 'missing' }

const UNITS_ZH: Record<PeriodLength, string> = { day: '日', week: '周', month: '月', quarter: '季度', year: '年' }
const HOWS_ZH: Record<How, string> = { sum: '总和', mean: '平均值', count: '行数' }

/** `sum of amount`, `amount 的总和`. */
export function measureText(locale: Locale, { measure, how }: Measurement): string {
  if (measure === null || how === 'count') return locale === 'en' ? 'number of rows' : '行数'
  const name = label(measure)
  if (locale === 'zh') return `${name}${HOWS_ZH[how]}`
  return how === 'sum' ? `total ${name}` : `average ${name}`
}

const TITLES: Record<Locale, ByKind<Analysis, [], string>> = {
  en: {
    trend: (a) => `Trend: ${measureText('en', a)} by ${a.unit ?? label(a.date)}`,
    compare: (a) => `Comparison: ${measureText('en', a)} by ${label(a.category)}`,
    distribution: ({ column, of }) => `Distribution: ${of === 'lengths' ? 'length of ' : ''}${label(column)}`,
    relation: ({ x, y }) => `Relation: ${label(x)} and ${label(y)}`,
    top: ({ measure }) => `Extremes: largest and smallest ${label(measure)}`,
    weekdays: (a) => `Weekdays: ${measureText('en', a)} per day`,
    missing: () => 'Completeness: missing values by column',
  },
  zh: {
    trend: (a) =>
      `趋势分析：${a.unit === null ? `各${label(a.date)}的` : `每${UNITS_ZH[a.unit]}`}${measureText('zh', a)}`,
    compare: (a) => `对比分析：各${label(a.category)}的${measureText('zh', a)}`,
    distribution: ({ column, of }) => `分布分析：${label(column)}${of === 'lengths' ? '的长度' : ''}`,
    relation: ({ x, y }) => `相关分析：${label(x)}与${label(y)}`,
    top: ({ measure }) => `极值分析：最大与最小的${label(measure)}`,
    weekdays: (a) => `星期分析：每天${measureText('zh', a)}`,
    missing: () => '完整性：各列的缺失值',
  },
}

export const analysisTitle = (locale: Locale, analysis: Analysis): string => callByKind(TITLES[locale], analysis)
