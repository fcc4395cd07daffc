/**
 * Wall clocks of IANA zones, by the tables of the runtime (Intl). Wall clocks are `YYYY-MM-DD HH:MM`, instants are ms since
 * the epoch.
 */
import type { Locale } from '../terms/locale.ts'
import { DAY_MS, MINUTE_MS } from '../terms/plain/durations.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(timezone: string): Intl.DateTimeFormat {
  const cached = formats.get(timezone)
  if (cached !== undefined) return cached
  const field = '2-digit'
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    year: 'numeric',
    month: field,
    day: field,
    hour: field,
    minute: field,
    second: field,
    hourCycle: 'h23',
  })
  // The code below parses a text for people. A runtime that writes it differently has to fail here, and not give wrong times.
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(format.format(0))) throw new Error('the wall clock cannot be read')
  formats.set(timezone, format)
  return format
}

/** The wall clock of a zone at an instant, `YYYY-MM-DD HH:MM:SS`. This is the Swedish format. */
export function wallClock(ms: number, timezone: string): string {
  return formatOf(timezone).format(ms).padStart(19, '0')
}

/** The wall clock without seconds. */
export const localTime = (ms: number, timezone: string): string => wallClock(ms, timezone).slice(0, 16)
/** `YYYY-MM-DD` */
export const localDay = (ms: number, timezone: string): string => wallClock(ms, timezone).slice(0, 10)

/** The short names of the weekdays, from Sunday on. */
export const WEEKDAYS: Record<Locale, readonly string[]> = {
  en: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  zh: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
}

/** The date as a model is shown it: `Fri 2026-11-27`. */
export const shownDate = (ms: number, timezone: string, locale: Locale): string =>
  shownTime(ms, timezone, locale).slice(0, -' 15:04'.length)

/** The wall clock as a model is shown it: `Fri 2026-11-27 15:04`. Models that compute a weekday from a date are often wrong. */
export function shownTime(ms: number, timezone: string, locale: Locale): string {
  const wall = localTime(ms, timezone)
  return `${WEEKDAYS[locale][new Date(asUtc(wall)).getUTCDay()]} ${wall}`
}

const asUtc = (wall: string) => Date.parse(`${wall.replace(' ', 'T')}Z`)

/** After this instant some zone shows a year of five digits, which no stored time has. */
const LAST_MS = Date.UTC(9999, 11, 31)

/** How far a zone is ahead of UTC at an instant: whole minutes, in ms. */
export function offsetAt(ms: number, timezone: string): number {
  const minute = Math.floor(Math.min(ms, LAST_MS) / MINUTE_MS) * MINUTE_MS
  return asUtc(localTime(minute, timezone)) - minute
}

/** The changes of a zone's offset between two instants, with the offsets before and after, in ms. */
export function offsetChanges(timezone: string, from_ms: number, to_ms: number) {
  const changes: { at: number; before: number; after: number }[] = []
  for (let low = from_ms; low < to_ms; low += WEEK_MS) {
    const high = Math.min(low + WEEK_MS, to_ms)
    const [before, after] = [offsetAt(low, timezone), offsetAt(high, timezone)]
    if (before !== after) changes.push({ at: changeWithin(low, high, before, timezone), before, after })
  }
  return changes
}

const WEEK_MS = 7 * DAY_MS

/** The first minute after `low` with another offset than `before`. No zone changes its offset twice in a week. */
function changeWithin(low: number, high: number, before: number, timezone: string): number {
  let [earlier, later] = [Math.floor(low / MINUTE_MS), Math.ceil(high / MINUTE_MS)]
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2)
    if (offsetAt(middle * MINUTE_MS, timezone) === before) earlier = middle
    else later = middle
  }
  return later * MINUTE_MS
}

/** The instant of a wall clock. A time that a change skips is moved after the gap. A time that occurs twice is the first one. */
export function instantOf(wall: string, timezone: string): number {
  const utc = asUtc(wall)
  const [before, after] = [offsetAt(utc - DAY_MS, timezone), offsetAt(utc + DAY_MS, timezone)]
  if (before === after) return utc - before
  const matching = [utc - before, utc - after].filter((ms) => localTime(ms, timezone) === wall)
  return matching.length > 0 ? Math.min(...matching) : utc - before
}

/** Converts a wall clock of one zone into the wall clock of another. */
export function convertWallClock(wall: string, from: string, to: string): string {
  return from === to ? wall : localTime(instantOf(wall, from), to)
}
