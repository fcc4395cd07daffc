/** What a command knows of its caller: the moment, the language, the limits, and the caller's zone where it is not the workspace's (U25). */
import type { Locale } from '../../terms/locale.ts'
import type { Book } from './book.ts'
import { MINUTE_MAX, MINUTE_MIN, minuteOf, momentOf, storedMinute } from './minutes.ts'
import type { CommandTexts } from './texts/text-set.ts'

export type CommandContext = {
  /** Wall clock of the workspace's zone, `YYYY-MM-DD HH:MM:SS`. */
  now: string
  locale: Locale
  /** Days a list or view of the schedule may span. */
  schedule_window_days: number
  /** Days for which an infinite repetition is tested for conflicts. */
  conflict_preview_days: number
  /** `YYYY-MM-DD HH:MM` of the caller's zone → the same instant in the workspace's; absent: the zones are one. */
  toWorkspace?: (moment: string) => string
  /** The way back, for everything that is shown. */
  toCaller?: (moment: string) => string
}

/** A written moment as the workspace keeps it, with one space; null when it is no real moment. */
export function toWorkspaceMoment(literal: string, context: CommandContext): string | null {
  const minute = minuteOf(literal)
  if (minute === null) return null
  const moved = context.toWorkspace === undefined ? minute : minuteOf(context.toWorkspace(momentOf(minute)))
  return moved === null ? null : momentOf(moved)
}

/** The zone in which times are shown; nothing in it: the workspace's own. */
export type DisplayZone = Pick<CommandContext, 'toCaller'>

/** A kept moment as the caller reads it; seconds, where it has them, stay. */
export function toCallerMoment(moment: string | null, context: DisplayZone): string | null {
  if (moment === null || context.toCaller === undefined) return moment
  const end = 'YYYY-MM-DD HH:MM'.length
  return context.toCaller(moment.slice(0, end)) + moment.slice(end)
}

/** The minute of a kept moment on the caller's clock: what "today" is, is asked there. */
export function toCallerMinute(moment: string, context: CommandContext): number {
  const minute = storedMinute(moment)
  return context.toCaller === undefined ? minute : (minuteOf(context.toCaller(momentOf(minute))) ?? minute)
}

/** A minute of the caller's clock on the workspace's. Minutes beyond the calendar, which bound windows only, stay what they are. */
export function toWorkspaceMinute(minute: number, context: CommandContext): number {
  if (context.toWorkspace === undefined || minute < MINUTE_MIN || minute > MINUTE_MAX) return minute
  return minuteOf(context.toWorkspace(momentOf(minute))) ?? minute
}
export type CommandEnvironment = { book: Book; context: CommandContext; texts: CommandTexts }
