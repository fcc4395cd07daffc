/** Why a run has no task, or how many ticks it stands for, in words. */
import type { Locale, ScheduleRunView } from '../../api/wire.ts'
import { meaningInChinese } from '../../parts/problem/problem-words.ts'
import { wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable({
  overlap: ['an earlier run was open', '前一次运行尚未结束'],
  budget: ['the budget of the day was used up', '当日额度已用尽'],
  ticks: [(count: number) => `${count} ticks`, (count) => `${count} 次`],
  least: [(count: number) => `at least ${count} ticks`, (count) => `至少 ${count} 次`],
  request: ['on request', '手动运行'],
  refused: [(code: string) => code, (code) => [code, meaningInChinese(code) ?? []].flat().join('：')],
})

/** '' says that there is nothing to tell. */
export function runNote(
  { reason, ticks, trigger }: Pick<ScheduleRunView, 'reason' | 'ticks' | 'trigger'>,
  locale: Locale,
): string {
  const words = WORDS[locale]
  if (reason === 'overlap' || reason === 'budget') return words[reason]
  if (reason === 'at_least') return words.least(ticks)
  if (reason !== null) return words.refused(reason)
  if (ticks > 1) return words.ticks(ticks)
  return trigger === 'request' ? words.request : ''
}
