/** Reads dates as tables write them: the year first or last, with or without a time. They become ISO 8601. */

/** The order is year, month, day, without a zone or with one. A day without a time has both forms. */
export const LOCAL_DATE = 1 << 13
export const ZONED_DATE = 1 << 14
/** The cell has a year and a month only. */
export const MONTH = 1 << 15
/** The year is last. Only the whole column can say which of the other two numbers is the month. */
export const DAY_FIRST = 1 << 16
export const MONTH_FIRST = 1 << 17
export const DATES = LOCAL_DATE | ZONED_DATE | MONTH | DAY_FIRST | MONTH_FIRST
export type DateOrder = 'year' | 'month_only' | 'day' | 'month'

const TIME =
  '(?:(?:T|\\s+)(?<h>\\d{1,2}):(?<min>\\d{2})(?::(?<s>\\d{2})(?:[.,](?<ms>\\d{1,9}))?)?(?:\\s?(?<half>[AaPp][Mm]))?(?<zone>Z|\\s?[+-]\\d{2}:?\\d{2})?)?$'
const YEAR_FIRST = new RegExp(`^(?<y>\\d{4})(?<sep>[-/.])(?<a>\\d{1,2})\\k<sep>(?<b>\\d{1,2})${TIME}`)
const CHINESE = new RegExp(`^(?<y>\\d{4})年(?<a>\\d{1,2})月(?<b>\\d{1,2})日${TIME}`)
const YEAR_LAST = new RegExp(`^(?<a>\\d{1,2})(?<sep>[-/.])(?<b>\\d{1,2})\\k<sep>(?<y>\\d{4})${TIME}`)
const YEAR_MONTH = /^(?<y>\d{4})(?:[-/](?<a>\d{1,2})|年(?<m>\d{1,2})月)$/

type Groups = Record<string, string | undefined>
const groupsOf = (pattern: RegExp, text: string): Groups | undefined => pattern.exec(text)?.groups

export function dateForms(text: string): number {
  const year = groupsOf(YEAR_FIRST, text) ?? groupsOf(CHINESE, text)
  if (year !== undefined) {
    if (isoOf(year, year.a, year.b) === null) return 0
    return year.h === undefined ? LOCAL_DATE | ZONED_DATE : year.zone === undefined ? LOCAL_DATE : ZONED_DATE
  }
  const last = groupsOf(YEAR_LAST, text)
  if (last !== undefined && last.zone === undefined) {
    const day = isoOf(last, last.b, last.a) === null ? 0 : DAY_FIRST
    // In a date with dots the day comes first.
    return day | (last.sep === '.' || isoOf(last, last.a, last.b) === null ? 0 : MONTH_FIRST)
  }
  const month = groupsOf(YEAR_MONTH, text)
  return month !== undefined && isoOf(month, month.a ?? month.m, '1') !== null ? MONTH : 0
}

/**
 * Expects a text of that form. The result is `2024-03-01` or `2024-03-01T10:00:00`, with milliseconds where there are any, and in UTC if the text
 * named a zone.
 */
export function isoDateOf(text: string, order: DateOrder): string {
  const groups =
    order === 'year'
      ? (groupsOf(YEAR_FIRST, text) ?? groupsOf(CHINESE, text))
      : groupsOf(order === 'month_only' ? YEAR_MONTH : YEAR_LAST, text)
  if (groups === undefined) return text
  const { a, b, m } = groups
  const iso =
    order === 'month_only' ? isoOf(groups, a ?? m, '1') : order === 'day' ? isoOf(groups, b, a) : isoOf(groups, a, b)
  return iso ?? text
}

/** null: this day or time does not exist. */
function isoOf(groups: Groups, month: string | undefined, day: string | undefined): string | null {
  const time = timeOf(groups)
  const date = new Date(0)
  date.setUTCFullYear(Number(groups.y), Number(month) - 1, Number(day))
  if (time === null || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  if (time === 'none') return date.toISOString().slice(0, 10)
  const ms = date.getTime() + time - offsetOf(groups.zone)
  // A year of five digits would not sort as text.
  if (ms < YEAR_0 || ms >= YEAR_10000) return null
  return new Date(ms).toISOString().slice(0, -1).replace('.000', '')
}
const YEAR_0 = Date.UTC(-1, 12)
const YEAR_10000 = Date.UTC(10_000, 0)

/** The time in ms since midnight. */
function timeOf({ h, min, s, ms, half }: Groups): number | 'none' | null {
  if (h === undefined) return 'none'
  const [hour, minute, second] = [Number(h), Number(min), Number(s ?? 0)]
  if (minute > 59 || second > 59 || hour > 23) return null
  if (half !== undefined && (hour < 1 || hour > 12)) return null
  const hours = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  return ((hours * 60 + minute) * 60 + second) * 1_000 + Number((ms ?? '').padEnd(3, '0').slice(0, 3))
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const digits = zone.replace(/\D/g, '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return minutes * 60_000 * (zone.includes('-') ? -1 : 1)
}
