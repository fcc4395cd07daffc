/** When a schedule ticks, in a few words. */
import type { ScheduleView } from '../../api/wire.ts'
import { useWords, wordTable } from '../../state/preferences.tsx'

const WORDS = wordTable({ every: [(seconds: number) => `every ${seconds} s`, (seconds) => `每 ${seconds} 秒`] })

export function useTiming(): (schedule: Pick<ScheduleView, 'cron' | 'every_s'>) => string {
  const words = useWords(WORDS)
  return ({ cron, every_s }) => cron ?? words.every(every_s ?? 0)
}
