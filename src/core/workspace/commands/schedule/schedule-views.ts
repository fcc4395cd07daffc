/** The list of the schedule, and its day, week and month views (requirements 2.4). */
import { fitRows } from '../bounds.ts'
import type { Span } from '../command.ts'
import { shownDate, toCallerMinute, toWorkspaceMinute, type CommandEnvironment } from '../context.ts'
import { dateText, MINUTE_MIN, momentOf } from '../../../terms/plain/minutes.ts'
import { occurrencesWithin } from './recurrence.ts'
import { resultOf, type CommandResult } from '../result.ts'
import { eventTable } from './schedule-table.ts'
import { listWindow, viewWindow, type Window } from './schedule-windows.ts'

function showWindow(span: Span | null, window: Window, environment: CommandEnvironment): CommandResult {
  const { book, context, texts } = environment
  const occurrences = occurrencesWithin(
    book.events(),
    toWorkspaceMinute(window.from, context),
    toWorkspaceMinute(window.to, context),
  )
  const { shown, more: omitted } = fitRows(occurrences.shown, ({ event }) => event.title)
  const more = occurrences.more + omitted
  const dayText = (minute: number) => shownDate(dateText(minute), minute, context)
  const first = dayText(Math.max(window.from, MINUTE_MIN))
  const last = dayText(window.to - 1)
  if (shown.length === 0) return resultOf('empty_result', texts.noEvents(span, first, last))
  const listed = shown.map(({ event, start }) => ({ event, start: momentOf(start) }))
  const { rows, table } = eventTable(listed, environment)
  const text = [texts.schedule(span, first, last), table, ...(more > 0 ? [texts.moreRows(more)] : [])].join('\n')
  return resultOf(span === null ? 'schedule_list' : 'schedule_view', text, rows, more > 0 ? { more } : {})
}

/** Lists a window that begins two days ago. */
export function listSchedule(environment: CommandEnvironment): CommandResult {
  const now = toCallerMinute(environment.context.now, environment.context)
  return showWindow(null, listWindow(now, environment.context.schedule_window_days), environment)
}

/** Shows the day, week or month of the anchor, which is a minute of the caller's clock. null: now. */
export function viewSchedule(span: Span, anchor: number | null, environment: CommandEnvironment): CommandResult {
  const minute = anchor ?? toCallerMinute(environment.context.now, environment.context)
  return showWindow(span, viewWindow(span, minute, environment.context.schedule_window_days), environment)
}
