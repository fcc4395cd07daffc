/** Events and their occurrences as rows and as a table (requirements 2.4). */
import type { ScheduleEvent } from '../book.ts'
import { toCallerMoment } from '../context.ts'
import type { DisplayZone } from '../context.ts'
import type { CommandEnvironment } from '../context.ts'
import { tableText } from '../table.ts'

/** The event with the times of the caller's zone, starting where this occurrence does. */
export function eventForCaller(event: ScheduleEvent, start: string, context: DisplayZone): ScheduleEvent {
  const { rule } = event
  return {
    ...event,
    start: toCallerMoment(start, context) ?? start,
    remind_at: toCallerMoment(event.remind_at, context),
    created_at: toCallerMoment(event.created_at, context) ?? event.created_at,
    rule: rule === null ? null : { ...rule, remind_start: toCallerMoment(rule.remind_start, context) },
  }
}

/** The row on the wire, in the order of the table's columns; every occurrence repeats what its event has. */
export function eventRow(event: ScheduleEvent, start: string, context: DisplayZone) {
  const shown = eventForCaller(event, start, context)
  const { rule } = shown
  return {
    id: shown.id,
    start: shown.start,
    duration: shown.duration,
    title: shown.title,
    remind: shown.remind_at,
    remind_start: rule?.remind_start ?? null,
    interval: rule?.interval ?? null,
    times: rule?.times ?? null,
    repeat: rule === null ? null : rule.enabled ? 'on' : 'off',
    created_at: shown.created_at,
  }
}

export function eventTable(
  occurrences: { event: ScheduleEvent; start: string }[],
  { context, texts }: CommandEnvironment,
) {
  const rows = occurrences.map(({ event, start }) => eventRow(event, start, context))
  const cells = rows.map((row) => Object.values(row))
  return { rows, table: tableText(texts.eventColumns, cells) }
}
