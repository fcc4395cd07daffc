/** Reads durations that models write with a unit, although a number of minutes is asked for. */

const MINUTES = new Map([
  ['minute', 1],
  ['hour', 60],
  ['day', 24 * 60],
  ['week', 7 * 24 * 60],
])
const NAMES: [unit: string, names: readonly string[]][] = [
  ['minute', ['m', 'min', 'mins', 'minute', 'minutes', '分', '分钟']],
  ['hour', ['h', 'hr', 'hrs', 'hour', 'hours', '小时', '个小时']],
  ['day', ['d', 'day', 'days', '天', '日']],
  ['week', ['w', 'week', 'weeks', '周', '星期']],
]
const BY_NAME = new Map(
  NAMES.flatMap(([unit, names]) => names.map((name): [string, number] => [name, MINUTES.get(unit) ?? 1])),
)

/** The minutes of a unit, in any of its spellings. null: it is no unit. */
export const minutesOfUnit = (name: string): number | null => BY_NAME.get(name.toLowerCase()) ?? null

const WITH_UNIT = /^(\d{1,9}(?:\.\d{1,3})?)\s{0,9}(\p{L}{1,9})\.?$/u

/** The minutes of a number with a unit, such as `1.5h`. null: it is none, or no whole number of minutes. */
export function minutesIn(text: string): number | null {
  const [, amount, name = ''] = WITH_UNIT.exec(text.trim()) ?? []
  const unit = minutesOfUnit(name)
  if (amount === undefined || unit === null) return null
  const minutes = Math.round(Number(amount) * unit * 1000) / 1000
  return Number.isInteger(minutes) ? minutes : null
}
