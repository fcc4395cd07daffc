/** The context of a command: the time, the language, the limits, and the zone of the caller if it is another one (U25). */
import type { Locale } from '../../terms/locale.ts'
import type { Book } from './book.ts'
import { MINUTE_MAX, MINUTE_MIN, minuteOf, momentOf, storedMinute } from './minutes.ts'
import type { CommandTexts } from './texts/text-set.ts'

export type CommandContext = {
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
}

/** A moment of the caller as the workspace stores it. null: it is not a real moment. */
export function toWorkspaceMoment(literal: string, context: CommandContext): string | null {
  const minute = minuteOf(literal)
  if (minute === null) return null
  const moved = context.toWorkspace === undefined ? minute : minuteOf(context.toWorkspace(momentOf(minute)))
  return moved === null ? null : momentOf(moved)
}

/** The zone in which times are shown. An empty object is the zone of the workspace. */
export type DisplayZone = Pick<CommandContext, 'toCaller'>

/** A stored moment in the zone of the caller. Seconds stay as they are. */
export function toCallerMoment(moment: string | null, context: DisplayZone): string | null {
  if (moment === null || context.toCaller === undefined) return moment
  const end = 'YYYY-MM-DD HH:MM'.length
  return context.toCaller(moment.slice(0, end)) + moment.slice(end)
}

/** The minute of a stored moment on the caller's clock, which decides what "today" is. */
export function toCallerMinute(moment: string, context: CommandContext): number {
  const minute = storedMinute(moment)
  return context.toCaller === undefined ? minute : (minuteOf(context.toCaller(momentOf(minute))) ?? minute)
}

/** A minute of the caller's clock on the workspace's. Minutes outside the calendar only bound windows, so they stay as they are. */
export function toWorkspaceMinute(minute: number, context: CommandContext): number {
  if (context.toWorkspace === undefined || minute < MINUTE_MIN || minute > MINUTE_MAX) return minute
  return minuteOf(context.toWorkspace(momentOf(minute))) ?? minute
}
export type CommandEnvironment = { book: Book; context: CommandContext; texts: CommandTexts }
