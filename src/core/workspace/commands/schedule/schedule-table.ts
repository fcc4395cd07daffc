/** Events and their occurrences as rows and as a table (requirements 2.4). */
import type { ScheduleEvent } from '../book.ts'
import { toCallerMoment, type DisplayZone, type CommandEnvironment } from '../context.ts'
import { tableText } from '../table.ts'

/** The event with the start of one of its occurrences, and with all times in the zone of the caller. */
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

/** The row on the wire, in the order of the table's columns. Every occurrence repeats the fields of its event. */
export function eventRow(event: ScheduleEvent, start: string, context: DisplayZone) {
  const occurrence = eventForCaller(event, start, context)
  const { rule } = occurrence
  return {
    id: occurrence.id,
    start: occurrence.start,
    duration: occurrence.duration,
    title: occurrence.title,
    remind: occurrence.remind_at,
    remind_start: rule?.remind_start ?? null,
    interval: rule?.interval ?? null,
    times: rule?.times ?? null,
    repeat: rule === null ? null : rule.enabled ? 'on' : 'off',
    created_at: occurrence.created_at,
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
