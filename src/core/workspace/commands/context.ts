/** What a command knows of its caller: the moment, the language, the limits, and the caller's zone where it is not the workspace's (U25). */
import type { Locale } from '../../terms/locale.ts'
import type { Book } from './book.ts'
import { MINUTE_MAX, MINUTE_MIN, minuteOf, momentOf, storedMinute } from './minutes.ts'
import type { Texts } from './texts/text-set.ts'

export type CommandContext = {
  /** Wall clock of the workspace's zone, `YYYY-MM-DD HH:MM:SS`. */
  now: string
  locale: Locale
  /** Days a list or view of the schedule may span. */
  schedule_window_days: number
  /** Days for which an infinite repetition is tested for conflicts. */
  conflict_preview_days: number
  /** `YYYY-MM-DD HH:MM` of the caller's zone → the same instant in the workspace's; absent: the zones are one. */
  into?: (moment: string) => string
  /** The way back, for everything that is shown. */
  outof?: (moment: string) => string
}

/** A written moment as the workspace keeps it, with one space; null when it is no real moment. */
export function keptMoment(literal: string, context: CommandContext): string | null {
  const minute = minuteOf(literal)
  if (minute === null) return null
  const moved = context.into === undefined ? minute : minuteOf(context.into(momentOf(minute)))
  return moved === null ? null : momentOf(moved)
}

/** The zone in which times are shown; nothing in it: the workspace's own. */
export type DisplayZone = Pick<CommandContext, 'outof'>

/** A kept moment as the caller reads it; seconds, where it has them, stay. */
export function shownMoment(moment: string | null, context: DisplayZone): string | null {
  if (moment === null || context.outof === undefined) return moment
  const end = 'YYYY-MM-DD HH:MM'.length
  return context.outof(moment.slice(0, end)) + moment.slice(end)
}

/** The minute of a kept moment on the caller's clock: what "today" is, is asked there. */
export function callerMinute(moment: string, context: CommandContext): number {
  const minute = storedMinute(moment)
  return context.outof === undefined ? minute : (minuteOf(context.outof(momentOf(minute))) ?? minute)
}

/** A minute of the caller's clock on the workspace's. Minutes beyond the calendar, which bound windows only, stay what they are. */
export function keptMinute(minute: number, context: CommandContext): number {
  if (context.into === undefined || minute < MINUTE_MIN || minute > MINUTE_MAX) return minute
  return minuteOf(context.into(momentOf(minute))) ?? minute
}
export type CommandEnvironment = { book: Book; context: CommandContext; texts: Texts }
