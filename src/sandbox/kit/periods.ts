/** Computes days, weeks, months, quarters and years from dates as files write them. A label sorts as its time does. */

export const PERIOD_UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type PeriodUnit = (typeof PERIOD_UNITS)[number]

/** Year, month and day at the start of a text: 2024-03-01T10:00, 2024/3/1, 20240301, 2024年3月1日. */
const DATE = /^\s*(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2}))?|(\d{2})(\d{2}))?(?!\d)/
const DAY_MS = 86_400_000

export interface Day {
  year: number
  month: number
  day: number
}

/** null: it is no date. A month or a year alone stands for its first day. */
export function readDay(text: string): Day | null {
  const found = DATE.exec(text)
  if (found === null) return null
  const [, year, m, d, compactMonth, compactDay] = found
  const month = Number(m ?? compactMonth ?? 1)
  const day = Number(d ?? compactDay ?? 1)
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? { year: Number(year), month, day } : null
}

const two = (number: number) => String(number).padStart(2, '0')

export function periodOf({ year, month, day }: Day, unit: PeriodUnit): string {
  switch (unit) {
    case 'day':
      return `${year}-${two(month)}-${two(day)}`
    case 'week':
      return weekOf(year, month, day)
    case 'month':
      return `${year}-${two(month)}`
    case 'quarter':
      return `${year}-Q${Math.ceil(month / 3)}`
    case 'year':
      return String(year)
  }
}

/** ISO 8601: a week begins on Monday and belongs to the year of its Thursday. */
function weekOf(year: number, month: number, day: number): string {
  const date = new Date(Date.UTC(year, month - 1, day))
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY_MS)
  const weekYear = thursday.getUTCFullYear()
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(weekYear, 0, 1)) / (7 * DAY_MS))
  return `${weekYear}-W${two(week)}`
}
