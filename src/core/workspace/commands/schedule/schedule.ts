/** The commands of the schedule that concern one event (requirements 2.4). */
import type { RepeatRule, ScheduleEvent } from '../book.ts'
import { ENTRIES_MAX } from '../bounds.ts'
import type { EventEntry } from '../command.ts'
import { findConflicts, testedSeries } from './conflicts.ts'
import { shownMoment } from '../context.ts'
import type { CommandEnvironment } from '../context.ts'
import { momentOf } from '../minutes.ts'
import { resultOf } from '../result.ts'
import type { CommandKind, CommandResult } from '../result.ts'
import { eventRow, eventTable, shownEvent } from './schedule-table.ts'
import { cleanCell } from '../table.ts'

/** Minutes of an event that says nothing about its length. */
const DEFAULT_DURATION = 60

/** An answer about one event: a sentence, its row, its id. */
function aboutEvent(kind: CommandKind, event: ScheduleEvent, text: string, desk: CommandEnvironment): CommandResult {
  return resultOf(kind, text, [eventRow(event, event.start, desk.context)], { id: event.id })
}

function shownForSentence(event: ScheduleEvent, desk: CommandEnvironment): ScheduleEvent {
  const shown = shownEvent(event, event.start, desk.context)
  return { ...shown, title: cleanCell(shown.title) }
}

/** The conflict report when the event would overlap another one, else null. An event never conflicts with itself. */
function conflictOf(
  fields: Omit<ScheduleEvent, 'id'>,
  self: number | null,
  desk: CommandEnvironment,
): CommandResult | null {
  const { book, context, texts } = desk
  const others = book.events().filter((event) => event.id !== self)
  const { hits, more } = findConflicts(testedSeries(fields, context.conflict_preview_days), others)
  if (hits.length === 0) return null
  const conflicts = hits.map(({ event, start }) => ({
    id: event.id,
    start: shownMoment(momentOf(start), context) ?? '',
    title: event.title,
  }))
  const lines = conflicts.map(({ id, start, title }) => `#${id} ${start} ${cleanCell(title)}`)
  const text = [texts.conflict, ...lines, ...(more > 0 ? [texts.moreConflicts(more)] : [])].join('\n')
  return resultOf('conflict', text, [], { conflicts, more })
}

export function addEvent(entry: EventEntry, desk: CommandEnvironment): CommandResult {
  if (desk.book.eventCount() >= ENTRIES_MAX) return resultOf('usage_error', desk.texts.full(ENTRIES_MAX))
  const fields = {
    title: entry.title,
    start: entry.start,
    duration: entry.duration ?? DEFAULT_DURATION,
    remind_at: entry.remind_at,
    created_at: desk.context.now,
    rule: ruleFrom(entry.rule, null),
  }
  const conflict = conflictOf(fields, null, desk)
  if (conflict !== null) return conflict
  const event = desk.book.addEvent(fields)
  return aboutEvent('schedule_added', event, desk.texts.eventAdded(shownForSentence(event, desk)), desk)
}

/** The rule an entry leaves: none without an interval, else a new, enabled one that keeps the old remind_start unless one is given. */
function ruleFrom(rule: EventEntry['rule'], stored: RepeatRule | null): RepeatRule | null {
  if (rule === null) return null
  return { ...rule, remind_start: rule.remind_start ?? stored?.remind_start ?? null, enabled: true }
}

/** Duration and reminder stay when not given; the rule goes when there is no interval. */
export function updateEvent(id: number, entry: EventEntry, desk: CommandEnvironment): CommandResult {
  const stored = desk.book.event(id)
  if (stored === null) return resultOf('not_found', desk.texts.eventNotFound(id))
  const event: ScheduleEvent = {
    ...stored,
    title: entry.title,
    start: entry.start,
    duration: entry.duration ?? stored.duration,
    remind_at: entry.remind_at ?? stored.remind_at,
    rule: ruleFrom(entry.rule, stored.rule),
  }
  const conflict = conflictOf(event, id, desk)
  if (conflict !== null) return conflict
  desk.book.saveEvent(event)
  return aboutEvent('schedule_updated', event, desk.texts.eventUpdated(shownForSentence(event, desk)), desk)
}

/** Switches the repetition; a missing event is told like a missing rule. */
export function toggleRepeat(id: number, enabled: boolean, desk: CommandEnvironment): CommandResult {
  const stored = desk.book.event(id)
  if (stored === null || stored.rule === null) return resultOf('no_repeat_rule', desk.texts.noRepeatRule(id))
  const event = { ...stored, rule: { ...stored.rule, enabled } }
  desk.book.saveEvent(event)
  return aboutEvent('repeat_toggled', event, desk.texts.repeatToggled(id, enabled), desk)
}

export function deleteEvent(id: number, { book, texts }: CommandEnvironment): CommandResult {
  if (!book.deleteEvent(id)) return resultOf('not_found', texts.eventNotFound(id))
  return resultOf('deleted', texts.eventDeleted(id), [], { id })
}

export function showEvent(id: number, desk: CommandEnvironment): CommandResult {
  const event = desk.book.event(id)
  if (event === null) return resultOf('not_found', desk.texts.eventNotFound(id))
  const { rows, table } = eventTable([{ event, start: event.start }], desk)
  return resultOf('schedule_detail', `${desk.texts.eventDetail(id)}\n${table}`, rows, { id })
}
