/** Wall clocks of IANA zones, by the tables of the runtime (Intl). Times are `YYYY-MM-DD HH:MM`, instants ms since the epoch. */
const MINUTE_MS = 60_000

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known !== undefined) return known
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
  // What is read below is a text for people: a runtime that writes it differently must not go unnoticed.
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(format.format(0))) throw new Error('the wall clock cannot be read')
  formats.set(timezone, format)
  return format
}

/** The wall clock of a zone at an instant, `YYYY-MM-DD HH:MM:SS`: as Swedes write it. */
export function wallClock(ms: number, timezone: string): string {
  return formatOf(timezone).format(ms).padStart(19, '0')
}

/** The same to the minute. */
export const localTime = (ms: number, timezone: string): string => wallClock(ms, timezone).slice(0, 16)

const asUtc = (wall: string) => Date.parse(`${wall.replace(' ', 'T')}Z`)

const DAY_MS = 24 * 60 * MINUTE_MS
/** From here on some zone writes a year of five digits, which no stored time has. */
const LAST_MS = Date.UTC(9999, 11, 31)

/** How far the clocks of a zone are ahead of UTC at an instant, in ms; whole minutes. */
export function offsetAt(ms: number, timezone: string): number {
  const known = Math.floor(Math.min(ms, LAST_MS) / MINUTE_MS) * MINUTE_MS
  return asUtc(localTime(known, timezone)) - known
}

/** When the clocks of a zone are changed between two instants, and how far they are ahead of UTC before and after; in ms. */
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

/** The first minute after `low` at which the offset is not `before` any more: no zone changes twice in a week. */
function changeWithin(low: number, high: number, before: number, timezone: string): number {
  let [earlier, later] = [Math.floor(low / MINUTE_MS), Math.ceil(high / MINUTE_MS)]
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2)
    if (offsetAt(middle * MINUTE_MS, timezone) === before) earlier = middle
    else later = middle
  }
  return later * MINUTE_MS
}

/** The instant of a wall clock in a zone; a time a clock change skips is moved past the gap, one it repeats is the first. */
export function instantOf(wall: string, timezone: string): number {
  const utc = asUtc(wall)
  const [before, after] = [offsetAt(utc - DAY_MS, timezone), offsetAt(utc + DAY_MS, timezone)]
  if (before === after) return utc - before
  const matching = [utc - before, utc - after].filter((ms) => localTime(ms, timezone) === wall)
  return matching.length > 0 ? Math.min(...matching) : utc - before
}

/** A wall clock of one zone on the wall of another. */
export function convertWallClock(wall: string, from: string, to: string): string {
  return from === to ? wall : localTime(instantOf(wall, from), to)
}
