/** The context of a command: the time, the language, the limits, and the zone of the caller if it is another one (U25). */
import type { Locale } from '../../terms/locale.ts'
import type { Book } from './book.ts'
import { MINUTE_MS } from '../../terms/plain/durations.ts'
import { MINUTE_MAX, MINUTE_MIN, minuteOf, momentOf, storedMinute } from '../../terms/plain/minutes.ts'
import { isMovable, weekdayOf, writtenMoment } from './dates.ts'
import { WEEKDAYS } from '../zones.ts'
import type { CommandTexts } from './texts/texts-en.ts'

export type CallerContext = {
  /** Who reads the texts. A model is shown the weekday of each date, and told when a moment is past. */
  reader: 'person' | 'model'
  /** The wall clock in the zone of the workspace, `YYYY-MM-DD HH:MM:SS`. */
  now: string
  locale: Locale
  /** Days that a list or view of the schedule may span. */
  schedule_window_days: number
  /** Days for which an infinite recurrence is tested for conflicts. */
  conflict_preview_days: number
  /** Moves `YYYY-MM-DD HH:MM` from the caller's zone to the workspace's. It is absent if both have one zone. */
  toWorkspace?: (moment: string) => string
  /** Moves a shown moment from the workspace's zone to the caller's. */
  toCaller?: (moment: string) => string
  /** The moment of the workspace at an instant, in ms since the epoch. A date that was written with a zone needs it. */
  momentAt: (ms: number) => string
}

/** The zones of a caller, which decide what a written date means. */
type CallerZones = Pick<CallerContext, 'toWorkspace' | 'momentAt'>

/**
 * A date of the caller as the workspace stores it. `time` is the minute of the day for a date without a time. null: it is no
 * date, not a real one, or without a time that is needed.
 */
export function toWorkspaceMoment(literal: string, time: number | null, zones: CallerZones): string | null {
  const written = writtenMoment(literal, time)
  if (written === null) return null
  const { minute, offset } = written
  if (offset !== null) {
    if (!isMovable(minute)) return null
    const moment = minuteOf(zones.momentAt((minute - offset) * MINUTE_MS))
    return moment === null ? null : momentOf(moment)
  }
  const moved = zones.toWorkspace === undefined ? minute : minuteOf(zones.toWorkspace(momentOf(minute)))
  return moved === null ? null : momentOf(moved)
}

/** How times are shown. Without `toCaller` they are in the zone of the workspace. */
export type DisplayZone = Pick<CallerContext, 'toCaller' | 'reader' | 'locale'>

/** A stored moment in the zone of the caller, as its reader is shown it. Seconds stay as they are. */
export function toCallerMoment(moment: string | null, context: DisplayZone): string | null {
  if (moment === null) return null
  const end = 'YYYY-MM-DD HH:MM'.length
  const local = context.toCaller === undefined ? moment : context.toCaller(moment.slice(0, end)) + moment.slice(end)
  return shownDate(local, minuteOf(local.slice(0, end)), context)
}

/** A date as its reader is shown it: models that compute a weekday from a date are often wrong. null: it leaves the calendar. */
export function shownDate(date: string, minute: number | null, { reader, locale }: DisplayZone): string {
  return reader === 'model' && minute !== null ? `${WEEKDAYS[locale][weekdayOf(minute)]} ${date}` : date
}

/** The minute of a stored moment on the caller's clock, which decides what "today" is. */
export function toCallerMinute(moment: string, context: CallerContext): number {
  const minute = storedMinute(moment)
  return context.toCaller === undefined ? minute : (minuteOf(context.toCaller(momentOf(minute))) ?? minute)
}

/** A minute of the caller's clock on the workspace's. Minutes outside the calendar only bound windows, so they stay as they are. */
export function toWorkspaceMinute(minute: number, context: CallerContext): number {
  if (context.toWorkspace === undefined || minute < MINUTE_MIN || minute > MINUTE_MAX) return minute
  return minuteOf(context.toWorkspace(momentOf(minute))) ?? minute
}
/** What the handler of a command works with. */
export type CommandEnvironment = { book: Book; context: CallerContext; texts: CommandTexts }
